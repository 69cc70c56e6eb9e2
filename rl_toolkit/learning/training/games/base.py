"""Batched games for JAX: many positions of one game at once.

A position is two planes of bools, from the view of the side to move::

    planes[b, 0, row, col]   the mover's pieces in game b
    planes[b, 1, row, col]   the opponent's

with rows and columns as in ``env.board_2d`` and moves numbered as in `envs`. After every ply, even
a pass, the planes change places. The games here are small on purpose: only the rules.
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

#: Input planes of a network: mover, opponent, and one constant (see `BatchGame.inputs`).
INPUT_PLANES = 3


class Step(NamedTuple):
    """The result of a move.

    Attributes:
        planes: the position after it, from the view of the next side to move.
        reward: the result for the side that moved, +1, 0 or −1; 0 while the game is running.
        done: whether the game is over.
    """

    planes: Array
    reward: Array
    done: Array


class StartMoves(NamedTuple):
    """The moves of a random opening: usually a ``safe`` one, sometimes any ``free`` one."""

    free: Array
    safe: Array


class BatchGame(ABC):
    """The rules of one game on a batch of positions; every method works on the whole batch."""

    def __init__(self, env: BaseGameEnv) -> None:
        self.name = env.name
        self.rows, self.cols, self.moves = env.rows, env.cols, env.num_moves
        self.shown_upside_down = env.traits.row_one_at == "bottom"
        # Symmetries as gathers: the source of each cell and of each move.
        symmetries = env.symmetries()
        self.cell_sources = np.stack([np.argsort(symmetry.cells) for symmetry in symmetries])
        self.move_sources = np.stack([np.argsort(symmetry.moves) for symmetry in symmetries])
        self._start = np.asarray(planes_of(env))

    @abstractmethod
    def legal(self, planes: Array) -> Array:
        """``[B, moves]``: the legal moves of unfinished games."""

    @abstractmethod
    def step(self, planes: Array, move: Array) -> Step:
        """Play one legal move in every game; the result of an illegal move is undefined."""

    @abstractmethod
    def start_moves(self, planes: Array) -> StartMoves:
        """The moves that a random opening may play; see `games.starts`."""

    @abstractmethod
    def constant_input(self, planes: Array) -> Array:
        """``[B]``: the value of the constant input plane."""

    def start(self, count: int) -> Array:
        """``count`` games at the initial position."""
        return jnp.broadcast_to(self._start, (count, *self._start.shape))

    def inputs(self, planes: Array, dtype: DTypeLike) -> Array:
        """``[B, rows, cols, 3]``: the input of the network, the top row of the board first."""
        seen = planes[:, :, ::-1] if self.shown_upside_down else planes
        constant = self.constant_input(planes)[:, None, None]
        constant = jnp.broadcast_to(constant, seen[:, 0].shape)
        return jnp.stack([seen[:, 0], seen[:, 1], constant], axis=-1).astype(dtype)


def planes_of(env: BaseGameEnv) -> NDArray[np.bool_]:
    """The two planes of a single unfinished game."""
    board = env.board_2d
    return np.stack([board == env.current_player, board == -env.current_player])


def shifted(cells: Array, down: int, right: int) -> Array:
    """The board shifted by ``down`` rows and ``right`` columns; cells that leave it are lost."""
    outer = [(0, 0, 0)] * (cells.ndim - 2)
    return jax.lax.pad(cells, False, [*outer, (down, -down, 0), (right, -right, 0)])


def where_games(choose: Array, yes: Array, no: Array) -> Array:
    """``jnp.where`` with one bool per game, for arrays of any rank."""
    return jnp.where(choose.reshape(choose.shape + (1,) * (yes.ndim - 1)), yes, no)
