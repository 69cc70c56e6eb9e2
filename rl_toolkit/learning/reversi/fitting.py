"""Fit the Reversi evaluation to examples, and report the progress of learning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rl_toolkit.algorithms.reversi import Weights, with_digits
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.reversi.board import CELLS, board_words
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.learning.fit import fit_pass
from rl_toolkit.kernels.reversi.patterns import DIGITS, FEATURES, STAGE_WEIGHTS, STAGES
from rl_toolkit.learning.reversi.examples import Examples

_HELD_BACK = 20  # one position in 20 is held back for validation
_FIRST_RATE, _SLOWER = 0.35, 0.85
_MOST = 32_000


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of learning: ``done`` of ``total`` units of a step; errors in discs when fitting."""

    part: str
    step: str
    done: int
    total: int
    error: float | None = None
    held_back_error: float | None = None


Listener = Callable[[Progress], object]


def fit(
    examples: Examples,
    passes: int,
    seed: int = 0,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    *,
    start: Weights | None = None,
    part: str = "",
    size: int = 8,
) -> Weights | None:
    """Fit weights to the scores by least squares; ``None`` if stopped.

    A weight that occurs in no example keeps its value in ``start``, or 0. ``part`` names this step
    in progress reports.
    """
    learned = len(examples) - len(examples) // _HELD_BACK  # the last games are held back
    order = np.random.default_rng(seed).permutation(learned)
    columns = (examples.mine, examples.theirs)
    mine, theirs = (np.concatenate([c[:learned][order], c[learned:]]) for c in columns)
    scores = np.concatenate([examples.scores[:learned][order], examples.scores[learned:]])
    weights = np.zeros(STAGES * STAGE_WEIGHTS)
    if start is not None:
        weights += start.ravel() / PER_DISC
    pulls = np.zeros_like(weights)
    scratch = np.zeros(FEATURES, dtype=np.int64)
    table, cells = DIGITS.ctypes.data, np.uint64(board_words(size)[CELLS])
    for number in range(passes):
        if stop is not None and stop.is_set():
            return None
        rate = _FIRST_RATE * _SLOWER**number
        errors = [
            fit_pass(mine, theirs, scores, cells, first, last, weights, pulls, table, pace, scratch)
            / max(1, last - first)
            for first, last, pace in ((0, learned, rate), (learned, len(examples), 0.0))
        ]
        if on_progress is not None:
            roots = [float(error**0.5) for error in errors]
            on_progress(Progress(part, "fit", number + 1, passes, *roots))
    rounded = np.clip(np.rint(weights * PER_DISC), -_MOST, _MOST).astype(np.int16)
    return with_digits(rounded.reshape(STAGES, STAGE_WEIGHTS)[:, DIGITS.size :])
