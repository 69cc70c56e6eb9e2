"""Labels for Reversi positions, found by search with the weights learned so far.

The result of a game says little about a position forty moves before. The score of a search says
more, provided that its leaves are evaluated better than its root. So an evaluation is learned from
the end of the game backwards, and the searches reach into the part that is already learned::

    empty squares   29  28  27  26  25  24 | 23  22  21  20  19  18 | 17 …
                     ·   ·   ·   ·   ·   · |  learned before        |
                     └───────────────────────▶ a search of 6 plies
                                         └───▶ one ply is enough; a few more are better
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, word_array
from rl_toolkit.kernels.reversi.board import CELLS, count
from rl_toolkit.kernels.reversi.midgame import HIGHEST, LOWEST, NOT_EVALUATED, STOPPED, think

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@kernel(i64(word_array, word_array, number_array, word_array, number_array))
def label_positions(
    mine: Words, theirs: Words, depths: Numbers, memory: Words, labels: Numbers
) -> int:
    """Write the score of each position, in sixteenths of a disc; returns the number done.

    ``depths`` is the search depth by number of empty squares. Not all are done only if the search
    with the block ``memory`` was stopped.
    """
    block = pointer(memory)
    for i in range(labels.size):
        empties = count(block[CELLS] & ~(mine[i] | theirs[i]))
        found = think(mine[i], theirs[i], LOWEST, HIGHEST, depths[empties], NOT_EVALUATED, block)
        if found == STOPPED:
            return i
        labels[i] = found
    return int(labels.size)
