"""Validation of arguments: moves, players, boards and sizes, for all games.

Each function returns a clean value or raises a precise error.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.errors import InvalidMoveError, InvalidPositionError
from rl_toolkit.utils import shown

__all__ = ["Board", "as_board", "as_move", "as_player", "as_sides", "as_win_length", "shown"]

Board = NDArray[np.int8]


def as_move(move: object) -> int:
    """``move`` as a plain int; NumPy integers are accepted, bool is not."""
    if type(move) is int:  # almost always, and faster
        return move
    if isinstance(move, (int, np.integer)) and not isinstance(move, bool):
        return int(move)
    raise InvalidMoveError(f"a move is a whole number, not {shown(move)}")


def as_player(player: object) -> int:
    """``player`` as a plain int, +1 or −1."""
    if isinstance(player, (int, np.integer)) and not isinstance(player, bool) and player in (1, -1):
        return int(player)
    raise InvalidPositionError(f"a player is +1 or -1, not {shown(player)}")


def as_board(board: Any, cells: int) -> Board:
    """A flat int8 copy of ``board``, which must hold ``cells`` values from −1, 0, +1."""
    if type(board) is np.ndarray and board.shape == (cells,) and board.dtype.kind in "if":
        if board.dtype.char == "b":  # these two are nearly all, and faster
            if not board.tobytes().translate(None, b"\0\1\xff"):
                return board.copy()
        elif not board.tobytes().strip(b"\0"):
            return np.zeros(cells, dtype=np.int8)
    try:
        values = np.asarray(board)
    except ValueError:
        values = np.asarray(None)
    if values.dtype.kind not in "iuf":
        raise InvalidPositionError(f"a board is a sequence of -1, 0 and 1, not {shown(board)}")
    if values.size != cells:
        raise InvalidPositionError(f"the board must have {cells} cells, not {values.size}")
    values = values.reshape(-1)
    # NaN compares unequal to everything, so it is caught here too.
    wrong = np.flatnonzero(~((values == 0) | (values == 1) | (values == -1)))
    if wrong.size:
        cell = int(wrong[0])
        value = shown(values[cell].item())
        raise InvalidPositionError(f"cell {cell} holds {value}; only -1, 0 and 1 are allowed")
    return values.astype(np.int8)


def as_sides(board_size: object) -> tuple[int, int]:
    """``(rows, cols)`` of a side or a pair; columns are named a–z, so there are at most 26."""
    if type(board_size) is int and 1 <= board_size <= 26:  # almost always, and faster
        return board_size, board_size
    pair = tuple(board_size) if isinstance(board_size, (tuple, list)) else (board_size, board_size)
    if len(pair) != 2 or not all(
        isinstance(side, (int, np.integer)) and not isinstance(side, bool) for side in pair
    ):
        raise InvalidPositionError(
            f"board_size is a whole number or a pair (rows, cols), not {shown(board_size)}"
        )
    rows, cols = int(pair[0]), int(pair[1])
    if not (1 <= rows <= 99 and 1 <= cols <= 26):
        raise InvalidPositionError(
            "a board has 1 to 99 rows and 1 to 26 columns (a-z), "
            f"not {shown(rows)} rows and {shown(cols)} columns"
        )
    return rows, cols


def sides_of(board: Any) -> tuple[int, int]:
    """Rows and columns of a board: those of a table, or of a square, or one row."""
    try:
        shape = np.shape(board)
    except ValueError:  # rows of different lengths
        shape = (len(board),)
    if len(shape) == 2:
        return as_sides(shape)
    cells = int(np.prod(shape))
    side = round(cells**0.5)
    return as_sides(side if side * side == cells else (1, cells))


def as_win_length(win_length: object, rows: int, cols: int) -> int:
    """``win_length`` as a plain int, at least 3 and at most the longer side."""
    if not isinstance(win_length, (int, np.integer)) or isinstance(win_length, bool):
        raise InvalidPositionError(f"win_length is a whole number, not {shown(win_length)}")
    if max(rows, cols) < 3:
        raise InvalidPositionError(f"{rows}×{cols} is too small for three in a row")
    longest = max(rows, cols)
    if not 3 <= win_length <= longest:
        allowed = "3" if longest == 3 else f"3 to {longest}"
        raise InvalidPositionError(
            f"on a {rows} × {cols} board you need {allowed} in a row, not {shown(win_length)}"
        )
    return int(win_length)


def read_numbers(text: str, counts: tuple[int, ...]) -> tuple[int, ...] | None:
    """``"6x8x4"`` as (6, 8, 4), ``None`` unless the number of parts is one of ``counts``."""
    if not re.fullmatch(r"[0-9]{1,4}(x[0-9]{1,4})*", text):
        return None
    numbers = tuple(int(part) for part in text.split("x"))
    return numbers if len(numbers) in counts else None
