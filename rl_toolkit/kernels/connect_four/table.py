"""The transposition table of the solver: bounds, one 64-bit word per position, in two tiers.

A position's key is ``mine + taken``, a number below 2^bits with one bit per cell and sentinel (49
on 6 × 7). Multiplied by an odd constant, modulo 2^bits, it is mixed well and still unique. The
upper bits of the product choose a bucket of two entries; the lower bits are stored, so a matching
entry belongs to that position and no other::

    product   | bucket number … |                       |
    entry                 | lower 46 bits of the product | work 6 | high 6 | low 6 |

``low`` and ``high`` bound the score (plus 32, so that only an empty entry is 0), ``work`` is the
logarithm of the nodes it took to find them. The first entry of a bucket keeps the most expensive
position, the second the most recent.

Late positions are many and cheap: they have a separate small table, which stays in the processor's
cache and keeps them from displacing expensive ones in the large table. Threads may share both
without locks, as an entry is read and written in one piece.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, bit_length, signed, words_at
from rl_toolkit.kernels.connect_four.board import BOARD_WORDS, family, field, mirrored
from rl_toolkit.kernels.jit import i64, offset, u64, words
from rl_toolkit.kernels.threads.atomic import load, store

Words = npt.NDArray[np.uint64]

# The indices of the tables' numbers in a block.
KEY_MASK, LARGE_AT, SMALL_AT, LARGE_SHIFT, SMALL_SHIFT, LATE, SYMMETRIC = range(
    BOARD_WORDS, BOARD_WORDS + 7
)
TABLE_WORDS = BOARD_WORDS + 8

WAYS = 2
META_BITS = 18

key_mask = field(KEY_MASK)
large_at, small_at = field(LARGE_AT), field(SMALL_AT)
large_shift, small_shift = field(LARGE_SHIFT), field(SMALL_SHIFT)
late, symmetric = field(LATE), field(SYMMETRIC)

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd
_META = np.uint64(META_BITS)
_SIX, _TWELVE, _SCORE = np.uint64(6), np.uint64(12), np.uint64(63)
_ZERO_SCORE = 32


class Memory:
    """The words of one table, aligned to a cache line."""

    def __init__(self, bits: int, log_buckets: int) -> None:
        # An entry has room for part of the product; the bucket number must determine the rest.
        self.log_buckets = max(log_buckets, bits - (64 - META_BITS))
        self._array = np.zeros((WAYS << self.log_buckets) + 8, dtype=np.uint64)

    @property
    def address(self) -> int:
        """The address of the first bucket."""
        return (self._array.ctypes.data + 63) & ~63

    @property
    def megabytes(self) -> float:
        """Memory used, in units of 2^20 bytes."""
        return self._array.nbytes / 2**20

    def clear(self) -> None:
        """Remove all entries."""
        self._array.fill(0)


@family.kernel(u64(u64, u64, words), inline=True)
def product_of(key: np.uint64, stones: np.uint64, block: Words) -> np.uint64:
    """The mixed key of a position; early in the game mirror images share it."""
    if stones < symmetric(block):
        key = min(key, mirrored(key, block))
    return np.uint64((key * _FACTOR) & key_mask(block))


@family.kernel(words(u64, u64, words), inline=True)
def bucket_of(product: np.uint64, stones: np.uint64, block: Words) -> Words:
    """The bucket of a position with ``stones`` stones."""
    if stones >= late(block):
        number = product >> small_shift(block)
        start = words_at(small_at(block))
    else:
        number = product >> large_shift(block)
        start = words_at(large_at(block))
    bucket: Words = offset(start, signed(number + number))
    return bucket


@family.kernel(u64(words, u64), inline=True)
def find(bucket: Words, product: np.uint64) -> np.uint64:
    """The entry of a position; 0 if there is none."""
    # The part that is cut off on the left is in the bucket number.
    wanted = product << _META
    first = load(bucket, 0)
    if (first ^ wanted) >> _META == ZERO:
        return np.uint64(first)
    second = load(bucket, 1)
    if (second ^ wanted) >> _META == ZERO:
        return np.uint64(second)
    return ZERO


@family.kernel(i64(words, u64, i64, i64, u64), inline=True)
def keep(bucket: Words, product: np.uint64, low: int, high: int, nodes: np.uint64) -> int:
    """Store that the score lies from ``low`` to ``high``, found with ``nodes`` nodes."""
    work = bit_length(nodes)
    entry = (product << _META) | (work << _TWELVE)
    entry |= (np.uint64(high + _ZERO_SCORE) << _SIX) | np.uint64(low + _ZERO_SCORE)
    first = load(bucket, 0)
    if (first ^ entry) >> _META == ZERO:
        store(bucket, 0, entry)
    elif (load(bucket, 1) ^ entry) >> _META != ZERO and (first >> _TWELVE) & _SCORE <= work:
        store(bucket, 1, first)
        store(bucket, 0, entry)
    else:
        store(bucket, 1, entry)
    return 0


@family.kernel(i64(u64), inline=True)
def low_of(entry: np.uint64) -> int:
    """The lower bound in an entry."""
    return int(signed(entry & _SCORE) - _ZERO_SCORE)


@family.kernel(i64(u64), inline=True)
def high_of(entry: np.uint64) -> int:
    """The upper bound in an entry."""
    return int(signed((entry >> _SIX) & _SCORE) - _ZERO_SCORE)
