"""All positions with the same number of stones, as a sorted list of keys: a *layer*.

The key of a position is ``mine + taken`` (see `kernels.connect_four.table`); of two mirror images
the one with the smaller key represents both, and finished games are left out. Each layer is
computed from the one before, so nothing has to be stored to know which position is the thousandth
of its layer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_bit, popcount, signed
from rl_toolkit.kernels.connect_four.board import (
    board_words,
    cells,
    family,
    floor,
    has_four,
    landings,
    mirrored,
    rows,
    size,
)
from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, u64, word_array, words

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.int8]

_PIECE = 1 << 16  # positions expanded at a time
_DIGIT_BITS, _DIGIT = np.uint64(10), np.uint64(1023)


@family.kernel(u64(u64, words), inline=True)
def taken_of(key: np.uint64, block: Words) -> np.uint64:
    """All stones of the position with this key.

    With the floor added, every column of the key has a 1 above its stones and the stones of the
    side to move below it: everything under the highest 1 is occupied.
    """
    marked = key + floor(block)
    for _ in range(rows(block)):
        marked |= (marked >> ONE) & cells(block)
    return np.uint64((marked >> ONE) & cells(block))


@kernel(i64(word_array, u64))
def _place(layer: Words, key: np.uint64) -> int:
    """The index of a key in a layer, or where it would be inserted."""
    low, high = 0, layer.size
    while low < high:
        middle = (low + high) >> 1
        if layer[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@family.kernel(u64(u64, words), inline=True)
def either_side(key: np.uint64, block: Words) -> np.uint64:
    """The key that a position shares with its mirror image."""
    return np.uint64(min(key, mirrored(key, block)))


@family.kernel(i64(word_array, word_array, word_array))
def _expand(layer: Words, out: Words, board: Words) -> int:
    """Write the keys of all unfinished games one move further, with repeats; their number."""
    block = pointer(board)
    count = 0
    for i in range(layer.size):
        taken = taken_of(layer[i], block)
        mine = layer[i] - taken
        moves = landings(taken, block)
        while moves != ZERO:
            move = lowest_bit(moves)
            moves ^= move
            if has_four(mine | move, block) == ZERO:
                out[count] = either_side((mine ^ taken) + (taken | move), block)
                count += 1
    return count


@kernel(i64(word_array, word_array, number_array))
def _sort(keys: Words, spare: Words, counts: Numbers) -> int:
    """Radix sort with ten bits at a time, lowest first; 1 if the result is in ``spare``.

    Five times faster here than a comparison sort, and most of the time for a layer is sorting.
    """
    everything = ZERO
    for i in range(keys.size):
        everything |= keys[i]
    source, target, swapped, shift = keys, spare, 0, ZERO
    while everything >> shift != ZERO:
        counts[:] = 0
        for i in range(source.size):
            counts[signed((source[i] >> shift) & _DIGIT)] += 1
        start = 0
        for digit in range(counts.size):
            start, counts[digit] = start + counts[digit], start
        for i in range(source.size):
            digit = signed((source[i] >> shift) & _DIGIT)
            target[counts[digit]] = source[i]
            counts[digit] += 1
        source, target, swapped = target, source, 1 - swapped
        shift += _DIGIT_BITS
        if shift >= np.uint64(64):
            break
    return swapped


@kernel(i64(word_array, word_array, word_array))
def _merge(one: Words, other: Words, out: Words) -> int:
    """Merge two sorted lists without repeats; returns the number of keys."""
    count, i, j = 0, 0, 0
    while i < one.size or j < other.size:
        if j == other.size or (i < one.size and one[i] <= other[j]):
            key = one[i]
            i += 1
        else:
            key = other[j]
            j += 1
        if count == 0 or out[count - 1] != key:
            out[count] = key
            count += 1
    return count


@family.kernel(i64(word_array, word_array, word_array, word_array))
def _split(layer: Words, mine: Words, taken: Words, board: Words) -> int:
    """Write the stones of the side to move and all stones of every position of a layer."""
    block = pointer(board)
    for i in range(layer.size):
        taken[i] = taken_of(layer[i], block)
        mine[i] = layer[i] - taken[i]
    return 0


@family.kernel(i64(word_array, word_array, number_array, number_array, word_array))
def _one_ply_back(layer: Words, onward: Words, known: Numbers, out: Numbers, board: Words) -> int:
    """Score each position of a layer by its best move; ``known`` are the next layer's scores."""
    block = pointer(board)
    for i in range(layer.size):
        taken = taken_of(layer[i], block)
        mine = layer[i] - taken
        left = signed(size(block) - popcount(taken))
        best = -((left + 1) >> 1)
        moves = landings(taken, block)
        while moves != ZERO:
            move = lowest_bit(moves)
            moves ^= move
            worth = 0  # if the move fills the board: a draw
            if has_four(mine | move, block) != ZERO:
                worth = (left + 1) >> 1
            elif left > 1:
                key = either_side((mine ^ taken) + (taken | move), block)
                worth = -known[_place(onward, key)]
            best = max(best, worth)
        out[i] = best
    return 0


class Layers:
    """The layers of one board, each computed on first use."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self._board = np.array(board_words(rows, cols), dtype=np.uint64)
        self._known = [np.zeros(1, dtype=np.uint64)]

    def __getitem__(self, stones: int) -> Words:
        """The sorted keys of all positions with ``stones`` stones."""
        while len(self._known) <= stones:
            self._known.append(self._one_ply_on(self._known[-1]))
        return self._known[stones]

    def _one_ply_on(self, layer: Words) -> Words:
        """The layer after this one, built piece by piece to save memory."""
        children = np.empty(min(layer.size, _PIECE) * self.cols, dtype=np.uint64)
        spare, counts = np.empty_like(children), np.empty(1 << 10, dtype=np.int64)
        found = np.empty(0, dtype=np.uint64)
        for start in range(0, layer.size, _PIECE):
            count = _expand(layer[start : start + _PIECE], children, self._board)
            swapped = _sort(children[:count], spare[:count], counts)
            piece = spare[:count] if swapped else children[:count]
            both = np.empty(found.size + count, dtype=np.uint64)
            found = both[: _merge(found, piece, both)]
        return found

    def positions(self, stones: int) -> tuple[Words, Words]:
        """The stones of the side to move, and all stones, of every position of a layer."""
        layer = self[stones]
        mine, taken = np.empty_like(layer), np.empty_like(layer)
        _split(layer, mine, taken, self._board)
        return mine, taken

    def one_ply_back(self, stones: int, known: Scores) -> Scores:
        """The scores of a layer, backed up from those of the next one."""
        layer = self[stones]
        out = np.empty(layer.size, dtype=np.int64)
        _one_ply_back(layer, self[stones + 1], known.astype(np.int64), out, self._board)
        return out.astype(np.int8)

    def key(self, mine: int, taken: int) -> int:
        """The key of a position in its layer."""
        key, width = mine + taken, self.rows + 1
        column = (1 << width) - 1
        image = 0
        for number in range(self.cols):
            image = image << width | (key >> number * width) & column
        return min(key, image)

    def place(self, mine: int, taken: int) -> int | None:
        """The index of a position in its layer; ``None`` if it is not reachable."""
        layer, key = self[taken.bit_count()], np.uint64(self.key(mine, taken))
        at = _place(layer, key)
        return at if at < layer.size and layer[at] == key else None
