"""Value iteration on a small world of cells, where steps cost, moves may slip and ways have loops.

A walker stands in a cell and steps up, right, down or left; into a wall or the border it stays
where it is. An end pays its reward, and nothing comes after it. With V(s) = the reward in an end,
the values obey the Bellman equation::

    V(s) = max over the moves of  γ · (the mean of V over where the move leads) − the cost of a step

    >>> world = GridWorld()
    >>> [round(sweep.values[world.start], 2) for sweep in world.sweeps(0.9)]
    [0.0, 0.81, 0.81, 0.81, 0.81, 0.81, 1.43, 1.43, 1.43]

The near end is seen from the start after two sweeps, the far and better one after seven.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Row and column, from the upper left corner."""

MAP = ("....F", "N#..P", ".#.#.", "S....")
"""``S`` start, ``#`` wall, ``.`` free; other letters are ends."""

MOVES: Mapping[str, Cell] = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
"""What each move adds to row and column, clockwise."""

SETTLED = 0.001
"""A value that a sweep changes by less than this has settled."""

MOST = 200
"""The most sweeps; without a discount values may sink for very long."""


@dataclass(frozen=True, slots=True)
class GridSweep:
    """One pass over all free cells: the values after it, and the moves that gave them.

    ``changed`` is the number of cells whose value changed by `SETTLED` or more.
    """

    number: int
    changed: int
    values: Mapping[Cell, float]
    best: Mapping[Cell, list[str]]


@dataclass(frozen=True)
class GridWorld:
    """A map with the rewards of its ends.

    Attributes:
        rewards: what each end pays, by its letter.
        cost: what a step costs.
        slip: the chance that a move goes to the one or the other side of where it was meant.
    """

    rewards: Mapping[str, float] = field(default_factory=lambda: {"N": 1.0, "F": 3.0, "P": -3.0})
    cost: float = 0.0
    slip: float = 0.0
    rows: tuple[str, ...] = MAP

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The letter of each cell that is not a wall, row by row."""
        return {
            (row, col): letter
            for row, line in enumerate(self.rows)
            for col, letter in enumerate(line)
            if letter != "#"
        }

    @property
    def start(self) -> Cell:
        """The cell in which the walker begins."""
        return next(cell for cell, letter in self.cells.items() if letter == "S")

    def leads(self, cell: Cell, move: str) -> list[tuple[float, Cell]]:
        """Where a move leads, each with its chance."""
        names = list(MOVES)
        at = names.index(move)
        ways = [(1 - self.slip, at), (self.slip / 2, at - 1), (self.slip / 2, (at + 1) % 4)]
        return [(chance, self._next(cell, MOVES[names[way]])) for chance, way in ways if chance]

    def worth(self, cell: Cell, move: str, values: Mapping[Cell, float], discount: float) -> float:
        """What a move is worth if the next cells have these values."""
        mean = sum(chance * values[after] for chance, after in self.leads(cell, move))
        return discount * mean - self.cost

    def sweeps(self, discount: float = 1.0) -> Iterator[GridSweep]:
        """Sweep until every value has settled; at most `MOST` sweeps."""
        values = {cell: self.rewards.get(letter, 0.0) for cell, letter in self.cells.items()}
        free = [cell for cell, letter in self.cells.items() if letter not in self.rewards]
        for number in range(1, MOST + 1):
            worths = {
                cell: {move: self.worth(cell, move, values, discount) for move in MOVES}
                for cell in free
            }
            after = values | {cell: max(worth.values()) for cell, worth in worths.items()}
            best = {
                cell: [move for move, each in worth.items() if each > after[cell] - 1e-9]
                for cell, worth in worths.items()
            }
            changed = sum(abs(after[cell] - values[cell]) >= SETTLED for cell in free)
            values = after
            yield GridSweep(number, changed, values, best)
            if not changed:
                return

    def way(self, best: Mapping[Cell, list[str]]) -> list[Cell]:
        """The cells from the start along the first of the best moves, if none slips.

        It stops in an end, where all moves are equally good, and before a cell that it has seen.
        """
        way = [self.start]
        while len(moves := best.get(way[-1], [])) in (1, 2, 3):
            after = self._next(way[-1], MOVES[moves[0]])
            if after in way:
                break
            way.append(after)
        return way

    def _next(self, cell: Cell, by: Cell) -> Cell:
        after = (cell[0] + by[0], cell[1] + by[1])
        return after if after in self.cells else cell
