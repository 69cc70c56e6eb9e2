"""A batched game by its name, held to the game of the same name in `envs`."""

from __future__ import annotations

from rl_toolkit.envs import Reversi, make_game
from rl_toolkit.envs.line_game import LineGame
from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.lines import BatchLines
from rl_toolkit.learning.training.games.reversi import BatchReversi


def batch_game(name: str) -> BatchGame:
    """The batched game called ``name``, as in the registry of `envs`.

    >>> batch_game("connect-four").moves
    7
    """
    env = make_game(name)
    if isinstance(env, LineGame):
        return BatchLines(env)
    if isinstance(env, Reversi):
        return BatchReversi(env)
    raise ValueError(f"{name} cannot be trained: it is neither a line game nor Reversi")
