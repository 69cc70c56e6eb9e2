"""Boards and charts drawn as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.svg.canvas import chart_text, element, escaped
    from rl_toolkit.utils.svg.chart import Chart, Frame, check_can_draw, picture, save_chart
    from rl_toolkit.utils.svg.curves import Curve, Curves
    from rl_toolkit.utils.svg.palettes import COLOURS, UNSEEN, ThemeName
    from rl_toolkit.utils.svg.styles import STYLES, StyleName
    from rl_toolkit.utils.svg.text import render_text_svg
    from rl_toolkit.utils.svg.ticks import round_ticks

__all__ = [
    "COLOURS",  # The colours that pieces may have, by name
    "STYLES",  # The ways to draw a board, by name
    "UNSEEN",  # Colours that cannot be told from the board, by style
    "Chart",  # Values under labels
    "Curve",  # A line through ``points``; ``band`` has the low and high end at each of them
    "Curves",  # Curves over one axis of numbers
    "Frame",  # The plot area of a picture, with a scale on the left
    "StyleName",  # The name of a way to draw a board
    "ThemeName",  # The name of a palette: light or dark
    "chart_text",  # A line of text in a chart; ``anchor`` says which part of it is at ``x``
    # Raise ``ValueError`` if `save_chart` cannot write to ``path``, before a long
    # experiment
    "check_can_draw",
    # An XML element; ``content`` is XML, attributes are escaped, ``_`` in their names is
    # ``-``
    "element",
    "escaped",  # Any ``text``, escaped as the content of an element
    "picture",  # An SVG document on paper of this colour
    "render_text_svg",  # ``text`` line by line in a font of fixed width
    "round_ticks",  # About five round numbers that cover the range from ``low`` to ``high``
    "save_chart",  # Write the chart as an ``.svg`` file
]
__getattr__, __dir__ = front_door(__name__)
