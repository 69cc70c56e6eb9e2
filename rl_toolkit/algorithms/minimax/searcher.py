"""`Searcher`: the interface between `MinimaxSolver` and its two searches, Python and compiled."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.minimax.evaluation import Evaluation
from rl_toolkit.algorithms.minimax.negamax import Options, PythonNegamax, Result
from rl_toolkit.envs import BaseGameEnv


class Searcher(Protocol):
    """One search, in Python or compiled: see `PythonNegamax`."""

    threads: int
    node_limit: int
    flag: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def hits(self) -> int:
        """Positions answered by the table."""

    @property
    def deepest(self) -> int:
        """The deepest ply reached."""

    @property
    def table(self) -> Mapping[Hashable, Any]:
        """The transposition table, for reading."""

    def table_key(self, env: BaseGameEnv) -> Hashable:
        """The key of a position in the table."""

    @property
    def table_full(self) -> bool:
        """Whether the memory cap prevented an entry from being stored."""

    def search(self, env: BaseGameEnv, depth: int, alpha: float, beta: float) -> Result:
        """Score the position."""

    def search_move(self, env: BaseGameEnv, move: int, depth: int) -> Result:
        """Score one move of the position."""

    def search_moves(
        self, env: BaseGameEnv, moves: Sequence[int], depth: int
    ) -> tuple[dict[int, Result], bool]:
        """Score each of these moves, until stopped; and whether all were finished."""


def make_searcher(
    env: BaseGameEnv,
    options: Options,
    max_memory_mb: float,
    *,
    compiled: bool,
    worth: Evaluation,
    threads: int = 1,
) -> Searcher:
    """A searcher for the game of ``env``: compiled if requested and available, else Python.

    Only the search in Python asks ``worth``, and only the compiled one uses several threads.
    """
    if compiled:
        from rl_toolkit.algorithms.minimax.compiled_negamax import compiled_negamax

        searcher = compiled_negamax(env, options, max_memory_mb, threads)
        if searcher is not None:
            return searcher
    return PythonNegamax(env, options, max_memory_mb, worth)
