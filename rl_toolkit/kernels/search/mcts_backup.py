"""Backing up simulations and proofs in a search tree.

Proofs are backed up beside values (MCTS-Solver): a node is lost for the player who moved into it as
soon as one reply is proven to win, and proven when all its replies are. Values and proofs are from
the view of the player who moved into the node; proofs are numbers of `kernels.status`.
"""

from __future__ import annotations

import numpy as np

from rl_toolkit.kernels.jit import i64, kernel, words
from rl_toolkit.kernels.rules.small_lines import Words
from rl_toolkit.kernels.search.mcts_node import (
    DECIDED,
    UNIT,
    first_of,
    moves_of,
    proof_of,
    set_proof,
    set_total,
    set_value,
    set_visits,
    total_of,
    tried_of,
    visits_of,
)
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

_UNIT = np.int64(UNIT)


@kernel(i64(i64))
def worth(proof: np.int64) -> np.int64:
    """The value of a proof, in fixed point."""
    return _UNIT if proof == WON else -_UNIT if proof == LOST else np.int64(0)


@kernel(i64(words, i64, i64))
def settle(nodes: Words, node: np.int64, proof: np.int64) -> np.int64:
    """Mark a node as proven; returns the proof."""
    set_proof(nodes, node, proof)
    decided = np.int64(DECIDED)
    set_value(nodes, node, decided if proof == WON else -decided if proof == LOST else 0)
    return proof


@kernel(i64(words, i64, i64, i64))
def record(nodes: Words, node: np.int64, value: np.int64, proof: np.int64) -> np.int64:
    """Count a simulation with result ``value``, or with the proven one; returns the node's proof.

    If the node is proven, now or before, the proven result is added instead of ``value``.
    """
    known = proof_of(nodes, node)
    if known != RUNNING:
        proof = known
    visits = visits_of(nodes, node) + 1
    set_visits(nodes, node, visits)
    total = total_of(nodes, node) + (value if proof == RUNNING else worth(proof))
    set_total(nodes, node, total)
    if proof == RUNNING:
        set_value(nodes, node, np.int64(np.float64(total) / np.float64(visits)))
    elif known == RUNNING:
        settle(nodes, node, proof)
    return np.int64(proof)


@kernel(i64(words, i64))
def proof_from_children(nodes: Words, node: np.int64) -> np.int64:
    """The proof of ``node`` by all its children, none of them won; RUNNING if there is none yet."""
    tried = tried_of(nodes, node)
    if tried < moves_of(nodes, node):
        return np.int64(RUNNING)
    drawn = False
    first = first_of(nodes, node)
    for child in range(first, first + tried):
        proof = proof_of(nodes, child)
        if proof == RUNNING:
            return np.int64(RUNNING)
        drawn |= proof == DRAWN
    return np.int64(DRAWN if drawn else WON)


@kernel(i64(words, i64, i64))
def proof_above(nodes: Words, node: np.int64, proof: np.int64) -> np.int64:
    """The proof of ``node``, given the new ``proof`` of one of its children."""
    if proof == WON:
        return np.int64(LOST)
    return np.int64(RUNNING) if proof == RUNNING else proof_from_children(nodes, node)
