"""Fives, fours and threes on a board, found by their definition.

The board is a list of 0 (empty), +1 and −1, row by row. Stones are tried and taken back; no table
and no compiled code is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rl_toolkit.kernels.spec import LineRule

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Lines:
    """A board of ``size`` × ``size``, on which ``rule`` says which rows win."""

    def __init__(self, board: list[int], size: int, rule: LineRule) -> None:
        self.board, self.size, self.rule = board, size, rule

    @contextmanager
    def stone(self, cell: int, side: int) -> Iterator[None]:
        """Context manager: a stone on an empty cell, which is removed at the end."""
        self.board[cell] = side
        try:
            yield
        finally:
            self.board[cell] = 0

    def run(self, cell: int, direction: int) -> list[int]:
        """The stones in a row through the stone on ``cell``, in the order of the line."""
        row, col = divmod(cell, self.size)
        (down, right), side = DIRECTIONS[direction], self.board[cell]
        cells = [cell]
        for sign in (-1, 1):
            r, c = row + sign * down, col + sign * right
            while 0 <= r < self.size and 0 <= c < self.size:
                if self.board[r * self.size + c] != side:
                    break
                cells.append(r * self.size + c)
                r, c = r + sign * down, c + sign * right
        return sorted(cells)

    def is_five(self, cell: int, direction: int) -> bool:
        """Whether the stone on ``cell`` is part of a winning row in this direction."""
        return bool(self.rule.wins(len(self.run(cell, direction)), 5))

    def near(self, cell: int, direction: int) -> list[int]:
        """The cells at most four steps from ``cell`` in both ways, without it."""
        row, col = divmod(cell, self.size)
        down, right = DIRECTIONS[direction]
        places = [(row + k * down, col + k * right) for k in range(-4, 5) if k]
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def stones_near(self, cell: int, direction: int, side: int) -> int:
        """How many stones of ``side`` could be in a five with ``cell``."""
        return sum(self.board[other] == side for other in self.near(cell, direction))

    def five_cells(self, cell: int, direction: int) -> list[int]:
        """The empty cells that complete five with the stone on ``cell`` in this direction."""
        side = self.board[cell]
        if self.stones_near(cell, direction, side) < 3:
            return []
        cells = []
        for other in self.near(cell, direction):
            if not self.board[other]:
                with self.stone(other, side):
                    if self.is_five(cell, direction):
                        cells.append(other)
        return cells

    def open_four_cells(self, cell: int, direction: int) -> list[int]:
        """The empty cells that make two cells for five, together with the stone on ``cell``."""
        side = self.board[cell]
        if self.stones_near(cell, direction, side) < 2:
            return []
        cells = []
        for other in self.near(cell, direction):
            if not self.board[other]:
                with self.stone(other, side):
                    if len(self.five_cells(cell, direction)) >= 2:
                        cells.append(other)
        return cells

    def all_five_cells(self, side: int) -> list[int]:
        """The empty cells on which ``side`` completes five."""
        return [
            cell for cell, stone in enumerate(self.board) if not stone and self.wins(cell, side)
        ]

    def wins(self, cell: int, side: int) -> bool:
        """Whether a stone of ``side`` on an empty cell completes five."""
        ways = [d for d in range(4) if self.stones_near(cell, d, side) >= 4]
        if not ways:
            return False
        with self.stone(cell, side):
            return any(self.is_five(cell, direction) for direction in ways)

    def makes_four(self, cell: int, side: int) -> bool:
        """Whether a stone of ``side`` on an empty cell threatens to complete five."""
        with self.stone(cell, side):
            return any(self.five_cells(cell, direction) for direction in range(4))
