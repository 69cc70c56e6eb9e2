"""Chunks of recorded games instead of chunks that are played; see `training.recorded_games`."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.starts import IMPOSSIBLE
from rl_toolkit.learning.training.loop.network import Layers
from rl_toolkit.learning.training.loop.replay import Samples, store
from rl_toolkit.learning.training.loop.selfplay import Facts, entropy, network_evaluator
from rl_toolkit.learning.training.recorded_games import Chunk


class Guess(NamedTuple):
    """What the network says of some positions before it learns from them; means."""

    prior_entropy: Array
    value_mean: Array
    value_spread: Array


def take_in(
    game: BatchGame, asked: int, network: Layers, ring: Samples, place: Array, chunk: Samples
) -> tuple[Samples, Guess]:
    """The ring with a chunk at ``place``, and the guess at its first ``asked`` positions."""
    planes = chunk.planes[:asked].reshape(-1, 2, game.rows, game.cols)
    output = network_evaluator(game, network)(planes)
    prior = jax.nn.softmax(jnp.where(game.legal(planes), output.policy, IMPOSSIBLE))
    wdl = jax.nn.softmax(output.wdl)
    value = wdl[:, 0] - wdl[:, 2]
    return store(ring, chunk, place), Guess(entropy(prior).mean(), value.mean(), value.std())


def recorded_facts(chunk: Chunk, guess: Guess) -> Facts:
    """The statistics of a chunk; a game counts in the chunk that has its last position."""
    ended = chunk.is_last
    games = max(1, int(ended.sum()))
    policy = chunk.policy
    certain = np.where(policy > 0, policy, 1.0)
    facts: dict[str, Any] = {
        "games": ended.sum(),
        "draws": (chunk.first_result[ended] == 0).sum() / games,
        "first_wins": (chunk.first_result[ended] > 0).sum() / games,
        "plies": chunk.length[ended].sum() / games,
        "target_entropy": -(policy * np.log(certain)).sum(-1).mean(),
        "prior_entropy": guess.prior_entropy,
        "top_share": policy.max(-1).mean(),
        "value_mean": guess.value_mean,
        "value_spread": guess.value_spread,
        "ended": ended,
        "trails": chunk.trail,
    }
    return Facts(**facts)
