"""Names of moves in files, where indices are not accepted."""

from __future__ import annotations

import re

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError
from rl_toolkit.utils import shown


def move_named(env: BaseGameEnv, word: str) -> int:
    """The move that ``word`` names, in upper or lower case; it need not be legal.

    `BaseGameEnv.parse_move` also accepts an index or ``row,col``, as typed by people. In a file a
    number is more likely a mistake, so it raises `InvalidMoveError` with the name to use.

    >>> from rl_toolkit.envs import TicTacToe
    >>> move_named(TicTacToe(), "B2")
    4
    """
    move = env.parse_move(word)
    name = env.move_name(move)
    if re.match(r"\s*[0-9]", word) and name != word.strip().lower():
        raise InvalidMoveError(f"{shown(word)} is not the name of a move; write {name}")
    return move
