"""Gumbel search over many games at once.

The tree and the selection rules are those of mctx (Danihelka et al., "Policy improvement by
planning with Gumbel"); the loop around them is our own, for speed:

* the root rule is evaluated once per simulation, not at every level of every descent;
* a descent ends at the edge into a finished game instead of growing a chain of nodes below it;
* the path is recorded on the way down, so that the backup is one masked scatter for all its nodes;
  mctx goes up level by level and copies the tree at each.

The results equal those of ``mctx.gumbel_muzero_policy``, which a test checks. In all our games the
sides alternate, so a value changes sign with every ply; it also shrinks by ``discount``, so that a
fast win counts more than a slow one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from jax import Array

from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.loop.devices import Share, whole
from rl_toolkit.learning.training.loop.network import Output

#: The network as a function: planes ``[B, 2, rows, cols]`` in, logits out.
Evaluate = Callable[[Array], Output]

_NO_LOGIT = float(np.finfo(np.float32).min)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a search.

    Attributes:
        simulations: simulations per move.
        considered: the number of moves to try at the root.
        discount: the factor on a value per ply.
        value_scale: the weight of values relative to the network's policy.
    """

    simulations: int
    considered: int
    discount: float = 0.99
    value_scale: float = 0.1


class Found(NamedTuple):
    """The result of a search for every game of the batch.

    Attributes:
        move: the move to play.
        policy: ``[B, moves]``, the policy improved by search: the network's training target.
        value: the value of the position under that policy.
        prior: ``[B, moves]``, the network's policy.
        wdl: ``[B, 3]``, the network's win, draw and loss.
    """

    move: Array
    policy: Array
    value: Array
    prior: Array
    wdl: Array


class _Path(NamedTuple):
    """One descent: nodes and moves ``[simulations, B]``, off the tree from ``length`` on."""

    nodes: Array
    moves: Array
    length: Array


def search(
    game: BatchGame,
    evaluate: Evaluate,
    planes: Array,
    key: Array,
    settings: SearchSettings,
    gumbel_scale: float = 1.0,
    share: Share = whole,
) -> Found:
    """Search unfinished games; ``gumbel_scale`` is 0 for the best play, 1 for exploration.

    ``share`` is that of a device with some of the games; see `loop.devices`.
    """
    simulations = settings.simulations
    output = evaluate(planes)
    legal = game.legal(planes)
    logits = jnp.where(legal, output.policy, _NO_LOGIT)
    wdl = jax.nn.softmax(output.wdl)
    logits = jnp.where(legal, logits - logits.max(-1, keepdims=True), _NO_LOGIT)
    noise = share(partial(jax.random.gumbel, key, dtype=logits.dtype), logits.shape)
    gumbel = gumbel_scale * noise
    tree = _new_tree(planes, logits, wdl[:, 0] - wdl[:, 2], ~legal, gumbel, simulations)
    transform = partial(
        mctx.qtransform_completed_by_mix_value,
        rescale_values=False,
        value_scale=settings.value_scale,
    )
    select = _Selection(settings, transform)

    def simulate(number: Array, tree: Any) -> Any:
        path = _descend(tree, select)
        return _grow(game, evaluate, tree, path, number + 1, settings.discount)

    tree = jax.lax.fori_loop(0, simulations, simulate, tree)

    visits = tree.children_visits[:, 0]
    weighed = jax.vmap(transform, in_axes=(0, None))(tree, 0)
    scores = jnp.maximum(gumbel + logits + weighed, -1e9)
    most = visits == visits.max(-1, keepdims=True)
    policy = jax.nn.softmax(jnp.where(legal, logits + weighed, _NO_LOGIT))
    # Only visited moves have a value of their own.
    tried = visits > 0
    weight = jnp.where(tried, policy + 1e-8, 0.0)
    values = jnp.where(tried, tree.qvalues(jnp.zeros(len(planes), jnp.int32)), 0.0)
    return Found(
        move=jnp.where(legal & most, scores, -jnp.inf).argmax(-1).astype(jnp.int32),
        policy=policy,
        value=(weight * values).sum(-1) / weight.sum(-1),
        prior=jax.nn.softmax(logits),
        wdl=wdl,
    )


class _Selection:
    """The selection rules of mctx, for a whole batch."""

    def __init__(self, settings: SearchSettings, transform: Any) -> None:
        root = partial(
            mctx.gumbel_muzero_root_action_selection,
            num_simulations=settings.simulations,
            max_num_considered_actions=settings.considered,
            qtransform=transform,
        )
        interior = partial(mctx.gumbel_muzero_interior_action_selection, qtransform=transform)
        self._root = jax.vmap(root, in_axes=(None, 0, None))
        self._interior = jax.vmap(interior, in_axes=(None, 0, 0, None))

    def at_root(self, tree: Any) -> Array:
        move: Array = self._root(None, tree, 0)
        return move

    def inside(self, tree: Any, node: Array) -> Array:
        move: Array = self._interior(None, tree, node, None)
        return move


def _new_tree(
    planes: Array, logits: Array, value: Array, illegal: Array, gumbel: Array, simulations: int
) -> Any:
    """A tree with room for one new node per simulation; node 0 is the root."""
    boards, moves = logits.shape
    nodes = (boards, simulations + 1)
    edges = (*nodes, moves)
    return mctx.Tree(
        node_visits=jnp.zeros(nodes, jnp.int32).at[:, 0].set(1),
        raw_values=jnp.zeros(nodes).at[:, 0].set(value),
        node_values=jnp.zeros(nodes).at[:, 0].set(value),
        parents=jnp.full(nodes, mctx.Tree.NO_PARENT),
        action_from_parent=jnp.full(nodes, mctx.Tree.NO_PARENT),
        children_index=jnp.full(edges, mctx.Tree.UNVISITED),
        children_prior_logits=jnp.zeros(edges).at[:, 0].set(logits),
        children_visits=jnp.zeros(edges, jnp.int32),
        children_rewards=jnp.zeros(edges),
        children_discounts=jnp.zeros(edges),
        children_values=jnp.zeros(edges),
        embeddings=jnp.zeros((*nodes, *planes.shape[1:]), bool).at[:, 0].set(planes),
        root_invalid_actions=illegal.astype(jnp.float32),
        extra_data=mctx.GumbelMuZeroExtraData(root_gumbel=gumbel),
    )


def _descend(tree: Any, select: _Selection) -> _Path:
    """Descend from the root to an edge that is new or ends the game, in every tree."""
    boards, room = tree.node_visits.shape
    batch = jnp.arange(boards)

    def advance(
        state: tuple[Array, Array, Array, Array, _Path],
    ) -> tuple[Array, Array, Array, Array, _Path]:
        depth, going, node, move, path = state
        path = _Path(
            _with_row(path.nodes, jnp.where(going, node, room), depth),
            _with_row(path.moves, move, depth),
            path.length + going,
        )
        child = tree.children_index[batch, node, move]
        running = tree.children_discounts[batch, node, move] != 0
        going = going & (child != mctx.Tree.UNVISITED) & running
        node = jnp.where(going, child, node)
        move = jnp.where(going, select.inside(tree, node), move)
        return depth + 1, going, node, move, path

    empty = _Path(
        jnp.full((room - 1, boards), room),  # off the tree: reads are clipped, writes dropped
        jnp.zeros((room - 1, boards), jnp.int32),
        jnp.zeros(boards, jnp.int32),
    )
    start = (
        jnp.int32(0),
        jnp.ones(boards, bool),
        jnp.zeros(boards, jnp.int32),
        select.at_root(tree),
        empty,
    )
    end: tuple[Array, Array, Array, Array, _Path]
    end = jax.lax.while_loop(lambda state: state[1].any(), advance, start)
    return end[-1]


def _with_row(rows: Array, row: Array, number: Array) -> Array:
    updated: Array = jax.lax.dynamic_update_index_in_dim(rows, row, number, 0)
    return updated


def _grow(
    game: BatchGame, evaluate: Evaluate, tree: Any, path: _Path, new: Array, discount: float
) -> Any:
    """Evaluate the position behind the last edge of each path, and back its value up."""
    batch = jnp.arange(len(path.length))
    last = path.length - 1
    parent, move = path.nodes[last, batch], path.moves[last, batch]
    step = game.step(tree.embeddings[batch, parent], move)
    output = evaluate(step.planes)
    logits = jnp.where(game.legal(step.planes), output.policy, _NO_LOGIT)
    wdl = jax.nn.softmax(output.wdl)
    value = jnp.where(step.done, 0.0, wdl[:, 0] - wdl[:, 2])
    sign = jnp.where(step.done, 0.0, -discount)  # of the child's value in the parent's view

    child = tree.children_index[batch, parent, move]
    child = jnp.where(child == mctx.Tree.UNVISITED, new, child)  # an end may be visited again
    above = jnp.maximum(last - jnp.arange(len(path.nodes))[:, None], 0)  # plies above the last
    turned = jnp.where(above % 2 == 1, -1.0, 1.0) * discount ** above.astype(jnp.float32)
    returned = (step.reward + sign * value) * turned

    on_path = (batch, path.nodes)
    edges = (batch, path.nodes, path.moves)
    counts = tree.node_visits.at[on_path].get(mode="clip")
    means = tree.node_values.at[on_path].get(mode="clip")
    means = (means * counts + returned) / (counts + 1)
    below = jnp.concatenate([means[1:], value[None]]).at[last, batch].set(value)
    node_values = tree.node_values.at[batch, child].set(value)
    node_visits = tree.node_visits.at[batch, child].add(1)
    return tree.replace(
        raw_values=tree.raw_values.at[batch, child].set(value),
        embeddings=tree.embeddings.at[batch, child].set(step.planes),
        node_values=node_values.at[on_path].set(means, mode="drop"),
        node_visits=node_visits.at[on_path].add(1, mode="drop"),
        children_index=tree.children_index.at[batch, parent, move].set(child),
        children_prior_logits=tree.children_prior_logits.at[batch, child].set(logits),
        children_rewards=tree.children_rewards.at[batch, parent, move].set(step.reward),
        children_discounts=tree.children_discounts.at[batch, parent, move].set(sign),
        children_values=tree.children_values.at[edges].set(below, mode="drop"),
        children_visits=tree.children_visits.at[edges].add(1, mode="drop"),
    )
