"""Batched games by name; tests compare each with the game of the same name in `envs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rl_toolkit.envs import Reversi, for_game, game_families, make_game
from rl_toolkit.envs.bases import LineGame
from rl_toolkit.learning.training.games.base import BatchGame
from rl_toolkit.learning.training.games.lines import BatchLines
from rl_toolkit.learning.training.games.reversi import BatchReversi


def batch_game(name: str) -> BatchGame:
    """The batched game called ``name``; `ValueError` for a game that cannot be trained.

    >>> batch_game("connect-four").moves
    7
    """
    env = make_game(name)
    make = for_game(_BATCHED, env)
    if make is None:
        titles = ", ".join(
            family.title for family in game_families() if for_game(_BATCHED, family.game)
        )
        raise ValueError(f"{env.name} cannot be trained; these games can: {titles}")
    return make(env)


_BATCHED: dict[type, Callable[[Any], BatchGame]] = {LineGame: BatchLines, Reversi: BatchReversi}
