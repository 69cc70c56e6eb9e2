"""The measured errors of shallow Reversi searches, and the ProbCut margins derived from them.

`kernels.reversi.probcut` explains the technique. The numbers here belong to the shipped evaluation;
for other weights, `python -m benchmarks.reversi_probcut --write` measures them again and writes
them to this file.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.probcut import REACHES_SHAPE, Reaches

#: The smallest search depth at which a shallower search first pays off.
FIRST_DEPTH = 2

#: Root mean square difference, in discs, between a deep search and the shallow one in its place:
#: one row per stage of the game, the end first; one column per depth from `FIRST_DEPTH`.
#: Both searches end with the same player's move, and then there is no bias worth correcting.
ERRORS = (
    (6.5, 4.9, 4.9, 4.0, 6.9, 5.0, 5.8, 6.5, 5.7),
    (5.6, 5.4, 4.9, 4.9, 5.9, 5.6, 5.7, 5.4, 6.6),
    (4.4, 4.0, 4.0, 3.3, 5.2, 4.5, 3.9, 4.0, 5.0),
    (4.3, 3.6, 3.3, 3.1, 4.0, 3.6, 3.3, 3.4, 3.8),
    (4.4, 3.1, 2.9, 2.7, 3.4, 3.4, 3.6, 2.8, 3.8),
    (3.3, 2.8, 2.4, 2.2, 2.9, 2.9, 2.8, 2.7, 2.7),
    (2.7, 2.7, 2.5, 2.1, 2.8, 2.5, 2.1, 2.1, 2.4),
    (2.3, 1.9, 1.5, 1.5, 1.9, 1.7, 1.8, 1.6, 1.9),
)

#: A shallow score this many errors beyond the window replaces the deep search. Chosen by matches:
#: see docs/explanation/reversi.md.
CONFIDENCE = 1.5


@cache
def measured_reaches(confidence: float = CONFIDENCE) -> Reaches:
    """The margins as the kernels read them; beyond the measured depths those of the last depth."""
    reaches = np.zeros(REACHES_SHAPE, dtype=np.uint64)
    measured = np.round(np.array(ERRORS) * confidence * PER_DISC).astype(np.uint64)
    end = FIRST_DEPTH + measured.shape[1]
    reaches[:, FIRST_DEPTH:end] = measured
    reaches[:, end:] = measured[:, -1:]
    return reaches
