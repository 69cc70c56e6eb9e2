"""What a learner sees: planes of pieces, and a mask of legal moves.

A position on a grid is three planes of zeros and ones, seen by one player::

    plane 0   own pieces
    plane 1   the other player's pieces
    plane 2   ones if this player is to move, else zeros

with the shape (3, rows, cols) and row 1 first. A game of OpenSpiel is seen as the library's own
observation tensor.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv


@runtime_checkable
class Observable(Protocol):
    """A game that says itself what a player sees."""

    def observation(self, player: int) -> NDArray[np.float32]:
        """The position as ``player`` sees it, in an array of constant shape."""


def observe(env: BaseGameEnv, player: int) -> NDArray[Any]:
    """The position as ``player`` sees it: int8 planes, or a float32 tensor of the game's own.

    Raises ``ValueError`` for a game that has neither a grid nor a tensor.

    >>> from rl_toolkit.envs import make_game
    >>> env = make_game("tictactoe")
    >>> _ = env.step("b2")
    >>> observe(env, -1)[:, 1].tolist()
    [[0, 0, 0], [0, 1, 0], [1, 1, 1]]
    """
    if isinstance(env, Observable):
        return env.observation(player)
    if not env.traits.has_grid:
        raise ValueError(f"{env.name} has no grid, so there is nothing for a learner to see")
    board = env.board_2d
    to_move = not env.is_terminal() and env.current_player == player
    return np.stack([board == player, board == -player, np.full_like(board, to_move)]).astype(
        np.int8
    )


def limits_of(env: BaseGameEnv) -> tuple[float, float]:
    """The least and the largest number that an observation can hold."""
    return (-np.inf, np.inf) if isinstance(env, Observable) else (0, 1)


def action_mask(env: BaseGameEnv, *, to_move: bool = True) -> NDArray[np.int8]:
    """For each move 1 if it is legal now, else 0; all 0 for a player who is not to move."""
    mask = np.zeros(env.num_moves, dtype=np.int8)
    if to_move:
        mask[env.get_legal_moves()] = 1
    return mask
