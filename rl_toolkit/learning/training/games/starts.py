"""Starting positions for self-play.

If every game began at the initial position, the network would see little beyond its favourite
openings. So most games begin after some random plies. Purely random moves would make late positions
trivial (one side can win immediately), hence *safe* moves: they neither win nor allow an immediate
win, except that sometimes (``noise``) any move that does not end the game is allowed.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from rl_toolkit.learning.training.games.base import BatchGame, where_games
from rl_toolkit.learning.training.settings import StartMix

IMPOSSIBLE = -1e9  # the logit of a move that must not be chosen


class Started(NamedTuple):
    """Positions, and the number of plies played to reach each."""

    planes: Array
    plies: Array


def random_starts(game: BatchGame, key: Array, count: int, mix: StartMix) -> Started:
    """``count`` unfinished games after random plies, distributed as in ``mix``.

    If no move is allowed, the game begins one ply earlier; a game that would end begins before its
    end.
    """
    keys = jax.random.split(key, 4)
    kind = jax.random.uniform(keys[0], (count,))
    early = jax.random.randint(keys[1], (count,), 1, mix.early_plies + 1)
    late = jax.random.randint(keys[2], (count,), mix.late_plies[0], mix.late_plies[1] + 1)
    wanted = jnp.where(kind < mix.empty, 0, jnp.where(kind < mix.empty + mix.early, early, late))

    def ply(
        state: tuple[Started, Started, Array], turn: tuple[Array, Array]
    ) -> tuple[tuple[Started, Started, Array], None]:
        now, before, stopped = state
        number, key = turn
        choose, noise_key = jax.random.split(key)
        free, safe = game.start_moves(now.planes)
        allowed = jnp.where(jax.random.bernoulli(noise_key, mix.noise, (count, 1)), free, safe)
        move = jax.random.categorical(choose, jnp.where(allowed, 0.0, IMPOSSIBLE))
        after = game.step(now.planes, move)
        going = ~stopped & (number < wanted)
        back = going & ~allowed.any(1)
        on = going & ~back & ~after.done
        here = Started(
            where_games(back, before.planes, where_games(on, after.planes, now.planes)),
            jnp.where(back, before.plies, now.plies + on),
        )
        previous = Started(
            where_games(on, now.planes, before.planes), jnp.where(on, now.plies, before.plies)
        )
        return (here, previous, stopped | ~on), None

    first = Started(game.start(count), jnp.zeros(count, dtype=jnp.int32))
    longest = max(mix.early_plies, mix.late_plies[1])
    turns = (jnp.arange(longest), jax.random.split(keys[3], longest))
    (reached, _, _), _ = jax.lax.scan(ply, (first, first, jnp.zeros(count, dtype=bool)), turns)
    return reached
