"""Examples from Gomoku games: quiet positions with results, and moves that a search preferred.

A position is described by what its empty cells are, for the side to move and for the other: the
*kind* of a cell is its four direction codes in any order (`kernels.gomoku.cell_tables`). So an
example is two short lists of kinds and how often each occurs, kept in one sparse matrix::

    position 0        position 1             …
    kinds   17  44    1820+17  3             own kinds first, then 1820 + kind for the other side
    counts   3 180          2  190
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.cell_tables import (
    COUNT_FIVES,
    COUNT_OPEN_FOURS,
    HALVES,
    KINDS,
    kind_index,
)
from rl_toolkit.kernels.gomoku.state import State
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import LineRule
from rl_toolkit.learning.gomoku.games import CHOSEN, NO_MOVE, OPENING, Games

#: The weight of a position falls by this factor for every ply before the end of its game: early
#: positions say less about the result.
FADE = 0.97
_FOUR_NODES = 60  # as at the leaves of the search

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examples:
    """Positions and the results of their games.

    Attributes:
        ends: where the list of each position ends.
        kinds: the kinds of cells, those of the other side with `KINDS` added.
        counts: how often each occurs.
        results: 1 if the side to move won, 0 if it lost, ½ if neither.
        weights: how much each position counts.
    """

    ends: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int16]
    results: Floats
    weights: Floats

    def __len__(self) -> int:
        return len(self.ends)

    def part(self, first: int, last: int) -> Examples:
        """The positions from ``first`` up to ``last``, which is not included."""
        begun = int(self.ends[first - 1]) if first else 0
        stop = int(self.ends[last - 1]) if last else 0
        return Examples(
            self.ends[first:last] - begun,
            self.kinds[begun:stop],
            self.counts[begun:stop],
            self.results[first:last],
            self.weights[first:last],
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """Positions with the move that the search chose among the moves near stones.

    Attributes:
        ends: where the list of the moves of each position ends.
        own, other: the kind of each move for the side to move, and for the other.
        chosen: the place of the chosen move in the lists.
    """

    ends: npt.NDArray[np.int64]
    own: npt.NDArray[np.int16]
    other: npt.NDArray[np.int16]
    chosen: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)


def examples_of(games: Games, size: int, rule: LineRule) -> Examples:
    """The quiet positions of games: nobody is about to make five or an open four.

    Positions with a win by fours are left out too: a search does not evaluate them.
    """
    space, index = Workspace(size, rule, None, 1.0), kind_index()
    kinds, counts, lengths = [], [], []
    results, weights = list[float](), list[float]()
    for game in games:
        space.set_up([])
        last = len(game.moves) - 1
        for ply, (move, kind) in enumerate(zip(game.moves, game.kinds, strict=True)):
            side = ply % 2
            if kind != OPENING and is_quiet(space, side):
                patterns = np.delete(space.patterns, [cell for cell, _ in space.moves])
                length = 0
                for half, offset in ((side, 0), (1 - side, KINDS)):
                    found = np.bincount(index[(patterns >> 16 * half) & (HALVES - 1)])
                    there = np.flatnonzero(found)
                    kinds.append((there + offset).astype(np.int16))
                    counts.append(found[there].astype(np.int16))
                    length += len(there)
                lengths.append(length)
                results.append((1 + game.result * (1 if side == 0 else -1)) / 2)
                weights.append(FADE ** (last - ply))
            if move != NO_MOVE:
                space.place(move, side)
    return Examples(
        np.cumsum(lengths, dtype=np.int64),
        np.concatenate([np.zeros(0, np.int16), *kinds]),
        np.concatenate([np.zeros(0, np.int16), *counts]),
        np.array(results),
        np.array(weights),
    )


def choices_of(games: Games, size: int, rule: LineRule, every: int = 1) -> Choices:
    """The choices of the search in quiet positions; of every so many of them one."""
    space, index = Workspace(size, rule, None, 1.0), kind_index()
    own, other, lengths, chosen = [], [], list[int](), list[int]()
    seen = written = 0
    for game in games:
        space.set_up([])
        for ply, (move, kind) in enumerate(zip(game.moves, game.kinds, strict=True)):
            side = ply % 2
            if kind == CHOSEN and not _is_near_five(space):
                seen += 1
                near = list(space.near(side)) if seen % every == 0 else []
                if move in near:
                    patterns = space.patterns[near]
                    own.append(index[(patterns >> 16 * side) & (HALVES - 1)].astype(np.int16))
                    half = (patterns >> 16 * (1 - side)) & (HALVES - 1)
                    other.append(index[half].astype(np.int16))
                    chosen.append(written + near.index(move))
                    written += len(near)
                    lengths.append(len(near))
            if move != NO_MOVE:
                space.place(move, side)
    return Choices(
        np.cumsum(lengths, dtype=np.int64),
        np.concatenate([np.zeros(0, np.int16), *own]),
        np.concatenate([np.zeros(0, np.int16), *other]),
        np.array(chosen, dtype=np.int64),
    )


def joined_examples(pieces: Iterable[Examples]) -> Examples:
    """All positions, in order."""
    listed = list(pieces)
    return Examples(
        _ends([piece.ends for piece in listed]),
        np.concatenate([piece.kinds for piece in listed]),
        np.concatenate([piece.counts for piece in listed]),
        np.concatenate([piece.results for piece in listed]),
        np.concatenate([piece.weights for piece in listed]),
    )


def joined_choices(pieces: Iterable[Choices]) -> Choices:
    """All choices, in order."""
    listed = list(pieces)
    before = np.cumsum([0, *(len(piece.own) for piece in listed)])
    return Choices(
        _ends([piece.ends for piece in listed]),
        np.concatenate([piece.own for piece in listed]),
        np.concatenate([piece.other for piece in listed]),
        np.concatenate([piece.chosen + b for piece, b in zip(listed, before, strict=False)]),
    )


def _ends(ends: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    lengths = [np.diff(end, prepend=0) for end in ends]
    return np.cumsum(np.concatenate(lengths), dtype=np.int64)


def is_quiet(space: Workspace, side: int) -> bool:
    """Whether neither side can make five or an open four, and ``side`` has no win by fours."""
    return not _is_near_five(space) and not space.fours(side, _FOUR_NODES)[0]


def _is_near_five(space: State) -> bool:
    return any(
        space.count(side, field) for side in (0, 1) for field in (COUNT_FIVES, COUNT_OPEN_FOURS)
    )
