"""Moves as Gomocup writes them: ``7,7``, column and row counted from 0 at the top left."""

from __future__ import annotations

import re

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.utils import shown


def can_play(env: BaseGameEnv) -> bool:
    """Whether the protocol can play this game: five in a row, without gravity."""
    spec = env.kernel_spec()
    return isinstance(spec, LineSpec) and spec.win_length == 5 and not spec.gravity


def is_exact(env: BaseGameEnv) -> bool:
    """Whether six in a row do not win."""
    spec = env.kernel_spec()
    return isinstance(spec, LineSpec) and spec.exactly


def square_of(env: BaseGameEnv, move: int) -> str:
    """A move as the protocol writes it.

    >>> from rl_toolkit.envs import make_game
    >>> square_of(make_game("gomoku"), make_game("gomoku").parse_move("b1"))
    '1,14'
    """
    row, col = divmod(move, env.cols)
    return f"{col},{_flipped(env, row)}"


def move_of(env: BaseGameEnv, text: str) -> int:
    """The move that ``x,y`` names; raises `InvalidMoveError` if it is not on the board."""
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", text)
    if match is None:
        raise InvalidMoveError(f"{shown(text)} is not x,y")
    col, row = int(match[1]), int(match[2])
    if not (col < env.cols and row < env.rows):
        raise InvalidMoveError(f"{shown(text.strip())} is not on the board")
    return _flipped(env, row) * env.cols + col


def _flipped(env: BaseGameEnv, row: int) -> int:
    return row if env.traits.row_one_at == "top" else env.rows - 1 - row
