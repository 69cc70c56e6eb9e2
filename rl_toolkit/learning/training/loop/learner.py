"""Optimiser steps: AdamW on samples from the ring, and a running average of the weights.

The average (of weights and normalisation statistics) plays and is exported: it is always stronger
than the latest weights, and steadier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import DTypeLike

from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.starts import IMPOSSIBLE
from rl_toolkit.learning.training.loop.network import Layers, Learned, apply_training, fold
from rl_toolkit.learning.training.loop.replay import Samples, draw
from rl_toolkit.learning.training.settings import Settings

_STATISTICS_RATE = 0.01
_Tree = TypeVar("_Tree", Learned, Layers)


class LearnerState(NamedTuple):
    """A network in training, its average, and the state of the optimiser."""

    network: Learned
    average: Learned
    optimizer: Any
    steps: Array


class Losses(NamedTuple):
    """Means over the steps of one call; the losses are cross-entropies in nats."""

    policy: Array
    value: Array
    gradient_norm: Array


def _optimizer(settings: Settings) -> optax.GradientTransformation:
    """AdamW without the learning rate, which is an argument of every call."""
    return optax.chain(
        optax.clip_by_global_norm(settings.clip),
        optax.scale_by_adam(),
        optax.add_decayed_weights(
            settings.weight_decay, mask=lambda params: jax.tree.map(lambda x: x.ndim > 1, params)
        ),
    )


def new_learner(network: Learned, settings: Settings) -> LearnerState:
    """The learner before its first step."""
    average: Learned = jax.tree.map(jnp.array, network)
    optimizer = _optimizer(settings).init(network.params)
    return LearnerState(network, average, optimizer, jnp.zeros((), jnp.int32))


def learn(
    game: BatchGame,
    settings: Settings,
    dtype: DTypeLike,
    steps: int,
    state: LearnerState,
    ring: Samples,
    end: Array,
    window: Array,
    key: Array,
    rate: Array,
    *,
    split: Callable[[Samples], Samples] = lambda samples: samples,
) -> tuple[LearnerState, Losses, Layers]:
    """Run ``steps`` optimiser steps; also return the averaged network, folded for play.

    Samples come from the ``window`` positions of the ring before ``end``; ``rate`` is the learning
    rate, which the first steps of a run warm up to. ``split`` divides a batch among devices.
    """
    optimizer = _optimizer(settings)

    def step(state: LearnerState, key: Array) -> tuple[LearnerState, Losses]:
        draw_key, turn_key = jax.random.split(key)
        drawn = split(draw(ring, draw_key, settings.batch, end, window))
        samples = _turned(game, drawn, turn_key)

        def loss(params: Layers) -> tuple[Array, tuple[Array, Array, Layers]]:
            planes = samples.planes.reshape(-1, 2, game.rows, game.cols)
            output, seen = apply_training(params, game.inputs(planes, dtype))
            logits = jnp.where(game.legal(planes), output.policy, IMPOSSIBLE)
            policy = optax.losses.softmax_cross_entropy(logits, samples.policy).mean()
            value = optax.losses.softmax_cross_entropy(output.wdl, samples.wdl).mean()
            return policy + value, (policy, value, seen)

        params, statistics = state.network
        gradient, (policy, value, seen) = jax.grad(loss, has_aux=True)(params)
        updates, momenta = optimizer.update(gradient, state.optimizer, params)
        number = state.steps + 1
        ramp = jnp.minimum(1.0, number / settings.warm_up)
        params = jax.tree.map(lambda x, change: x - rate * ramp * change, params, updates)
        network = Learned(params, _towards(statistics, seen, _STATISTICS_RATE))
        # The average starts with a short memory, or the random initial weights would linger in it.
        pace = jnp.maximum(1 - settings.average, 9 / (10 + number))
        average = _towards(state.average, Learned(params, seen), pace)
        norm = optax.tree.norm(gradient)
        return LearnerState(network, average, momenta, number), Losses(policy, value, norm)

    if steps == 1:
        state, losses = step(state, key)
    else:
        state, each = jax.lax.scan(step, state, jax.random.split(key, steps))
        losses = Losses(*(x.mean() for x in each))
    return state, losses, fold(state.average, dtype)


def _towards(old: _Tree, new: _Tree, pace: Array | float) -> _Tree:
    moved: _Tree = jax.tree.map(lambda x, y: x + pace * (y - x), old, new)
    return moved


def _turned(game: BatchGame, samples: Samples, key: Array) -> Samples:
    """Every sample transformed by a random symmetry of the game."""
    count, both = samples.planes.shape
    chosen = jax.random.randint(key, (count,), 0, len(game.cell_sources))
    cells = jnp.asarray(game.cell_sources)[chosen]
    moves = jnp.asarray(game.move_sources)[chosen]
    planes = samples.planes.reshape(count, 2, both // 2)
    return Samples(
        jnp.take_along_axis(planes, cells[:, None, :], axis=2).reshape(count, both),
        jnp.take_along_axis(samples.policy, moves, axis=1),
        samples.wdl,
    )
