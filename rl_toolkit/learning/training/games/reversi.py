"""Reversi on a batch of boards, passes included.

Rays of opponent's discs are followed from own discs; the empty cell behind a ray is a legal move,
which flips the discs on the ray::

    X O O .      X own, O opponent's
      1 2 !      followed in two steps, legal at !
"""

from __future__ import annotations

from itertools import product

import jax.numpy as jnp
from jax import Array

from rl_toolkit.envs import Reversi
from rl_toolkit.learning.training.games.base import BatchGame, StartMoves, Step, shifted

_RAYS = [(down, right) for down, right in product((-1, 0, 1), repeat=2) if down or right]


class BatchReversi(BatchGame):
    """The mover's discs first; the last move is the pass."""

    def __init__(self, env: Reversi) -> None:
        super().__init__(env)
        self._longest = self.rows - 2  # discs that one ray can flip

    def legal(self, planes: Array) -> Array:
        """The cells that flip at least one disc; the pass if there is none."""
        cells = self._placements(planes[:, 0], planes[:, 1]).reshape(planes.shape[0], -1)
        return jnp.concatenate([cells, ~cells.any(1, keepdims=True)], axis=1)

    def step(self, planes: Array, move: Array) -> Step:
        """Place a disc and flip others, or pass; the game ends when neither side can place."""
        mine, theirs = planes[:, 0], planes[:, 1]
        placed = (jnp.arange(self.moves - 1) == move[:, None]).reshape(mine.shape)
        turned = jnp.zeros(mine.shape, dtype=bool)
        for down, right in _RAYS:
            ray = self._followed(placed, theirs, down, right)
            closed = (shifted(ray, down, right) & mine).any((1, 2), keepdims=True)
            turned |= ray & closed
        mine, theirs = mine | placed | turned, theirs & ~turned
        stuck = ~self._placements(theirs, mine).any((1, 2))
        done = stuck & ~self._placements(mine, theirs).any((1, 2))
        margin = mine.sum((1, 2)) - theirs.sum((1, 2))
        reward = jnp.where(done, jnp.sign(margin), 0).astype(jnp.float32)
        return Step(jnp.stack([theirs, mine], axis=1), reward, done)

    def start_moves(self, planes: Array) -> StartMoves:
        """All legal moves: unlike in line games, no move loses immediately."""
        legal = self.legal(planes)
        return StartMoves(legal, legal)

    def constant_input(self, planes: Array) -> Array:
        """Whether the number of empty cells is odd: without passes the mover then moves last."""
        empty = ~(planes[:, 0] | planes[:, 1])
        return empty.sum((1, 2)) % 2 == 1

    def _placements(self, mine: Array, theirs: Array) -> Array:
        empty = ~(mine | theirs)
        placements = jnp.zeros(mine.shape, dtype=bool)
        for down, right in _RAYS:
            placements |= shifted(self._followed(mine, theirs, down, right), down, right)
        return placements & empty

    def _followed(self, origin: Array, theirs: Array, down: int, right: int) -> Array:
        """The opponent's discs on unbroken rays from ``origin`` in one direction."""
        ray = shifted(origin, down, right) & theirs
        for _ in range(self._longest - 1):
            ray |= shifted(ray, down, right) & theirs
        return ray
