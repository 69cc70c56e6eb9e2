"""The search of Gomoku: principal variation search, with exact answers to threats.

Scores are for the side to move. What a position decides by itself, ``s`` to move, ``o`` the other:

1. ``s`` can complete five: won in 1 ply.
2. ``o`` could complete five on two cells: lost in 2. On one: ``s`` must take it, at no depth.
3. ``s`` can make an open four (or two fours): won in 3.
4. ``o`` could make an open four: only fours, and the cells of `kernels.gomoku.defences`, are tried;
   without any the game is lost in 4. Such positions are never evaluated, but searched on.
5. At the horizon the evaluation counts. A win by fours is looked for only where the evaluation is
   below the window: elsewhere it would not change the result of the search.

**Scores**::

    ±WIN ∓ plies     won or lost in so many plies, proven: every reply was answered
    ±LIKELY          all moves near other stones lose, but distant ones were not tried: no proof
    ±MOST            evaluations lie between these

A move far from all stones is never tried, so in a position without threats nothing is a proven
loss. Wins need only one move and may come from any search.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import words_at
from rl_toolkit.kernels.gomoku.board import first_of, make, undo
from rl_toolkit.kernels.gomoku.cell_tables import (
    A_FOUR,
    AN_OPEN_THREE,
    COUNT_FIVES,
    COUNT_FOUR_THREES,
    COUNT_OPEN_FOURS,
    FIVES,
    FOURS,
    TIERS,
)
from rl_toolkit.kernels.gomoku.defences import find_defences
from rl_toolkit.kernels.gomoku.fours import (
    CELL_BITS,
    CELL_MASK,
    bring_best,
    class_of,
    count_of,
    rank_of,
    win_by_fours,
)
from rl_toolkit.kernels.gomoku.geometry import KEY_OF_SIDE
from rl_toolkit.kernels.gomoku.layout import (
    BUSY_AT,
    CELLS,
    DEFENCES,
    FLAG_AT,
    FOUR_LIMIT,
    FOUR_NODES,
    FRAME,
    FRAMES,
    FRAMES_AT,
    HASH,
    HISTORY_AT,
    KEYS_AT,
    MOST_CELLS,
    MOST_WORDS,
    NEAR_AT,
    NODE_LIMIT,
    NODES,
    OCCUPIED,
    PER_EMPTY,
    PLY,
    REDUCTIONS_AT,
    SETS,
    SPLIT,
    STOPPED,
    SUMS,
    TEMPO,
    WORDS,
    lowest,
    numbers_at,
)
from rl_toolkit.kernels.gomoku.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    entry_of,
    find,
    keep,
    move_of,
    score_of,
)
from rl_toolkit.kernels.jit import i64, kernel, number_array, numbers, offset, pointer
from rl_toolkit.kernels.threads.atomic import load_number
from rl_toolkit.kernels.threads.busy_list import PUT_OFF, claim, is_over, release

Numbers = npt.NDArray[np.int64]

WIN = 20_000
PROVEN = WIN - 1000
"""Scores beyond this are proven."""
LIKELY = 15_000
MOST = 12_000

# What the search does, found by matches of the laboratory.
_LEAF_FOURS = 60  # nodes of the search by fours at the horizon
_FOURS_DEPTH = 24
_DEEPEST = -8  # how far beyond the horizon threats are answered
_LAST_PLY = 120
_FUTILITY, _FUTILITY_DEPTH = 60, 4  # points per ply
_RAZOR, _RAZOR_DEPTH = 120, 2
_MOST_MOVES, _LATE_MOVES, _LATE_PER_DEPTH = 40, 8, 6
_KILLER = 60
_HISTORY_SHIFT = 4
_HISTORY_MOST = 2000
_FIRST = 30_000
_MOST_PUT_OFF = 63

# The table of reductions, and the memory of killer moves after the history of both sides.
REDUCTION_DEPTHS, REDUCTION_MOVES = 25, 32
KILLERS = 2 * MOST_CELLS
HISTORY_NUMBERS = KILLERS + 2 * FRAMES


@cache
def reductions() -> Numbers:
    """How much less deep a late move is searched, by depth and number of the move."""
    depth = np.arange(REDUCTION_DEPTHS)[:, None].clip(1)
    move = np.arange(REDUCTION_MOVES)[None, :]
    less: Numbers = (0.5 + np.log(depth) * np.log(move + 1) / 1.4).astype(np.int64)
    return less


@kernel(i64(numbers, i64))
def value_of(block: Numbers, side: int) -> int:
    """The evaluation of a position for ``side``, to move."""
    mine, theirs = block[SUMS + side], block[SUMS + 1 - side]
    own = (mine << 32) >> 32
    other = (theirs - ((theirs << 32) >> 32)) >> 32
    value = own - other + block[PER_EMPTY] * (block[CELLS] - block[PLY]) + block[TEMPO]
    return int(min(max(value, -MOST), MOST))


@kernel(i64(numbers, i64, numbers))
def near_moves(block: Numbers, side: int, listed: Numbers) -> int:
    """List the empty cells near a stone with their ranks; returns their number."""
    words, length = block[WORDS], 0
    cells = offset(listed, DEFENCES)
    near = numbers_at(block[NEAR_AT])
    for k in range(words):
        cells[k] = 0
    for k in range(words):
        left = block[OCCUPIED + k]
        while left != 0:
            around = offset(near, MOST_WORDS * (64 * k + lowest(left)))
            left &= left - 1
            for j in range(words):
                cells[j] |= around[j]
    for k in range(words):
        cells[k] &= ~block[OCCUPIED + k]
    for k in range(words):
        left = cells[k]
        while left != 0:
            cell = 64 * k + lowest(left)
            left &= left - 1
            listed[length] = rank_of(block, side, cell) << CELL_BITS | cell
            length += 1
    return length


@kernel(i64(numbers, i64, numbers))
def _answers(block: Numbers, side: int, listed: Numbers) -> int:
    """List the answers to the open fours of the other side, fours included."""
    words, length = block[WORDS], 0
    cells = offset(listed, DEFENCES)
    find_defences(block, 1 - side, cells)
    fours = offset(block, SETS + (side * TIERS + FOURS) * words)
    for k in range(words):
        left = cells[k] | fours[k]
        while left != 0:
            cell = 64 * k + lowest(left)
            left &= left - 1
            listed[length] = rank_of(block, side, cell) << CELL_BITS | cell
            length += 1
    return length


@kernel(i64(numbers, i64, i64, numbers, i64, i64))
def _add_experience(
    block: Numbers, side: int, ply: int, listed: Numbers, length: int, known: int
) -> int:
    """Raise the ranks of moves that were good elsewhere, and of the move in the table most."""
    history = numbers_at(block[HISTORY_AT])
    first, second = history[KILLERS + 2 * ply], history[KILLERS + 2 * ply + 1]
    for k in range(length):
        cell, rank = listed[k] & CELL_MASK, listed[k] >> CELL_BITS
        rank += history[MOST_CELLS * side + cell] >> _HISTORY_SHIFT
        if cell in (first, second):
            rank += _KILLER
        if cell == known:
            rank = _FIRST
        listed[k] = (max(rank, 0) + 1) << CELL_BITS | cell
    return 0


@kernel(i64(numbers, i64, i64, i64, i64))
def _remember_good(block: Numbers, side: int, ply: int, move: int, depth: int) -> int:
    """Note a quiet move that refuted the one before."""
    history = numbers_at(block[HISTORY_AT])
    killers = offset(history, KILLERS + 2 * ply)
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    if depth > 0:
        history[MOST_CELLS * side + move] += depth * depth
        if history[MOST_CELLS * side + move] > _HISTORY_MOST:
            for k in range(2 * MOST_CELLS):
                history[k] >>= 1
    return 0


@kernel(i64(numbers, i64, numbers, i64, i64))
def _keep_tactical(block: Numbers, side: int, listed: Numbers, start: int, end: int) -> int:
    """Leave out the quiet moves of ``listed[start:end]``; returns the new end."""
    kept = start
    for k in range(start, end):
        cell = listed[k] & CELL_MASK
        own, blocks = class_of(block, side, cell), class_of(block, 1 - side, cell)
        if own >= AN_OPEN_THREE or blocks >= A_FOUR:
            listed[kept] = listed[k]
            kept += 1
    return kept


@kernel(i64(numbers, i64, i64, i64, i64, i64))
def search(block: Numbers, side: int, alpha: int, beta: int, depth: int, ply: int) -> int:
    """The score of the position for ``side``, to move, by a search of ``depth`` plies.

    At or below ``alpha`` it is an upper bound, at or above ``beta`` a lower bound. Once the block
    says `STOPPED`, the result means nothing.
    """
    block[NODES] += 1
    if block[NODES] > block[NODE_LIMIT] or load_number(numbers_at(block[FLAG_AT]), 0) != 0:
        block[STOPPED] = 1
        return 0
    shared = block[BUSY_AT] != 0
    if shared and is_over(words_at(np.uint64(block[BUSY_AT]))):
        block[STOPPED] = 1
        return 0

    # 1. What the board decides.
    if block[PLY] >= block[CELLS]:
        return 0
    other = 1 - side
    if count_of(block, side, COUNT_FIVES) > 0:
        return WIN - ply - 1
    forced, threatened = -1, False
    fives = count_of(block, other, COUNT_FIVES)
    if fives > 1:
        return -(WIN - ply - 2)
    if fives == 1:
        forced = first_of(block, other, FIVES)
    elif count_of(block, side, COUNT_OPEN_FOURS) > 0:
        return WIN - ply - 3
    elif count_of(block, other, COUNT_OPEN_FOURS) > 0:
        threatened = True
    quiet = forced < 0 and not threatened
    if ply >= _LAST_PLY:
        return value_of(block, side)
    # No result is better than a win in 5 from here, or worse than a loss in 4.
    alpha, beta = max(alpha, -(WIN - ply - 2)), min(beta, WIN - ply - 5)
    if alpha >= beta:
        return alpha
    wide = beta - alpha > 1

    # 2. The table.
    key = block[HASH] ^ numbers_at(block[KEYS_AT])[KEY_OF_SIDE + side]
    entry = entry_of(block, key)
    facts = find(entry, key)
    known = move_of(facts)
    if facts != 0:
        bound, score = bound_of(facts), score_of(facts)
        is_proof = score > PROVEN or score < -PROVEN
        if score > PROVEN:
            score -= ply
        elif score < -PROVEN:
            score += ply
        deep = depth_of(facts) >= depth and not wide
        if (deep or is_proof) and (
            (bound & LOWER != 0 and score >= beta) or (bound & UPPER != 0 and score <= alpha)
        ):
            return int(score)
        if deep and bound == EXACT:
            return int(score)

    # 3. The horizon, and positions whose value is far outside the window.
    near = quiet and not wide and 0 < depth <= _FUTILITY_DEPTH
    value = value_of(block, side) if near else 0
    razored = (
        near
        and depth <= _RAZOR_DEPTH
        and -PROVEN < alpha < PROVEN
        and value + _RAZOR * depth <= alpha
    )
    if (depth <= 0 and forced < 0) or razored:
        if quiet and depth <= 0:
            value = value_of(block, side)
            if value >= beta:
                return value
        block[FOUR_NODES] = 0
        block[FOUR_LIMIT] = _LEAF_FOURS
        plies = win_by_fours(block, side, _FOURS_DEPTH, ply)
        if plies > 0:
            return WIN - ply - plies
        if razored:
            return value + _RAZOR * depth // 2
        if not threatened or depth < _DEEPEST:
            return value_of(block, side)
    if (
        near
        and value - _FUTILITY * depth >= beta
        and beta > -PROVEN
        and count_of(block, other, COUNT_FOUR_THREES) == 0
    ):
        return value

    # 4. The moves.
    listed = offset(numbers_at(block[FRAMES_AT]), FRAME * ply)
    length = 1
    if forced >= 0:
        listed[0] = forced
    else:
        length = _answers(block, side, listed) if threatened else near_moves(block, side, listed)
        if length == 0 and threatened:
            return -(WIN - ply - 4)
        _add_experience(block, side, ply, listed, length, known)
    if length == 0:
        return value_of(block, side)  # all stones are far away
    late = length
    if quiet and depth > 0:
        late = min(length, _MOST_MOVES)
        if not wide:
            late = min(late, _LATE_MOVES + _LATE_PER_DEPTH * depth)
    best, best_move, floor = -WIN - 1, -1, alpha
    # Threads divide the moves: those that another thread is searching are put off, as a bit set.
    divided, put_off, turn = shared and depth >= block[SPLIT] and forced < 0, 0, 0
    sifted = False  # whether the quiet ones of the late moves were left out
    while turn < length or put_off != 0:
        again = turn >= length
        if again:
            k = lowest(put_off)
            put_off &= put_off - 1
            move = listed[k] & CELL_MASK
        else:
            if turn >= late and not sifted and best > -LIKELY:
                length, sifted = _keep_tactical(block, side, listed, turn, length), True
                continue
            k = turn
            move = bring_best(listed, k, length) & CELL_MASK
        turn += 1
        own, blocks = class_of(block, side, move), class_of(block, other, move)
        tactical = own >= AN_OPEN_THREE or blocks >= A_FOUR
        # The first move gets the whole window; the others must show that they are better.
        full = depth if forced >= 0 else depth - 1
        low, less = -beta, 0
        if best_move >= 0:
            low = -alpha - 1
            if quiet and depth >= 2 and k >= 3 and own < A_FOUR:
                row = min(depth, REDUCTION_DEPTHS - 1) * REDUCTION_MOVES
                less = numbers_at(block[REDUCTIONS_AT])[row + min(k, REDUCTION_MOVES - 1)]
                less = max(less - wide - tactical, 0)
        claimed = 0
        if divided:
            busy = words_at(np.uint64(block[BUSY_AT]))
            keys = numbers_at(block[KEYS_AT])
            child = block[HASH] ^ keys[2 * move + side] ^ keys[KEY_OF_SIDE + other]
            claimed = claim(
                busy, np.uint64(child), best_move >= 0 and not again and k < _MOST_PUT_OFF
            )
            if claimed == PUT_OFF:
                put_off |= 1 << k
                continue
        make(block, move, side)
        score = 0
        while True:
            score = -search(block, other, low, -alpha, full - less, ply + 1)
            if block[STOPPED] != 0 or score <= alpha:
                break
            if less > 0:
                less = 0
            elif low != -beta and score < beta:
                low = -beta
            else:
                break
        undo(block, move, side)
        if divided:
            release(words_at(np.uint64(block[BUSY_AT])), claimed)
        if block[STOPPED] != 0:
            return 0
        if score > best:
            best, best_move = score, move
            if best > alpha:
                alpha = best
                if best >= beta:
                    if quiet:
                        _remember_good(block, side, ply, move, depth)
                    break
    if quiet and best < -PROVEN:
        best = -LIKELY  # a distant move might have saved the game

    # 5. Keep the result.
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    kept = best
    if kept > PROVEN:
        kept += ply
    elif kept < -PROVEN:
        kept -= ply
    keep(entry, key, kept, bound, depth, best_move)
    return best


@kernel(i64(number_array, i64, i64, i64, i64, i64))
def think(block: Numbers, side: int, alpha: int, beta: int, depth: int, ply: int) -> int:
    """`search` for Python."""
    start = pointer(block)
    if start[BUSY_AT] == 0:
        return search(start, side, alpha, beta, depth, ply)
    busy = words_at(np.uint64(start[BUSY_AT]))
    key = start[HASH] ^ numbers_at(start[KEYS_AT])[KEY_OF_SIDE + side]
    claimed = claim(busy, np.uint64(key), 0)
    score = search(start, side, alpha, beta, depth, ply)
    release(busy, claimed)
    return score


@kernel(i64(number_array, i64, number_array))
def list_near(block: Numbers, side: int, listed: Numbers) -> int:
    """`near_moves` for Python; ``listed`` has `FRAME` numbers."""
    return near_moves(pointer(block), side, pointer(listed))


@kernel(i64(number_array, i64))
def remembered(block: Numbers, side: int) -> int:
    """The move in the table for ``side``, to move; −1 if there is none."""
    pointed = pointer(block)
    key = pointed[HASH] ^ numbers_at(pointed[KEYS_AT])[KEY_OF_SIDE + side]
    return move_of(find(entry_of(pointed, key), key))
