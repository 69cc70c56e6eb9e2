"""The replay buffer, on the training device: a ring of the latest chunks.

::

    chunk   7   8   3   4   5   6       the next one overwrites chunk 3
            └── window ──┘              samples come from the newest few (here 5 6 7 8 …)
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.typing import DTypeLike

from rl_toolkit.learning.training.games.base import BatchGame


class Samples(NamedTuple):
    """Positions and their training targets.

    Attributes:
        planes: ``[N, 2 · cells]`` bool, see `learning.training.games.base`.
        policy: ``[N, moves]``, the policy improved by search.
        wdl: ``[N, 3]``, the value target: win, draw, loss for the side to move.
    """

    planes: Array
    policy: Array
    wdl: Array


def empty_ring(game: BatchGame, positions: int, dtype: DTypeLike = jnp.float16) -> Samples:
    """An empty ring for ``positions`` positions."""
    return Samples(
        planes=jnp.zeros((positions, 2 * game.rows * game.cols), bool),
        policy=jnp.zeros((positions, game.moves), dtype),
        wdl=jnp.zeros((positions, 3), dtype),
    )


def store(ring: Samples, chunk: Samples, place: Array) -> Samples:
    """The ring with a chunk written at ``place``."""

    def written(old: Array, new: Array) -> Array:
        return jax.lax.dynamic_update_slice_in_dim(old, new.astype(old.dtype), place, 0)

    return Samples(*map(written, ring, chunk))


def draw(ring: Samples, key: Array, count: int, end: Array, window: Array) -> Samples:
    """Draw ``count`` samples from the ``window`` positions that end before ``end``."""
    back = jax.random.randint(key, (count,), 1, window + 1)
    place = (end - back) % len(ring.planes)
    return Samples(
        ring.planes[place],
        ring.policy[place].astype(jnp.float32),
        ring.wdl[place].astype(jnp.float32),
    )
