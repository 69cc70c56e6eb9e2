"""The search of `algorithms.minimax.negamax`, compiled once for all games.

It calls the rules of its game by address (see `kernels.rules.operations`) and keeps everything else
in one block of numbers, the *run*: options, counters, and the addresses of its arrays. The
switches, the scores and the number of nodes are those of the Python version, which is the one to
read; this one has the same structure, function by function.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, bit_length, lowest_index, signed
from rl_toolkit.kernels.jit import (
    f64,
    i64,
    instruction,
    ir,
    kernel,
    number_array,
    numbers,
    offset,
    pointer,
    u64,
    words,
)
from rl_toolkit.kernels.rules.operations import (
    call_can_win,
    call_evaluate,
    call_forced_moves,
    call_moves,
    call_play,
)
from rl_toolkit.kernels.search.transposition_table import find, put, room_for
from rl_toolkit.kernels.status import DRAWN, RUNNING, WON
from rl_toolkit.kernels.threads.atomic import load_number

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

WIN = 1000.0
UNLIMITED = 10_000
NULL_WINDOW = 1e-9
EXACT, LOWER, UPPER = 0, 1, 2

# The indices of a run. Operations of the game:
MOVES, PLAY, EVALUATE = 0, 1, 2
# options:
PRUNING, MEMOIZATION, ORDERING, DISTANCE, PVS = 3, 4, 5, 6, 7
# sizes: words of a state and of a side, moves, symmetries, cells, last entry of the table, plies:
STATE, SIDE, WIDTH, SYMMETRIES, CELLS, MASK, PLIES = 8, 9, 10, 11, 12, 13, 14
# the side to move at the root (0 player +1, 1 player −1), the Zobrist number for player −1 to move:
COLOUR, SIDE_KEY = 15, 16
# counters and signals:
NODES, HITS, NODE_LIMIT, DEEPEST, TOUCHED, STOPPED, USED, REPLACED = 17, 18, 19, 20, 21, 22, 23, 24
# addresses of words: states by ply, geometry, keys by ply and symmetry, piece numbers, table:
STATES, SHAPE, KEYS, PIECES, TABLE = 25, 26, 27, 28, 29
# addresses of numbers: the stop flag, evaluation, moves and their promise by ply, cell of a bit,
# images of moves under each symmetry and back, killers by ply, history, priorities, lines by ply:
FLAG, EVALUATION, LISTS, PROMISES, CELL_OF_BIT = 30, 31, 32, 33, 34
IMAGES, IMAGES_BACK, KILLERS, HISTORY, PRIORITIES, LINES = 35, 36, 37, 38, 39, 40
# forced moves and dead lines: two options, two operations, and the address of scratch words:
THREATS, DEAD_LINES, FORCED_MOVES, CAN_WIN, SCRATCH = 41, 42, 43, 44, 45
RUN_SIZE = 46

_POLL = 1023  # the stop flag is checked every 1024 nodes


def _cast(result: Any, to: ir.Type) -> Any:
    @instruction(result(i64))
    def at(build: Any, address: Any) -> Any:
        return build.inttoptr(address, to)

    return at


_words_at = _cast(words, ir.IntType(64).as_pointer())
_numbers_at = _cast(numbers, ir.IntType(64).as_pointer())


@instruction(u64(f64))
def _bits_of(build: Any, real: Any) -> Any:
    return build.bitcast(real, ir.IntType(64))


@instruction(f64(u64))
def _real_of(build: Any, word: Any) -> Any:
    return build.bitcast(word, ir.DoubleType())


# --- The table. ---


@kernel(i64(numbers, u64, f64, i64, i64, i64, i64))
def _store(
    run: Numbers, key: np.uint64, score: float, depth: int, bound: int, move: int, nodes: int
) -> int:
    """Store a result that took ``nodes`` nodes of search."""
    table = _words_at(run[TABLE])
    at = room_for(table, run[MASK], key)
    if table[at + 2] == ZERO:
        run[USED] += 1
    elif table[at] ^ table[at + 1] ^ table[at + 2] != key:
        run[REPLACED] += 1
    facts = (bit_length(np.uint64(nodes)) << np.uint64(56)) | np.uint64(
        (depth << 32) | (bound << 24) | (move + 1)
    )
    return put(table, at, key, _bits_of(score), facts)


# --- Keys. ---


@kernel(i64(numbers, i64))
def _update_keys(run: Numbers, ply: int) -> int:
    """Update the keys of ``ply`` from those of the ply before, under each symmetry."""
    states, keys, pieces = _words_at(run[STATES]), _words_at(run[KEYS]), _words_at(run[PIECES])
    cell_of_bit = _numbers_at(run[CELL_OF_BIT])
    side, size, cells = run[SIDE], run[STATE], run[CELLS]
    before, after = (ply - 1) * size, ply * size
    mover = (run[COLOUR] + ply - 1) & 1
    count = run[SYMMETRIES]
    for s in range(count):
        keys[ply * count + s] = keys[(ply - 1) * count + s] ^ np.uint64(run[SIDE_KEY])
    for owner in range(2):  # 0: who moved, first before and second after; 1: the other side
        colour = mover if owner == 0 else 1 - mover
        for word in range(side):
            was = states[before + owner * side + word]
            changed = was ^ states[after + (1 - owner) * side + word]
            while changed != ZERO:
                cell = cell_of_bit[word * 64 + signed(lowest_index(changed))]
                changed &= changed - ONE
                for s in range(count):
                    keys[ply * count + s] ^= pieces[(s * 2 + colour) * cells + cell]
    return 0


@kernel(i64(numbers, i64))
def _smallest(run: Numbers, ply: int) -> int:
    """The first symmetry that gives the smallest key."""
    keys, count = _words_at(run[KEYS]), run[SYMMETRIES]
    best = 0
    for s in range(1, count):
        if keys[ply * count + s] < keys[ply * count + best]:
            best = int(s)
    return best


# --- Scores. ---


@kernel(f64(numbers, f64, i64))
def _shifted(run: Numbers, score: float, plies: int) -> float:
    """A decisive score relative to a root ``plies`` nearer to the end."""
    if run[DISTANCE] == 0 or abs(score) <= WIN / 2:
        return score
    return score + plies if score > 0 else score - plies


@kernel(i64(numbers, f64, i64, i64))
def _within(run: Numbers, score: float, ply: int, depth: int) -> int:
    """Whether a decisive score is final although the search met its horizon."""
    if abs(score) <= WIN / 2:
        return 0
    return int(run[DISTANCE] == 0 or WIN - abs(score) - ply <= depth)


# --- Ordering. ---


@kernel(i64(numbers, i64, i64, i64))
def _weigh(run: Numbers, ply: int, count: int, table_move: int) -> int:
    """Write the ordering score of each listed move."""
    width = run[WIDTH]
    lists, promises = _numbers_at(run[LISTS]), _numbers_at(run[PROMISES])
    killers, priorities = _numbers_at(run[KILLERS]), _numbers_at(run[PRIORITIES])
    history = offset(_numbers_at(run[HISTORY]), (ply & 1) * width)
    for i in range(ply * width, ply * width + count):
        move = lists[i]
        if move == table_move:
            promises[i] = 1 << 62
        elif move == killers[2 * ply]:
            promises[i] = 1 << 61
        elif move == killers[2 * ply + 1]:
            promises[i] = 1 << 60
        else:
            promises[i] = (min(history[move], 1 << 40) << 16) + priorities[move]
    return 0


@kernel(i64(numbers, i64, i64))
def _most_promising(run: Numbers, ply: int, count: int) -> int:
    """The untried move with the highest ordering score, which then counts as tried."""
    start = ply * run[WIDTH]
    promises = _numbers_at(run[PROMISES])
    best = start
    for i in range(start + 1, start + count):
        if promises[i] > promises[best]:
            best = i
    promises[best] = -1
    return int(_numbers_at(run[LISTS])[best])


@kernel(i64(numbers, i64, i64, i64))
def _remember_cutoff(run: Numbers, move: int, ply: int, count: int) -> int:
    killers, history = _numbers_at(run[KILLERS]), _numbers_at(run[HISTORY])
    if move != killers[2 * ply]:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move
    history[(ply & 1) * run[WIDTH] + move] += count * count
    return 0


@kernel(i64(numbers, i64, i64, i64))
def _extend_line(run: Numbers, ply: int, move: int, ended: int) -> int:
    """Set the line at ``ply`` to ``move`` and the line of the next ply (empty if it ``ended``).

    Each line is a row of ``PLIES`` numbers: its length, then its moves.
    """
    lines, plies = _numbers_at(run[LINES]), run[PLIES]
    here, below = ply * plies, (ply + 1) * plies
    length = 0 if ended else lines[below]
    lines[here], lines[here + 1] = length + 1, move
    for i in range(1, length + 1):
        lines[here + 1 + i] = lines[below + i]
    return 0


# --- The search. ---


@kernel(i64(numbers, i64, i64))
def _advance(run: Numbers, ply: int, move: int) -> int:
    """Play ``move`` at ``ply``, into the next one; the status for who moved."""
    states, size = _words_at(run[STATES]), run[STATE]
    for word in range(ply * size, (ply + 1) * size):
        states[word + size] = states[word]
    after = call_play(run[PLAY], offset(states, (ply + 1) * size), _words_at(run[SHAPE]), move)
    if run[MEMOIZATION] and after == RUNNING:
        _update_keys(run, ply + 1)
    return int(after)


@kernel(f64(numbers, i64, i64, f64, f64, i64))
def _search(run: Numbers, ply: int, depth: int, alpha: float, beta: float, status: int) -> float:
    """Score of the position at ``ply`` for its side to move.

    A result above ``alpha`` and below ``beta`` is exact; at or below ``alpha`` the true score is at
    most the result; at or above ``beta`` it is at least the result. ``status`` is the status for
    the player who moved last. Meaningless once the run is stopped.
    """
    run[NODES] += 1
    if run[NODES] > run[NODE_LIMIT]:
        run[STOPPED] = 1
    if run[NODES] & _POLL == 0 and load_number(_numbers_at(run[FLAG]), 0) != 0:
        run[STOPPED] = 1
    if run[STOPPED]:
        return 0.0
    run[DEEPEST] = max(run[DEEPEST], ply)
    _numbers_at(run[LINES])[ply * run[PLIES]] = 0
    if status != RUNNING:
        if status == DRAWN:
            return 0.0
        end = WIN - ply if run[DISTANCE] else WIN
        return -end if status == WON else end
    states, shape = _words_at(run[STATES]), _words_at(run[SHAPE])
    size = run[STATE]
    if run[DEAD_LINES]:
        scratch = _words_at(run[SCRATCH])
        can_win = call_can_win(run[CAN_WIN], offset(states, ply * size), shape, scratch)
        if can_win == 0 or (can_win == 2 and alpha >= 0.0) or (can_win == 1 and beta <= 0.0):
            return 0.0
    if depth == 0:
        run[TOUCHED] = 1
        evaluation = _numbers_at(run[EVALUATION])
        return float(call_evaluate(run[EVALUATE], offset(states, ply * size), shape, evaluation))

    table_move = -1
    key = ZERO
    symmetry = 0
    if run[MEMOIZATION]:
        symmetry = _smallest(run, ply)
        key = _words_at(run[KEYS])[ply * run[SYMMETRIES] + symmetry]
        stored_score, stored_facts = find(_words_at(run[TABLE]), run[MASK], key)
        if stored_facts != ZERO:
            facts = signed(stored_facts)
            bound = (facts >> 24) & 255
            table_move = (facts & 0xFFFFFF) - 1
            if table_move >= 0:
                table_move = _numbers_at(run[IMAGES_BACK])[symmetry * run[WIDTH] + table_move]
            known = _shifted(run, _real_of(stored_score), -ply)
            reach = (facts >> 32) & 0xFFFFFF
            if reach >= depth and (
                bound == EXACT
                or (bound == LOWER and known >= beta)
                or (bound == UPPER and known <= alpha)
            ):
                run[HITS] += 1
                if reach < UNLIMITED:
                    run[TOUCHED] = 1
                return known

    nodes_before = run[NODES]
    touched_before = run[TOUCHED]
    run[TOUCHED] = 0
    best, best_move, floor = -inf, -1, alpha
    lists = _numbers_at(run[LISTS])
    start = ply * run[WIDTH]
    here, out = offset(states, ply * size), offset(lists, start)
    if run[THREATS]:
        count = call_forced_moves(run[FORCED_MOVES], here, shape, _words_at(run[SCRATCH]), out)
    else:
        count = call_moves(run[MOVES], here, shape, out)
    if run[ORDERING]:
        _weigh(run, ply, count, table_move)
    for number in range(count):
        move = _most_promising(run, ply, count) if run[ORDERING] else lists[start + number]
        after = _advance(run, ply, move)
        if run[PRUNING] == 0:
            score = -_search(run, ply + 1, depth - 1, -inf, inf, after)
        else:
            narrow = run[PVS] and number > 0 and beta - floor > NULL_WINDOW
            score = 0.0
            if narrow:
                score = -_search(run, ply + 1, depth - 1, -floor - NULL_WINDOW, -floor, after)
            if not narrow or (not run[STOPPED] and floor < score < beta):
                score = -_search(run, ply + 1, depth - 1, -beta, -floor, after)
        if run[STOPPED]:
            return 0.0
        if score > best:
            best = score
            if best > floor or number == 0:
                best_move = move
                _extend_line(run, ply, move, after != RUNNING)
        if run[PRUNING]:
            floor = max(floor, best)
            if floor >= beta:
                _remember_cutoff(run, move, ply, count)
                break

    settled = run[TOUCHED] == 0 or _within(run, best, ply, depth)
    run[TOUCHED] = touched_before or not settled
    if run[MEMOIZATION]:
        bound = UPPER if best <= alpha else (LOWER if best >= beta else EXACT)
        stored = best_move if bound != UPPER else -1
        if stored >= 0:
            stored = _numbers_at(run[IMAGES])[symmetry * run[WIDTH] + stored]
        reach = UNLIMITED if settled else depth
        nodes = run[NODES] - nodes_before
        _store(run, key, _shifted(run, best, ply), reach, bound, stored, nodes)
    return float(best)


@kernel(f64(number_array, i64, i64, f64, f64))
def search(run: Numbers, move: int, depth: int, alpha: float, beta: float) -> float:
    """Score the unfinished game at ply 0 for its side to move, or one ``move`` (−1: all moves)."""
    block = pointer(run)
    if move < 0:
        return float(_search(block, 0, depth, alpha, beta, RUNNING))
    after = _advance(block, 0, move)
    return float(-_search(block, 1, depth - 1, -beta, -alpha, after))


@kernel(i64(number_array, i64))
def table_move(run: Numbers, ply: int) -> int:
    """The move of the exact table entry for the position at ``ply``; −1 if there is none."""
    block = pointer(run)
    symmetry = _smallest(block, ply)
    key = _words_at(block[KEYS])[ply * block[SYMMETRIES] + symmetry]
    facts = signed(find(_words_at(block[TABLE]), block[MASK], key)[1])
    move = (facts & 0xFFFFFF) - 1
    if (facts >> 24) & 255 != EXACT or move < 0:
        return -1
    return int(_numbers_at(block[IMAGES_BACK])[symmetry * block[WIDTH] + move])


@kernel(i64(number_array, i64, i64))
def advance(run: Numbers, ply: int, move: int) -> int:
    """Play ``move`` at ``ply``, into the next one; the status for who moved."""
    return int(_advance(pointer(run), ply, move))
