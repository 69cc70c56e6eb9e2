"""Tree search guided by a network (PUCT), compiled: everything but the network itself.

A network evaluates many positions at once, so simulations are run in batches::

    collect    descend from the root until a batch of positions waits for evaluation
       │
    (Python evaluates them with the network: priors and values)
       │
    learn      store the priors of their moves, and back the values up

A descent follows the child with the highest Q + c · prior · √visits of the parent / (1 + visits).
Until its evaluation is known, a descent counts as a loss on its path (*virtual loss*), which sends
the next one elsewhere. A descent that reaches a position already waiting ends the batch.

All moves of a position become nodes when it is first reached, and those that end the game are
proven immediately. A position with a winning move, or with proven moves only, is proven and needs
no network; where there is only one move to try the descent continues. Proofs are backed up as in
`kernels.search.mcts_backup`. `learning.alphazero.puct_tree` is the same search in readable Python.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import (
    f64,
    i64,
    kernel,
    number_array,
    numbers,
    offset,
    pointer,
    word_array,
    words,
)
from rl_toolkit.kernels.rules.nth_move import COUNT_SHIFT
from rl_toolkit.kernels.rules.operations import call_pick, call_play
from rl_toolkit.kernels.search.mcts import (
    ADVANCE,
    CAPACITY,
    CONTROLS,
    DEEPEST,
    DONE,
    FREE,
    FULL,
    MADE,
    MOST_MADE,
    PICK,
    PLAY,
    ROOT,
    SIMULATIONS,
    STATE,
    STATE_WORDS,
)
from rl_toolkit.kernels.search.mcts_backup import (
    proof_above,
    proof_from_children,
    record,
    settle,
    worth,
)
from rl_toolkit.kernels.search.mcts_node import (
    UNIT,
    WORDS,
    first_of,
    move_of,
    prior_of,
    proof_of,
    set_first,
    set_move,
    set_moves,
    set_prior,
    set_total,
    set_tried,
    set_visits,
    set_waits,
    total_of,
    tried_of,
    value_of,
    visits_of,
    waits_of,
)
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

# The indices of a control array, beside those of `kernels.search.mcts`. Set by the caller:
BATCH = CONTROLS  # positions to collect
TURN = CONTROLS + 1  # the first move to try in every position, see `kernels.rules.nth_move`
MOVES = CONTROLS + 2  # the size of the move space
STRIDE = CONTROLS + 3  # numbers per path
# Updated by the kernel:
WAITING = CONTROLS + 4  # positions collected
PUCT_CONTROLS = CONTROLS + 5

_UNIT = np.float64(UNIT)
_VIRTUAL_LOSS = np.int64(UNIT)
_MOVE = np.int64((1 << COUNT_SHIFT) - 1)
#: Descents per call: more than any batch needs, and few enough for Ctrl-C to work in between.
_MOST_WALKS = np.int64(4096)


@kernel(i64(words, i64, i64))
def _mark(nodes: Words, node: np.int64, visits: np.int64) -> np.int64:
    """Add ``visits`` virtual losses; −1 takes one back."""
    set_visits(nodes, node, visits_of(nodes, node) + visits)
    set_total(nodes, node, total_of(nodes, node) - visits * _VIRTUAL_LOSS)
    return visits


@kernel(i64(words, numbers, i64))
def _unmark(nodes: Words, path: Numbers, depth: np.int64) -> np.int64:
    """Take back the virtual losses of a descent."""
    for ply in range(depth + 1):
        _mark(nodes, path[ply], np.int64(-1))
    return depth


@kernel(i64(words, i64, f64, f64))
def _select(nodes: Words, node: np.int64, c: np.float64, less: np.float64) -> np.int64:
    """The child to visit next; one without a visit has the value of the node minus ``less``."""
    first = first_of(nodes, node)
    scale = c * np.sqrt(np.float64(visits_of(nodes, node)))
    untried = -(np.float64(value_of(nodes, node)) / _UNIT) - less
    best = first
    best_score = -np.inf
    for child in range(first, first + tried_of(nodes, node)):
        proof, visits = proof_of(nodes, child), visits_of(nodes, child)
        if proof == LOST:
            continue
        if proof == DRAWN:
            mean = 0.0
        elif visits == 0:
            mean = untried
        else:
            mean = np.float64(total_of(nodes, child)) / _UNIT / np.float64(visits)
        prior = np.float64(prior_of(nodes, child)) / _UNIT
        score = mean + scale * prior / np.float64(1 + visits)
        if score > best_score:
            best_score = score
            best = np.int64(child)
    return np.int64(best)


@kernel(i64(words, i64, number_array, words, words))
def _expand(nodes: Words, node: np.int64, control: Numbers, state: Words, shape: Words) -> np.int64:
    """Create nodes for all moves to try from ``node``; their number, 0 if there is no room."""
    size = control[STATE_WORDS]
    spare = offset(state, size)
    room = offset(spare, size)
    picked = call_pick(control[PICK], state, shape, room, control[TURN], 0)
    count = picked >> np.int64(COUNT_SHIFT)
    first = control[FREE]
    if first + count > control[CAPACITY]:
        control[FULL] = 1
        return np.int64(0)
    control[FREE] = first + count
    set_first(nodes, node, first)
    set_tried(nodes, node, count)
    set_moves(nodes, node, count)
    for number in range(count):
        child = first + number
        if number > 0:
            picked = call_pick(control[PICK], state, shape, room, control[TURN], number)
        for word in range(WORDS):
            nodes[child * WORDS + word] = np.uint64(0)
        set_move(nodes, child, picked & _MOVE)
        for word in range(size):
            spare[word] = state[word]
        status = call_play(control[PLAY], spare, shape, picked & _MOVE)
        if status != RUNNING:
            settle(nodes, child, status)
    return np.int64(count)


@kernel(i64(words, i64))
def _proof_at_once(nodes: Words, node: np.int64) -> np.int64:
    """The proof of a node whose children have just been created."""
    first = first_of(nodes, node)
    for child in range(first, first + tried_of(nodes, node)):
        if proof_of(nodes, child) == WON:
            return np.int64(LOST)
    return proof_from_children(nodes, node)


@kernel(i64(words, numbers, i64, i64, i64))
def _back_up(
    nodes: Words, path: Numbers, depth: np.int64, value: np.int64, proof: np.int64
) -> np.int64:
    """Back a result up from the end of the path to the root; returns the proof of the root.

    ``value`` and ``proof`` are from the view of the player who moved into the last node. They
    replace the virtual losses of the descent.
    """
    _unmark(nodes, path, depth)
    while True:
        proof = record(nodes, path[depth], value, proof)
        if depth == 0:
            return proof
        depth -= 1
        value = -(value if proof == RUNNING else worth(proof))
        proof = proof_above(nodes, path[depth], proof)


@kernel(i64(words, i64, numbers, i64))
def _allow(nodes: Words, node: np.int64, allowed: Numbers, moves: np.int64) -> np.int64:
    """Write 1 for every move that became a child, or for all moves if there was no room."""
    first, tried = first_of(nodes, node), tried_of(nodes, node)
    for move in range(moves):
        allowed[move] = 1 if tried == 0 else 0
    for child in range(first, first + tried):
        allowed[move_of(nodes, child)] = 1
    return np.int64(tried)


@kernel(
    i64(
        word_array,
        number_array,
        word_array,
        word_array,
        word_array,
        number_array,
        word_array,
        number_array,
        f64,
        f64,
        number_array,
    )
)
def collect(
    node_words: Words,
    control: Numbers,
    root_state: Words,
    geometry: Words,
    scratch_words: Words,
    path_numbers: Numbers,
    waiting_states: Words,
    allowed_moves: Numbers,
    c: np.float64,
    less: np.float64,
    flag: Numbers,
) -> int:
    """Descend until ``control[BATCH]`` positions wait for evaluation, or a limit is reached.

    Those positions are written to ``waiting_states``, the moves to try there to
    ``allowed_moves``, as zeros and ones, and the paths to ``path_numbers``, each with its depth
    first. Returns the number of waiting positions; 0 if all descents ended in proven ones.
    """
    nodes, shape = pointer(node_words), pointer(geometry)
    start = pointer(root_state)
    state = offset(pointer(scratch_words), STATE)
    size, root, stride = control[STATE_WORDS], control[ROOT], control[STRIDE]
    walks, waiting = np.int64(0), np.int64(0)
    most = min(control[SIMULATIONS], _MOST_WALKS)
    while (
        waiting < control[BATCH]
        and walks < most
        and control[MADE] < control[MOST_MADE]
        and proof_of(nodes, root) == RUNNING
        and flag[0] == 0
    ):
        for word in range(size):
            state[word] = start[word]
        path = offset(pointer(path_numbers), waiting * stride + 1)
        node, depth = root, np.int64(0)
        path[0] = root
        _mark(nodes, root, np.int64(1))
        while True:
            proof = proof_of(nodes, node)
            if proof != RUNNING or waits_of(nodes, node) != 0:
                break
            if tried_of(nodes, node) == 0:
                control[MADE] += 1
                count = _expand(nodes, node, control, state, shape)
                if count > 0:
                    proof = _proof_at_once(nodes, node)
                if proof != RUNNING or count != 1:
                    break
            node = _select(nodes, node, c, less)
            call_play(control[ADVANCE], state, shape, move_of(nodes, node))
            depth += 1
            path[depth] = node
            _mark(nodes, node, np.int64(1))
        if waits_of(nodes, node) != 0:
            _unmark(nodes, path, depth)
            break
        walks += 1
        control[DEEPEST] = max(control[DEEPEST], depth)
        if proof != RUNNING:
            _back_up(nodes, path, depth, np.int64(0), proof)
            continue
        set_waits(nodes, node, 1)
        path_numbers[waiting * stride] = depth
        for word in range(size):
            waiting_states[waiting * size + word] = state[word]
        moves = control[MOVES]
        _allow(nodes, node, offset(pointer(allowed_moves), waiting * moves), moves)
        waiting += 1
    control[DONE] += walks
    control[WAITING] = waiting
    return int(waiting)


@kernel(i64(word_array, number_array, number_array, number_array, number_array))
def learn(
    node_words: Words, control: Numbers, path_numbers: Numbers, priors: Numbers, values: Numbers
) -> int:
    """Store the evaluations of the waiting positions, in fixed point, and back them up.

    ``priors`` has a row of moves for each; ``values`` are for the sides to move. Returns the proof
    of the root.
    """
    nodes = pointer(node_words)
    stride, moves = control[STRIDE], control[MOVES]
    for number in range(control[WAITING]):
        depth = path_numbers[number * stride]
        path = offset(pointer(path_numbers), number * stride + 1)
        node = path[depth]
        set_waits(nodes, node, 0)
        first = first_of(nodes, node)
        for child in range(first, first + tried_of(nodes, node)):
            set_prior(nodes, child, priors[number * moves + move_of(nodes, child)])
        _back_up(nodes, path, depth, -values[number], np.int64(RUNNING))
    control[WAITING] = 0
    return int(proof_of(nodes, control[ROOT]))
