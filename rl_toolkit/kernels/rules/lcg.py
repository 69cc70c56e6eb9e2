"""Random numbers for playouts: one multiplication and one addition each.

A 64-bit linear congruential generator. Its high bits are good and its low bits are not, so `below`
uses only the high half. A search keeps the state of the generator in memory, and playouts keep it
in a register meanwhile.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.jit import kernel, u64

# Knuth's constants for a full period of 2^64.
_FACTOR = np.uint64(6364136223846793005)
_TERM = np.uint64(1442695040888963407)
_HALF = np.uint64(32)


@kernel(u64(u64))
def next_chance(chance: np.uint64) -> np.uint64:
    """The next state of the generator."""
    return chance * _FACTOR + _TERM


@kernel(u64(u64, u64))
def below(chance: np.uint64, count: np.uint64) -> np.uint64:
    """A number from 0 to ``count`` − 1 (``count`` under 2^32), all equally likely."""
    return np.uint64(((chance >> _HALF) * count) >> _HALF)
