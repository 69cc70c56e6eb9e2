"""Boards on their way between JavaScript, pages and positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rl_toolkit.labs.checking import Check, LabBoard
from rl_toolkit.labs.truth import tictactoe as truth

FILES = ("game.js", "page.js", "index.html", "style.css")
EMPTY, X, NOUGHT = 0, 1, 2
NAMES = {X: "X", NOUGHT: "O", EMPTY: "EMPTY"}


def files_of(check: Check) -> dict[str, str]:
    """The files that make up the page."""
    return {name: check.file(name) for name in FILES}


def mark_of(cell: int) -> int:
    """A cell as game.js has it."""
    return {1: X, -1: NOUGHT, 0: EMPTY}[cell]


def rows_of(board: LabBoard) -> list[list[int]]:
    """The board as game.js has it."""
    marks = [mark_of(cell) for cell in board.cells]
    return [marks[0:3], marks[3:6], marks[6:9]]


def player_of(board: LabBoard) -> int:
    """The side to move as game.js has it."""
    return mark_of(board.mover)


def position_from(rows: Sequence[Sequence[int]], player: int) -> LabBoard:
    """The position of a board of game.js."""
    sign = {X: 1, NOUGHT: -1, EMPTY: 0}
    return LabBoard(tuple(sign[cell] for row in rows for cell in row), sign[player])


def position_of(marks: Sequence[str], request: dict[str, Any] | None = None) -> LabBoard:
    """The position in texts of cells; X moves unless a request says otherwise."""
    mover = -1 if request and request["player"] == "O" else 1
    return LabBoard(tuple({"X": 1, "O": -1}.get(mark, 0) for mark in marks), mover)


def cell_name(row: int, col: int) -> str:
    """The name of a cell, "" if it is off the board."""
    return f"{'abc'[col]}{row + 1}" if 0 <= row < 3 and 0 <= col < 3 else ""


def drawn(rows: Any) -> str:
    """A board in one line."""
    marks = {X: "X", NOUGHT: "O", EMPTY: ".", "": "."}
    cells = [marks.get(cell, str(cell)) for cell in flat(rows)]
    return " / ".join("".join(cells[i : i + 3]) for i in (0, 3, 6)) if cells else str(rows)


def flat(rows: Any) -> list[Any]:
    """The nine cells of a board of three rows, none if it is something else."""
    if not isinstance(rows, list) or [isinstance(row, list) for row in rows] != [True] * 3:
        return []
    cells = [cell for row in rows for cell in row]
    is_plain = all(isinstance(cell, (str, int)) for cell in cells)
    return cells if len(cells) == 9 and is_plain else []


def lines_of(board: LabBoard) -> list[list[int]]:
    """The lines of three equal marks, each as sorted cells."""
    return [
        sorted(line)
        for line in truth.LINES
        if board.cells[line[0]] and len({board.cells[cell] for cell in line}) == 1
    ]
