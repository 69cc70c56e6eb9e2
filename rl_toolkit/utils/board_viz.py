"""Boards as text and as SVG: pure functions from a grid of pieces to a string.

A board is two-dimensional and holds 0 (empty), +1 and −1. Its first row is row 1; ``row_one_at`` is
where row 1 is drawn, at the top or at the bottom. What draws SVG is imported when it is first used.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rl_toolkit.utils.board_grid import PIECES, Board2D, RowOneAt, read_board, rows_top_down
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
