"""Monte Carlo tree search, compiled: one kernel for all games, whose rules it calls by address.

A simulation descends the tree by UCT, adds one node, plays one playout from there and backs the
result up. Proofs are backed up too (`kernels.search.mcts_backup`), and the search ends when its
root is proven. `algorithms.mcts.tree` is the same search in readable Python.

When there is no room for more nodes the tree stops growing, and simulations continue from its
leaves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import (
    i64,
    instruction,
    ir,
    kernel,
    number_array,
    numbers,
    offset,
    pointer,
    u64,
    word_array,
    words,
)
from rl_toolkit.kernels.rules.lcg import next_chance
from rl_toolkit.kernels.rules.nth_move import COUNT_SHIFT
from rl_toolkit.kernels.rules.operations import call_evaluate, call_pick, call_play, call_playout
from rl_toolkit.kernels.search.mcts_backup import proof_above, record, worth
from rl_toolkit.kernels.search.mcts_node import (
    UNIT,
    UNIT_BITS,
    WORDS,
    first_of,
    inverse_sqrt_visits_of,
    move_of,
    move_offset_of,
    moves_of,
    proof_of,
    set_first,
    set_inverse_sqrt_visits,
    set_move,
    set_move_offset,
    set_moves,
    set_tried,
    tried_of,
    value_of,
    visits_of,
)
from rl_toolkit.kernels.status import LOST, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

# The indices of a control array. Set by the caller:
PLAY, ADVANCE, PICK, PLAYOUT = 0, 1, 2, 3  # addresses
STATE_WORDS = 4
ROOT = 5  # a node
CAPACITY = 6  # the size of the array, in nodes
SIMULATIONS = 7  # how many more to run
MOST_MADE = 8  # stop when this many nodes have been created
PLIES = 9  # length at which playouts are cut off
EVALUATE = 10  # address of the heuristic for playouts that are cut off
# Updated by the kernel:
FREE = 11  # the first unused node
DONE = 12  # simulations run so far
MADE = 13  # nodes created so far
DEEPEST = 14  # the greatest depth below the root, in plies
FULL = 15  # 1 once a node could not be created for lack of room
CONTROLS = 16

# The layout of the scratch words.
CHANCE = 0  # the state of the random generator
STATE = 1  # the position, followed by scratch for playouts

# √ln N is read from a table: exact up to 64, then in 32 steps per power of two.
_STEP_BITS = 5
_STEPS = 1 << _STEP_BITS
_LOW_64 = np.int64(63)

_UNIT = np.int64(UNIT)
_UNIT_SHIFT = np.int64(UNIT_BITS)
_SMALLEST_BLOCK = np.int64(4)
_TURN_SHIFT = np.uint64(56)


def exploration_table(c: float) -> Numbers:
    """The table of c · √ln N in fixed point that `_exploration` reads."""
    table = np.zeros(32 * _STEPS, dtype=np.int64)
    for exponent in range(32):
        width = max(1, 1 << exponent >> _STEP_BITS)  # numbers that share an entry
        for step in range(_STEPS):
            visits = (1 << exponent) + (step << exponent >> _STEP_BITS) + (width - 1) / 2
            table[exponent * _STEPS + step] = round(UNIT * c * math.sqrt(math.log(visits)))
    return table


@instruction(u64(u64))
def _leading_zeros(build: Any, word: Any) -> Any:
    """The number of zero bits above the highest set bit."""
    return build.ctlz(word, ir.Constant(ir.IntType(1), 0))


@kernel(i64(numbers, i64))
def _exploration(table: Numbers, visits: np.int64) -> np.int64:
    exponent = _LOW_64 - np.int64(_leading_zeros(np.uint64(visits)))
    step = ((visits << np.int64(_STEP_BITS)) >> exponent) - np.int64(_STEPS)
    return np.int64(table[(exponent << np.int64(_STEP_BITS)) + step])


@kernel(i64(words, i64, i64, i64))
def _select(nodes: Words, first: np.int64, count: np.int64, exploration: np.int64) -> np.int64:
    """The child with the highest UCT score; proven losses only if there are no others."""
    best = first
    best_score = np.int64(-(1 << 62))
    for child in range(first, first + count):
        bonus = (exploration * inverse_sqrt_visits_of(nodes, child)) >> _UNIT_SHIFT
        score = value_of(nodes, child) + bonus
        if score > best_score:
            best_score = score
            best = np.int64(child)
    return best


@kernel(i64(words, i64, i64, i64, i64))
def make_room(
    nodes: Words, node: np.int64, count: np.int64, free: np.int64, capacity: np.int64
) -> np.int64:
    """Make room for one more child of ``node``, which has ``count`` moves to try.

    Blocks of children double in size: 4, 8, 16 …, so a wide node takes little more than it uses.
    Returns the first free node afterwards, −1 if there is no room.
    """
    tried = tried_of(nodes, node)
    if tried == 0:
        size = min(_SMALLEST_BLOCK, count)
    elif tried >= _SMALLEST_BLOCK and tried & (tried - 1) == 0:
        size = min(2 * tried, count)
    else:
        return free
    if free + size > capacity:
        return np.int64(-1)
    old, new = first_of(nodes, node) * WORDS, free * WORDS
    for word in range(tried * WORDS):
        nodes[new + word] = nodes[old + word]
    set_first(nodes, node, free)
    set_moves(nodes, node, count)
    return free + size


@kernel(i64(words, i64, i64, i64))
def add_child(nodes: Words, node: np.int64, move: np.int64, move_offset: np.int64) -> np.int64:
    """Append a new child; `make_room` must have been called before."""
    tried = tried_of(nodes, node)
    child = first_of(nodes, node) + tried
    set_tried(nodes, node, tried + 1)
    for word in range(WORDS):
        nodes[child * WORDS + word] = np.uint64(0)
    set_move(nodes, child, move)
    set_move_offset(nodes, child, move_offset)
    return np.int64(child)


@kernel(i64(i64), inline=True)
def inverse_sqrt(visits: np.int64) -> np.int64:
    """1 / √visits in fixed point."""
    return np.int64(np.float64(UNIT) / np.sqrt(np.float64(visits)))


@kernel(i64(words, numbers, i64, i64, i64))
def _back_up(
    nodes: Words, path: Numbers, depth: np.int64, value: np.int64, proof: np.int64
) -> np.int64:
    """Back a result up from the end of the path to the root; the sides alternate.

    ``value`` and ``proof`` are from the view of the player who moved into the last node.
    """
    while True:
        node = path[depth]
        proof = record(nodes, node, value, proof)
        visits = visits_of(nodes, node)
        set_inverse_sqrt_visits(nodes, node, inverse_sqrt(visits))
        if depth == 0:
            return proof
        depth -= 1
        value = -(value if proof == RUNNING else worth(proof))
        proof = proof_above(nodes, path[depth], proof)


@kernel(
    i64(
        word_array,
        number_array,
        word_array,
        word_array,
        word_array,
        number_array,
        number_array,
        number_array,
        number_array,
    )
)
def search(
    node_words: Words,
    control: Numbers,
    root_state: Words,
    geometry: Words,
    scratch_words: Words,
    path_numbers: Numbers,
    exploration: Numbers,
    evaluation: Numbers,
    flag: Numbers,
) -> int:
    """Run simulations until they are done, the root is proven, or ``flag[0]`` is set.

    ``control`` holds the parameters and receives the counters; see the names above. The root must
    be an unfinished game. Returns the proof of the root.
    """
    nodes, shape, path = pointer(node_words), pointer(geometry), pointer(path_numbers)
    table, start = pointer(exploration), pointer(root_state)
    chance = pointer(scratch_words)
    state = offset(chance, STATE)
    size = control[STATE_WORDS]
    room = offset(state, size)
    play, advance, pick, playout = control[PLAY], control[ADVANCE], control[PICK], control[PLAYOUT]
    root, capacity, plies = control[ROOT], control[CAPACITY], control[PLIES]
    free, made, deepest = control[FREE], control[MADE], control[DEEPEST]
    done, last, most_made = np.int64(0), control[SIMULATIONS], control[MOST_MADE]
    proof = proof_of(nodes, root)
    while proof == RUNNING and done < last and made < most_made and flag[0] == 0:
        done += 1
        for word in range(size):
            state[word] = start[word]
        node = root
        depth = np.int64(0)
        path[0] = root
        while True:
            status = proof_of(nodes, node)
            if status != RUNNING:
                break
            tried, moves = tried_of(nodes, node), moves_of(nodes, node)
            if tried < moves or moves == 0:
                picked = call_pick(pick, state, shape, room, move_offset_of(nodes, node), tried)
                grown = make_room(nodes, node, picked >> COUNT_SHIFT, free, capacity)
                if grown >= 0:
                    free = grown
                    made += 1
                    chance[0] = next_chance(chance[0])
                    move_offset = np.int64(chance[0] >> _TURN_SHIFT)
                    node = add_child(nodes, node, picked & np.int64(0xFFFF), move_offset)
                    depth += 1
                    path[depth] = node
                    status = call_play(play, state, shape, move_of(nodes, node))
                    break
                control[FULL] = 1
                if tried == 0:
                    break
            spread = _exploration(table, visits_of(nodes, node))
            node = _select(nodes, first_of(nodes, node), tried, spread)
            depth += 1
            path[depth] = node
            call_play(advance, state, shape, move_of(nodes, node))
        deepest = max(deepest, depth)
        value = np.int64(0)
        if status == RUNNING:
            ended = call_playout(playout, state, shape, chance, room, plies)
            # A win for the side to move is a loss for the player who moved here.
            if ended == WON:
                value = -_UNIT
            elif ended == LOST:
                value = _UNIT
            elif ended == RUNNING:
                guess = call_evaluate(control[EVALUATE], state, shape, pointer(evaluation))
                value = np.int64(guess * (_UNIT if plies & np.int64(1) else -_UNIT))
        proof = _back_up(nodes, path, depth, value, status)
    control[FREE], control[MADE], control[DEEPEST] = free, made, deepest
    control[DONE] += done
    return int(proof)


@kernel(i64(word_array, i64, word_array, i64, i64))
def keep(source_words: Words, root: int, target_words: Words, capacity: int, fewest: int) -> int:
    """Copy the tree below ``root`` to ``target``, root first; returns the number of nodes copied.

    Nodes with fewer than ``fewest`` visits, and those without room for their children, become
    leaves. The two arrays must not overlap.
    """
    source, target = pointer(source_words), pointer(target_words)
    for word in range(WORDS):
        target[word] = source[root * WORDS + word]
    free, node = np.int64(1), np.int64(0)
    while node < free:
        tried, old = tried_of(target, node), first_of(target, node)
        size = np.int64(0)
        if tried > 0 and (visits_of(target, node) >= fewest or node == 0):
            size = _SMALLEST_BLOCK
            while size < tried:
                size *= 2
            size = min(size, moves_of(target, node))
        if size == 0 or free + size > capacity:
            set_tried(target, node, 0)
            if proof_of(target, node) == RUNNING:  # a proven node is never expanded again
                set_moves(target, node, 0)
        else:
            for word in range(size * WORDS):
                there = free * WORDS + word
                target[there] = source[old * WORDS + word] if word < tried * WORDS else np.uint64(0)
            set_first(target, node, free)
            free += size
        node += 1
    return int(free)
