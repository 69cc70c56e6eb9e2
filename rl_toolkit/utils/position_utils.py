"""Names of squares: conversion between an index, a ``(row, col)`` pair and a name such as ``b2``.

::

             a    b    c
          +----+----+----+
        1 |  0 |  1 |  2 |      index  5
          +----+----+----+      pair   (1, 2)     row and column counted from 0
        2 |  3 |  4 |  5 |      name   c2         column letter, row counted from 1
          +----+----+----+

Row 1 holds index 0. Tic-Tac-Toe and Reversi draw row 1 at the top, Connect Four and Gomoku at the
bottom; the names are the same.

A ``board_size`` is a side or a pair ``(rows, cols)``. All functions raise `ValueError` for a square
that is not on the board, or an argument of the wrong type.
"""

from __future__ import annotations

import re
from functools import lru_cache
from numbers import Integral
from string import ascii_lowercase
from typing import TypeAlias

from rl_toolkit.utils.messages import shown

BoardSize: TypeAlias = int | tuple[int, int]

MAX_NAMED_COLUMNS = len(ascii_lowercase)

# ASCII only: str.isdigit and case folding would accept digits and letters of other scripts.
_NAME = re.compile(r"([A-Za-z])(0|[1-9][0-9]{0,8})")


def board_shape(board_size: BoardSize) -> tuple[int, int]:
    """``(rows, cols)`` of a board size, which is a side or such a pair.

    >>> board_shape(3), board_shape((6, 7))
    ((3, 3), (6, 7))
    """
    if isinstance(board_size, (tuple, list)):
        rows, cols = _pair(board_size, "a board size")
    else:
        rows = cols = _integer(board_size, "a board size")
    if rows < 1 or cols < 1:
        raise ValueError(f"a board needs at least one row and one column, not {rows}×{cols}")
    return rows, cols


def column_letters(cols: int) -> str:
    """The letters of the first ``cols`` columns, ``"abc…"``; raises `ValueError` beyond ``z``."""
    if not 1 <= cols <= MAX_NAMED_COLUMNS:
        raise ValueError(f"columns are named a to z, so there can be 1 to 26, not {cols}")
    return ascii_lowercase[:cols]


def index_to_tuple(index: int, board_size: BoardSize) -> tuple[int, int]:
    """The pair ``(row, col)`` of a cell index.

    >>> index_to_tuple(5, 3)
    (1, 2)
    """
    rows, cols = board_shape(board_size)
    cell = _integer(index, "a cell index")
    if not 0 <= cell < rows * cols:
        raise ValueError(
            f"index {shown(cell)} is off the {rows}×{cols} board, "
            f"whose cells are 0 to {rows * cols - 1}"
        )
    return divmod(cell, cols)


def tuple_to_index(position: tuple[int, int], board_size: BoardSize) -> int:
    """The cell index of a pair ``(row, col)``.

    >>> tuple_to_index((1, 2), 3)
    5
    """
    rows, cols = board_shape(board_size)
    row, col = _pair(position, "a position")
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(
            f"({row}, {col}) is off the {rows}×{cols} board: "
            f"rows are 0 to {rows - 1}, columns 0 to {cols - 1}"
        )
    return row * cols + col


def tuple_to_algebraic(position: tuple[int, int], board_size: BoardSize) -> str:
    """The name of the square at a pair ``(row, col)``.

    >>> tuple_to_algebraic((1, 2), 3)
    'c2'
    """
    return index_to_algebraic(tuple_to_index(position, board_size), board_size)


def algebraic_to_tuple(name: str, board_size: BoardSize) -> tuple[int, int]:
    """The pair ``(row, col)`` of a square's name; case and surrounding spaces do not matter.

    >>> algebraic_to_tuple("c2", 3), algebraic_to_tuple(" C2 ", 3)
    ((1, 2), (1, 2))
    """
    rows, cols = board_shape(board_size)
    letters = column_letters(cols)
    if not isinstance(name, str):
        raise ValueError(f"a square's name is text such as 'a1', not {shown(name)}")
    match = _NAME.fullmatch(name.strip())
    if match is None:
        raise ValueError(
            f"{shown(name)} is not the name of a square: write a letter and a row, such as 'a1'"
        )
    letter, number = match[1].lower(), int(match[2])
    if letter not in letters:
        raise ValueError(
            f"{letter}{number} is off the {rows}×{cols} board: columns are a to {letters[-1]}"
        )
    if not 1 <= number <= rows:
        raise ValueError(f"{letter}{number} is off the {rows}×{cols} board: rows are 1 to {rows}")
    return number - 1, letters.index(letter)


def index_to_algebraic(index: int, board_size: BoardSize) -> str:
    """The name of the square with a cell index.

    >>> index_to_algebraic(4, 3), index_to_algebraic(41, (6, 7))
    ('b2', 'g6')
    """
    rows, cols = board_shape(board_size)
    return cell_name(_integer(index, "a cell index"), rows, cols)


@lru_cache(maxsize=1 << 14)
def cell_name(index: int, rows: int, cols: int) -> str:
    """`index_to_algebraic` for plain ints that need no check: three times as fast."""
    row, col = index_to_tuple(index, (rows, cols))
    return f"{column_letters(cols)[col]}{row + 1}"


def algebraic_to_index(name: str, board_size: BoardSize) -> int:
    """The cell index of a square's name; case and surrounding spaces do not matter.

    >>> algebraic_to_index("b2", 3), algebraic_to_index("G6", (6, 7))
    (4, 41)
    """
    return tuple_to_index(algebraic_to_tuple(name, board_size), board_size)


def validate_position(name: str, board_size: BoardSize) -> bool:
    """Whether ``name`` is a square of the board; raises `ValueError` for a wrong board size.

    >>> validate_position("c3", 3), validate_position("d1", 3)
    (True, False)
    """
    column_letters(board_shape(board_size)[1])
    try:
        algebraic_to_tuple(name, board_size)
    except ValueError:
        return False
    return True


def _integer(value: object, what: str) -> int:
    """``value`` as a plain int; NumPy integers are accepted, bool is not."""
    if type(value) is int:  # almost always, and faster
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{what} must be a whole number, not {shown(value)}")
    return int(value)


def _pair(value: object, what: str) -> tuple[int, int]:
    """``value`` as two plain ints."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"{what} must be a pair of whole numbers, not {shown(value)}")
    part = f"each part of {what}"
    return _integer(value[0], part), _integer(value[1], part)
