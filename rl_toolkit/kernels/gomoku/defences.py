"""Which cells can answer a threat of an open four.

If the attacker threatens to make an open four (or two fours at once) on a cell *t*, the defender
has three kinds of answers: a four of its own, the cell *t*, or a cell on which the attacker would
complete five after *t*. Any other move leaves two cells for five after *t*, and the defender can
take only one. Against several threats a cell must answer each of them::

    a b x x x c d     open fours on b and on c are threatened. After b, five is completed on a or c,
                      so a, b and c answer it; b, c and d answer c. Both are answered by b and by c.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.cell_tables import OPEN_FOURS, TIERS
from rl_toolkit.kernels.gomoku.codes import FOUR, OPEN_FOUR
from rl_toolkit.kernels.gomoku.layout import (
    FIVES_AT,
    LINES,
    OCCUPIED,
    PATTERNS,
    PLACES_AT,
    SETS,
    STEPS,
    WORDS,
    byte_at,
    lowest,
    numbers_at,
)
from rl_toolkit.kernels.jit import i64, kernel, numbers, offset

Numbers = npt.NDArray[np.int64]

_OF_ONE = 8  # scratch words after the result


@kernel(i64(numbers, i64, i64, numbers))
def _answers(block: Numbers, attacker: int, threat: int, cells: Numbers) -> int:
    """Keep only the cells that answer an open four on the cell ``threat``."""
    words, one = block[WORDS], offset(cells, _OF_ONE)
    for k in range(words):
        one[k] = 0
    one[threat >> 6] |= 1 << (threat & 63)
    half = block[PATTERNS + threat] >> 16 * attacker
    for direction in range(4):
        code = (half >> 4 * direction) & 15
        if code != FOUR and code != OPEN_FOUR:
            continue
        place = numbers_at(block[PLACES_AT])[4 * threat + direction]
        line = block[LINES + (place & 255)] >> 2 * ((place >> 8) & 255)
        own = 1 << 5
        for k in range(11):
            if (line >> 2 * k) & 3 == attacker + 1:
                own |= 1 << k
        for k in range(1, 10):
            if k != 5 and (line >> 2 * k) & 3 == 0 and byte_at(block[FIVES_AT], own | 1 << k) != 0:
                cell = threat + (k - 5) * block[STEPS + direction]
                one[cell >> 6] |= 1 << (cell & 63)
    for k in range(words):
        cells[k] &= one[k]
    return 0


@kernel(i64(numbers, i64, numbers))
def find_defences(block: Numbers, attacker: int, cells: Numbers) -> int:
    """Write the bit set of cells that answer all open fours of ``attacker``; returns 0.

    Fours of the defender are not included. ``cells`` has 16 words.
    """
    words = block[WORDS]
    for k in range(words):
        cells[k] = ~block[OCCUPIED + k]
    threats = offset(block, SETS + (attacker * TIERS + OPEN_FOURS) * words)
    for k in range(words):
        left = threats[k]
        while left != 0:
            _answers(block, attacker, 64 * k + lowest(left), cells)
            left &= left - 1
    return 0
