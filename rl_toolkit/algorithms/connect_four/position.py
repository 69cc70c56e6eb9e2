"""Connect Four games as the bitboards of the solver, and its scores as distances."""

from __future__ import annotations

from typing import NamedTuple

from rl_toolkit.envs import BaseGameEnv, ConnectFour
from rl_toolkit.kernels.connect_four.board import position_words
from rl_toolkit.kernels.spec import fits_connect_four_solver


class Bitboards(NamedTuple):
    """The stones of the side to move and all stones, as bits; see `kernels.connect_four.board`."""

    mine: int
    taken: int


def position_of(env: ConnectFour) -> Bitboards:
    """The bitboards of an unfinished game."""
    return Bitboards(*position_words(env.board, env.current_player, env.rows, env.cols))


def after(position: Bitboards, move: int, rows: int) -> Bitboards:
    """The position after a legal move, with the other side to move."""
    foot = 1 << move * (rows + 1)
    taken = position.taken | (position.taken + foot)
    return Bitboards(position.mine ^ position.taken, taken)


def completes_four(position: Bitboards, move: int, rows: int) -> bool:
    """Whether the move completes four."""
    new = after(position, move, rows)
    stones = new.mine ^ new.taken
    for step in (1, rows, rows + 1, rows + 2):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def checked(env: BaseGameEnv) -> ConnectFour:
    """``env``, if the solver supports it; `ValueError` otherwise."""
    if not isinstance(env, ConnectFour):
        raise ValueError(f"the Connect Four solver does not play {env.name}")
    if not fits_connect_four_solver(env.kernel_spec()):
        raise ValueError(
            f"the exact solver plays four in a row on boards that fit in 64 bits with one extra "
            f"row (8 × 7, 7 × 8, 6 × 9, …), not {env.name}; minimax plays any size"
        )
    return env


def distance_of(score: int, stones: int, size: int) -> int:
    """Plies to the end with best play, from a position with ``stones`` stones on ``size`` cells.

    A draw fills the board. A win scores 1 + half the cells left empty, rounded down; that the
    winner makes the last move decides between the two possible distances.
    """
    left = size - stones
    if score == 0:
        return left
    plies = left - 2 * (abs(score) - 1)
    winner_moves_last = plies % 2 == (1 if score > 0 else 0)
    return plies if winner_moves_last else plies - 1
