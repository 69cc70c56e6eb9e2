"""How far a shallow look at a Reversi position is off, as measured, and what may be cut for it.

The idea is told in `kernels.reversi.probcut`. Here are the numbers it lives by, which belong to the
shipped evaluation: with other weights, `python -m benchmarks.reversi_probcut --write` measures them
anew and puts them into this file.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.probcut import REACHES_SHAPE, Reaches

#: A look of fewer plies than this is not worth a shallower one.
FIRST_DEPTH = 3

#: Root mean square, in discs, of what a look ahead and the shallow look instead of it differ by:
#: a row for each stage of the game, the end first; a column for each depth from `FIRST_DEPTH` on.
#: Between looks of which the same player has the last word there is no bias worth a correction.
ERRORS = (
    (4.9, 4.9, 4.0, 6.9, 5.0, 5.8, 6.5, 5.7),
    (5.4, 4.9, 4.9, 5.9, 5.6, 5.7, 5.4, 6.6),
    (4.0, 4.0, 3.3, 5.2, 4.5, 3.9, 4.0, 5.0),
    (3.6, 3.3, 3.1, 4.0, 3.6, 3.3, 3.4, 3.8),
    (3.1, 2.9, 2.7, 3.4, 3.4, 3.6, 2.8, 3.8),
    (2.8, 2.4, 2.2, 2.9, 2.9, 2.8, 2.7, 2.7),
    (2.7, 2.5, 2.1, 2.8, 2.5, 2.1, 2.1, 2.4),
    (1.9, 1.5, 1.5, 1.9, 1.7, 1.8, 1.6, 1.9),
)

#: So many errors beyond the window make a deep look superfluous. Chosen by matches: see
#: docs/reversi.md.
CONFIDENCE = 1.5


@cache
def measured_reaches(confidence: float = CONFIDENCE) -> Reaches:
    """What may be cut, as the kernels read it; deeper than measured as at the last depth."""
    reaches = np.zeros(REACHES_SHAPE, dtype=np.uint64)
    measured = np.round(np.array(ERRORS) * confidence * PER_DISC).astype(np.uint64)
    end = FIRST_DEPTH + measured.shape[1]
    reaches[:, FIRST_DEPTH:end] = measured
    reaches[:, end:] = measured[:, -1:]
    return reaches
