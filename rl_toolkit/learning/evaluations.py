"""Evaluations that are learned by self-play: how each game that has one is trained.

A game's own folder has a `Training`; `training_for` finds it by the game's class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rl_toolkit.envs import BaseGameEnv, Gomoku, Reversi, for_game
from rl_toolkit.utils.executors import Executor


class Step(NamedTuple):
    """How far learning is: ``done`` of ``total`` units of a step, and ``detail`` about it."""

    name: str
    done: int
    total: int
    detail: str = ""


class Wanted(NamedTuple):
    """What is to be learned, and where.

    ``plan`` has the numbers that were given of those that every plan has (positions, rounds,
    seed); ``options`` all further ones, of which a game takes its own.
    """

    env: BaseGameEnv
    folder: Path
    plan: Mapping[str, int]
    options: Mapping[str, Any]
    executor: Executor


class Training(Protocol):
    """How the evaluation of a game is trained."""

    #: The names of the further options that it takes.
    options: frozenset[str]

    def problem(self, env: BaseGameEnv) -> str | None:
        """Why there is no evaluation to train for this variant; ``None`` if there is."""

    def train(self, wanted: Wanted, on_step: Callable[[Step], None]) -> list[str]:
        """Learn, or resume; what there is to say at the end, in lines.

        `ValueError` for a folder that was started with another plan, and for a damaged file.
        """


def _reversi() -> Training:
    from rl_toolkit.learning.reversi.training import ReversiTraining  # loads compiled code

    return ReversiTraining()


def _gomoku() -> Training:
    from rl_toolkit.learning.gomoku.training import GomokuTraining  # loads compiled code

    return GomokuTraining()


_TRAININGS: dict[type[BaseGameEnv], Callable[[], Training]] = {Reversi: _reversi, Gomoku: _gomoku}


def training_for(env: BaseGameEnv) -> Training | None:
    """How the evaluation of a game is trained; ``None`` if it has none."""
    make = for_game(_TRAININGS, env)
    return make() if make is not None else None


def trained_games() -> list[str]:
    """The titles of the games whose evaluation can be trained, such as ``Reversi``."""
    return [game.traits.title for game in _TRAININGS]
