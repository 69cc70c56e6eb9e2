"""Trees of several threads, brought to the same numbers where they have been visited most.

Each thread grows a tree of its own, so none waits for another. Every few milliseconds, while no
thread runs, visits, values and proofs of the upper nodes are added up and written to every tree.
From then on each thread chooses its moves at the top by the simulations of all.

What all trees agreed on the last time is kept in one more tree, the *top*. A node's new number of
visits is the agreed one plus what each thread has added since::

    top    120                         →   120 + 30 + 25 = 175
    tree 0 150   (30 more)             →   175
    tree 1 145   (25 more)             →   175

The top has the nodes that exist in all trees; the first time, nothing has been agreed. A node's
children are merged if it has at least ``fewest`` visits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import words_at
from rl_toolkit.kernels.jit import (
    i64,
    kernel,
    number_array,
    numbers,
    offset,
    pointer,
    word_array,
    words,
)
from rl_toolkit.kernels.search.mcts import add_child, inverse_sqrt, make_room
from rl_toolkit.kernels.search.mcts_backup import settle
from rl_toolkit.kernels.search.mcts_node import (
    first_of,
    move_of,
    moves_of,
    proof_of,
    set_inverse_sqrt_visits,
    set_total,
    set_value,
    set_visits,
    total_of,
    tried_of,
    visits_of,
)
from rl_toolkit.kernels.status import RUNNING

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@kernel(i64(words, words, i64, numbers))
def _agree(trees: Words, top: Words, count: int, row: Numbers) -> int:
    """Add up what is known of one node, ``row[0]`` in the top and ``row[1 + i]`` in tree i."""
    node = row[0]
    agreed_visits, agreed_total = visits_of(top, node), total_of(top, node)
    visits, total, proof = agreed_visits, agreed_total, np.int64(RUNNING)
    for i in range(count):
        tree, place = words_at(trees[i]), row[1 + i]
        visits += visits_of(tree, place) - agreed_visits
        total += total_of(tree, place) - agreed_total
        if proof_of(tree, place) != RUNNING:
            proof = proof_of(tree, place)
    set_visits(top, node, visits)
    set_total(top, node, total)
    if visits == 0:
        return 0
    value = np.int64(np.float64(total) / np.float64(visits))
    for i in range(count):
        tree, place = words_at(trees[i]), row[1 + i]
        set_visits(tree, place, visits)
        set_total(tree, place, total)
        set_inverse_sqrt_visits(tree, place, inverse_sqrt(visits))
        if proof == RUNNING:
            set_value(tree, place, value)
        else:
            settle(tree, place, proof)
    return int(visits)


@kernel(i64(words, i64, i64, numbers))
def _index(tree: Words, node: np.int64, moves: int, places: Numbers) -> int:
    """Write the child of ``node`` by each move to ``places``; −1 if there is none."""
    for move in range(moves):
        places[move] = -1
    first = first_of(tree, node)
    for child in range(first, first + tried_of(tree, node)):
        places[move_of(tree, child)] = child
    return 0


@kernel(i64(word_array, word_array, i64, i64, i64, i64, number_array, number_array))
def merge(
    tree_addresses: Words,
    top_words: Words,
    free: np.int64,
    capacity: np.int64,
    moves: int,
    fewest: int,
    place_numbers: Numbers,
    row_numbers: Numbers,
) -> int:
    """Merge the upper nodes of the trees at these addresses; returns the next free node of the top.

    ``moves`` is more than the largest move. ``place_numbers`` has ``moves`` numbers per tree and
    for the top; ``row_numbers`` has room for the nodes to be merged, one row of tree count plus
    one. Nodes without room there, or in the top, are left as they are.
    """
    trees, top = pointer(tree_addresses), pointer(top_words)
    places, rows = pointer(place_numbers), pointer(row_numbers)
    count, width = tree_addresses.size, tree_addresses.size + 1
    most = row_numbers.size // width
    for i in range(width):
        rows[i] = 0  # the roots
    length, done = 1, 0
    while done < length:
        row = offset(rows, done * width)
        done += 1
        visits = _agree(trees, top, count, row)
        if visits < fewest:
            continue
        # 1. Where is each child? Those that all trees have belong to the top.
        node, tree = row[0], words_at(trees[0])
        _index(top, node, moves, places)
        for i in range(count):
            _index(words_at(trees[i]), row[1 + i], moves, offset(places, (1 + i) * moves))
        first = first_of(tree, row[1])
        for child in range(first, first + tried_of(tree, row[1])):
            move = move_of(tree, child)
            common = True
            for i in range(1, count):
                common = common and places[(1 + i) * moves + move] >= 0
            if common and places[move] < 0:
                grown = make_room(top, node, moves_of(tree, row[1]), free, capacity)
                if grown < 0:
                    break
                free = grown
                add_child(top, node, move, np.int64(0))
        # 2. Merge them later.
        first = first_of(top, node)
        for child in range(first, first + tried_of(top, node)):
            if length >= most:
                break
            new, move = length * width, move_of(top, child)
            rows[new] = child
            common = True
            for i in range(count):
                place = places[(1 + i) * moves + move]
                rows[new + 1 + i] = place
                common = common and place >= 0
            length += common
    return int(free)
