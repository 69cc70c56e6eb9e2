"""Moves as words in a file, where only a move's own name counts."""

from __future__ import annotations

import re

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError
from rl_toolkit.envs.validation import shown


def move_named(env: BaseGameEnv, word: str) -> int:
    """The move that ``word`` names, in either case, whether legal or not.

    `BaseGameEnv.parse_move` also takes an index or ``row,col`` from a person at the keyboard. In
    a written game a lone number is more likely a slip, so it is refused with the name to use.

    >>> from rl_toolkit.envs import TicTacToe
    >>> move_named(TicTacToe(), "B2")
    4
    """
    move = env.parse_move(word)
    name = env.move_name(move)
    if re.match(r"\s*[0-9]", word) and name != word.strip().lower():
        raise InvalidMoveError(f"{shown(word)} is not the name of a move; write {name}")
    return move
