"""Self-play games of Reversi, as examples to learn an evaluation from.

A game begins with random moves. Then both sides search two plies and play the best move, with some
random noise, so that games differ and contain mistakes too. When `SOLVED_FROM` squares are empty
the position is solved, and its exact score becomes the label of every earlier position of the game.
From there on every position is solved and labelled with its own score::

    60 ─────────── 50 ──────────────────────────── 14 ──────────── 8 empty squares
       random moves    the best move, with noise       the same
       not kept        labelled by the game's end      labelled exactly

A smaller board begins with fewer empty squares.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit
from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, u64, word_array, words
from rl_toolkit.kernels.reversi.board import (
    AREA,
    CELLS,
    GENERATION,
    STOPPED,
    count,
    signed,
)
from rl_toolkit.kernels.reversi.endgame_search import score_of
from rl_toolkit.kernels.reversi.estimate import look_ahead
from rl_toolkit.kernels.rules.lcg import below, next_chance
from rl_toolkit.kernels.rules.reversi import flips_of, moves_of

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

SOLVED_FROM = 14
KEPT_TO = 8
LONGEST = 64
"""The most positions that one game can add."""

_START = (np.uint64((1 << 28) | (1 << 35)), np.uint64((1 << 27) | (1 << 36)))
_FEWEST_RANDOM, _SPREAD = 4, np.uint64(10)  # random moves at the beginning: 4 – 13
_MOST_NOISE = np.uint64(40)  # sixteenths of a disc
_SLIPS = np.uint64(64)  # one move in 64 is random
_UNBOUNDED = 1 << 20


@kernel(u64(u64, u64, u64, u64, i64, u64, words))
def _chosen(
    mine: np.uint64,
    theirs: np.uint64,
    moves: np.uint64,
    noise: np.uint64,
    at_random: int,
    chance: np.uint64,
    block: Words,
) -> np.uint64:
    """The square of the move to play: the best with some noise, or a random one."""
    best, best_square = -2 * _UNBOUNDED, ZERO
    while moves != ZERO:
        square = lowest_bit(moves)
        moves ^= square
        chance = next_chance(chance)
        if at_random:
            seems = signed(below(chance, np.uint64(_UNBOUNDED)))
        else:
            turned = flips_of(square, mine, theirs)
            after, own = theirs ^ turned, mine ^ turned ^ square
            seems = signed(below(chance, noise))
            seems -= look_ahead(after, own, -_UNBOUNDED, _UNBOUNDED, 1, block)
        if seems > best:
            best, best_square = seems, square
    return best_square


@kernel(i64(u64, word_array, word_array, word_array, number_array))
def play_games(
    chance: np.uint64, memory: Words, mine_out: Words, theirs_out: Words, scores: Numbers
) -> int:
    """Play games until the arrays have no room for another; returns the number of positions.

    Scores are for the side to move, whose discs go to ``mine_out``; -`STOPPED` if stopped.
    """
    block = pointer(memory)
    written = 0
    while written + LONGEST <= scores.size:
        block[GENERATION] += ONE
        chance = next_chance(chance)
        random_until = signed(block[AREA]) - 4 - _FEWEST_RANDOM - signed(below(chance, _SPREAD))
        chance = next_chance(chance)
        noise = ONE + below(chance, _MOST_NOISE)
        mine, theirs = _START
        first, side, labelled = written, 1, False
        while True:
            moves = moves_of(mine, theirs) & block[CELLS]
            empties = count(block[CELLS] & ~(mine | theirs))
            over = moves == ZERO and moves_of(theirs, mine) & block[CELLS] == ZERO
            if empties < KEPT_TO or (over and labelled):
                break
            if empties <= SOLVED_FROM or over:
                score = score_of(mine, theirs, block)
                if score == STOPPED:
                    return -STOPPED
                if not labelled:
                    # Until now only the side to move was recorded; see below.
                    for i in range(first, written):
                        scores[i] *= side * score
                    labelled = True
                if over:
                    break
            if moves != ZERO:
                if empties < random_until:
                    mine_out[written], theirs_out[written] = mine, theirs
                    scores[written] = score if labelled else side
                    written += 1
                chance = next_chance(chance)
                at_random = empties >= random_until or below(chance, _SLIPS) == ZERO
                square = _chosen(mine, theirs, moves, noise, int(at_random), chance, block)
                turned = flips_of(square, mine, theirs)
                mine, theirs = mine ^ turned ^ square, theirs ^ turned
            mine, theirs, side = theirs, mine, -side
    return written
