"""Tables without rules, columns that are left out where there is no room for them, and `Prose`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.containers import Lines
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

#: Tables of sentences need this many columns.
_TABLE_WIDTH = 72
#: Cells up to this width are names and numbers, which are never broken.
_WORD = 14
#: Stands for a blank at which a line must not end; Rich would break it at a no-break space.
_JOINT = "\ue000"


class Prose(Text):
    """Text that is not broken between a number and its ``%``."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """The lines of the text; see `rich.text.Text.wrap`."""
        joined = self.copy()
        joined.plain = joined.plain.replace(" %", f"{_JOINT}%")
        lines = joined.wrap(console, width, **options)
        for line in lines:
            line.plain = line.plain.replace(_JOINT, " ")
        return lines


def wrapped(text: str, width: int) -> list[str]:
    """The lines of ``text`` in pieces of at most ``width`` columns, with every word whole.

    A number stays beside its ``%``; a word that is longer than a line has a line of its own.
    """
    lines: list[str] = []
    for line in text.replace(" %", f"{_JOINT}%").splitlines():
        pieces = wrap(line, max(1, width), break_long_words=False, break_on_hyphens=False)
        lines += [piece.replace(_JOINT, " ") for piece in pieces or [""]]
    return lines


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and the cells under it."""

    head: str
    cells: list[str]
    #: Columns with the highest number are left out first; 0 is always kept.
    dispensable: int = 0
    #: The narrowest this column may become, by wrapping or cutting; ``None`` for its full width.
    narrowest: int | None = None

    @property
    def width(self) -> int:
        """Columns of the terminal that the widest line needs."""
        return max(cell_len(line) for text in (self.head, *self.cells) for line in text.split("\n"))


def fitting(columns: Sequence[Column], width: int, gap: int = 2) -> list[Column]:
    """The columns that fit side by side into ``width``, with ``gap`` blanks between them."""
    kept = list(columns)
    while needed_width(kept, gap) > width and any(column.dispensable for column in kept):
        kept.remove(max(kept, key=lambda column: column.dispensable))
    return kept


def left_out(columns: Sequence[Column], kept: Sequence[Column]) -> str:
    """A sentence that names the columns that are not among those ``kept``; "" without any.

    >>> left_out([Column("a", []), Column("b c", [])], [])
    'Left out for lack of room: a, b c.'
    """
    names = [column.head.replace("\n", " ") for column in columns if column not in kept]
    return f"Left out for lack of room: {', '.join(names)}." if names else ""


def needed_width(columns: Sequence[Column], gap: int = 2) -> int:
    """The width of these columns side by side, each as narrow as it may become."""
    least = (min(column.width, column.narrowest or column.width) for column in columns)
    return sum(least) + gap * (len(columns) - 1)


def plain_table(*heads: str, numbers: Sequence[str] = (), show_header: bool = True) -> Table:
    """An empty table without rules; ``numbers`` are the headings of right-aligned columns."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=show_header)
    for head in heads:
        table.add_column(head, overflow="fold", justify="right" if head in numbers else "left")
    return table


def listing(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> RenderableType:
    """A table of names and sentences; where it would break words, a line for each cell."""
    if width >= _TABLE_WIDTH:
        table = plain_table(*heads)
        for row in rows:
            table.add_row(*map(Prose, row))
        for column, texts in zip(table.columns, zip(*rows, strict=True), strict=False):
            widest = max(map(cell_len, texts))
            column.min_width = widest if widest <= _WORD else None
        return table
    paragraphs: list[RenderableType] = []
    for name, *cells in rows:
        lines = [f"{head}: {cell}" for head, cell in zip(heads[1:], cells, strict=True) if cell]
        paragraphs += [Text(name, "bold"), Padding(Prose("\n".join(lines)), (0, 0, 0, 2))]
    return Group(*paragraphs)
