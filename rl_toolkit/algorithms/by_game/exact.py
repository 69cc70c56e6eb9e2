"""The engine ``exact``: for each game the solver that plays it perfectly, see `solvers`."""

from __future__ import annotations

from typing import Any

from rl_toolkit.algorithms.by_game.solvers import SOLVERS
from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv, for_game, make_game


def exact_engine(game: str | BaseGameEnv, **options: Any) -> Engine:
    """Create the exact solver of a game; ``ValueError`` for a game without one.

    >>> exact_engine("connect-four", book=None).name
    'exact'
    >>> exact_engine("gomoku")
    Traceback (most recent call last):
    ValueError: gomoku-15 has no exact solver; these games have one: connect-four, reversi
    """
    env = make_game(game) if isinstance(game, str) else game
    solver = for_game(SOLVERS, env)
    if solver is None:
        names = ", ".join(kind.traits.name for kind in SOLVERS)
        raise ValueError(f"{env.name} has no exact solver; these games have one: {names}")
    return solver.make(**options)


class ExactEngine:
    """Plays every game that has an exact solver; see `exact_engine`."""

    name = "exact"

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._solvers: dict[str, Engine] = {}

    def solver_for(self, env: BaseGameEnv) -> Engine:
        """The solver of this game, created once."""
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
        """The analysis by the solver of this game; ``ValueError`` for a game without one."""
        return self.solver_for(env).analyse(env, limit, on_progress, stop)
