"""The input of a network: a position as three planes, the side to move first.

::

    plane 0   1 where the side to move has a piece
    plane 1   1 where the other side has one
    plane 2   the same number everywhere, 0 or 1. Usually: 1 if both sides have equally many
              pieces, that is if the side to move opened the game. Where pieces are counted at the
              end (Reversi): 1 if an odd number of squares is empty, so that without passes the
              side to move also moves last.

In every game the top row of the board comes first: where row 1 is at the bottom (Connect Four,
Gomoku) the rows of ``env.board`` are reversed. Moves keep the numbers of the game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rl_toolkit.envs import BaseGameEnv

Planes = npt.NDArray[np.float32]

#: Planes of a position.
PLANES = 3


def planes_of(envs: Sequence[BaseGameEnv]) -> Planes:
    """The planes of positions of one game: (positions, rows, cols, planes).

    >>> from rl_toolkit.envs import make_game
    >>> env = make_game("connect-four")
    >>> _ = env.step(3)
    >>> seen = planes_of([env])
    >>> seen.shape, seen[0, 5, 3].tolist()
    ((1, 6, 7, 3), [0.0, 1.0, 0.0])
    """
    boards = np.array([env.board for env in envs], dtype=np.int8)
    movers = np.array([env.current_player for env in envs], dtype=np.int8)[:, None]
    return planes_from(boards == movers, boards == -movers, envs[0])


def planes_from(
    mine: npt.NDArray[np.bool_], theirs: npt.NDArray[np.bool_], env: BaseGameEnv
) -> Planes:
    """The planes of positions of ``env``'s game, given each side's pieces as (positions, cells).

    Cells are in the order of ``env.board``.
    """
    planes = np.empty((len(mine), env.rows, env.cols, PLANES), dtype=np.float32)
    shape, turned = (len(mine), env.rows, env.cols), slice(None, None, _step(env))
    planes[..., 0] = mine.reshape(shape)[:, turned]
    planes[..., 1] = theirs.reshape(shape)[:, turned]
    counts, others = mine.sum(axis=1), theirs.sum(axis=1)
    if env.traits.score_unit:
        constant = (env.rows * env.cols - counts - others) % 2 == 1
    else:
        constant = counts == others
    planes[..., 2] = constant[:, None, None]
    return planes


def _step(env: BaseGameEnv) -> int:
    """The step through the rows of ``env.board`` that puts the top row first."""
    return -1 if env.traits.row_one_at == "bottom" else 1
