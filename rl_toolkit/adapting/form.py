"""`Form`: how a student writes the board, the pieces, the players and the moves of a game.

A Form is guessed by play (`learning`) or stated (``names.toml`` of a lab). It reads and writes
boards, so that other code need not know about lists, arrays or text.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rl_toolkit.adapting.boards import BoardFormatError, read_cells, write_cells
from rl_toolkit.envs.validation import Board
from rl_toolkit.utils import shown
from rl_toolkit.utils.position_utils import algebraic_to_index, index_to_algebraic

#: How moves are written: the number of a cell or column, a pair (row, column), the letter of a
#: column, the name of a cell (``b2``), or anything else, known by the cell where its piece goes.
MoveKind = Literal["cell", "column", "pair", "letter", "name", "other"]


@dataclass(frozen=True)
class Form:
    """The student's own board, moves and players.

    Attributes:
        rows, cols: the sides of the board.
        like: a board of the student's; every other one is kept in the same way.
        empty: what stands in an empty cell.
        marks: the pieces → their players.
        symbols: the players as the student calls them, where they are not called like the pieces.
        moves: how moves are written.
        first: the number of the first cell, row or column: 0 or 1.
        is_transposed: whether the board is a list of columns.
        is_flipped: whether the student's first row is our last one.
        texts_are_rows: whether a text in a list is a row of cells, and not one cell.
    """

    rows: int
    cols: int
    like: Any
    empty: Hashable
    marks: Mapping[Hashable, int] = field(default_factory=dict)
    symbols: Mapping[Hashable, int] = field(default_factory=dict)
    moves: MoveKind = "cell"
    first: int = 0
    is_transposed: bool = False
    is_flipped: bool = False
    texts_are_rows: bool = False

    # ------------------------------------------------------------------------- boards

    def contents(self, board: Any) -> tuple[Hashable, ...]:
        """What stands in the cells, our first row first; raises `BoardFormatError`."""
        if isinstance(board, dict) and not isinstance(self.like, dict):
            raise BoardFormatError("is a dictionary")
        marks, sides = read_cells(board, self.texts_are_rows)
        if len(marks) != self.rows * self.cols:
            raise BoardFormatError(
                f"has {len(marks)} cells now, and {self.rows * self.cols} at the start"
            )
        has_lines = isinstance(self.like, str) and "\n" in self.like
        if isinstance(board, str) and sides is not None and not has_lines:
            raise BoardFormatError("has several lines")
        if sides not in (None, (self.cols, self.rows) if self.is_transposed else self._sides):
            raise BoardFormatError(f"has {sides[0]} rows of {sides[1]} cells")
        if self.is_transposed:
            marks = tuple(
                marks[c * self.rows + r] for r in range(self.rows) for c in range(self.cols)
            )
        return self._upright(marks)

    def read(self, board: Any) -> Board:
        """The board as −1, 0 and +1; raises `BoardFormatError`."""
        marks, players = self.contents(board), self._players
        try:
            if bool in set(map(type, marks)):
                raise KeyError  # True is not 1
            cells = [players[mark] for mark in marks]
        except KeyError:
            cells = [self.player_of(mark) for mark in marks]
        return np.array(cells, dtype=np.int8)

    def write(self, cells: Iterable[int]) -> Any:
        """A board of the student's with these cells."""
        marks = self._upright(tuple(self.mark(int(cell)) for cell in cells))
        if self.is_transposed:
            marks = tuple(
                marks[r * self.cols + c] for c in range(self.cols) for r in range(self.rows)
            )
        return write_cells(self.like, marks, self.texts_are_rows)

    @functools.cached_property
    def _players(self) -> dict[Hashable, int]:
        return {self.empty: 0, **self.marks}

    @property
    def _sides(self) -> tuple[int, int]:
        return self.rows, self.cols

    def _upright(self, marks: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
        if not self.is_flipped:
            return marks
        return tuple(marks[self.flipped(r) * self.cols + c] for r, c in np.ndindex(self._sides))

    # ------------------------------------------------------------------------ players

    def mark(self, player: int) -> Hashable:
        """The piece of a player, or for 0 what stands in an empty cell."""
        if player == 0:
            return self.empty
        return next(mark for mark, side in self.marks.items() if side == player)

    def player_of(self, mark: Any) -> int:
        """The player whose piece this is, 0 for an empty cell; raises `BoardFormatError`."""
        for own, player in self._players.items():
            if own == mark and isinstance(own, bool) == isinstance(mark, bool):  # True is not 1
                return player
        raise BoardFormatError(
            f"holds {shown(mark)}, which is neither an empty cell ({shown(self.empty)}) nor a "
            "piece of one of the two players"
        )

    def symbol(self, player: int) -> Hashable:
        """The player as the student calls it."""
        return next(symbol for symbol, side in self.symbols.items() if side == player)

    # -------------------------------------------------------------------------- moves

    def flipped(self, row: int) -> int:
        """Our number of a row of the student's, and the other way round; both count from 0."""
        return self.rows - 1 - row if self.is_flipped and 0 <= row < self.rows else row

    def own_move(self, number: int) -> Any:
        """The cell or column as the student writes it; it may be off the board."""
        match self.moves:
            case "column":
                return number + self.first
            case "letter":
                return chr(ord("a") + number)
            case "name":
                return index_to_algebraic(number, self._sides)
        row, col = divmod(number, self.cols)
        row = self.flipped(row)
        if self.moves == "pair":
            return row + self.first, col + self.first
        return row * self.cols + col + self.first

    def number(self, own: Any) -> int | None:
        """The number of a cell or column that the student wrote, ``None`` for other moves."""
        match self.moves:
            case "other":
                return None
            case "column":
                return whole(own) - self.first
            case "letter":
                return ord(own.lower()) - ord("a")
            case "name":
                return algebraic_to_index(own, self._sides)
            case "pair":
                row, col = (whole(part) - self.first for part in own)
            case "cell":
                row, col = divmod(whole(own) - self.first, self.cols)
        return self.flipped(row) * self.cols + col


def whole(value: Any) -> int:
    """A whole number; digits are one too, truth values are not. Raises ``TypeError``."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value} is not a whole number")
    return int(value) if isinstance(value, str) else operator.index(value)
