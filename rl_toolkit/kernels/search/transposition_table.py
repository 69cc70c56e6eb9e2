"""A transposition table of fixed size, for `kernels.search.negamax`.

A table is an array of entries of three words, found in buckets of four::

    key | score, a float's bits | log2 work << 56 · depth << 32 · bound << 24 · move + 1, 0 = empty

The last two words are up to the search, except that the third is 0 in an empty entry, and that the
entry with the larger third word is the more valuable one: it took more work.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, signed
from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, u64, word_array, words

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

ENTRY_WORDS = 3
BUCKET = 4


@kernel(i64(words, i64, u64))
def find(table: Words, mask: int, key: np.uint64) -> int:
    """The position of the entry of ``key``; −1 if there is none."""
    first = signed(key) & mask & -BUCKET
    for entry in range(first, first + BUCKET):
        at = entry * ENTRY_WORDS
        if table[at] == key and table[at + 2] != ZERO:
            return int(at)
    return -1


@kernel(i64(words, i64, u64))
def room_for(table: Words, mask: int, key: np.uint64) -> int:
    """Where to store ``key``: its own entry, else an empty one, else the cheapest of the bucket."""
    first = signed(key) & mask & -BUCKET
    chosen = first * ENTRY_WORDS
    for entry in range(first, first + BUCKET):
        at = entry * ENTRY_WORDS
        if table[at + 2] == ZERO or table[at] == key:
            return int(at)
        if table[at + 2] < table[chosen + 2]:
            chosen = at
    return int(chosen)


@kernel(i64(word_array, word_array, i64, number_array))
def rehash(old: Words, new: Words, mask: int, flag: Numbers) -> int:
    """Copy every entry to a larger table; returns their number, or −1 if ``flag`` is set.

    Copying a large table can take longer than a search may overrun its limit.
    """
    source, target, stop = pointer(old), pointer(new), pointer(flag)
    used = 0
    for at in range(0, old.size, ENTRY_WORDS):
        if at & 0xFFFF == 0 and stop[0] != 0:
            return -1
        if source[at + 2] != ZERO:
            to = room_for(target, mask, source[at])
            used += target[to + 2] == ZERO
            for word in range(ENTRY_WORDS):
                target[to + word] = source[at + word]
    return used
