"""Which positions are being searched now: how threads divide a search tree among themselves.

Near the top of the tree, each thread claims the position that it is about to search. If another
thread has claimed it and there are other moves to try, the move is put off: when its turn comes,
the table usually has the result (a simple form of ABDADA)::

    for each move, best first:
        not the first, and claimed by another thread?   put it off
        else claim it, search it, release it
    then the moves put off: what the table does not answer is searched together

Claims are words in an array without locks. A claim that is lost, or of another position with the
same place, costs time and never a score. The first word says that the search is over: the first
thread with the result writes it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO, signed
from rl_toolkit.kernels.jit import i64, kernel, u64, words
from rl_toolkit.kernels.threads.atomic import load, store
from rl_toolkit.kernels.threads.crew import own_lines

Words = npt.NDArray[np.uint64]

PUT_OFF = -1
"""The claim of a move that another thread is searching."""

_FIRST = 8  # the first claim, on another cache line than the end of the search
_PLACE_BITS = 12
_TOP = np.uint64(64 - _PLACE_BITS)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd


class BusyList:
    """The words that the threads of one search share."""

    def __init__(self) -> None:
        self._words = own_lines(_FIRST + (1 << _PLACE_BITS), np.uint64)

    @property
    def address(self) -> int:
        """The address of the words."""
        return self._words.ctypes.data

    def begin(self) -> None:
        """Remove all claims before a search."""
        self._words.fill(0)

    def end(self) -> None:
        """Make all threads return."""
        self._words[0] = 1


@kernel(i64(words), inline=True)
def is_over(busy: Words) -> int:
    """Whether a thread has the result."""
    return int(load(busy, 0) != ZERO)


@kernel(i64(words, u64, i64))
def claim(busy: Words, key: np.uint64, may_wait: int) -> int:
    """Claim a position, to be given to `release`; `PUT_OFF` if it is to be searched later."""
    place = _FIRST + signed((key * _FACTOR) >> _TOP)
    held = load(busy, place)
    if held == key and may_wait:
        return PUT_OFF
    if held != ZERO:
        return 0
    store(busy, place, key)
    return int(place)


@kernel(i64(words, i64))
def release(busy: Words, claimed: int) -> int:
    """End a claim."""
    if claimed > 0:
        store(busy, claimed, ZERO)
    return 0
