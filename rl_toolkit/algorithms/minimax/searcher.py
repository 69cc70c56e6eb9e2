"""`Searcher`: what `MinimaxSolver` asks of a search, be it Python or machine code."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.minimax.negamax import Options, PythonNegamax, Result
from rl_toolkit.envs import BaseGameEnv


class Searcher(Protocol):
    """One search, in Python or compiled: see `PythonNegamax`."""

    node_limit: int
    flag: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def hits(self) -> int:
        """How often the table made a search unnecessary."""

    @property
    def deepest(self) -> int:
        """The deepest ply reached."""

    @property
    def table(self) -> Mapping[Hashable, Any]:
        """The transposition table, as far as it can be looked into."""

    @property
    def table_full(self) -> bool:
        """Whether the memory cap kept something from being stored."""

    def search(self, env: BaseGameEnv, depth: int, alpha: float, beta: float) -> Result:
        """Score the position."""

    def search_move(self, env: BaseGameEnv, move: int, depth: int) -> Result:
        """Score one move of the position."""


def make_searcher(
    env: BaseGameEnv, options: Options, max_memory_mb: float, *, compiled: bool
) -> Searcher:
    """A searcher for the game of ``env``: compiled if asked for and to be had, else Python."""
    if compiled:
        from rl_toolkit.algorithms.minimax.compiled_negamax import compiled_negamax

        searcher = compiled_negamax(env, options, max_memory_mb)
        if searcher is not None:
            return searcher
    return PythonNegamax(env, options, max_memory_mb)
