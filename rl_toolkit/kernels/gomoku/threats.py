"""Wins by threats (VCT): proof-number search over fours and open threes.

The attacker may play fours, and moves after which an open four is threatened; the defender every
move that can answer (`kernels.gomoku.defences`) and every four of its own. So a proof is complete:
it covers each reply. Not finding one proves nothing about quiet moves.

Every position has a proof number (at least this many more leaves must be won to prove the win) and
a disproof number. The search is depth-first within thresholds, with the numbers in a table
(df-pn). Stones are only added, so there are no cycles::

                attacker to move          defender to move
    proof       smallest of the moves     sum over the replies
    disproof    sum over the moves        smallest of the replies

A move that was not tried yet counts as 1 and 1; an attack that makes nothing on another line needs
more to win.

A win that was proven mostly remains one with another stone of the defender somewhere. So a search
may be told which stone is new (`EXTRA_STONE`): the attacker then tries first what won without it,
and only the replies are new work.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.board import first_of, make, undo
from rl_toolkit.kernels.gomoku.cell_tables import (
    A_FOUR,
    AN_OPEN_THREE,
    COUNT_FIVES,
    COUNT_OPEN_FOURS,
    FIVES,
    FOURS,
    THREES,
    TIERS,
)
from rl_toolkit.kernels.gomoku.defences import find_defences
from rl_toolkit.kernels.gomoku.fours import class_of, count_of, win_by_fours
from rl_toolkit.kernels.gomoku.geometry import KEY_OF_DEFENCE, KEY_OF_SIDE
from rl_toolkit.kernels.gomoku.layout import (
    DEFENCES,
    EXTRA_STONE,
    FLAG_AT,
    FOUR_LIMIT,
    FOUR_NODES,
    FRAME,
    FRAMES,
    FRAMES_AT,
    HASH,
    KEYS_AT,
    NODE_LIMIT,
    NODES,
    PROOF_TABLE_AT,
    PROOF_TABLE_MASK,
    SETS,
    WORDS,
    lowest,
    numbers_at,
)
from rl_toolkit.kernels.jit import i64, kernel, number_array, numbers, offset, pointer
from rl_toolkit.kernels.threads.atomic import load_number

Numbers = npt.NDArray[np.int64]

INFINITE = 1 << 28
PROOF = 32
"""A result is ``proof number << PROOF | disproof number``."""
WON, LOST = INFINITE, INFINITE << PROOF

_DISPROOF = (1 << PROOF) - 1
_NODES_OF_FOURS = 60  # for the search by fours in every new position
_FOURS = 40
_UNTRIED = (1 << PROOF) | 1
_PLAIN = 4 << PROOF  # more for a four or an open three with nothing else on other lines
_LESS_LIKELY = 7 << PROOF  # more for a move that did not win without the extra stone


@kernel(i64(numbers, i64, numbers))
def _list_attacks(block: Numbers, side: int, listed: Numbers) -> int:
    """List fours and open threes; if an open four must be answered, only threes that do so.

    Returns the number of moves; the first is at index 1.
    """
    words, length = block[WORDS], 0
    cells = offset(listed, DEFENCES)
    answering = count_of(block, 1 - side, COUNT_OPEN_FOURS) > 0
    if answering:
        find_defences(block, 1 - side, cells)
    for tier in range(FOURS, THREES - 1, -1):
        moves = offset(block, SETS + (side * TIERS + tier) * words)
        for k in range(words):
            left = moves[k]
            if answering and tier == THREES:
                left &= cells[k]
            while left != 0:
                length += 1
                listed[length] = 64 * k + lowest(left)
                left &= left - 1
    return length


@kernel(i64(numbers, i64, numbers))
def list_replies(block: Numbers, side: int, listed: Numbers) -> int:
    """List the replies to an open four threatened by ``side``: defences, and fours.

    Returns their number; the first is at index 1.
    """
    words, length = block[WORDS], 0
    cells = offset(listed, DEFENCES)
    find_defences(block, side, cells)
    fours = offset(block, SETS + ((1 - side) * TIERS + FOURS) * words)
    for k in range(words):
        left = cells[k] | fours[k]
        while left != 0:
            length += 1
            listed[length] = 64 * k + lowest(left)
            left &= left - 1
    return length


@kernel(i64(numbers, i64, i64, numbers, i64))
def _open(block: Numbers, side: int, attacking: int, listed: Numbers, frame: int) -> int:
    """List the moves of a position; −1 if the attacker has won, 0 if that cannot be proven.

    A negative ``frame`` leaves out the search by fours.
    """
    other = 1 - side
    own_fives, other_fives = count_of(block, side, COUNT_FIVES), count_of(block, other, COUNT_FIVES)
    if attacking != 0:
        if own_fives > 0:
            return -1
        if other_fives > 1:
            return 0
        if other_fives == 1:
            listed[1] = first_of(block, other, FIVES)
            return 1
        if count_of(block, side, COUNT_OPEN_FOURS) > 0:
            return -1
        if frame >= 0:
            block[FOUR_NODES] = 0
            block[FOUR_LIMIT] = _NODES_OF_FOURS
            if win_by_fours(block, side, _FOURS, frame) > 0:
                return -1
        return _list_attacks(block, side, listed)
    if other_fives > 0:
        return 0
    if own_fives >= 2:
        return -1
    if own_fives == 1:
        listed[1] = first_of(block, side, FIVES)
        return 1
    if count_of(block, other, COUNT_OPEN_FOURS) > 0 or count_of(block, side, COUNT_OPEN_FOURS) == 0:
        return 0
    length = list_replies(block, side, listed)
    return length if length > 0 else -1


@kernel(i64(numbers, i64, i64, i64, i64, i64))
def prove(
    block: Numbers, side: int, attacking: int, most_proof: int, most_disproof: int, frame: int
) -> int:
    """Search until the proof or the disproof number reaches its threshold; returns both.

    ``side`` is the attacker, who is to move if ``attacking`` is 1. The numbers are stored in the
    table, with which the search resumes.
    """
    block[NODES] += 1
    keys = numbers_at(block[KEYS_AT])
    key = block[HASH] ^ keys[KEY_OF_SIDE + side] ^ (1 - attacking) * keys[KEY_OF_DEFENCE]
    table, mask = numbers_at(block[PROOF_TABLE_AT]), block[PROOF_TABLE_MASK]
    entry = offset(table, 2 * (key & mask))
    listed = offset(numbers_at(block[FRAMES_AT]), FRAME * frame)
    known = entry[0] == key
    length = _open(block, side, attacking, listed, -1 if known else frame)
    if length <= 0 or frame >= FRAMES - 2:
        found = WON if length < 0 else LOST
        entry[0] = key
        entry[1] = found
        return found
    mover = side if attacking != 0 else 1 - side
    turned = key ^ keys[KEY_OF_DEFENCE]
    extra = block[EXTRA_STONE] * attacking
    proof = disproof = 1
    while True:
        # With "numbers" those that the mover wants small: proof for the attacker.
        least = second = INFINITE
        total, best, best_other = 0, 1, 1
        for k in range(1, length + 1):
            child = turned ^ keys[2 * listed[k] + mover]
            kept = offset(table, 2 * (child & mask))
            numbers_of = _UNTRIED
            if kept[0] == child:
                numbers_of = kept[1]
            elif attacking != 0:
                kind = class_of(block, side, listed[k])
                if kind in (A_FOUR, AN_OPEN_THREE):
                    numbers_of += _PLAIN
                if extra != 0:
                    before = offset(table, 2 * ((child ^ extra) & mask))
                    if before[0] != child ^ extra or before[1] >> PROOF != 0:
                        numbers_of += _LESS_LIKELY
            wanted, unwanted = numbers_of >> PROOF, numbers_of & _DISPROOF
            if attacking == 0:
                wanted, unwanted = unwanted, wanted
            total = min(INFINITE, total + unwanted)
            if wanted < least:
                second, least = least, wanted
                best, best_other = k, unwanted
            elif wanted < second:
                second = wanted
        if least == 0:
            total = INFINITE
        elif total == 0:
            least = INFINITE
        proof, disproof = (least, total) if attacking != 0 else (total, least)
        if (
            proof >= most_proof
            or disproof >= most_disproof
            or block[NODES] > block[NODE_LIMIT]
            or load_number(numbers_at(block[FLAG_AT]), 0) != 0
        ):
            break
        # The best move may become a quarter worse than the next one before that is tried.
        wanted_limit = most_proof if attacking != 0 else most_disproof
        unwanted_limit = most_disproof if attacking != 0 else most_proof
        wanted_limit = min(wanted_limit, second + 1 + (second >> 2))
        unwanted_limit = min(INFINITE, unwanted_limit - total + best_other)
        proof_limit = wanted_limit if attacking != 0 else unwanted_limit
        disproof_limit = unwanted_limit if attacking != 0 else wanted_limit
        move = listed[best]
        make(block, move, mover)
        # A constant argument here would make Numba look for a second version of this kernel.
        prove(block, side, 1 - attacking, proof_limit, disproof_limit, frame + 1)
        undo(block, move, mover)
    entry[0] = key
    entry[1] = proof << PROOF | disproof
    if proof == 0 and attacking != 0:
        listed[0] = listed[best]
    return proof << PROOF | disproof


@kernel(i64(number_array, i64, i64))
def find_threats(block: Numbers, side: int, attacking: int) -> int:
    """`prove` for Python, without thresholds; the limit of nodes is that of the block."""
    return prove(pointer(block), side, attacking, INFINITE, INFINITE, 0)


@kernel(i64(number_array, i64))
def find_replies(block: Numbers, side: int) -> int:
    """`list_replies` for Python: the moves begin at index 1 of the frames."""
    pointed = pointer(block)
    return list_replies(pointed, side, numbers_at(pointed[FRAMES_AT]))
