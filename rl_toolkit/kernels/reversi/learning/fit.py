"""Fit the weights of `kernels.reversi.patterns` to positions with exact or estimated scores.

Gradient descent with AdaGrad: each position changes the weights of its evaluation in proportion to
the error, and weights that have changed much change less. Each stage of the game has its own
weights.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import f64, i64, kernel, number_array, pointer, u64, word_array
from rl_toolkit.kernels.reversi.patterns import (
    FEATURES,
    STAGE_WEIGHTS,
    list_features,
    stage_of,
    transposed,
)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CALM = 400.0  # squared discs: keeps the first changes of a weight small

_float_array = f64[::1]


@kernel(
    f64(
        word_array,
        word_array,
        _float_array,
        u64,
        i64,
        i64,
        _float_array,
        _float_array,
        i64,
        f64,
        number_array,
    )
)
def fit_pass(
    mine: Words,
    theirs: Words,
    scores: Floats,
    cells: np.uint64,
    first: int,
    last: int,
    weights: Floats,
    pulls: Floats,
    digits: int,
    rate: float,
    scratch: Numbers,
) -> float:
    """One pass over positions ``first`` to ``last`` − 1; the sum of squared errors, in discs.

    ``weights`` and ``pulls`` (the sum of squared errors per weight) are updated unless ``rate`` is
    0. ``cells`` are the squares of the board, ``digits`` is the address of the base 3 table at the
    beginning of a stage; ``scratch`` has room for `FEATURES` numbers. Every other position is
    mirrored.
    """
    total = 0.0
    for i in range(first, last):
        my, their = mine[i], theirs[i]
        if i % 2:
            my, their = transposed(my), transposed(their)
        list_features(my, their, cells, digits, pointer(scratch))
        start = stage_of(my | their | ~cells) * STAGE_WEIGHTS
        guess = 0.0
        for k in range(FEATURES):
            guess += weights[start + scratch[k]]
        error = float(scores[i]) - guess
        total += error * error
        if rate > 0.0:
            for k in range(FEATURES):
                place = start + scratch[k]
                pulls[place] += error * error
                weights[place] += rate * error / np.sqrt(pulls[place] + _CALM)
    return total
