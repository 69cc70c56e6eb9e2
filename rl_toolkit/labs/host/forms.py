"""`Forms`: positions, cells and players in the student's form, and back.

A check always speaks of a `LabBoard`, of cells counted from 0 and of the players +1 and −1. What
the student's functions take and return follows from names.toml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rl_toolkit.adapting import Form, whole
from rl_toolkit.labs.model.names import DERIVED_KINDS, BoardNames
from rl_toolkit.labs.model.positions import LabBoard, start_of
from rl_toolkit.labs.model.values import AsEnv, Other, signed
from rl_toolkit.utils import shown
from rl_toolkit.utils.position_utils import index_to_algebraic


class NotThisFormError(Exception):
    """An answer is not of the kind that it should be."""


class Forms:
    """Converts by the names of one student, on the board of one game."""

    def __init__(self, names: BoardNames, game: str) -> None:
        self._names, self._game = names, game
        start = start_of(game)
        self._row_one_at = start.traits.row_one_at
        self._form = self._on_board(start.rows, start.cols)
        self._swap = -1 if names.opens == "o" else 1

    def _on_board(self, rows: int, cols: int) -> Form:
        return self._names.on_board(rows, cols, self._row_one_at)

    # ------------------------------------------------------------------ to the student

    def arguments(
        self, given: Sequence[Any], sheet: Sequence[str], own: Sequence[str] | None = None
    ) -> list[Any]:
        """The arguments of the student's function for those of a check's call.

        ``sheet`` are the kinds that the sheet gives, ``own`` those of the student if they differ.
        """
        if not sheet:
            return [self.argument("plain", item) for item in given]
        expected = [kind for kind in sheet if kind not in DERIVED_KINDS]
        waiting = list(zip(expected, given, strict=False))
        board = next((v for v in given if isinstance(v, (LabBoard, AsEnv))), None)
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
        extra = given[len(expected) :]
        return [*made, *(self.argument("plain", item) for item in extra)]

    def argument(self, kind: str, value: Any) -> Any:
        """One argument in the student's form."""
        if isinstance(value, AsEnv):
            return value.position.env()
        if isinstance(value, LabBoard):
            return value.env() if kind == "env" else self.board(value)
        if kind == "cell" and isinstance(value, int):
            return self.cell(value)
        if kind == "cells" and isinstance(value, list):
            return [self.cell(item) for item in value]
        if kind == "column" and isinstance(value, int):
            return value + self._form.first
        if kind == "row" and isinstance(value, int):
            return self._form.flipped(value) + self._form.first
        if kind == "player" and value in (1, -1, 0):
            return self.player(value)
        return value

    def _maximizes(self, board: LabBoard) -> bool:
        return board.mover * self._swap > 0

    def player(self, player: int) -> Any:
        """The mark of a player."""
        return self._form.mark(player)

    def board(self, position: LabBoard) -> Any:
        """The board of a position."""
        return self._on_board(position.rows, position.cols).write(position.cells)

    def own_board(self, cells: Sequence[int]) -> str:
        """A board as the student would type it, beside an answer that is not one."""
        position = LabBoard(tuple(cells), 1, self._game, self._form.rows, self._form.cols)
        return _long(self.board(position))

    def cell(self, cell: int) -> Any:
        """A cell in the student's counting; also one that is off the board."""
        if self._form.moves == "name" and not 0 <= cell < self._form.rows * self._form.cols:
            return "z9"
        return self._form.own_move(cell)

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
                return [self._read_cell(item) for item in value]
            case "column":
                return whole(value) - self._form.first
            case "row":
                return self._form.flipped(whole(value) - self._form.first)
            case "columns":
                return [whole(item) - self._form.first for item in _sequence(value)]
            case "windows":
                return [[self._read_pair(item) for item in window] for window in _sequence(value)]
            case "player":
                return self._form.player_of(value)
            case "board":
                return list(self.read_board(value))
            case "boards":
                return [list(self.read_board(item)) for item in value]
            case "value":
                return _number(value) * self._swap
            case "number":
                return _number(value)
            case "text":
                return value if isinstance(value, str) else _other(value)
        return value

    def read_board(self, value: Any) -> tuple[int, ...]:
        """The cells of a board of the student, row 1 first; raises ``ValueError``."""
        if not isinstance(value, (list, str, dict)) and not hasattr(value, "tolist"):
            value = list(value)
        return tuple(self._form.read(value).tolist())

    def _read_cell(self, value: Any) -> int:
        """The number of a cell; names and pairs are read also where numbers are expected."""
        form = self._form
        if isinstance(value, str) and not value.strip().isdigit():
            form = replace(form, moves="name")
        elif isinstance(value, (tuple, list)) and form.moves == "cell":
            form = replace(form, moves="pair")
        if form.moves == "pair":
            row, col = self._read_pair(value)
            if not (0 <= row < form.rows and 0 <= col < form.cols):
                raise NotThisFormError
        number = form.number(value)
        assert number is not None
        return number

    def _read_pair(self, value: Any) -> list[int]:
        """Row and column, also of a cell that is off the board."""
        row, col = (whole(part) - self._form.first for part in value)
        return [self._form.flipped(row), col]

    # ------------------------------------------------------------------ in words

    def in_words(self, kind: str, value: Any) -> str:
        """A converted answer, or a right one, for people: ``b2 (4)``, ``+1``, ``None``."""
        rows, cols = self._form.rows, self._form.cols
        if isinstance(value, bool) or value is None:
            return str(value)
        if kind == "cell" and isinstance(value, int):
            if not 0 <= value < rows * cols:
                return f"{self.cell(value)} (off the board)"
            return f"{index_to_algebraic(value, (rows, cols))} ({self.cell(value)})"
        if kind == "cells" and isinstance(value, list):
            return ", ".join(self.in_words("cell", item) for item in value) or "none"
        if kind == "column" and isinstance(value, int):
            return f"column {chr(97 + value)}" if 0 <= value < cols else f"column {value}"
        if kind == "row" and isinstance(value, int):
            return str(self.argument("row", value))
        if kind == "columns" and isinstance(value, list):
            return repr([self.argument("column", item) for item in value])
        if kind == "player" and value in (1, -1, 0):
            return repr(self.player(value))
        if kind == "value" and isinstance(value, (int, float)):
            return signed(value)
        if kind == "board" and isinstance(value, (list, tuple)) and len(value) == rows * cols:
            lines = (value[r * cols : (r + 1) * cols] for r in range(rows))
            return " / ".join("".join(".XO"[cell] for cell in line) for line in lines)
        if kind == "boards" and isinstance(value, list):
            return ",  ".join(self.in_words("board", item) for item in value) or "none"
        if isinstance(value, int) and abs(value) >= 10_000:
            return f"{value:,}"
        return value.shown if isinstance(value, Other) else _long(value)


def _long(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _other(value: Any) -> Other:
    return Other(type(value).__name__, shown(value))


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
