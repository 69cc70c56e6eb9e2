"""The transposition table of the Reversi searches: bounds on a score, and the move to try first.

The table is an array of buckets, each a cache line with two entries of four words::

    | mine ^ facts | theirs ^ turned facts | facts | unused |

    facts: low 16 | high 16 | square 8 | work 8 | age 16       turned: its halves exchanged

A position is stored completely, so a matching entry belongs to that position and no other, and it
stays valid: bounds found by one search serve the next. Threads may share a table without locks: the
words of two writers do not give back a position (see `kernels.threads.atomic`). Bounds are stored
plus 2^15; ``square`` is the bit number of the best move; ``work`` is the search depth, which in an
endgame is the number of empty squares.

The first entry of a bucket keeps the position with the most ``work``, as long as it is from the
current search (``age``); the second keeps the most recent one.
"""

from __future__ import annotations

import mmap
from contextlib import suppress

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, pointer, u64, word_array, words
from rl_toolkit.kernels.reversi.board import (
    GENERATION,
    LATE_AT,
    LATE_MASK,
    TABLE_AT,
    TABLE_MASK,
    Words,
    signed,
)
from rl_toolkit.kernels.threads.atomic import load, store

BUCKET_WORDS = 8
NO_SQUARE = np.uint64(64)
"""The square of an entry without a good move."""
# Where processes can be forked, the child process gets its own copy of the table.
_PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
_ENTRY = 4
_MINE, _THEIRS, _FACTS = 0, 1, 2

_BYTE, _SHORT = np.uint64(0xFF), np.uint64(0xFFFF)
_HIGH, _SQUARE, _WORK, _AGE = np.uint64(16), np.uint64(32), np.uint64(40), np.uint64(48)
_ZERO_SCORE = 1 << 15
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd
_OTHER_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)  # an odd number without pattern
_HALF = np.uint64(32)
_BUCKET_LOG = np.uint64(3)


class Memory:
    """The words of a table of 2 ** ``log_buckets`` buckets, aligned to a cache line.

    The system allocates them in small pages on first use. NumPy arrays of this size come in pages
    of 2 MB, and a search that touches a dozen new ones at a node cannot be stopped meanwhile: that
    took up to 40 ms.
    """

    def __init__(self, log_buckets: int) -> None:
        self.log_buckets = log_buckets
        pages = mmap.mmap(-1, 8 * ((BUCKET_WORDS << log_buckets) + 8), **_PRIVATE)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            with suppress(OSError):  # a system without huge pages does not need this
                pages.madvise(mmap.MADV_NOHUGEPAGE)
        self._array = np.frombuffer(pages, dtype=np.uint64)

    @property
    def address(self) -> int:
        """The address of the first bucket."""
        return (self._array.ctypes.data + 63) & ~63

    def clear(self) -> None:
        """Remove all entries."""
        self._array.fill(0)


@kernel(u64(u64, u64), inline=True)
def _mixed(mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """A number that differs from position to position; its low half is random enough."""
    mixed = (mine * _FACTOR) ^ ((theirs * _OTHER_FACTOR) >> _HALF)
    mixed = (mixed ^ (mixed >> _HALF) ^ theirs) * _FACTOR
    return np.uint64(mixed >> _HALF)


@kernel(words(u64, u64, words))
def bucket_of(mine: np.uint64, theirs: np.uint64, block: Words) -> Words:
    """The bucket of a position."""
    number = _mixed(mine, theirs) & block[TABLE_MASK]
    return offset(words_at(block[TABLE_AT]), signed(number << _BUCKET_LOG))  # type: ignore[no-any-return]


@kernel(i64(words, i64, u64, u64, u64), inline=True)
def _is_of(bucket: Words, place: int, facts: np.uint64, mine: np.uint64, theirs: np.uint64) -> int:
    """Whether the entry at ``place``, whose facts have been read, belongs to a position."""
    turned = (facts << _HALF) | (facts >> _HALF)
    same = load(bucket, place + _MINE) ^ facts == mine
    return int(same and load(bucket, place + _THEIRS) ^ turned == theirs)


@kernel(words(u64, u64, words))
def late_bucket_of(mine: np.uint64, theirs: np.uint64, block: Words) -> Words:
    """The bucket of a position in the table for the last plies, which fits in a cache."""
    number = _mixed(mine, theirs) & block[LATE_MASK]
    return offset(words_at(block[LATE_AT]), signed(number << _BUCKET_LOG))  # type: ignore[no-any-return]


@kernel(u64(words, u64, u64))
def find(bucket: Words, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """The facts stored for a position; 0 if there are none."""
    first = load(bucket, _FACTS)
    if _is_of(bucket, 0, first, mine, theirs):
        return np.uint64(first)
    second = load(bucket, _ENTRY + _FACTS)
    if _is_of(bucket, _ENTRY, second, mine, theirs):
        return np.uint64(second)
    return np.uint64(0)


@kernel(i64(u64))
def low_of(facts: np.uint64) -> int:
    """The lower bound on the score."""
    return signed(facts & _SHORT) - _ZERO_SCORE


@kernel(i64(u64))
def high_of(facts: np.uint64) -> int:
    """The upper bound on the score."""
    return signed((facts >> _HIGH) & _SHORT) - _ZERO_SCORE


@kernel(u64(u64))
def square_of(facts: np.uint64) -> np.uint64:
    """The bit number of the move to try first."""
    return (facts >> _SQUARE) & _BYTE


@kernel(i64(u64))
def work_of(facts: np.uint64) -> int:
    """The depth of the search that found the bounds."""
    return signed((facts >> _WORK) & _BYTE)


@kernel(i64(words, u64, u64, i64, i64, u64, i64, words))
def keep(
    bucket: Words,
    mine: np.uint64,
    theirs: np.uint64,
    low: int,
    high: int,
    square: np.uint64,
    work: int,
    block: Words,
) -> int:
    """Store that the score lies from ``low`` to ``high``, and a move to try first."""
    age = block[GENERATION] & _SHORT
    facts = np.uint64(low + _ZERO_SCORE) | (np.uint64(high + _ZERO_SCORE) << _HIGH)
    facts |= (square << _SQUARE) | (np.uint64(work) << _WORK) | (age << _AGE)
    place = 0
    held = load(bucket, _FACTS)
    if not _is_of(bucket, 0, held, mine, theirs):
        is_second = _is_of(bucket, _ENTRY, load(bucket, _ENTRY + _FACTS), mine, theirs)
        deeper = held >> _AGE == age and work_of(held) > work
        if is_second or deeper:
            place = _ENTRY
    store(bucket, place + _MINE, mine ^ facts)
    store(bucket, place + _THEIRS, theirs ^ ((facts << _HALF) | (facts >> _HALF)))
    store(bucket, place + _FACTS, facts)
    return 0


@kernel(u64(u64, u64, word_array))
def remembered(mine: np.uint64, theirs: np.uint64, memory: Words) -> np.uint64:
    """The best move in the table, as a bit; 0 if there is none."""
    block = pointer(memory)
    facts = find(bucket_of(mine, theirs, block), mine, theirs)
    known = facts != ZERO and square_of(facts) < NO_SQUARE
    return ONE << square_of(facts) if known else ZERO
