"""One move and the replies to it, compiled once for all games.

The readable version is `algorithms.simple.one_move`; both give the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import f64, i64, kernel, number_array, pointer, word_array
from rl_toolkit.kernels.rules.operations import (
    Operations,
    call_evaluate,
    call_forced_moves,
    call_play,
)
from rl_toolkit.kernels.status import RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

# The indices of a look: operations of the game, words of a side, whether wins come first among the
# forced moves (then only the first of them is tried), and the two answers.
PLAY, FORCED_MOVES, EVALUATE, SIDE, WINS_FIRST, STATUS, REPLY = 0, 1, 2, 3, 4, 5, 6
LOOK_SIZE = 7
NO_REPLY = -1


def new_look(operations: Operations, side: int, *, wins_first: bool) -> Numbers:
    """The numbers that `look_at` reads and writes."""
    look = np.zeros(LOOK_SIZE, dtype=np.int64)
    look[PLAY] = operations.play.address
    look[FORCED_MOVES] = operations.forced_moves.address
    look[EVALUATE] = operations.evaluate.address
    look[SIDE], look[WINS_FIRST] = side, wins_first
    return look


@kernel(
    f64(
        number_array,
        word_array,
        word_array,
        number_array,
        word_array,
        word_array,
        number_array,
        i64,
        i64,
    )
)
def look_at(
    look: Numbers,
    state: Words,
    shape: Words,
    evaluation: Numbers,
    boards: Words,
    scratch: Words,
    replies: Numbers,
    move: int,
    check_replies: int,
) -> float:
    """The heuristic value of ``move`` for its player, if it neither ends the game nor loses it.

    ``look[STATUS]`` becomes the status after the move for its player, ``look[REPLY]`` the first
    reply that wins, `NO_REPLY` if there is none or ``check_replies`` is 0. If either decides the
    game, the value is 0. ``boards`` has room for two states.
    """
    size = 2 * look[SIDE]
    after, beyond = boards[:size], boards[size : 2 * size]
    after[:] = state
    look[REPLY] = NO_REPLY
    look[STATUS] = call_play(look[PLAY], pointer(after), pointer(shape), move)
    if look[STATUS] != RUNNING:
        return 0.0
    if check_replies:
        count = call_forced_moves(
            look[FORCED_MOVES], pointer(after), pointer(shape), pointer(scratch), pointer(replies)
        )
        for i in range(min(count, 1) if look[WINS_FIRST] else count):
            beyond[:] = after
            if call_play(look[PLAY], pointer(beyond), pointer(shape), replies[i]) == WON:
                look[REPLY] = replies[i]
                return 0.0
    # The heuristic is for the side that stands first: the player of the move.
    for word in range(look[SIDE]):
        beyond[word], beyond[look[SIDE] + word] = after[look[SIDE] + word], after[word]
    return float(
        call_evaluate(look[EVALUATE], pointer(beyond), pointer(shape), pointer(evaluation))
    )
