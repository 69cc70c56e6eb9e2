"""Boards as people keep them: flat or in rows, in lists, tuples, text, arrays or dictionaries."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rl_toolkit.utils import shown


class Cells(NamedTuple):
    """The contents of a board, row by row; ``sides`` are its rows and columns, if it has rows."""

    marks: tuple[Hashable, ...]
    sides: tuple[int, int] | None


class BoardFormatError(ValueError):
    """A board that cannot be read; the message ends a sentence about the board."""


def read_cells(board: Any, texts_are_rows: bool | None = None) -> Cells:
    """The cells of a board; raises `BoardFormatError` if this is not a board.

    ``texts_are_rows`` says whether a text in a list is a row; without it, its looks decide.

    >>> read_cells([["X", " "], [" ", "O"]])
    Cells(marks=('X', ' ', ' ', 'O'), sides=(2, 2))
    """
    if isinstance(board, np.ndarray):
        board = board.tolist()
    if isinstance(board, dict):
        return _read_dict(board)
    if not isinstance(board, (list, tuple, str)):
        raise BoardFormatError(f"is {shown(board)}, not a list, an array or a dictionary of cells")
    if not len(board):
        raise BoardFormatError("has no cells")
    if isinstance(board, str):
        rows = [row for row in board.split("\n") if row]
        board = rows if len(rows) > 1 else rows[0]
        texts_are_rows = None
    if texts_are_rows is None:
        texts_are_rows = is_rows_of_text(board)
    if not isinstance(board[0], (list, tuple, np.ndarray)) and not (
        texts_are_rows and isinstance(board[0], str)
    ):
        return Cells(_marks(board), None)
    lengths = {len(row) for row in board}
    if len(lengths) != 1:
        raise BoardFormatError("has rows of different lengths")
    return Cells(_marks([mark for row in board for mark in row]), (len(board), lengths.pop()))


def write_cells(like: Any, marks: Sequence[Hashable], texts_are_rows: bool | None = None) -> Any:
    """A board with these marks, kept in the way of ``like``.

    >>> write_cells([["X", " "], [" ", "O"]], "abcd")
    [['a', 'b'], ['c', 'd']]
    """
    if isinstance(like, np.ndarray):
        return np.array(list(marks), dtype=like.dtype).reshape(like.shape)
    if isinstance(like, dict):
        return type(like)(zip(sorted(like), marks, strict=True))
    if isinstance(like, str):
        sides = read_cells(like).sides
        text = "".join(str(mark) for mark in marks)
        if sides is None:
            return text
        return "\n".join(text[k * sides[1] : (k + 1) * sides[1]] for k in range(sides[0]))
    if texts_are_rows is None:
        texts_are_rows = is_rows_of_text(like)
    if isinstance(like[0], (list, tuple, np.ndarray)) or texts_are_rows:
        left, rows = list(marks), []
        for row in like:
            rows.append(write_cells(row, left[: len(row)], texts_are_rows=False))
            left = left[len(row) :]
        return type(like)(rows)
    return type(like)(marks)


def _read_dict(board: dict[Any, Any]) -> Cells:
    try:
        keys = sorted(board)
    except TypeError as error:
        raise BoardFormatError("is a dictionary whose keys have no order") from error
    marks = _marks([board[key] for key in keys])
    if not all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        return Cells(marks, None)
    rows, cols = (len({key[k] for key in keys}) for k in (0, 1))
    if rows * cols != len(keys):
        raise BoardFormatError("is a dictionary without a key for each cell")
    return Cells(marks, (rows, cols))


def is_rows_of_text(board: Any) -> bool:
    """Whether this is a list of rows, each a text: ``["X.O", "...", "..."]``."""
    return (
        isinstance(board, (list, tuple))
        and all(isinstance(row, str) for row in board)
        and min(len(row) for row in board) > 1
        and len(board) > 1
        and len({len(row) for row in board}) == 1
        and len({mark for row in board for mark in row}) <= 3
    )


def _marks(cells: Any) -> tuple[Hashable, ...]:
    marks = tuple(mark.item() if isinstance(mark, np.generic) else mark for mark in cells)
    try:
        hash(marks)
    except TypeError as error:
        raise BoardFormatError(f"holds {shown(marks[0])}, which is not a piece") from error
    return marks
