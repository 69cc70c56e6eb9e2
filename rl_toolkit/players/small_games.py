"""Games from outside the toolkit that are small enough to be searched to the end in plain Python.

Nobody has measured such a game, so its size is found out by playing it: its tree is counted as far
as a few hundred moves reach, and a few random games show whether every move fills a cell.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from weakref import WeakKeyDictionary

import numpy as np

from rl_toolkit.envs import BaseGameEnv

#: Boards that are looked at, and those where it is enough that every move fills a cell: on nine
#: cells there are then at most 6,046 positions.
_CELLS, _CELLS_TO_FILL = 16, 9
_MOVES = 1_000  # to be played while the tree is counted
_GAMES = 20

_known: WeakKeyDictionary[type[BaseGameEnv], dict[Hashable, int | None]] = WeakKeyDictionary()


def plies_to_the_end(env: BaseGameEnv) -> int | None:
    """A depth that every line of the game fits in, ``None`` if a complete search takes too long."""
    known = _known.setdefault(type(env), {})
    key = (env.name, env.rows, env.cols)
    if key not in known:
        known[key] = _found(env)
    return known[key]


def _found(env: BaseGameEnv) -> int | None:
    cells = env.rows * env.cols
    if cells > _CELLS:
        return None
    try:
        game = env.copy()
        game.reset()
        longest = _counted(game)
        if longest is None and cells <= _CELLS_TO_FILL and env.traits.has_grid and _fills(game):
            longest = 2 * cells  # there may be passes
    except Exception:  # a mistake in the game; whoever plays it hears of it
        return None
    return longest


def _counted(game: BaseGameEnv) -> int | None:
    """The length of the longest game, ``None`` if there are cycles or too many moves."""
    heights: dict[Hashable, int] = {}
    path: set[Hashable] = set()
    moves = 0

    def height() -> int | None:
        nonlocal moves
        key = game.get_state_hash()
        if key in heights:
            return heights[key]
        if key in path:
            return None
        path.add(key)
        highest = 0
        for move in game.get_legal_moves():
            moves += 1
            if moves > _MOVES:
                return None
            game.step(move)
            below = height()
            game.undo()
            if below is None:
                return None
            highest = max(highest, below + 1)
        path.remove(key)
        heights[key] = highest
        return highest

    return height()


def _fills(game: BaseGameEnv) -> bool:
    """Whether in a few random games every move fills a cell, or passes."""
    rng = random.Random(0)
    for _ in range(_GAMES):
        game.reset()
        while not game.is_terminal():
            before, move = np.count_nonzero(game.board), rng.choice(game.get_legal_moves())
            game.step(move)
            if np.count_nonzero(game.board) <= before and move != game.pass_move:
                return False
    return True
