"""`OwnMinimax`: the search of a `MinimaxSolver` whose subclass has its own `_minimax`.

`PythonNegamax` searches a whole tree in one call. People who override ``_minimax`` want to see,
change or count every position, so here each child goes through the solver's own method again.
Values are those of player +1, as in the courses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rl_toolkit.algorithms.minimax.negamax import (
    BYTES_PER_ENTRY,
    EXACT,
    LOWER,
    UNLIMITED,
    UPPER,
    WIN,
    Entry,
    Result,
    SearchStopped,
)
from rl_toolkit.algorithms.minimax.report import legal_moves, ranked
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import Analysis, Candidate, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import shown

if TYPE_CHECKING:
    from rl_toolkit.algorithms.minimax.solver import MinimaxSolver


class OwnMinimax:
    """The table of such a solver, and what it makes of the values that its `_minimax` returns."""

    def __init__(self, solver: MinimaxSolver) -> None:
        self.table: dict[Hashable, Entry] = {}
        self._solver = solver
        self._game: tuple[type, str] | None = None
        self._flag = np.zeros(1, dtype=np.int64)
        self._most_nodes = self._most_entries = 1 << 62

    def begin(self, env: BaseGameEnv) -> None:
        """Make the table one for ``env``; what a search to some depth has stored is forgotten."""
        game = (type(env), env.name)
        if game != self._game or self._solver.max_depth is not None:
            self.table.clear()
        self._game = game
        room = self._solver.max_memory_mb * 2**20
        self._most_entries = int(room / (BYTES_PER_ENTRY + env.rows * env.cols))

    def step(self, env: BaseGameEnv, depth: int, alpha: float, beta: float) -> float:
        """The textbook's value of a position; its children are valued by the solver's `_minimax`.

        Above ``alpha`` and below ``beta`` the value is exact, else it is a bound, and kept as one.
        """
        solver = self._solver
        solver.nodes_evaluated += 1
        if self._flag[0] or solver.nodes_evaluated > self._most_nodes:
            raise SearchStopped
        if env.is_terminal():
            return env.get_result(1)
        left = UNLIMITED if solver.max_depth is None else solver.max_depth - depth
        if left <= 0:
            return solver.worth(env, 1)
        key = env.get_state_hash()
        entry = self.table.get(key) if solver.use_memoization else None
        if entry is not None and entry.depth >= left:
            value = entry.score
            is_low = entry.bound == UPPER and value <= alpha
            is_high = entry.bound == LOWER and value >= beta
            if entry.bound == EXACT or is_low or is_high:
                solver.cache_hits += 1
                return value
        maximizes = env.current_player == 1
        best, low, high = -inf if maximizes else inf, alpha, beta
        for _, after in _after_each(env):
            window = (low, high) if solver.use_pruning else (-inf, inf)
            value = self._value(after, depth + 1, *window)
            best = max(best, value) if maximizes else min(best, value)
            if solver.use_pruning:
                low, high = (max(low, best), high) if maximizes else (low, min(high, best))
                if low >= high:
                    break
        if solver.use_memoization and len(self.table) < self._most_entries:
            bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            self.table[key] = Entry(best, left, bound, -1, 1)
        return best

    def values(self, env: BaseGameEnv) -> dict[int, float]:
        """The value of every move."""
        self.begin(env)
        return {move: self._value(after, 1) for move, after in _after_each(env)}

    def analysis(
        self,
        env: BaseGameEnv,
        limit: Limit,
        on_progress: ProgressCallback | None,
        stop: StopSignal | None,
    ) -> Analysis:
        """An analysis made of the values of the moves; moves that were not reached are unknown.

        Nothing is called proven, because the values are those of the subclass. A limit ends the
        search when our own `_minimax` is reached next, at the latest after a move of the root.
        """
        self.begin(env)
        solver, values = self._solver, dict[int, float]()
        nodes, depth = solver.nodes_evaluated, solver.max_depth
        if limit.depth is not None:
            solver.max_depth = min(limit.depth, depth or UNLIMITED)
        self._most_nodes = nodes + (limit.nodes or 1 << 62)
        with SearchClock(limit.time, stop) as clock:
            self._flag = clock.flag

            def so_far() -> Analysis:
                return self._analysis(env, values, solver.nodes_evaluated - nodes, clock.elapsed)

            try:
                for move, after in _after_each(env):
                    if clock.expired or solver.nodes_evaluated > self._most_nodes:
                        break
                    values[move] = self._value(after, 1)
                    if on_progress is not None:
                        report(on_progress, so_far())
            except SearchStopped:
                pass
            finally:
                solver.max_depth, self._most_nodes = depth, 1 << 62
                self._flag = np.zeros(1, dtype=np.int64)
            return so_far()

    def _value(self, env: BaseGameEnv, depth: int, alpha: float = -inf, beta: float = inf) -> float:
        """What the solver's `_minimax` returns; `TypeError` if that is not a number."""
        value: Any = self._solver._minimax(env, depth, env.current_player == 1, alpha, beta)
        if not isinstance(value, (int, float, np.number)) or value != value:
            raise TypeError(
                f"{type(self._solver).__name__}._minimax returned {shown(value)}; "
                "it must return a number, the value of the position for player +1"
            )
        return float(value)

    def _analysis(
        self, env: BaseGameEnv, values: dict[int, float], nodes: int, elapsed: float
    ) -> Analysis:
        solver = self._solver
        candidates = [
            Candidate(move, env.move_name(move), line=(move,))
            for move in ranked(env, results_of(env, values), solver.options, solver.seed)
        ]
        valued = [
            replace(each, value=_within_one(values[each.move] * env.current_player))
            if each.move in values
            else each
            for each in candidates
        ]
        note = f"The values are those of {type(solver).__name__}._minimax"
        if not values and candidates:
            note = f"{type(solver).__name__}._minimax valued no move in time; set max_depth"
        return Analysis.of(
            env,
            solver.name,
            valued,
            nodes=nodes,
            elapsed=elapsed,
            seed=solver.seed,
            notes=(note,),
        )


def as_score(value: float) -> float:
    """A value as the score of a search, in which results are far from estimates."""
    return value if abs(value) < 1 else value * WIN


def results_of(env: BaseGameEnv, values: dict[int, float]) -> dict[int, Result]:
    """Values of player +1 as results of a search for the side to move."""
    side = env.current_player
    return {
        move: Result(as_score(value * side) + 0.0, True, (move,)) for move, value in values.items()
    }


def _after_each(env: BaseGameEnv) -> Iterator[tuple[int, BaseGameEnv]]:
    """Every legal move with the position after it, a game of its own."""
    for move in legal_moves(env):
        after = env.copy()
        after.step(move)
        yield move, after


def _within_one(value: float) -> float:
    """A value on a scale of the subclass's own, cut to what a value can be."""
    return max(-1.0, min(1.0, value)) + 0.0
