"""Playing the moves of a file, where each move names its colour."""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records.errors import RecordMoveError


def play_coloured(env: BaseGameEnv, player: int, move: int, where: str) -> None:
    """Play ``move`` for ``player``.

    A pass that the file left out is added, and a pass after the end of the game is skipped, since
    programs differ in what they write. Raises `RecordMoveError` for any other move out of turn, and
    for an illegal one.
    """
    passing = env.pass_move
    if passing is not None and move == passing and env.is_terminal():
        return
    if passing is not None and env.current_player != player and env.must_pass():
        env.step(passing)
    if env.current_player != player and not env.is_terminal():
        names = env.traits.pieces
        raise RecordMoveError(f"it is {names[0 if env.current_player == 1 else 1]}'s turn", where)
    try:
        env.step(move)
    except ValueError as error:
        raise RecordMoveError(str(error), where) from error
