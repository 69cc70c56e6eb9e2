"""The engine ``exact``: for each game the solver that plays it perfectly.

A game gets one by adding a line to `SOLVERS`. Solvers are made when a position of their game is
first seen, as each brings tables of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, make_game


def _connect_four(every_move: bool = True, **options: Any) -> Engine:
    """Every move is always proven; ``every_move`` means nothing to this one."""
    from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver

    return ConnectFourSolver(**options)


def _reversi(seed: int | None = None, every_move: bool = True, **_others: Any) -> Engine:
    """Options of other solvers mean nothing to this one."""
    from rl_toolkit.algorithms.reversi.solver import ReversiSolver

    return ReversiSolver(seed=seed, every_move=every_move)


SOLVERS: dict[str, tuple[type[BaseGameEnv], Callable[..., Engine]]] = {
    "connect-four": (ConnectFour, _connect_four),
    "reversi": (Reversi, _reversi),
}
"""By the game's name: its class, and how to make its solver; keyword options are handed on."""


def exact_engine(game: str | BaseGameEnv, **options: Any) -> Engine:
    """The solver of a game; ``ValueError`` for a game without one.

    >>> exact_engine("connect-four", book=None).name
    'exact'
    >>> exact_engine("gomoku")
    Traceback (most recent call last):
    ValueError: no exact solver plays gomoku-15; the games that have one: connect-four, reversi
    """
    env = make_game(game) if isinstance(game, str) else game
    for kind, make in SOLVERS.values():
        if isinstance(env, kind):
            return make(**options)
    raise ValueError(
        f"no exact solver plays {env.name}; the games that have one: {', '.join(SOLVERS)}"
    )


class ExactEngine:
    """Plays every game that has an exact solver, each with its own; see `exact_engine`."""

    name = "exact"

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._solvers: dict[str, Engine] = {}

    def solver_for(self, env: BaseGameEnv) -> Engine:
        """The solver of this game, made once."""
        if env.name not in self._solvers:
            self._solvers[env.name] = exact_engine(env, **self._options)
        return self._solvers[env.name]

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """What the solver of this game says; ``ValueError`` for a game without one."""
        return self.solver_for(env).analyse(env, limit, on_progress, stop)
