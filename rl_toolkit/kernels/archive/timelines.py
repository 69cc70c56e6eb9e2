"""Games in which stones change colour, unfolded: who had which cell when, a bit for each moment.

The board after n stones have been placed is moment n of a game. For each cell and each game::

    black[cell, game]    a word: bit n is set if X has the cell at moment n
    since[cell, game]    the first moment with a stone on the cell, `NEVER` if there is none

Stones stay, so these two say who had the cell at every moment. A pattern is there at the moments
that are left when the words of its cells, or their complements, are ANDed: an instruction or two
for a cell of many games. A search for a position has no use for this, since it is over after a few
moves of most games.

`unfold` replays each game once, and writes eight times the room of its moves. `match` finds what
`lanes.match` finds; `library.positions.plain` has the readable twin.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.archive.scan import NO_MOVE, NO_STONE, REMOVED
from rl_toolkit.kernels.bits import ONE, ZERO, lowest_index
from rl_toolkit.kernels.jit import byte_array, i64, kernel, number_array, pointer, word_array
from rl_toolkit.kernels.rules.operations import call_play

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

#: More moments than a game may have, and ``since`` of a cell that stays free.
MOMENTS, NEVER = 64, 255
#: A cell of a pattern that may be anything, as in `Pattern.cells`.
ANY = 2
#: The games that `unfold` writes together, so that it writes whole cache lines.
LINE = 8
#: The games that `match` looks at together.
BLOCK = 256

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel(i64(word_array), inline=True)
def _transpose(rows: Words) -> int:
    """Turn 64 words: bit k of word n becomes bit n of word k."""
    width, mask = np.uint64(32), np.uint64(0x00000000FFFFFFFF)
    while width != ZERO:
        k = ZERO
        while k < np.uint64(64):
            other = k + width
            swapped = ((rows[k] >> width) ^ rows[other]) & mask
            rows[k] ^= swapped << width
            rows[other] ^= swapped
            k = (other + ONE) & ~width
        width >>= ONE
        mask ^= mask << width
    return 0


@kernel(
    i64(
        i64,
        word_array,
        word_array,
        number_array,
        number_array,
        byte_array,
        i64,
        i64,
        word_array,
        word_array,
        byte_array,
        word_array,
        byte_array,
        byte_array,
        byte_array,
    )
)
def unfold(
    play_at: int,
    shape: Words,
    start: Words,
    move_of_cell: Numbers,
    bit_of_cell: Numbers,
    cells: Bytes,
    width: int,
    first: int,
    state: Words,
    boards: Words,
    firsts: Bytes,
    black: Words,
    since: Bytes,
    moments: Bytes,
    passes: Bytes,
) -> int:
    """Write what the games of a pack were at each moment; returns the number of games.

    ``moments`` is the number of moments of a game, 0 if it was removed; ``passes`` the number of
    moves before its first pass, `NEVER` without one. ``boards`` and ``firsts`` have room for 64
    numbers for each of `LINE` games.
    """
    games, count = cells.size // width, bit_of_cell.size
    for g in range(games):
        row, place = g * width, g % LINE
        mine, at = boards[MOMENTS * place : MOMENTS * (place + 1)], MOMENTS * place
        for cell in range(count):
            there = ((start[0] | start[1]) >> np.uint64(bit_of_cell[cell])) & ONE
            firsts[at + cell] = 0 if there != ZERO else NEVER
        state[0], state[1], mine[0] = start[0], start[1], start[first]
        n, ply = np.int64(0), np.int64(0)
        passes[g] = NEVER
        while ply < width:
            played = np.int64(cells[row + ply])
            if played in (NO_MOVE, REMOVED):
                break
            call_play(play_at, pointer(state), pointer(shape), move_of_cell[played])
            ply += 1
            if played != NO_STONE:
                n += 1
                firsts[at + played] = n
                mine[n] = state[(ply + first) & 1]
            elif passes[g] == NEVER:
                passes[g] = n
        moments[g] = 0 if cells[row] == REMOVED else n + 1
        for k in range(n + 1, MOMENTS):
            mine[k] = ZERO
        _transpose(mine)
        if place == LINE - 1 or g == games - 1:
            for cell in range(count):
                to, bit = cell * games + g - place, bit_of_cell[cell]
                for k in range(place + 1):
                    black[to + k] = boards[MOMENTS * k + bit]
                    since[to + k] = firsts[MOMENTS * k + cell]
    return games


@kernel(
    i64(
        byte_array,
        i64,
        word_array,
        byte_array,
        byte_array,
        byte_array,
        number_array,
        byte_array,
        word_array,
        byte_array,
        number_array,
        byte_array,
        number_array,
    )
)
def match(
    cells: Bytes,
    width: int,
    black: Words,
    since: Bytes,
    moments: Bytes,
    passes: Bytes,
    images: Numbers,
    symmetries: Bytes,
    spare: Words,
    small: Bytes,
    rows: Numbers,
    alive: Bytes,
    plies: Numbers,
) -> int:
    """Write row, symmetries and first ply of each game that comes to have a pattern; their number.

    A game whose ``moments`` are 0 has no pattern. ``images`` has the numbers of `Pattern.cells` for
    each image of the pattern, ``symmetries`` the bits of the symmetries that have it. ``spare`` has
    room for `BLOCK` words for each image and once more, ``small`` for `BLOCK` bytes twice.
    """
    games, kinds = moments.size, symmetries.size
    count, kept = since.size // games, np.int64(0)
    low, high, found = small[:BLOCK], small[BLOCK:], spare[kinds * BLOCK :]
    for first in range(0, games, BLOCK):
        size = min(BLOCK, games - first)
        for g in range(size):
            found[g] = ZERO
        for s in range(kinds):
            fits, image = spare[s * BLOCK : (s + 1) * BLOCK], s * count
            # The moments from the last stone of the pattern to the first one on a free cell.
            for g in range(size):
                low[g], high[g] = 0, moments[first + g]
            for cell in range(count):
                asked = images[image + cell]
                if asked == ANY:
                    continue
                at = cell * games + first
                when = since[at : at + size]
                if asked == 0:
                    for g in range(size):
                        high[g] = min(high[g], when[g])
                else:
                    for g in range(size):
                        low[g] = max(low[g], when[g])
            left = ZERO
            for g in range(size):
                fits[g] = ZERO
                if low[g] < high[g]:
                    fits[g] = (_ALL << np.uint64(low[g])) & ((ONE << np.uint64(high[g])) - ONE)
                left |= fits[g]
            if left == ZERO:
                continue
            for cell in range(count):
                asked = images[image + cell]
                if asked not in (1, -1):
                    continue
                at = cell * games + first
                mine = black[at : at + size]
                if asked == 1:
                    for g in range(size):
                        fits[g] &= mine[g]
                else:
                    for g in range(size):
                        fits[g] &= ~mine[g]
            for g in range(size):
                found[g] |= fits[g]
        for g in range(size):
            if found[g] == ZERO:
                continue
            n, which = np.int64(lowest_index(found[g])), np.uint8(0)
            for s in range(kinds):
                if (spare[s * BLOCK + g] >> np.uint64(n)) & ONE != ZERO:
                    which |= symmetries[s]
            ply, row = n, (first + g) * width
            if n > passes[first + g]:
                ply, stones = np.int64(0), np.int64(0)
                while stones < n:
                    stones += cells[row + ply] != NO_STONE
                    ply += 1
            rows[kept], alive[kept], plies[kept] = first + g, which, ply
            kept += 1
    return int(kept)
