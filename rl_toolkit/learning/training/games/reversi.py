"""Reversi on a batch of boards, passes and all.

A ray of opponent's discs is followed from own discs until it leaves them; the empty cell behind it
is a legal move, and the discs on the ray are turned over by it::

    X O O .      X own, O opponent's
      1 2 !      followed in two steps, legal at !
"""

from __future__ import annotations

from itertools import product

import jax.numpy as jnp
from jax import Array

from rl_toolkit.envs.reversi import Reversi
from rl_toolkit.learning.training.games.base import BatchGame, StartMoves, Step, shifted

_RAYS = [(down, right) for down, right in product((-1, 0, 1), repeat=2) if down or right]


class BatchReversi(BatchGame):
    """The mover's discs first; the last move is the pass."""

    def __init__(self, env: Reversi) -> None:
        super().__init__(env)
        self._longest = self.rows - 2  # discs that one ray can turn over

    def legal(self, planes: Array) -> Array:
        """Cells that turn something over; the pass where there is none."""
        cells = self._placements(planes[:, 0], planes[:, 1]).reshape(planes.shape[0], -1)
        return jnp.concatenate([cells, ~cells.any(1, keepdims=True)], axis=1)

    def step(self, planes: Array, move: Array) -> Step:
        """Place and turn over, or pass; over when neither side can place, more discs win."""
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
        """All legal moves: none ends the game or loses it at once as in line games."""
        legal = self.legal(planes)
        return StartMoves(legal, legal)

    def constant_input(self, planes: Array) -> Array:
        """Whether the number of empty cells is odd: who moves now then also moves last."""
        empty = ~(planes[:, 0] | planes[:, 1])
        return empty.sum((1, 2)) % 2 == 1

    def _placements(self, mine: Array, theirs: Array) -> Array:
        empty = ~(mine | theirs)
        found = jnp.zeros(mine.shape, dtype=bool)
        for down, right in _RAYS:
            found |= shifted(self._followed(mine, theirs, down, right), down, right)
        return found & empty

    def _followed(self, origin: Array, theirs: Array, down: int, right: int) -> Array:
        """The opponent's discs on unbroken rays from ``origin`` in one direction."""
        ray = shifted(origin, down, right) & theirs
        for _ in range(self._longest - 1):
            ray |= shifted(ray, down, right) & theirs
        return ray
