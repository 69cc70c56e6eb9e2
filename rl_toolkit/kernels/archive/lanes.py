"""Reversi games replayed side by side, to find those that come to have a pattern.

A block of games has a *lane* for each: all of them make their first move, then all their second
one. The loops over lanes have no branches, so that the processor makes a move of eight games, or of
four, at once::

    mine[lane], theirs[lane]     the discs of the side to move, and the other ones
    placed[lane]                 the bit of the next move, 0 for a pass and after the last one
    images[lane]                 the images of the pattern that the game may still come to have

Every game is replayed, which takes no longer than finding out which ones could be left out.
`library.positions.plain` has the readable twin; `calling` says what `match` is called with.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.archive.calling import (
    CHOSEN,
    DISCS_O,
    DISCS_X,
    FIRST,
    FREE,
    GAMES,
    IMAGE,
    IMAGES,
    LANES,
    SYMMETRIES,
    WIDTH,
)
from rl_toolkit.kernels.archive.scan import REMOVED
from rl_toolkit.kernels.bits import ONE, ZERO
from rl_toolkit.kernels.jit import i64, kernel, numbers, octets, offset, u64, words

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # columns 1 – 6: discs here can be outflanked sideways
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel(u64(u64, u64, u64, u64, u64), inline=True)
def _turned(
    placed: np.uint64, mine: np.uint64, theirs: np.uint64, distance: np.uint64, within: np.uint64
) -> np.uint64:
    """Their discs that are flipped along one line: runs grow to two, four and six discs."""
    twice = distance << ONE
    between = theirs & within
    up, ups = between & (placed << distance), between & (between << distance)
    up |= between & (up << distance)
    up |= ups & (up << twice)
    up |= ups & (up << twice)
    down, downs = between & (placed >> distance), between & (between >> distance)
    down |= between & (down >> distance)
    down |= downs & (down >> twice)
    down |= downs & (down >> twice)
    up = up if (up << distance) & mine != ZERO else ZERO
    down = down if (down >> distance) & mine != ZERO else ZERO
    return up | down


@kernel(i64(words, words, words), inline=True)
def _play(mine: Words, theirs: Words, placed: Words) -> int:
    """Make a move in every lane; then the other side is the one to move."""
    for k in range(LANES):
        own, other, disc = mine[k], theirs[k], placed[k]
        turned = _turned(disc, own, other, np.uint64(1), _INNER)
        turned |= _turned(disc, own, other, np.uint64(8), _ALL)
        turned |= _turned(disc, own, other, np.uint64(7), _INNER)
        turned |= _turned(disc, own, other, np.uint64(9), _INNER)
        mine[k], theirs[k] = other ^ turned, own | turned | disc
    return 0


@kernel(
    i64(numbers, octets, octets, words, words, words, words, numbers, octets, numbers), alone=True
)
def match(
    plan: Numbers,
    cells: Bytes,
    chosen: Bytes,
    bits: Words,
    start: Words,
    pattern: Words,
    room: Words,
    rows: Numbers,
    alive: Bytes,
    plies: Numbers,
) -> int:
    """Write row, symmetries and first ply of each game that comes to have a pattern; their number.

    ``bits`` has the bit of each byte of ``cells``, 0 for those that are no cell; ``start`` the
    discs of X and of O; ``pattern`` its images.
    """
    games, width, count = plan[GAMES], plan[WIDTH], np.int64(0)
    mine, theirs, placed = room, offset(room, LANES), offset(room, 2 * LANES)
    left, still, found = offset(room, 3 * LANES), offset(room, 4 * LANES), offset(room, 5 * LANES)
    here, when = offset(room, 6 * LANES), offset(room, 7 * LANES)
    for block in range(0, games, LANES):
        for k in range(LANES):
            game = min(block + k, games - 1)
            is_there = block + k < games and cells[game * width] != REMOVED
            is_wanted = plan[CHOSEN] == 0 or chosen[game] != 0
            left[k] = _ALL if is_there and is_wanted else ZERO
            mine[k], theirs[k] = start[plan[FIRST]], start[1 - plan[FIRST]]
            found[k], when[k] = ZERO, ZERO
        for ply in range(width + 1):
            x, o = mine, theirs
            if (ply + plan[FIRST]) & 1:
                x, o = theirs, mine
            for k in range(LANES):
                still[k], here[k] = ZERO, ZERO
            for image in range(plan[IMAGES]):
                at = IMAGE * image
                discs_x, discs_o = pattern[at + DISCS_X], pattern[at + DISCS_O]
                free, symmetries = pattern[at + FREE], pattern[at + SYMMETRIES]
                for k in range(LANES):
                    taken = free & (x[k] | o[k])
                    wrong = (discs_x & ~x[k]) | (discs_o & ~o[k]) | taken
                    still[k] |= symmetries if taken == ZERO else ZERO
                    here[k] |= symmetries if wrong == ZERO else ZERO
            some = ZERO
            for k in range(LANES):
                now = here[k] & left[k]
                found[k] |= now
                when[k] = np.uint64(ply) if now != ZERO else when[k]
                # A game that was found, or in which each image has a free cell taken, is over.
                left[k] = left[k] & still[k] if now == ZERO else ZERO
                some |= left[k]
            if some == ZERO:
                break
            if ply == width:
                break
            for k in range(LANES):
                placed[k] = bits[cells[min(block + k, games - 1) * width + ply]]
            _play(mine, theirs, placed)
        for k in range(min(LANES, games - block)):
            if found[k] != ZERO:
                rows[count], plies[count] = block + k, np.int64(when[k])
                alive[count] = np.uint8(found[k])
                count += 1
    return int(count)
