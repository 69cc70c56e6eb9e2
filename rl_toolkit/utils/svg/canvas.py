"""SVG elements as text, and the geometry of a board.

Lengths are in user units; a cell is `CELL` units wide and high::

        x = left                 left + cols · CELL
            |                         |
     top  --+----+----+----+----+-----+--
          2 |    |    |    |    |     |      the letters are on the side of row 1
          1 |    |    |    |    |     |
            +----+----+----+----+-----+--  top + rows · CELL
               a    b    c    d    e
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from rl_toolkit.utils.board_viz import RowOneAt, rows_top_down

CELL = 60
LABEL_MARGIN = 36
BARE_MARGIN = 16

# Not allowed in XML 1.0, even escaped: control characters, surrogates, U+FFFE and U+FFFF.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, *content: str, **attributes: str | float) -> str:
    """An XML element; ``content`` is XML, attributes are escaped, ``_`` in their names is ``-``.

    >>> element("circle", cx=1.50, stroke_width=2)
    '<circle cx="1.5" stroke-width="2"/>'
    """
    spelled = "".join(
        f' {key.replace("_", "-")}="{escape(plain_text(_spell(value)))}"'
        for key, value in attributes.items()
    )
    if not content:
        return f"<{name}{spelled}/>"
    return f"<{name}{spelled}>{''.join(content)}</{name}>"


def escaped(text: str) -> str:
    """Any ``text``, escaped as the content of an element.

    >>> escaped("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    return escape(plain_text(text), quote=False)


def centred_text(text: str, x: float, y: float, size: float, fill: str, weight: str = "500") -> str:
    """Text centred at ``(x, y)``."""
    return element(
        "text",
        escaped(text),
        x=x,
        y=y,
        dy="0.35em",
        text_anchor="middle",
        font_size=size,
        font_weight=weight,
        fill=fill,
    )


def chart_text(
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    anchor: str = "middle",
    weight: str = "normal",
    colour: str = "#222222",
) -> str:
    """A line of text in a chart; ``anchor`` says which part of it is at ``x``.

    >>> chart_text(0, 9, "a < b", size=12, anchor="start")[:30]
    '<text x="0" y="9" font-size="1'
    """
    return element(
        "text",
        escaped(text),
        x=x,
        y=y,
        font_size=size,
        font_weight=weight,
        text_anchor=anchor,
        fill=colour,
    )


def plain_text(text: str) -> str:
    """``text`` with every character that XML does not allow replaced by U+FFFD."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _spell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"


@dataclass(frozen=True, slots=True)
class Canvas:
    """The geometry of a ``rows`` × ``cols`` board in the picture."""

    rows: int
    cols: int
    row_one_at: RowOneAt
    show_coordinates: bool

    @property
    def left(self) -> float:
        """The x coordinate of the board's left edge."""
        return LABEL_MARGIN if self.show_coordinates else BARE_MARGIN

    @property
    def top(self) -> float:
        """The y coordinate of the board's top edge."""
        letters_above = self.show_coordinates and self.row_one_at == "top"
        return LABEL_MARGIN if letters_above else BARE_MARGIN

    @property
    def board_width(self) -> float:
        """The width of the board without margins."""
        return self.cols * CELL

    @property
    def board_height(self) -> float:
        """The height of the board without margins."""
        return self.rows * CELL

    @property
    def width(self) -> float:
        """The width of the picture."""
        return self.left + self.board_width + BARE_MARGIN

    @property
    def height(self) -> float:
        """The height of the picture."""
        letters_below = self.show_coordinates and self.row_one_at == "bottom"
        return self.top + self.board_height + (LABEL_MARGIN if letters_below else BARE_MARGIN)

    def centre(self, cell: int) -> tuple[float, float]:
        """The centre ``(x, y)`` of a cell, given by its index."""
        row, col = divmod(cell, self.cols)
        line = rows_top_down(self.rows, self.row_one_at).index(row)
        return self.left + (col + 0.5) * CELL, self.top + (line + 0.5) * CELL
