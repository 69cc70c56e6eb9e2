"""`Forms`: positions, cells and players in the student's form, and back.

A check always speaks of a `Position`, of cells counted from 0 and of the players +1 and −1. What
the student's functions take and return follows from names.toml.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from rl_toolkit.labs.model.names import DERIVED_KINDS, BoardNames
from rl_toolkit.labs.model.positions import Position, start_of
from rl_toolkit.labs.model.values import AsEnv, Other, signed
from rl_toolkit.utils.messages import shown
from rl_toolkit.utils.position_utils import algebraic_to_index, index_to_algebraic


class NotThisFormError(Exception):
    """An answer is not of the kind that it should be."""


class Forms:
    """Converts by the names of one student, on the board of one game."""

    def __init__(self, names: BoardNames, game: str) -> None:
        self._names, self._game = names, game
        start = start_of(game)
        self._rows, self._cols = start.rows, start.cols
        self._row_one_at = start.traits.row_one_at
        self._swap = -1 if names.opens == "o" else 1
        #: The number of the first row and column.
        self._first = 1 if names.cells.endswith("1") else 0
        self._marks = {1: names.x, -1: names.o, 0: names.empty}

    # ------------------------------------------------------------------ to the student

    def arguments(
        self, given: Sequence[Any], sheet: Sequence[str], own: Sequence[str] | None = None
    ) -> list[Any]:
        """The arguments of the student's function for those of a check's call.

        ``sheet`` are the kinds that the sheet gives, ``own`` those of the student if they differ.
        """
        if not sheet:
            return [self.argument("plain", each) for each in given]
        wanted = [kind for kind in sheet if kind not in DERIVED_KINDS]
        waiting = list(zip(wanted, given, strict=False))
        board = next((v for v in given if isinstance(v, (Position, AsEnv))), None)
        if isinstance(board, AsEnv):
            board = board.position
        made: list[Any] = []
        for kind in own or sheet:
            if kind in DERIVED_KINDS:
                if board is None:
                    raise ValueError(f"{kind} needs a board in the call")
                made.append(self.player(board.mover) if kind == "mover" else self._maximizes(board))
                continue
            index = next((i for i, (k, _) in enumerate(waiting) if k == kind), None)
            if index is not None:  # a check may leave out the last arguments
                made.append(self.argument(kind, waiting.pop(index)[1]))
        extra = given[len(wanted) :]
        return [*made, *(self.argument("plain", each) for each in extra)]

    def argument(self, kind: str, value: Any) -> Any:
        """One argument in the student's form."""
        if isinstance(value, AsEnv):
            return value.position.env()
        if isinstance(value, Position):
            return value.env() if kind == "env" else self.board(value)
        if kind == "cell" and isinstance(value, int):
            return self.cell(value)
        if kind == "cells" and isinstance(value, list):
            return [self.cell(each) for each in value]
        if kind == "column" and isinstance(value, int):
            return value + self._first
        if kind == "row" and isinstance(value, int):
            return self._their_row(value) + self._first
        if kind == "player" and value in (1, -1, 0):
            return self.player(value)
        return value

    def _maximizes(self, board: Position) -> bool:
        return board.mover * self._swap > 0

    def player(self, player: int) -> Any:
        """The mark of a player."""
        return self._marks[player * self._swap]

    def board(self, position: Position) -> Any:
        """The board of a position."""
        rows = [
            [
                self.player(cell)
                for cell in position.cells[r * position.cols : (r + 1) * position.cols]
            ]
            for r in range(position.rows)
        ]
        if self._row_one_at != self._names.row_one:
            rows.reverse()
        match self._names.form:
            case "matrix":
                return rows
            case "array" | "grid":
                import numpy as np

                array = np.array(rows)
                return array.reshape(-1) if self._names.form == "array" else array
            case "text":
                return "".join(str(mark) for row in rows for mark in row)
        return [mark for row in rows for mark in row]

    def own_board(self, cells: Sequence[int]) -> str:
        """A board as the student would type it, beside an answer that is not one."""
        position = Position(tuple(cells), 1, self._game, self._rows, self._cols)
        return _long(self.board(position))

    def cell(self, cell: int) -> Any:
        """A cell in the student's counting; also one that is off the board."""
        form = self._names.cells
        if form == "names":
            in_range = 0 <= cell < self._rows * self._cols
            return index_to_algebraic(cell, (self._rows, self._cols)) if in_range else "z9"
        if form.startswith("row"):
            row, col = divmod(cell, self._cols)
            return self._their_row(row) + self._first, col + self._first
        row, col = divmod(cell, self._cols)
        return self._their_row(row) * self._cols + col + self._first

    def _their_row(self, row: int) -> int:
        in_range = 0 <= row < self._rows
        flipped = self._row_one_at != self._names.row_one and in_range
        return self._rows - 1 - row if flipped else row

    # ------------------------------------------------------------------ and back

    def answer(self, kind: str, value: Any) -> Any:
        """The student's answer in the form of the checks; `Other` if it is not of that kind."""
        try:
            return self._read(kind, value)
        except (NotThisFormError, ValueError, TypeError, IndexError, KeyError, AttributeError):
            if value is None or isinstance(value, (bool, int, float, str)):
                is_place = kind in ("cell", "column", "row")
                return _other(value) if is_place and value is not None else value
            return _other(value)

    def _read(self, kind: str, value: Any) -> Any:
        if value is None:
            return None
        match kind:
            case "cell":
                return self._read_cell(value)
            case "cells":
                return [self._read_cell(each) for each in value]
            case "column":
                return _whole(value) - self._first
            case "row":
                return self._their_row(_whole(value) - self._first)
            case "columns":
                return [_whole(each) - self._first for each in _sequence(value)]
            case "windows":
                return [[self._read_pair(each) for each in window] for window in _sequence(value)]
            case "player":
                return self._read_player(value)
            case "board":
                return list(self.read_board(value))
            case "boards":
                return [list(self.read_board(each)) for each in value]
            case "value":
                return _number(value) * self._swap
            case "number":
                return _number(value)
            case "text":
                return value if isinstance(value, str) else _other(value)
        return value

    def _read_player(self, mark: Any) -> int:
        for player, own in self._marks.items():
            if _same(mark, own):
                return player * self._swap
        raise NotThisFormError

    def read_board(self, value: Any) -> tuple[int, ...]:
        """The cells of a board of the student, row 1 first; raises `NotThisFormError`."""
        cells = list(value)
        if cells and not isinstance(cells[0], str) and hasattr(cells[0], "__len__"):
            if any(len(row) != self._cols for row in cells):
                raise NotThisFormError
            cells = [mark for row in cells for mark in row]
        if len(cells) != self._rows * self._cols:
            raise NotThisFormError
        rows = [cells[r * self._cols : (r + 1) * self._cols] for r in range(self._rows)]
        if self._row_one_at != self._names.row_one:
            rows.reverse()
        return tuple(self._read_player(mark) for row in rows for mark in row)

    def _read_cell(self, value: Any) -> int:
        form = self._names.cells
        if form == "names" or (isinstance(value, str) and not value.strip().isdigit()):
            return int(algebraic_to_index(value, (self._rows, self._cols)))
        if form.startswith("row") or isinstance(value, (tuple, list)):
            row, col = (_whole(each) - self._first for each in value)
            if not (0 <= row < self._rows and 0 <= col < self._cols):
                raise NotThisFormError
            return self._their_row(row) * self._cols + col
        row, col = divmod(_whole(value) - self._first, self._cols)
        return self._their_row(row) * self._cols + col

    def _read_pair(self, value: Any) -> list[int]:
        """Row and column, also of a cell that is off the board."""
        row, col = (_whole(each) - self._first for each in value)
        return [self._their_row(row), col]

    # ------------------------------------------------------------------ in words

    def in_words(self, kind: str, value: Any) -> str:
        """A converted answer, or a right one, for people: ``b2 (4)``, ``+1``, ``None``."""
        if isinstance(value, bool) or value is None:
            return str(value)
        if kind == "cell" and isinstance(value, int):
            if not 0 <= value < self._rows * self._cols:
                return f"{self.cell(value)} (off the board)"
            return f"{index_to_algebraic(value, (self._rows, self._cols))} ({self.cell(value)})"
        if kind == "cells" and isinstance(value, list):
            return ", ".join(self.in_words("cell", each) for each in value) or "none"
        if kind == "column" and isinstance(value, int):
            return f"column {chr(97 + value)}" if 0 <= value < self._cols else f"column {value}"
        if kind == "row" and isinstance(value, int):
            return str(self.argument("row", value))
        if kind == "columns" and isinstance(value, list):
            return repr([self.argument("column", each) for each in value])
        if kind == "player" and value in (1, -1, 0):
            return repr(self.player(value))
        if kind == "value" and isinstance(value, (int, float)):
            return signed(value)
        if (
            kind == "board"
            and isinstance(value, (list, tuple))
            and len(value) == self._rows * self._cols
        ):
            rows = [value[r * self._cols : (r + 1) * self._cols] for r in range(self._rows)]
            return " / ".join("".join(".XO"[cell] for cell in row) for row in rows)
        if isinstance(value, int) and abs(value) >= 10_000:
            return f"{value:,}"
        return value.shown if isinstance(value, Other) else _long(value)


def _long(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _other(value: Any) -> Other:
    return Other(type(value).__name__, shown(value))


def _whole(value: Any) -> int:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise NotThisFormError
    if isinstance(value, str):
        return int(value)
    return operator.index(value)


def _sequence(value: Any) -> Any:
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return value
    raise NotThisFormError


def _number(value: Any) -> Any:
    if (
        isinstance(value, bool)
        or not hasattr(value, "__add__")
        or isinstance(value, (str, list, tuple))
    ):
        raise NotThisFormError
    return value


def _same(mark: Any, own: Any) -> bool:
    """Whether two marks are the same; 1 is not True, and NumPy's text is text."""
    if isinstance(mark, bool) or isinstance(mark, str) != isinstance(own, str):
        return False
    return bool(mark == own)
