"""Count a whole game tree, ply by ply, for any family: positions and finished games.

Perft counts one depth; this walks the tree once and counts every ply. It calls the rules of its
game by address (see `kernels.rules.operations`), and is the smallest example of such a kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import (
    i64,
    kernel,
    number_array,
    numbers,
    offset,
    pointer,
    word_array,
    words,
)
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.kernels.rules.operations import call_moves, call_play
from rl_toolkit.kernels.status import RUNNING

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

_COLUMNS = 4  # per ply: unfinished, won by the player who moved, drawn, lost by that player


@dataclass(frozen=True)
class Tally:
    """Counts by ply, with the given position as ply 0; a position counts once per path to it.

    ``won`` and ``lost`` are games that ended at a ply, from the view of the player who moved there.
    """

    running: list[int]
    won: list[int]
    drawn: list[int]
    lost: list[int]

    @property
    def nodes(self) -> list[int]:
        """Nodes at each ply, finished or not."""
        return [sum(ply) for ply in zip(self.running, self.won, self.drawn, self.lost, strict=True)]


@kernel(i64(i64, i64, words, words, numbers, numbers, i64, i64, i64, i64))
def _walk(
    moves: int,
    play: int,
    states: Words,
    shape: Words,
    lists: Numbers,
    counts: Numbers,
    size: int,
    width: int,
    ply: int,
    deepest: int,
) -> int:
    """Count everything below the unfinished game at ``states[ply]``; ``size`` words per state."""
    here = ply * size
    row = (ply + 1) * _COLUMNS
    nodes = 0
    number = call_moves(moves, offset(states, here), shape, offset(lists, ply * width))
    for i in range(number):
        for word in range(size):
            states[here + size + word] = states[here + word]
        status = call_play(play, offset(states, here + size), shape, lists[ply * width + i])
        counts[row + status] += 1
        nodes += 1
        if status == RUNNING and ply + 1 < deepest:
            nodes += _walk(moves, play, states, shape, lists, counts, size, width, ply + 1, deepest)
    return nodes


@kernel(i64(i64, i64, word_array, word_array, number_array, number_array, i64, i64, i64))
def _count(
    moves: int,
    play: int,
    states: Words,
    shape: Words,
    lists: Numbers,
    counts: Numbers,
    size: int,
    width: int,
    deepest: int,
) -> int:
    """`_walk` from ply 0, for Python."""
    all_states, all_lists = pointer(states), pointer(lists)
    geometry, all_counts = pointer(shape), pointer(counts)
    return int(
        _walk(moves, play, all_states, geometry, all_lists, all_counts, size, width, 0, deepest)
    )


def tally(rules: CompiledRules, words_now: Words, depth: int) -> Tally:
    """Count the tree below an unfinished game, down to ``depth`` plies."""
    if rules.status(words_now) != RUNNING:
        raise ValueError("there is no tree to count: the game is over")
    width = rules.spec.num_moves
    states = np.zeros((depth + 1) * words_now.size, dtype=np.uint64)
    states[: words_now.size] = words_now
    lists = np.empty(max(1, depth) * width, dtype=np.int64)
    counts = np.zeros((depth + 1) * _COLUMNS, dtype=np.int64)
    counts[RUNNING] = 1
    if depth > 0:
        moves, play = rules.operations.moves.address, rules.operations.play.address
        size = words_now.size
        _count(moves, play, states, rules.geometry, lists, counts, size, width, depth)
    return Tally(*counts.reshape(-1, _COLUMNS).T.tolist())
