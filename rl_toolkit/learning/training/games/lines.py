"""k in a row on a batch of boards: Tic-Tac-Toe, Gomoku and, with gravity, Connect Four.

All rules follow from one question: on which cells would a piece complete a line?

    . . . . .        own pieces o, three in a row wanted
    . o o . .        the cells marked + complete one
    . . . . .   ->   + o o +
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array

from rl_toolkit.envs.bases import DIRECTIONS, LineGame
from rl_toolkit.learning.training.games.base import BatchGame, StartMoves, Step, shifted


class BatchLines(BatchGame):
    """A line game; with gravity a move is a column, and the piece falls to its lowest free cell."""

    def __init__(self, env: LineGame) -> None:
        super().__init__(env)
        spec = env.kernel_spec()
        if spec is None:
            raise ValueError(f"{env.name} has a rule that training does not know")
        self.win_length, self.gravity, self.exactly = spec.win_length, spec.gravity, spec.exactly

    def legal(self, planes: Array) -> Array:
        """The empty cells; with gravity, the columns whose top cell is empty."""
        return self._as_moves(self._landings(planes))

    def step(self, planes: Array, move: Array) -> Step:
        """Place a piece; it wins if it completes a line, and a full board ends the game."""
        landings = self._landings(planes)
        chosen = jnp.arange(self.moves) == move[:, None]
        chosen = chosen[:, None, :] if self.gravity else chosen.reshape(landings.shape)
        placed = landings & chosen
        won = (placed & self.completing(planes[:, 0])).any((1, 2))
        mine = planes[:, 0] | placed
        full = (mine | planes[:, 1]).all((1, 2))
        after = jnp.stack([planes[:, 1], mine], axis=1)
        return Step(after, won.astype(jnp.float32), won | full)

    def start_moves(self, planes: Array) -> StartMoves:
        """Free moves do not end the game; safe moves also leave the opponent no immediate win."""
        landings = self._landings(planes)
        empty = ~(planes[:, 0] | planes[:, 1])
        several_left = empty.sum((1, 2), keepdims=True) > 1
        free = landings & ~self.completing(planes[:, 0]) & several_left
        lost = self.completing(planes[:, 1])  # cells where the opponent would win
        now = landings & lost
        elsewhere = now.sum((1, 2), keepdims=True) - now  # wins that a piece here leaves open
        safe = free & (elsewhere == 0)
        if self.gravity:
            safe = safe & ~shifted(lost, -1, 0)  # the cell above becomes playable
        return StartMoves(self._as_moves(free), self._as_moves(safe))

    def constant_input(self, planes: Array) -> Array:
        """Whether the mover moved first: both sides have equally many pieces."""
        counts = planes.sum((2, 3))
        return counts[:, 0] == counts[:, 1]

    def completing(self, own: Array) -> Array:
        """``[B, rows, cols]``: cells where one more piece completes a line (taken cells too)."""
        completes = jnp.zeros(own.shape, dtype=bool)
        for down, right in DIRECTIONS:
            neighbours = self._run(own, down, right) + self._run(own, -down, -right)
            wanted = self.win_length - 1
            completes |= (neighbours == wanted) if self.exactly else (neighbours >= wanted)
        return completes

    def _run(self, own: Array, down: int, right: int) -> Array:
        """For each cell the length of the own run that ends next to it, up to a full line."""
        unbroken = shifted(own, down, right)
        length = unbroken.astype(jnp.int8)
        for reach in range(2, self.win_length + self.exactly):
            unbroken = unbroken & shifted(own, reach * down, reach * right)
            length = length + unbroken
        return length

    def _landings(self, planes: Array) -> Array:
        """``[B, rows, cols]``: the cells where a piece can land."""
        taken = planes[:, 0] | planes[:, 1]
        if not self.gravity:
            return ~taken
        below = shifted(taken, 1, 0).at[:, 0].set(True)  # below row 0 is the ground
        return ~taken & below

    def _as_moves(self, cells: Array) -> Array:
        return cells.any(1) if self.gravity else cells.reshape(cells.shape[0], -1)
