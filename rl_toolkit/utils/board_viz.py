"""Boards as text: pieces, rows and columns in the order in which they are drawn.

A board is two-dimensional and holds 0 (empty), +1 and −1. Its first row is row 1; ``row_one_at`` is
where row 1 is drawn, at the top or at the bottom. What draws SVG is imported when it is first used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.utils.position_utils import algebraic_to_index, column_letters, index_to_algebraic

if TYPE_CHECKING:
    from rl_toolkit.utils.svg.board import render_board_svg


__all__ = [
    "Board2D",
    "RowOneAt",
    "get_index_from_name_rect",
    "get_position_name_rect",
    "render_board_ascii",
    "render_board_plain",
    "render_board_svg",
]

_BOXED_SYMBOLS = {0: " ", 1: "X", -1: "O"}
_PLAIN_SYMBOLS = {0: ".", 1: "X", -1: "O"}


def __getattr__(name: str) -> Any:
    if name != "render_board_svg":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rl_toolkit.utils.svg import board

    globals()[name] = board.render_board_svg
    return board.render_board_svg


def render_board_ascii(
    board_2d: Board2D,
    symbols: Mapping[int, str] | None = None,
    show_indices: bool = True,
    *,
    row_one_at: RowOneAt = "top",
) -> str:
    """The board as boxed cells, with column letters above and row numbers at the left.

    ``symbols`` replaces the text of some or all of 0, +1 and −1; ``show_indices=False`` omits the
    letters and numbers.

    >>> print(render_board_ascii([[1, 0, -1], [0, 1, 0]]))
        a   b   c
      +---+---+---+
    1 | X |   | O |
      +---+---+---+
    2 |   | X |   |
      +---+---+---+
    """
    grid = read_board(board_2d)
    text = _symbols(_BOXED_SYMBOLS, symbols)
    width = max(_display_width(symbol) for symbol in text.values()) + 2
    border = "+" + "+".join(["-" * width] * len(grid[0])) + "+"
    margin = len(str(len(grid))) + 1 if show_indices else 0

    lines = [" " * margin + border]
    for row in rows_top_down(len(grid), row_one_at):
        cells = "|".join(_centred(text[piece], width) for piece in grid[row])
        label = f"{row + 1:>{margin - 1}} " if show_indices else ""
        lines += [f"{label}|{cells}|", " " * margin + border]
    if show_indices:
        letters = " ".join(_centred(letter, width) for letter in column_letters(len(grid[0])))
        lines.insert(0, (" " * (margin + 1) + letters).rstrip())
    return "\n".join(lines)


def render_board_plain(
    board_2d: Board2D,
    row_one_at: RowOneAt = "top",
    symbols: Mapping[int, str] | None = None,
) -> str:
    """The board as one symbol per cell, under a line of column letters, row numbers at the left.

    >>> print(render_board_plain([[1, -1, 1], [0, 1, 0]], row_one_at="bottom"))
      a b c
    2 . X .
    1 X O X
    """
    grid = read_board(board_2d)
    text = _symbols(_PLAIN_SYMBOLS, symbols)
    width = max(_display_width(symbol) for symbol in text.values())
    margin = len(str(len(grid)))

    def line(label: str, cells: list[str]) -> str:
        return " ".join([label.rjust(margin), *(_centred(cell, width) for cell in cells)]).rstrip()

    header = line("", list(column_letters(len(grid[0]))))
    return "\n".join(
        [header]
        + [
            line(str(row + 1), [text[piece] for piece in grid[row]])
            for row in rows_top_down(len(grid), row_one_at)
        ]
    )


def get_position_name_rect(index: int, rows: int, cols: int) -> str:
    """The name of a cell on a ``rows`` × ``cols`` board; raises `ValueError` off the board.

    >>> get_position_name_rect(41, 6, 7)
    'g6'
    """
    return index_to_algebraic(index, (rows, cols))


def get_index_from_name_rect(name: str, rows: int, cols: int) -> int:
    """The index of a named cell on a ``rows`` × ``cols`` board; raises `ValueError` off the board.

    >>> get_index_from_name_rect("g6", 6, 7)
    41
    """
    return algebraic_to_index(name, (rows, cols))


def _symbols(defaults: Mapping[int, str], replaced: Mapping[int, str] | None) -> dict[int, str]:
    """``defaults`` with replacements; raises `ValueError` unless every symbol is printable."""
    text = {**defaults, **(replaced or {})}
    for piece, symbol in text.items():
        if piece not in PIECES:
            raise ValueError(f"symbols are for 0, 1 and -1, not for {piece!r}")
        if not isinstance(symbol, str) or not symbol or not symbol.isprintable():
            raise ValueError(f"the symbol of {piece} must be printable text, not {symbol!r}")
    return text


def _display_width(text: str) -> int:
    """The columns that ``text`` takes in a terminal; wide characters such as 🔴 take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _centred(text: str, width: int) -> str:
    """``text`` in the middle of ``width`` terminal columns, an odd space on the right."""
    blanks = width - _display_width(text)
    return " " * (blanks // 2) + text + " " * (blanks - blanks // 2)


Board2D: TypeAlias = Sequence[Sequence[int]] | NDArray[np.integer[Any]]
RowOneAt: TypeAlias = Literal["top", "bottom"]

PIECES = (0, 1, -1)


def read_board(board_2d: Board2D) -> list[list[int]]:
    """``board_2d`` as rows of plain ints, row 1 first.

    Raises `ValueError` unless it is a non-empty rectangle of 0, +1 and −1.
    """
    try:
        grid = [list(row) for row in board_2d]
    except TypeError:
        raise ValueError("a board to draw must be two-dimensional: rows of cells") from None
    if not grid or not grid[0]:
        raise ValueError("a board to draw needs at least one row and one column")
    if any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("the rows of a board must all have the same length")
    for row in grid:
        for piece in row:
            # Whole floats are accepted: np.zeros makes floats by default.
            if isinstance(piece, bool) or not isinstance(piece, Real) or piece not in PIECES:
                raise ValueError(f"a cell holds 0, 1 or -1, not {piece!r}")
    return [[int(piece) for piece in row] for row in grid]


def rows_top_down(rows: int, row_one_at: RowOneAt) -> list[int]:
    """The row numbers, from 0, in the order in which they are drawn, top first.

    Raises ``ValueError`` if ``row_one_at`` is neither ``"top"`` nor ``"bottom"``.

    >>> rows_top_down(3, "top"), rows_top_down(3, "bottom")
    ([0, 1, 2], [2, 1, 0])
    """
    if row_one_at == "top":
        return list(range(rows))
    if row_one_at == "bottom":
        return list(reversed(range(rows)))
    raise ValueError(f"row_one_at is 'top' or 'bottom', not {row_one_at!r}")
