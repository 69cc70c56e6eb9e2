"""Many positions of one game at once, for JAX.

A position is two planes of bools, always seen by the side to move::

    planes[b, 0, row, col]   the mover's pieces in game b
    planes[b, 1, row, col]   the opponent's

with rows and columns as in ``env.board_2d`` and moves numbered as in `envs`. After every ply (a
pass too) the planes change places. The games here are small on purpose: the rules, nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.typing import DTypeLike
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv

#: Planes a network is shown: mover, opponent, and one constant (see `BatchGame.inputs`).
INPUT_PLANES = 3


class Step(NamedTuple):
    """What a move leads to.

    Attributes:
        planes: the position after it, seen by the next to move.
        reward: the result for the one who moved, +1, 0 or −1; 0 while the game runs.
        done: whether the game is over.
    """

    planes: Array
    reward: Array
    done: Array


class StartMoves(NamedTuple):
    """Which moves a random opening may play: ``free`` ones now and then, ``safe`` ones mostly."""

    free: Array
    safe: Array


class BatchGame(ABC):
    """The rules of one game on a batch of positions; every method works on the whole batch."""

    def __init__(self, env: BaseGameEnv) -> None:
        self.name = env.name
        self.rows, self.cols, self.moves = env.rows, env.cols, env.num_moves
        self.shown_upside_down = env.traits.row_one_at == "bottom"
        # Symmetries as gathers: which cell, which move comes to stand here.
        symmetries = env.symmetries()
        self.cell_sources = np.stack([np.argsort(symmetry.cells) for symmetry in symmetries])
        self.move_sources = np.stack([np.argsort(symmetry.moves) for symmetry in symmetries])
        self._start = np.asarray(planes_of(env))

    @abstractmethod
    def legal(self, planes: Array) -> Array:
        """``[B, moves]``: the moves that may be played, if the game is not over."""

    @abstractmethod
    def step(self, planes: Array, move: Array) -> Step:
        """Play one legal move in every game; what illegal moves lead to is undefined."""

    @abstractmethod
    def start_moves(self, planes: Array) -> StartMoves:
        """The moves that a random opening may play, see `starts`."""

    @abstractmethod
    def constant_input(self, planes: Array) -> Array:
        """``[B]``: the constant plane of the network's input."""

    def start(self, count: int) -> Array:
        """``count`` games at their first move."""
        return jnp.broadcast_to(self._start, (count, *self._start.shape))

    def inputs(self, planes: Array, dtype: DTypeLike) -> Array:
        """``[B, rows, cols, 3]``: what the network sees, the top row first as boards are shown."""
        seen = planes[:, :, ::-1] if self.shown_upside_down else planes
        constant = self.constant_input(planes)[:, None, None]
        constant = jnp.broadcast_to(constant, seen[:, 0].shape)
        return jnp.stack([seen[:, 0], seen[:, 1], constant], axis=-1).astype(dtype)


def planes_of(env: BaseGameEnv) -> NDArray[np.bool_]:
    """The two planes of a single game that is not over."""
    board = env.board_2d
    return np.stack([board == env.current_player, board == -env.current_player])


def shifted(cells: Array, down: int, right: int) -> Array:
    """Every cell's content moved so many rows and columns; what leaves the board is lost."""
    outer = [(0, 0, 0)] * (cells.ndim - 2)
    return jax.lax.pad(cells, False, [*outer, (down, -down, 0), (right, -right, 0)])


def where_games(choose: Array, yes: Array, no: Array) -> Array:
    """``jnp.where`` with one bool for each game, whatever a game consists of."""
    return jnp.where(choose.reshape(choose.shape + (1,) * (yes.ndim - 1)), yes, no)
