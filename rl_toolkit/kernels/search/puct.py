"""Tree search led by a network, compiled: everything but asking the network.

A network is asked about many positions at once, so simulations are run in batches::

    collect    walk down from the root, again and again, until enough positions wait at the ends
       │
    (Python asks the network: priors and values)
       │
    learn      put priors on the moves of those positions, carry the values up

On the way down the child with the highest Q + c · prior · √visits of the parent / (1 + visits) is
taken. What a batch has in the making counts as lost until it is known, a *virtual loss*: so the
next walk goes elsewhere. A walk that ends at a position which waits already ends the batch.

All moves of a position become nodes when it is reached first, and those that end the game are
decided at once. A position with a winning move, or with decided moves only, is proven and needs
no network; where there is only one move to try the walk goes on. Proofs travel up as in
`kernels.search.mcts_backup`. `learning.alphazero.puct_tree` says the same in Python, for reading.
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

# What the numbers of a control array mean, beside those of `kernels.search.mcts`. Set by the
# caller:
BATCH = CONTROLS  # positions to collect
TURN = CONTROLS + 1  # where the moves of every position begin, see `kernels.rules.nth_move`
MOVES = CONTROLS + 2  # numbers that moves may have
STRIDE = CONTROLS + 3  # numbers in a path
# Kept by the kernel:
WAITING = CONTROLS + 4  # positions collected
PUCT_CONTROLS = CONTROLS + 5

_UNIT = np.float64(UNIT)
_VIRTUAL_LOSS = np.int64(UNIT)
_MOVE = np.int64((1 << COUNT_SHIFT) - 1)
#: Walks of one call: more than any batch needs, and few enough to hear Ctrl-C in between.
_MOST_WALKS = np.int64(4096)


@kernel(i64(words, i64, i64))
def _mark(nodes: Words, node: np.int64, visits: np.int64) -> np.int64:
    """Count so many visits of which nothing is known as lost; −1 takes one back."""
    set_visits(nodes, node, visits_of(nodes, node) + visits)
    set_total(nodes, node, total_of(nodes, node) - visits * _VIRTUAL_LOSS)
    return visits


@kernel(i64(words, numbers, i64))
def _unmark(nodes: Words, path: Numbers, depth: np.int64) -> np.int64:
    """Take the virtual losses of a walk back."""
    for ply in range(depth + 1):
        _mark(nodes, path[ply], np.int64(-1))
    return depth


@kernel(i64(words, i64, f64, f64))
def _select(nodes: Words, node: np.int64, c: np.float64, less: np.float64) -> np.int64:
    """The child to walk to; one that nobody has been to is thought ``less`` than the node."""
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
    """Make nodes of all moves to try from ``node``; how many, 0 if there is no room."""
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
    """What is proven of a node whose children have just been made."""
    first = first_of(nodes, node)
    for child in range(first, first + tried_of(nodes, node)):
        if proof_of(nodes, child) == WON:
            return np.int64(LOST)
    return proof_from_children(nodes, node)


@kernel(i64(words, numbers, i64, i64, i64))
def _back_up(
    nodes: Words, path: Numbers, depth: np.int64, value: np.int64, proof: np.int64
) -> np.int64:
    """Carry a result from the end of the path to the root; what is proven of that.

    ``value`` and ``proof`` are as the player sees them who moved into the last node. They take the
    place of the walk's virtual losses.
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
    """Write 1 for every move that became a child, or for all where there was no room."""
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
    """Walk until ``control[BATCH]`` positions wait for the network, or no more may be walked.

    Those positions are written to ``waiting_states``, the moves to try there to
    ``allowed_moves``, as zeros and ones, and the walks to ``path_numbers``: each begins with its
    depth. Returns how many positions wait; none may, where all walks ended at something known.
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
    """Give the positions that wait what the network says of them, in fixed point.

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
