"""What a search remembers: for a position, bounds of its score and the move to try first.

The table is an array of buckets, each a cache line with two entries of four words::

    | mine | theirs | facts | unused |      facts: low 16 | high 16 | square 8 | work 8 | age 16

A position is stored whole, so an entry that matches is that position's and no other's, and what it
says stays true: bounds found by one search serve the next. Bounds are kept plus 2^15; ``square`` is
the number of the best move's bit; ``work`` tells how far the search looked, which in an endgame is
the number of empty squares.

The first entry of a bucket keeps what was expensive, that is, what took more ``work``, as long as
it is of the present search (``age``); the second keeps what is recent.
"""

from __future__ import annotations

import mmap
from contextlib import suppress

import numpy as np

from rl_toolkit.kernels.bits import ONE, ZERO, words_at
from rl_toolkit.kernels.jit import i64, kernel, offset, pointer, u64, word_array, words
from rl_toolkit.kernels.reversi.board import GENERATION, TABLE_AT, TABLE_MASK, Words, signed

BUCKET_WORDS = 8
NO_SQUARE = np.uint64(64)
"""The square of a position of which no good move is known."""
# Where processes can be forked, a copy is to have a table of its own.
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
    """The words of a table of 2 ** ``log_buckets`` buckets, on a cache line's boundary.

    They are fetched from the system in small pages, each when it is first used. NumPy's own arrays
    of this size come in pages of 2 MB, and a search that meets a dozen new ones at a node cannot be
    stopped meanwhile: that took up to 40 ms.
    """

    def __init__(self, log_buckets: int) -> None:
        self.log_buckets = log_buckets
        pages = mmap.mmap(-1, 8 * ((BUCKET_WORDS << log_buckets) + 8), **_PRIVATE)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            with suppress(OSError):  # a system without huge pages has nothing to refrain from
                pages.madvise(mmap.MADV_NOHUGEPAGE)
        self._array = np.frombuffer(pages, dtype=np.uint64)

    @property
    def address(self) -> int:
        """Where the first bucket begins."""
        return (self._array.ctypes.data + 63) & ~63

    def clear(self) -> None:
        """Forget everything."""
        self._array.fill(0)


@kernel(words(u64, u64, words))
def bucket_of(mine: np.uint64, theirs: np.uint64, block: Words) -> Words:
    """The bucket in which a position is kept."""
    mixed = (mine * _FACTOR) ^ ((theirs * _OTHER_FACTOR) >> _HALF)
    mixed = (mixed ^ (mixed >> _HALF) ^ theirs) * _FACTOR
    number = (mixed >> _HALF) & block[TABLE_MASK]
    return offset(words_at(block[TABLE_AT]), signed(number << _BUCKET_LOG))  # type: ignore[no-any-return]


@kernel(u64(words, u64, u64))
def find(bucket: Words, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """What is known of a position, 0 if nothing is."""
    if bucket[_MINE] == mine and bucket[_THEIRS] == theirs:
        return np.uint64(bucket[_FACTS])
    if bucket[_ENTRY + _MINE] == mine and bucket[_ENTRY + _THEIRS] == theirs:
        return np.uint64(bucket[_ENTRY + _FACTS])
    return np.uint64(0)


@kernel(i64(u64))
def low_of(facts: np.uint64) -> int:
    """The score is not below this."""
    return signed(facts & _SHORT) - _ZERO_SCORE


@kernel(i64(u64))
def high_of(facts: np.uint64) -> int:
    """The score is not above this."""
    return signed((facts >> _HIGH) & _SHORT) - _ZERO_SCORE


@kernel(u64(u64))
def square_of(facts: np.uint64) -> np.uint64:
    """The number of the bit of the move to try first."""
    return (facts >> _SQUARE) & _BYTE


@kernel(i64(u64))
def work_of(facts: np.uint64) -> int:
    """How far the search looked that found the bounds."""
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
    """Remember that the score lies from ``low`` to ``high``, and a move to try first."""
    age = block[GENERATION] & _SHORT
    facts = np.uint64(low + _ZERO_SCORE) | (np.uint64(high + _ZERO_SCORE) << _HIGH)
    facts |= (square << _SQUARE) | (np.uint64(work) << _WORK) | (age << _AGE)
    place = 0
    if bucket[_MINE] != mine or bucket[_THEIRS] != theirs:
        held = bucket[_FACTS]
        is_second = bucket[_ENTRY + _MINE] == mine and bucket[_ENTRY + _THEIRS] == theirs
        deeper = held >> _AGE == age and work_of(held) > work
        if is_second or deeper:
            place = _ENTRY
    bucket[place + _MINE] = mine
    bucket[place + _THEIRS] = theirs
    bucket[place + _FACTS] = facts
    return 0


@kernel(u64(u64, u64, word_array))
def remembered(mine: np.uint64, theirs: np.uint64, memory: Words) -> np.uint64:
    """The best move that the table knows, as a bit; 0 if it knows none."""
    block = pointer(memory)
    facts = find(bucket_of(mine, theirs, block), mine, theirs)
    known = facts != ZERO and square_of(facts) < NO_SQUARE
    return ONE << square_of(facts) if known else ZERO
