"""Lines of text as an SVG picture, for games that are shown as text."""

from __future__ import annotations

from collections.abc import Sequence

from rl_toolkit.utils.svg.animation import animated
from rl_toolkit.utils.svg.canvas import element, escaped
from rl_toolkit.utils.svg.palettes import MARKS, ThemeName

_SIZE, _WIDTH, _HEIGHT, _MARGIN = 16, 9.7, 20, 16


def render_text_svg(text: str, *, theme: ThemeName = "light") -> str:
    r"""``text`` line by line in a font of fixed width.

    >>> render_text_svg("x .\n . o").count("<text")
    2
    """
    return render_texts_svg([text], theme=theme)


def render_texts_svg(
    texts: Sequence[str], *, theme: ThemeName = "light", seconds: float = 1.0
) -> str:
    """Texts one after the other, each for so many seconds; the last one stays longer."""
    pages = [text.rstrip().split("\n") for text in texts]
    palette = MARKS[theme]
    width = 2 * _MARGIN + _WIDTH * max(len(line) for lines in pages for line in lines)
    height = 2 * _MARGIN + _HEIGHT * max(map(len, pages))
    paper = element("rect", width=width, height=height, fill=palette.paper)
    return element(
        "svg",
        *animated(([[paper], _lines(lines, palette.ink)] for lines in pages), seconds),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )


def _lines(lines: list[str], ink: str) -> list[str]:
    return [
        element(
            "text",
            escaped(line.replace(" ", "\N{NO-BREAK SPACE}")),  # SVG joins blanks
            x=_MARGIN,
            y=_MARGIN + _HEIGHT * number - 5,
            fill=ink,
            font_family="monospace",
            font_size=_SIZE,
        )
        for number, line in enumerate(lines, 1)
    ]
