"""Reversi: the engine with learned weights, the exact solver and their opening books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.reversi.weights import (
        SHIPPED,
        Weights,
        WeightsError,
        load_weights,
        save_weights,
        with_digits,
    )

__all__ = [
    "SHIPPED",  # The files that come with the package, by the size of the board
    "Weights",  # The evaluation of every pattern at every stage
    "WeightsError",  # A weights file is missing, damaged or of another version
    "load_weights",  # Load weights for a board of ``size`` × ``size``, or of any size with ``None``
    "save_weights",  # Write the weights for a board of ``size`` × ``size`` to a file atomically
    "with_digits",  # The weights as the kernels read them
]
__getattr__, __dir__ = front_door(__name__)
