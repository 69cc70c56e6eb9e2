"""Forward pruning (Multi-ProbCut, by M. Buro): a shallow search predicts the result of a deep one.

The score of an eight-ply search is seldom far from that of a four-ply search. The error has been
measured (see `algorithms.reversi.probcut`). So a null-window search first searches a few plies; if
that score is far enough outside the window, a deep search would almost certainly end on the same
side, and is skipped::

                        window
    score  ---------------||--------------->
           cut |<- reach -||- reach ->| cut      reach: a multiple of the measured error

A cut is likely correct but not proven: no score that depends on one may be called exact.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, words_at
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import CELLS, CUTS_AT, Words, signed
from rl_toolkit.kernels.reversi.patterns import STAGES, stage_of

Reaches = npt.NDArray[np.uint64]
"""The margins by stage and depth, in the unit of estimates; 0 where nothing is cut."""

DEPTHS = 64
REACHES_SHAPE = (STAGES, DEPTHS)


@kernel(i64(i64))
def shallow_for(depth: int) -> int:
    """The depth of the shallow search in place of ``depth`` plies: about half.

    The same player makes the last move in both, because one ply more shifts the score by discs.
    """
    return 2 * (depth // 4) + depth % 2


@kernel(i64(u64, u64, i64, words))
def reach_of(mine: np.uint64, theirs: np.uint64, depth: int, block: Words) -> int:
    """How far outside the window a shallow score must be to replace a search of ``depth`` plies.

    0 if nothing may be cut.
    """
    if block[CUTS_AT] == ZERO:
        return 0
    stage = stage_of(mine | theirs | ~block[CELLS])
    return signed(words_at(block[CUTS_AT])[stage * DEPTHS + min(depth, DEPTHS - 1)])
