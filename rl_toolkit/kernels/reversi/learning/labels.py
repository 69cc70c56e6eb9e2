"""Labels for positions of Reversi, found by looking ahead with what has been learned so far.

How a game ended says little about a position forty moves before. What a search finds a few plies
later says more, provided that it judges positions better there than here. So an evaluation is
learned from the end of the game backwards, and labels reach into the part that is learned::

    empty squares   29  28  27  26  25  24 | 23  22  21  20  19  18 | 17 …
                     ·   ·   ·   ·   ·   · |  learned before        |
                     └───────────────────────▶ looks 6 plies ahead
                                         └───▶ one ply would do; a few more are better
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, word_array
from rl_toolkit.kernels.reversi.board import CELLS, count
from rl_toolkit.kernels.reversi.midgame import HIGHEST, LOWEST, STOPPED, think

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@kernel(i64(word_array, word_array, number_array, word_array, number_array))
def label_positions(
    mine: Words, theirs: Words, depths: Numbers, memory: Words, labels: Numbers
) -> int:
    """Write what each position seems to be worth, in sixteenths of a disc; how many were done.

    ``depths`` says for each number of empty squares how many plies to look ahead. Fewer are done
    than there are only if the search whose block is ``memory`` was told to stop.
    """
    block = pointer(memory)
    for i in range(labels.size):
        empties = count(block[CELLS] & ~(mine[i] | theirs[i]))
        found = think(mine[i], theirs[i], LOWEST, HIGHEST, depths[empties], block)
        if found == STOPPED:
            return i
        labels[i] = found
    return int(labels.size)
