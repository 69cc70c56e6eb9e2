"""Games from plain classes, as students of a course write them.

A plain class has no base class, or is on `BaseGameEnv` in its own form (`envs.derived.own_form`).
It keeps its board in any way: a list of nine, a list of rows, a NumPy array, a dictionary; its
players are ``'X'`` and ``'O'``, 1 and 2, ±1; ``step`` returns what it likes.

* `spellings`: the names under which boards, players, moves and results are found
* `boards`: read and write such a board
* `objects`: read and play one object of the class
* `learning`: find out by play how the class writes its moves, pieces and winners
* `game`: `adapt_game`, which makes a game of the toolkit from all that
"""

from rl_toolkit.envs.plain.game import (
    AdaptedGame,
    adapt_game,
    as_game,
    is_being_learned,
    own_move,
    play_move,
)

__all__ = ["AdaptedGame", "adapt_game", "as_game", "is_being_learned", "own_move", "play_move"]
