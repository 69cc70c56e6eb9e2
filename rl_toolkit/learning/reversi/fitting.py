"""Fit the Reversi evaluation to examples, and report the progress of learning."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from rl_toolkit.algorithms.reversi import Weights, with_digits
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.reversi.board import CELLS, board_words
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.learning.fit import fit_pass
from rl_toolkit.kernels.reversi.patterns import (
    DIGITS,
    FEATURES,
    STAGE_WEIGHTS,
    STAGES,
    empties_of_stage,
)
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


def _by_stage(examples: Examples, size: int) -> list[Examples]:
    """The examples of each stage of the game, in their order."""
    empties = examples.empties(size)
    spans = map(empties_of_stage, range(STAGES))
    return [examples.only((empties >= first) & (empties <= last)) for first, last in spans]


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
    threads: int = 1,
) -> Weights | None:
    """Fit weights to the scores by least squares; ``None`` if stopped.

    A weight that occurs in no example keeps its value in ``start``, or 0. ``part`` names this step
    in progress reports. The weights do not depend on the number of ``threads``.
    """
    learned = len(examples) - len(examples) // _HELD_BACK  # the last games are held back
    order = np.random.default_rng(seed).permutation(learned)
    weights = np.zeros(STAGES * STAGE_WEIGHTS)
    if start is not None:
        weights += start.ravel() / PER_DISC
    pulls = np.zeros_like(weights)
    table, cells = DIGITS.ctypes.data, np.uint64(board_words(size)[CELLS])
    shares = _by_stage(examples.only(order), size)
    held_back = _by_stage(examples.only(slice(learned, None)), size)

    def passed(share: Examples, rate: float) -> float:
        columns, scratch = (share.mine, share.theirs, share.scores), np.zeros(FEATURES, np.int64)
        return fit_pass(*columns, cells, 0, len(share), weights, pulls, table, rate, scratch)

    with ThreadPoolExecutor(threads) as pool:  # every stage has its own weights
        for number in range(passes):
            if stop is not None and stop.is_set():
                return None
            rate = _FIRST_RATE * _SLOWER**number
            errors = [
                sum(pool.map(passed, halves, repeat(pace))) / max(1, sum(map(len, halves)))
                for halves, pace in ((shares, rate), (held_back, 0.0))
            ]
            if on_progress is not None:
                roots = [float(error**0.5) for error in errors]
                on_progress(Progress(part, "fit", number + 1, passes, *roots))
    rounded = np.clip(np.rint(weights * PER_DISC), -_MOST, _MOST).astype(np.int16)
    return with_digits(rounded.reshape(STAGES, STAGE_WEIGHTS)[:, DIGITS.size :])
