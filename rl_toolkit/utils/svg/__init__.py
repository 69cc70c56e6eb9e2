"""Boards and charts drawn as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.utils.svg.board import render_replay_svg
    from rl_toolkit.utils.svg.canvas import chart_text, element, escaped
    from rl_toolkit.utils.svg.chart import Chart, check_can_draw, save_chart
    from rl_toolkit.utils.svg.palettes import COLOURS, UNSEEN, ThemeName
    from rl_toolkit.utils.svg.plot import PAGE, Axis, Plot, Series, panels, picture
    from rl_toolkit.utils.svg.styles import STYLES, StyleName
    from rl_toolkit.utils.svg.text import render_text_svg, render_texts_svg
    from rl_toolkit.utils.svg.ticks import round_ticks

__all__ = [
    "COLOURS",  # The colours that pieces may have, by name
    "PAGE",  # The colours of the page around a plot
    "STYLES",  # The ways to draw a board, by name
    "UNSEEN",  # Colours that cannot be told from the board, by style
    "Axis",  # One direction of a plot: numbers, or names at equal distances
    "Chart",  # Values under labels
    "Plot",  # Series over two axes, under a title
    "Series",  # Points that belong together: a line, bars, or points, with their intervals
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
    "panels",  # Several plots in one picture, side by side
    "picture",  # An SVG document on paper of this colour
    "render_replay_svg",  # The boards of a game one after the other, as one SVG document
    "render_text_svg",  # ``text`` line by line in a font of fixed width
    "render_texts_svg",  # Texts one after the other, each for so many seconds
    "round_ticks",  # About five round numbers that cover the range from ``low`` to ``high``
    "save_chart",  # Write the chart as an ``.svg`` file
]
__getattr__, __dir__ = front_door(__name__)
