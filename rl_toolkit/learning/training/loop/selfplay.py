"""Self-play: a chunk of plies in many games at once, and its training targets.

Games continue from chunk to chunk; one that ends is replaced by a new one from `games.starts`. The
policy target of a position is the policy improved by search. Its value target follows the game: the
result if it ended within the chunk, else search values, blended by TD(λ)::

    target(t) = flip( (1 − λ) · searched(t+1) + λ · target(t+1) ),   exact at the end of a game
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from rl_toolkit.learning.training.games.base import BatchGame, where_games
from rl_toolkit.learning.training.games.starts import random_starts
from rl_toolkit.learning.training.loop.devices import Devices, Share
from rl_toolkit.learning.training.loop.network import Layers, apply_folded
from rl_toolkit.learning.training.loop.replay import Samples
from rl_toolkit.learning.training.loop.search import Evaluate, Found, SearchSettings, search
from rl_toolkit.learning.training.settings import Settings

_POOL = 2  # new starts prepared, as a multiple of the games


class Lanes(NamedTuple):
    """The games in progress.

    Attributes:
        planes: the positions.
        plies: the number of plies played; if it is even, the first player is to move.
        trail: a hash of the start and all moves, which identifies equal games.
    """

    planes: Array
    plies: Array
    trail: Array


class Facts(NamedTuple):
    """Statistics of a chunk; means are over its positions.

    ``ended`` and ``trails`` (``[plies, games]``) say where games ended, and their hashes.
    """

    games: Array
    draws: Array
    first_wins: Array
    plies: Array
    target_entropy: Array
    prior_entropy: Array
    top_share: Array
    value_mean: Array
    value_spread: Array
    ended: Array
    trails: Array


class _Ply(NamedTuple):
    """One ply in all games, as recorded by the scan."""

    planes: Array
    policy: Array
    searched: Array  # win, draw, loss by search
    reward: Array
    done: Array
    plies: Array
    trail: Array
    prior: Array
    wdl: Array


def network_evaluator(game: BatchGame, network: Layers) -> Evaluate:
    """A folded network as the evaluation function of a search."""
    dtype = network["stem"]["w"].dtype
    return lambda planes: apply_folded(network, game.inputs(planes, dtype))


def search_settings(settings: Settings, game: BatchGame, simulations: int) -> SearchSettings:
    """The search settings of a run, with a number of simulations."""
    return SearchSettings(
        simulations=simulations,
        considered=min(settings.considered, game.moves),
        discount=settings.discount,
        value_scale=settings.value_scale,
    )


def new_lanes(game: BatchGame, settings: Settings, key: Array, count: int) -> Lanes:
    """New games at positions from `games.starts`."""
    started = random_starts(game, key, count, settings.starts)
    cells = started.planes.reshape(count, -1).astype(jnp.uint32)
    weights = jax.random.bits(jax.random.key(1), (cells.shape[1],))
    return Lanes(started.planes, started.plies, (cells * weights).sum(1, dtype=jnp.uint32))


def play_chunk(
    game: BatchGame,
    settings: Settings,
    simulations: int,
    network: Layers,
    lanes: Lanes,
    key: Array,
    devices: Devices | None = None,
) -> tuple[Lanes, Samples, Facts]:
    """Play ``settings.plies`` plies in every game with a folded network."""
    how = search_settings(settings, game, simulations)
    start_key, play_key = jax.random.split(key)
    pool = new_lanes(game, settings, start_key, _POOL * settings.games)

    def ply(
        network: Layers, pool: Lanes, share: Share, now: Lanes, key: Array
    ) -> tuple[Lanes, _Ply]:
        search_key, pool_key = jax.random.split(key)
        evaluate, scale = network_evaluator(game, network), settings.gumbel_scale
        searched = search(game, evaluate, now.planes, search_key, how, scale, share)
        step = game.step(now.planes, searched.move)
        trail = (now.trail ^ (searched.move.astype(jnp.uint32) + 1)) * jnp.uint32(16777619)
        choose = partial(jax.random.randint, pool_key, minval=0, maxval=len(pool.planes))
        fresh = share(choose, step.done.shape)
        onward = Lanes(
            where_games(step.done, pool.planes[fresh], step.planes),
            jnp.where(step.done, pool.plies[fresh], now.plies + 1),
            jnp.where(step.done, pool.trail[fresh], trail),
        )
        record = _Ply(
            planes=now.planes.reshape(len(now.planes), -1),
            policy=searched.policy,
            searched=_searched_wdl(searched),
            reward=step.reward,
            done=step.done,
            plies=now.plies,
            trail=trail,
            prior=searched.prior,
            wdl=searched.wdl,
        )
        return onward, record

    def plies(
        network: Layers, lanes: Lanes, rest: tuple[Lanes, Array], share: Share
    ) -> tuple[Lanes, _Ply]:
        pool, keys = rest
        return jax.lax.scan(partial(ply, network, pool, share), lanes, keys)

    devices = devices or Devices(settings, 1)
    rest = (pool, jax.random.split(play_key, settings.plies))
    lanes, played = devices.each_plays(plies)(network, lanes, rest)
    targets = _value_targets(played, settings.trace, settings.discount)
    flat = Samples(*(x.reshape(-1, x.shape[-1]) for x in (played.planes, played.policy, targets)))
    return lanes, flat, _facts(played)


def _searched_wdl(searched: Found) -> Array:
    """Win, draw and loss that match the search value, with the draws of the network."""
    value = jnp.clip(searched.value, -1, 1)
    draw = jnp.minimum(searched.wdl[:, 1], 1 - jnp.abs(value))
    return jnp.stack([(1 - draw + value) / 2, draw, (1 - draw - value) / 2], axis=-1)


def _value_targets(played: _Ply, trace: float, discount: float) -> Array:
    """``[plies, games, 3]``: the value targets, from the last ply of the chunk to the first."""

    def earlier(
        later: tuple[Array, Array, Array], now: _Ply
    ) -> tuple[tuple[Array, Array, Array], Array]:
        target, searched, is_last = later
        result = jnp.stack([now.reward > 0, now.reward == 0, now.reward < 0], axis=-1)
        ahead = ((1 - trace) * searched + trace * target)[:, ::-1]  # the opponent's win is a loss
        drawn = 1 - discount * (ahead[:, 0] + ahead[:, 2])
        ahead = jnp.stack([discount * ahead[:, 0], drawn, discount * ahead[:, 2]], axis=-1)
        ahead = jnp.where(is_last, now.searched, ahead)
        here = jnp.where(now.done[:, None], result.astype(jnp.float32), ahead)
        return (here, now.searched, jnp.zeros_like(is_last)), here

    nothing = jnp.zeros_like(played.searched[0])
    first = (nothing, nothing, jnp.ones((len(nothing), 1), bool))
    return jax.lax.scan(earlier, first, played, reverse=True)[1]


def _facts(played: _Ply) -> Facts:
    ended = played.done
    games = jnp.maximum(ended.sum(), 1)
    first_moved = played.plies % 2 == 0
    first_won = jnp.where(first_moved, played.reward > 0, played.reward < 0)
    value = played.wdl[..., 0] - played.wdl[..., 2]
    return Facts(
        games=ended.sum(),
        draws=(ended & (played.reward == 0)).sum() / games,
        first_wins=(ended & first_won).sum() / games,
        plies=jnp.where(ended, played.plies + 1, 0).sum() / games,
        target_entropy=entropy(played.policy).mean(),
        prior_entropy=entropy(played.prior).mean(),
        top_share=played.policy.max(-1).mean(),
        value_mean=value.mean(),
        value_spread=value.std(),
        ended=ended,
        trails=played.trail,
    )


def entropy(probabilities: Array) -> Array:
    """The entropy of distributions in nats."""
    return -jax.scipy.special.xlogy(probabilities, probabilities).sum(-1)
