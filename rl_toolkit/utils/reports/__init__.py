"""Reports as one HTML file each: no script, nothing loaded, light and dark, for screen and paper.

::

    frame.html         the document; every report extends it
    parts.html         tables, bars and coloured cells, as macros
    tournament.html    scorecard.html    class.html    student.html
    report.css         the style of all, written into each file

A template gets the values of a report and writes them; whatever it writes is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.reports.rendering import Scale, render_report

__all__ = [
    "Scale",  # Places of values between two ends, in per cent
    "render_report",  # The report that a template of this folder makes of these values
]
__getattr__, __dir__ = front_door(__name__)
