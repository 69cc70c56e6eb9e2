"""Packs of games searched for a position or a pattern, without an index.

A stone, once placed, stays on its cell. So a game passes through a position with p stones only if
its first p stones lie on occupied cells::

    masks[256 · colour + cell]     a byte: bit s is set if symmetry s carries the cell onto a cell
                                   of the position where a stone of that colour may have been placed

The AND of these bytes along a game has the symmetries that are still possible; at 0 the game is
out, mostly after a few plies. Where stones never change their colour, the games that are left have
the position. Where they do, ``masks`` asks for the cell alone, and `confirm` replays these games.

A pack is a matrix of bytes, a row for each game: the cell of each move, `NO_STONE` for a move that
places none, `NO_MOVE` after the last one; `REMOVED` as first byte of a game that was removed.

`library.plain` has the readable twins.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ZERO
from rl_toolkit.kernels.jit import (
    byte_array,
    i64,
    kernel,
    number_array,
    pointer,
    small_array,
    word_array,
)
from rl_toolkit.kernels.rules.operations import call_play

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

NO_STONE, REMOVED, NO_MOVE = 253, 254, 255
SYMMETRIES = 8

# The numbers of ``plan``: the width of a row, the symmetries at the start, the stones that moves
# have placed, who moves first (0 or 1), who is to move in the position.
WIDTH, ALIVE, STONES, FIRST, TO_MOVE = range(5)

# The columns of ``heads`` and of a row that `tally` counts.
ID, RESULT, RATING_X, RATING_O, DAY = range(5)
HEADS = 5
GAMES, X_WON, DRAWN, O_WON, RATINGS, RATED, LAST = range(7)
COUNTS = 7

_LOW = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_MEMO = 4096
_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel(
    i64(byte_array, byte_array, number_array, byte_array, number_array, byte_array, number_array)
)
def find(
    cells: Bytes,
    masks: Bytes,
    plan: Numbers,
    wanted: Bytes,
    games: Numbers,
    alive: Bytes,
    plies: Numbers,
) -> int:
    """Write row, symmetries and ply of each game that may have the position; their number.

    Rows whose byte in ``wanted`` is 0 are left out; an empty ``wanted`` wants all.
    """
    width, count = plan[WIDTH], 0
    for g in range(cells.size // width):
        row = g * width
        if cells[row] == REMOVED or (wanted.size and wanted[g] == 0):
            continue
        left, ply, possible = plan[STONES], np.int64(0), np.uint8(plan[ALIVE])
        while left > 0 and possible != 0:
            if ply == width:
                possible = np.uint8(0)
                break
            cell = cells[row + ply]
            possible &= masks[(((ply + plan[FIRST]) & 1) << 8) + cell]
            if cell != NO_STONE:
                left -= 1
            ply += 1
        if possible == 0:
            continue
        if (ply + plan[FIRST]) & 1 != plan[TO_MOVE]:
            # The same stones with the other side to move: only after a pass.
            if ply == width or cells[row + ply] != NO_STONE:
                continue
            ply += 1
        games[count], alive[count], plies[count] = g, possible, ply
        count += 1
    return count


@kernel(
    i64(
        i64,
        word_array,
        word_array,
        word_array,
        number_array,
        byte_array,
        i64,
        i64,
        number_array,
        byte_array,
        number_array,
        word_array,
        word_array,
        byte_array,
    )
)
def confirm(
    play_at: int,
    shape: Words,
    start: Words,
    targets: Words,
    move_of_cell: Numbers,
    cells: Bytes,
    width: int,
    count: int,
    games: Numbers,
    alive: Bytes,
    plies: Numbers,
    state: Words,
    memo: Words,
    known: Bytes,
) -> int:
    """Keep those of the first ``count`` games that have the position; returns their number.

    ``targets`` has the words of the position as each symmetry would have to find it. Games that
    begin alike are replayed once: ``memo`` has the first seven cells of a game, and ``known`` the
    symmetries that it was confirmed for; both have 4,096 entries, ``memo`` all zeros at first.
    """
    kept, size = 0, start.size
    for k in range(count):
        row, ply, possible = games[k] * width, plies[k], alive[k]
        key, place = ZERO, np.int64(0)
        if ply < 8:
            for i in range(ply):
                key |= np.uint64(cells[row + i]) << np.uint64(8 * i)
            key |= np.uint64(ply + 1) << np.uint64(56)
            place = np.int64((key * _MIX) >> np.uint64(52))
        if ply < 8 and memo[place] == key:
            possible = known[place]
        else:
            for word in range(size):
                state[word] = start[word]
            for i in range(ply):
                call_play(play_at, pointer(state), pointer(shape), move_of_cell[cells[row + i]])
            for s in range(SYMMETRIES):
                if (possible >> s) & 1:
                    for word in range(size):
                        if state[word] != targets[s * size + word]:
                            possible &= np.uint8(255 - (1 << s))
                            break
            if ply < 8:
                memo[place], known[place] = key, possible
        if possible != 0:
            games[kept], alive[kept], plies[kept] = games[k], possible, ply
            kept += 1
    return kept


@kernel(
    i64(
        byte_array,
        i64,
        i64,
        number_array,
        byte_array,
        number_array,
        number_array,
        small_array,
        i64,
        number_array,
    )
)
def tally(
    cells: Bytes,
    width: int,
    count: int,
    games: Numbers,
    alive: Bytes,
    plies: Numbers,
    rows: Numbers,
    heads: Small,
    to_move: int,
    counts: Numbers,
) -> int:
    """Count the next moves of ``count`` games; returns the number of games with no next move.

    ``rows[256 · s + cell]`` is the row of ``counts`` for a next stone on ``cell``, carried by
    symmetry s; the last row of ``counts`` is for games that end there.
    """
    ends = counts.size // COUNTS - 1
    ended = 0
    for k in range(count):
        row, ply, possible = games[k] * width, plies[k], alive[k]
        cell = np.int64(NO_MOVE)
        if ply < width:
            cell = np.int64(cells[row + ply])
        if cell == NO_MOVE:
            at = ends * COUNTS
            ended += 1
        else:
            s = 0
            while (possible >> s) & 1 == 0:
                s += 1
            at = rows[(s << 8) + cell] * COUNTS
        head = games[k] * HEADS
        result = heads[head + RESULT]
        counts[at + GAMES] += 1
        if result == 1:
            counts[at + X_WON] += 1
        elif result == 0:
            counts[at + DRAWN] += 1
        elif result == -1:
            counts[at + O_WON] += 1
        rating = heads[head + RATING_X + to_move]
        if rating > 0:
            counts[at + RATINGS] += rating
            counts[at + RATED] += 1
        if heads[head + DAY] > counts[at + LAST]:
            counts[at + LAST] = heads[head + DAY]
    return ended


@kernel(
    i64(
        byte_array,
        byte_array,
        word_array,
        word_array,
        number_array,
        byte_array,
        number_array,
        byte_array,
        number_array,
    )
)
def match(
    cells: Bytes,
    kills: Bytes,
    adds: Words,
    needs: Words,
    plan: Numbers,
    wanted: Bytes,
    games: Numbers,
    alive: Bytes,
    plies: Numbers,
) -> int:
    """Write row, symmetries and ply of each game that comes to have a pattern; their number.

    Stones keep their colour; where they do not, `lanes.match` is asked.

    A pattern asks for some stones and some free cells. ``kills[256 · colour + cell]`` has the
    symmetries that a stone there rules out, ``adds`` a byte for each symmetry that says whether
    this is one of the stones. ``needs`` has the stones that are asked for, a byte for each
    symmetry, and those that the start has.
    """
    width, count = plan[WIDTH], 0
    for g in range(cells.size // width):
        row = g * width
        if cells[row] == REMOVED or (wanted.size and wanted[g] == 0):
            continue
        possible, ply, missing = np.uint8(plan[ALIVE]), np.int64(0), needs[0] - needs[1]
        while possible != 0:
            # A byte that is 0: all stones that this symmetry asks for are there.
            found = (missing - _LOW) & ~missing & _HIGH
            if found != ZERO:
                ready = np.uint8(0)
                for s in range(SYMMETRIES):
                    if (missing >> np.uint64(8 * s)) & np.uint64(255) == ZERO:
                        ready |= np.uint8(1 << s)
                if ready & possible:
                    games[count], alive[count], plies[count] = g, possible, ply
                    count += 1
                    break
            if ply == width or cells[row + ply] == NO_MOVE:
                break
            at = (((ply + plan[FIRST]) & 1) << 8) + cells[row + ply]
            possible &= ~kills[at]
            missing -= adds[at]
            ply += 1
    return count
