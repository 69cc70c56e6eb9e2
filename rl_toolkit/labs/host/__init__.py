"""What runs in the student's process: it loads their files and answers calls, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.labs.host.limits import TOO_SLOW, redirected, time_limit
    from rl_toolkit.labs.host.tracebacks import described

__all__ = [
    "TOO_SLOW",  # The exit codes of a process whose code did not end with its time
    "described",  # An exception as data, cut to the lines of the student's files
    "redirected",  # Keep prints, and answer ``input()`` with the given lines in turn
    "time_limit",  # Raise an exception after this much processor time
]
__getattr__, __dir__ = front_door(__name__)
