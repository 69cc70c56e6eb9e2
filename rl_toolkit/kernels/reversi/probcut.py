"""Selective search: where a shallow look makes the answer of a deep one all but sure.

What eight plies show is seldom far from what four plies show. How far, has been measured (see
`algorithms.reversi.probcut`). So a search that only asks on which side of a window a position lies
looks a few plies ahead first; if that ends far enough outside, a deep look would almost surely
end on the same side, and is spared (Multi-ProbCut, by M. Buro)::

                        window
    score  ---------------||--------------->
           cut |<- reach -||- reach ->| cut      reach: some measured errors wide

What was cut is likely and not proven: nothing that rests on it may be called exact.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, words_at
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.reversi.board import CELLS, CUTS_AT, Words, signed
from rl_toolkit.kernels.reversi.patterns import STAGES, stage_of

Reaches = npt.NDArray[np.uint64]
"""By stage of the game and by depth, in the unit of estimates; 0 where nothing is cut."""

DEPTHS = 64
REACHES_SHAPE = (STAGES, DEPTHS)


@kernel(i64(i64))
def shallow_for(depth: int) -> int:
    """How far to look instead of ``depth`` plies: about half as far.

    The same player has the last word in both, as what one ply more shows is off by discs.
    """
    return 2 * (depth // 4) + depth % 2


@kernel(i64(u64, u64, i64, words))
def reach_of(mine: np.uint64, theirs: np.uint64, depth: int, block: Words) -> int:
    """How far outside the window a shallow look must end to spare one of ``depth`` plies.

    0 if nothing is to be cut.
    """
    if block[CUTS_AT] == ZERO:
        return 0
    stage = stage_of(mine | theirs | ~block[CELLS])
    return signed(words_at(block[CUTS_AT])[stage * DEPTHS + min(depth, DEPTHS - 1)])
