"""Lines of text as an SVG picture, for games that are shown as text."""

from __future__ import annotations

from rl_toolkit.utils.svg.canvas import element, escaped
from rl_toolkit.utils.svg.palettes import MARKS, ThemeName

_SIZE, _WIDTH, _HEIGHT, _MARGIN = 16, 9.7, 20, 16


def render_text_svg(text: str, *, theme: ThemeName = "light") -> str:
    r"""``text`` line by line in a font of fixed width.

    >>> render_text_svg("x .\n . o").count("<text")
    2
    """
    lines = text.rstrip().split("\n")
    palette = MARKS[theme]
    width = 2 * _MARGIN + _WIDTH * max(map(len, lines))
    height = 2 * _MARGIN + _HEIGHT * len(lines)
    return element(
        "svg",
        element("rect", width=width, height=height, fill=palette.paper),
        *(
            element(
                "text",
                escaped(line.replace(" ", "\N{NO-BREAK SPACE}")),  # SVG joins blanks
                x=_MARGIN,
                y=_MARGIN + _HEIGHT * number - 5,
                fill=palette.ink,
                font_family="monospace",
                font_size=_SIZE,
            )
            for number, line in enumerate(lines, 1)
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )
