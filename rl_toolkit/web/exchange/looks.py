"""What pages need to know of a game to draw its boards (`look_of`) and to name it (`title_of`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.registry import family_of
from rl_toolkit.utils.svg import COLOURS

_FIELDS: dict[str, Callable[[BaseGameEnv], object]] = {
    "title": lambda env: env.traits.title,
    "family": lambda env: env.traits.name,
    "rows": lambda env: env.rows,
    "cols": lambda env: env.cols,
    "style": lambda env: env.traits.style,
    "row_one_at": lambda env: env.traits.row_one_at,
    "pieces": lambda env: list(env.traits.pieces),
    "colours": lambda env: (
        None
        if env.traits.piece_colours is None
        else [COLOURS[name].main for name in env.traits.piece_colours]
    ),
    "has_grid": lambda env: env.traits.has_grid,
    "free_results": lambda env: env.traits.free_results,
}
#: What every drawing needs.
_ALWAYS = ("family", "style", "row_one_at")


def look_of(env: BaseGameEnv, *more: str) -> dict[str, Any]:
    """How boards of the game are drawn, with the further fields that this page uses.

    >>> from rl_toolkit.envs import make_game
    >>> look_of(make_game("connect-four"), "rows")
    {'family': 'connect-four', 'style': 'discs', 'row_one_at': 'bottom', 'rows': 6}
    """
    return {name: _FIELDS[name](env) for name in (*_ALWAYS, *more)}


def title_of(name: str) -> str:
    """What people call the game of that name, with its board where that is not the usual one.

    >>> [title_of(name) for name in ("gomoku-15", "reversi-6", "tictactoe-5x5x4")]
    ['Gomoku', 'Reversi 6×6', 'Tic-Tac-Toe 5×5×4']
    """
    env, family = make_game(name), family_of(name)
    if family is None:
        return env.traits.title
    if make_game(family.name).name == env.name:
        return family.title
    board = env.name.removeprefix(f"{family.name}-").replace("x", "×")
    return f"{family.title} {f'{board}×{board}' if board.isdecimal() else board}"
