"""A transposition table of fixed size, for `kernels.search.negamax`.

A table is an array of entries of three words, found in buckets of four::

    key ^ score ^ facts | score, a float's bits | facts

    facts: log2 work << 56 · depth << 32 · bound << 24 · move + 1; 0 in an empty entry

The score and the facts are up to the search, except that the facts are never 0, and that the entry
with the larger facts is the more valuable one: it took more work. Threads may share a table without
locks: words of two writers do not give back a key (see `kernels.threads.atomic`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, signed
from rl_toolkit.kernels.jit import i64, kernel, number_array, pair, pointer, u64, word_array, words
from rl_toolkit.kernels.threads.atomic import load, store

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

ENTRY_WORDS = 3
BUCKET = 4
_MOST = ~ZERO


@kernel(pair(words, i64, u64))
def find(table: Words, mask: int, key: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The score and the facts stored for ``key``; the facts are 0 if there are none."""
    first = signed(key) & mask & -BUCKET
    for entry in range(first, first + BUCKET):
        at = entry * ENTRY_WORDS
        score, facts = load(table, at + 1), load(table, at + 2)
        if facts != ZERO and load(table, at) ^ score ^ facts == key:
            return score, facts
    return ZERO, ZERO


@kernel(i64(words, i64, u64))
def room_for(table: Words, mask: int, key: np.uint64) -> int:
    """Where to store ``key``: its own entry, else an empty one, else the cheapest of the bucket."""
    first = signed(key) & mask & -BUCKET
    chosen, least = first * ENTRY_WORDS, _MOST
    for entry in range(first, first + BUCKET):
        at = entry * ENTRY_WORDS
        facts = load(table, at + 2)
        if facts == ZERO or load(table, at) ^ load(table, at + 1) ^ facts == key:
            return int(at)
        if facts < least:
            chosen, least = at, facts
    return int(chosen)


@kernel(i64(words, i64, u64, u64, u64))
def put(table: Words, at: int, key: np.uint64, score: np.uint64, facts: np.uint64) -> int:
    """Store an entry at ``at``, see `room_for`."""
    store(table, at, key ^ score ^ facts)
    store(table, at + 1, score)
    store(table, at + 2, facts)
    return 0


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
        score, facts = source[at + 1], source[at + 2]
        if facts != ZERO:
            key = source[at] ^ score ^ facts
            to = room_for(target, mask, key)
            used += target[to + 2] == ZERO
            put(target, to, key, score, facts)
    return used
