"""`MinimaxSolver`: the value of each move with best play by both sides.

``MinimaxSolver()`` is the textbook algorithm: alpha-beta pruning and a table, moves in index order,
values −1, 0, +1. Every further technique is a switch; `MinimaxSolver.strong` turns all of them on
and is the engine that people play against. The search itself is in `algorithms.minimax.negamax`;
where a game has compiled rules the same search runs as machine code, with the same answers and node
counts.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Self, TypeVar, overload

import numpy as np

from rl_toolkit.adapting import as_game, own_move
from rl_toolkit.algorithms.minimax.evaluation import (
    Evaluation,
    check_evaluation,
    checked_evaluation,
)
from rl_toolkit.algorithms.minimax.memo import Memo
from rl_toolkit.algorithms.minimax.negamax import (
    UNLIMITED,
    Options,
    Result,
    is_decisive,
    plies_to_end,
)
from rl_toolkit.algorithms.minimax.own_minimax import OwnMinimax, as_score, results_of
from rl_toolkit.algorithms.minimax.report import (
    candidate_of,
    is_won,
    legal_moves,
    of_plain_result,
    ranked,
    value_of,
    wins_at_once,
)
from rl_toolkit.algorithms.minimax.searcher import Searcher, make_searcher
from rl_toolkit.algorithms.search_control import SearchClock, interruptible, report
from rl_toolkit.algorithms.simple.tactics import fork_results, plain_results
from rl_toolkit.analysis import (
    AmericanSpelling,
    Analysis,
    Limit,
    ProgressCallback,
    StopSignal,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.threads import crew
from rl_toolkit.utils import assessment, is_own

#: The number of empty cells up to which Python is faster than loading the machine code.
SMALL_POSITION = 9
#: The time limit of `analyse` for larger positions when no limit is given.
DEFAULT_SECONDS = 5.0


#: A search one ply deeper takes about this many times as long.
_GROWTH = 4

T = TypeVar("T")

#: The techniques beyond the textbook, each a switch of `MinimaxSolver`.
IDEAS = (
    "use_ordering",
    "use_symmetry",
    "use_distance",
    "use_pvs",
    "use_threats",
    "use_dead_lines",
    "use_iterative_deepening",
)


class _Switch:
    """A technique as an attribute of the solver: setting it acts on the next search."""

    def __init__(self, option: str) -> None:
        self._option = option

    @overload
    def __get__(self, solver: None, owner: type) -> Self: ...
    @overload
    def __get__(self, solver: MinimaxSolver, owner: type) -> bool: ...
    def __get__(self, solver: MinimaxSolver | None, owner: type) -> Self | bool:
        return self if solver is None else bool(getattr(solver.options, self._option))

    def __set__(self, solver: MinimaxSolver, on: bool) -> None:
        solver.options = replace(solver.options, **{self._option: bool(on)})


class MinimaxSolver(AmericanSpelling):
    """Minimax over any `BaseGameEnv`, compiled for games with kernels.

    Args:
        max_depth: search depth in plies; positions at the horizon get the game's heuristic.
        use_pruning: alpha-beta.
        use_memoization: a transposition table of exact values and bounds.
        use_ordering: search promising moves first.
        use_symmetry: mirror images share one table entry.
        use_distance: prefer faster wins and slower losses.
        use_pvs: principal-variation search.
        use_threats: search only immediate wins, else only blocks of one, where there are any.
        use_dead_lines: stop where the side that must win no longer can.
        use_iterative_deepening: depth 1, 2, 3 … in turn (always with a time or node limit).
        compiled: use machine code; by default for positions with more than nine empty cells.
        max_memory_mb: memory cap on the table; a note says when it is reached.
        seed: choose among equally good moves at random; without one the first is taken.
        evaluate: a function ``f(env, player)`` that says what a position at the horizon is worth
            to ``player``, from −1 to 1, in place of the game's heuristic. It must not change
            ``env``. The search then runs in Python, whatever ``compiled`` says.
        threads: how many threads `analyse` uses if it is compiled and not very short, each for a
            move; with more than one a search is not repeatable.

    A subclass may override `_minimax`, the step of the textbook, and `_generate_reasoning`, the
    words for a value. With a `_minimax` of its own every position goes through it, also in
    `analyse`; the search then runs in Python, without the techniques beyond the textbook.

    Attributes:
        nodes_evaluated: positions visited since `reset_stats`.
        cache_hits: positions answered by the table.

    Every ``use_…`` argument is an attribute too; a new setting acts on the next search. An argument
    out of its range raises ``ValueError``.
    """

    name = "minimax"

    use_pruning = _Switch("pruning")
    use_memoization = _Switch("memoization")
    use_ordering = _Switch("ordering")
    use_symmetry = _Switch("symmetry")
    use_distance = _Switch("distance")
    use_pvs = _Switch("pvs")
    use_threats = _Switch("threats")
    use_dead_lines = _Switch("dead_lines")

    def __init__(
        self,
        max_depth: int | None = None,
        use_pruning: bool = True,
        use_memoization: bool = True,
        *,
        use_ordering: bool = False,
        use_symmetry: bool = False,
        use_distance: bool = False,
        use_pvs: bool = False,
        use_threats: bool = False,
        use_dead_lines: bool = False,
        use_iterative_deepening: bool = False,
        compiled: bool | None = None,
        max_memory_mb: float = 512,
        seed: int | None = None,
        evaluate: Evaluation | None = None,
        threads: int = 1,
    ) -> None:
        check_evaluation(evaluate)
        self.threads = crew.checked(threads)
        if max_depth is not None and (
            isinstance(max_depth, bool) or not isinstance(max_depth, int) or max_depth < 1
        ):
            raise ValueError(f"max_depth must be a whole number of at least 1, not {max_depth!r}")
        if not (isinstance(max_memory_mb, (int, float)) and 0 < max_memory_mb < inf):
            raise ValueError(f"max_memory_mb must be a positive number, not {max_memory_mb!r}")
        self.max_depth = max_depth
        self.options = Options(
            pruning=use_pruning,
            memoization=use_memoization,
            ordering=use_ordering,
            symmetry=use_symmetry,
            distance=use_distance,
            pvs=use_pvs,
            threats=use_threats,
            dead_lines=use_dead_lines,
        )
        self.use_iterative_deepening = use_iterative_deepening
        self.compiled = compiled
        self.max_memory_mb = max_memory_mb
        self.seed = seed
        self.evaluate = evaluate
        self._lock = threading.Lock()
        self.reset_stats()

    @classmethod
    def strong(cls, max_depth: int | None = None, **others: Any) -> MinimaxSolver:
        """The solver with every technique switched on."""
        return cls(max_depth, **(dict.fromkeys(IDEAS, True) | others))

    # ------------------------------------------------------------------ course API

    def reset_stats(self) -> None:
        """Set the counters to zero and clear the table."""
        self.nodes_evaluated = 0
        self.cache_hits = 0
        self._kept: tuple[Hashable, Searcher] | None = None
        self._last: Searcher | None = None
        self._own = OwnMinimax(self)

    @property
    def memo(self) -> Memo:
        """The table of the last search by the course API: the values of positions, for player +1.

        What is known only as a bound is in ``memo.bounds``; see `Memo`. A `_minimax` of a subclass
        may store values in it.
        """
        if self._has_own_minimax:
            return Memo(self._own.table, lambda env: env.get_state_hash())
        if self._last is None:
            return Memo({}, BaseGameEnv.get_state_hash)
        return Memo(self._last.table, self._last.table_key)

    def get_best_action(self, env: BaseGameEnv, maximize: bool | None = None) -> int:
        """The best move for the side to move; an immediate win before any other winning move.

        ``maximize`` is accepted for the courses' sake; the side to move decides. ``env`` may be an
        object without a base class (see `envs.adapt_game`); its own move is then returned.
        """
        env = as_game(env)
        results = self._all_moves(env)
        best = max(result.score for result in results.values())
        tied = [move for move, result in results.items() if result.score == best]
        tied = [move for move in tied if best > 0 and wins_at_once(env, move)] or tied
        best_move = tied[0] if self.seed is None else random.Random(self.seed).choice(tied)
        chosen: int = own_move(env, best_move)
        return chosen

    def get_candidate_evaluations(
        self, env: BaseGameEnv, maximize: bool | None = None
    ) -> dict[int, dict[str, Any]]:
        """The ``value`` (player +1's view), ``reasoning`` and ``is_best`` of every legal move."""
        env = as_game(env)
        player, values = env.current_player, dict[int, float]()
        if self._has_own_minimax:
            values = self._own_values(env)
            results, distances = results_of(env, values), dict[int, int]()
        else:
            results = self._all_moves(env)
            distances = self._distances(env, results)
        best = max(result.score for result in results.values())
        own_words = is_own(self._generate_reasoning, MinimaxSolver._generate_reasoning)
        found = {}
        for move, result in results.items():
            value = values.get(move, value_of(result.score) * player) + 0.0
            if own_words:
                words = self._generate_reasoning(value=value, from_perspective=player == 1)
            else:
                words = assessment(value * player, distances.get(move))
            is_best = result.score == best
            found[own_move(env, move)] = {"value": value, "reasoning": words, "is_best": is_best}
        return found

    def value(self, env: BaseGameEnv) -> float:
        """The value of the position for player +1, by one search from here."""
        env = as_game(env)
        return float(self._minimax(env, 0, env.current_player == 1, -inf, inf))

    def _generate_reasoning(self, value: float, from_perspective: bool) -> str:
        """The words for a value of player +1; ``from_perspective`` is whether +1 is to move.

        A subclass may override it. Ours does not know how long a win takes, so
        `get_candidate_evaluations` has better words as long as it is not overridden.
        """
        return assessment(value if from_perspective else -value)

    def _minimax(
        self,
        env: BaseGameEnv,
        depth: int = 0,
        maximize: bool | None = None,
        alpha: float = -inf,
        beta: float = inf,
    ) -> float:
        """The value of the position for player +1, ``depth`` plies below the root.

        A subclass may override it: then every position of the search goes through its method,
        which may call this one for the step of the textbook.

        >>> from rl_toolkit.envs import make_game
        >>> class Counting(MinimaxSolver):
        ...     calls = 0
        ...     def _minimax(self, env, depth=0, maximize=None, alpha=-inf, beta=inf):
        ...         self.calls += 1
        ...         return super()._minimax(env, depth, maximize, alpha, beta)
        >>> solver = Counting(use_memoization=False)
        >>> solver.get_best_action(make_game("tictactoe").after([0, 4, 8])), solver.calls
        (1, 459)
        """
        env = as_game(env)
        if self._has_own_minimax:
            if depth == 0:
                self._own.begin(env)
            return self._own.step(env, depth, alpha, beta)
        if env.is_terminal():
            self.nodes_evaluated += 1
            return env.get_result(1)
        window = (as_score(alpha), as_score(beta))
        low, high = window if env.current_player == 1 else (-window[1], -window[0])
        last = max(0, self._depth - depth)

        def search(searcher: Searcher) -> Result:
            for horizon in range(1, last) if self.use_iterative_deepening else ():
                result = searcher.search(env, horizon, low, high)
                if result.settled:
                    return result
            return searcher.search(env, last, low, high)

        return value_of(self._run(env, search).score) * env.current_player + 0.0

    # ---------------------------------------------------------------------- engine

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse every legal move within ``limit``.

        Every move is searched until its result is proven, also if another one already wins; under
        a clock, moves besides a proven win only as long as that seems possible in time. Wins and
        losses that the board shows, and within the depth also forks (with ``use_threats``), are
        proven without a search; moves that were not reached are unknown.
        """
        env = as_game(env)
        limit = self._with_default(limit or Limit(), env)
        if self._has_own_minimax:
            self._refuse_ideas()
            return self._own.analysis(env, limit, on_progress, stop)
        # Compiles, if necessary, before the clock starts.
        searcher = self._new_searcher(env, crew.allowed(self.threads))
        deepest = min(self._depth, limit.depth or UNLIMITED)
        forks = fork_results(env) if self.options.threats and deepest > 2 else {}
        # A shallow search sees no further than its depth, and the reply to each move.
        shown = {move: fork for move, fork in forks.items() if len(fork.line) <= deepest}
        shown |= plain_results(env)
        plain = {move: of_plain_result(found, self.options) for move, found in shown.items()}
        results: dict[int, Result] = {}
        depth_done = 0
        with SearchClock(limit.time, stop) as clock:
            searcher.flag = clock.flag
            searcher.node_limit = limit.nodes or searcher.node_limit

            def so_far() -> Analysis:
                return self._analysis(env, results, plain, searcher, depth_done, clock.elapsed)

            for depth in self._depths(limit, stop):
                begin = clock.elapsed
                finished = self._deepen(searcher, env, depth, results)
                if finished:
                    depth_done = min(depth, max(1, searcher.deepest))
                    if on_progress is not None:
                        report(on_progress, so_far())
                if not finished or all(result.settled for result in results.values()):
                    break
                if is_won(results) and _next_is_too_long(clock.elapsed, begin, limit):
                    break
            self.nodes_evaluated += searcher.nodes
            self.cache_hits += searcher.hits
            return so_far()

    def _deepen(
        self, searcher: Searcher, env: BaseGameEnv, depth: int, results: dict[int, Result]
    ) -> bool:
        """Search every unsettled move to ``depth``, best first; True if all were finished.

        When stopped half-way, new results are used only where they are final: scores of different
        depths cannot be compared.
        """
        moves = ranked(env, results, self.options, self.seed) if results else legal_moves(env)
        unsettled = [move for move in moves if move not in results or not results[move].settled]
        found, finished = searcher.search_moves(env, unsettled, depth)
        results.update(
            {
                move: result
                for move, result in found.items()
                if finished or move not in results or result.settled
            }
        )
        return finished

    def _analysis(
        self,
        env: BaseGameEnv,
        results: dict[int, Result],
        plain: dict[int, Result],
        searcher: Searcher,
        depth: int,
        elapsed: float,
    ) -> Analysis:
        known = results | {
            move: result
            for move, result in plain.items()
            if move not in results or not results[move].settled
        }
        estimates = self.evaluate is not None or bool(env.traits.has_heuristic)
        candidates = [
            candidate_of(env, move, known.get(move), self.options, estimates=estimates)
            for move in ranked(env, known, self.options, self.seed)
        ]
        notes = []
        if searcher.table_full:
            notes.append(f"The table reached its memory cap of {self.max_memory_mb:g} MB")
        return Analysis.of(
            env,
            self.name,
            candidates,
            nodes=searcher.nodes,
            depth=depth,
            elapsed=elapsed,
            seed=self.seed,
            threads=searcher.threads,
            notes=tuple(notes),
        )

    # ----------------------------------------------------------------- small pieces

    @property
    def _depth(self) -> int:
        return self.max_depth or UNLIMITED

    def _with_default(self, limit: Limit, env: BaseGameEnv) -> Limit:
        """``limit``, or a few seconds for a large position without any limit."""
        limits = (limit.time, limit.nodes, limit.depth, self.max_depth)
        if limits == (None,) * 4 and _empty_cells(env) > SMALL_POSITION:
            return replace(limit, time=DEFAULT_SECONDS)
        return limit

    def _depths(self, limit: Limit, stop: StopSignal | None) -> Iterable[int]:
        last = min(self._depth, limit.depth or UNLIMITED)
        in_steps = self.use_iterative_deepening or limit.time or limit.nodes or stop is not None
        return range(1, last + 1) if in_steps else (last,)

    def _all_moves(self, env: BaseGameEnv) -> dict[int, Result]:
        if self._has_own_minimax:
            return results_of(env, self._own_values(env))
        moves = _moves_of(env)
        return self._run(
            env,
            lambda searcher: {move: searcher.search_move(env, move, self._depth) for move in moves},
        )

    @property
    def _has_own_minimax(self) -> bool:
        return is_own(self._minimax, MinimaxSolver._minimax)

    def _own_values(self, env: BaseGameEnv) -> dict[int, float]:
        """The value of every move by the `_minimax` of a subclass, for player +1."""
        self._refuse_ideas()
        _moves_of(env)
        return self._own.values(env)

    def _refuse_ideas(self) -> None:
        ideas = [idea for idea in IDEAS if getattr(self, idea)]
        if ideas:
            raise ValueError(
                f"{type(self).__name__} has its own _minimax, which does not use {ideas[0]}; "
                "switch that off"
            )

    @property
    def worth(self) -> Evaluation:
        """What evaluates a position at the horizon: ``evaluate``, checked, else the game."""
        return checked_evaluation(self.evaluate)

    def _distances(self, env: BaseGameEnv, results: dict[int, Result]) -> dict[int, int]:
        """Plies to the end after each move that wins or loses by force."""
        decisive = [move for move, result in results.items() if is_decisive(result.score)]
        if self.options.distance:
            return {move: plies_to_end(results[move].score) for move in decisive}
        distances = {move: 1 for move in decisive if wins_at_once(env, move)}
        if len(distances) < len(decisive):
            solver = MinimaxSolver.strong(
                self.max_depth,
                use_iterative_deepening=False,
                compiled=self.compiled,
                max_memory_mb=self.max_memory_mb / 4,
            )
            for move, result in solver._all_moves(env).items():
                if move in decisive and is_decisive(result.score):
                    distances[move] = plies_to_end(result.score)
        return distances

    def _run(self, env: BaseGameEnv, search: Callable[[Searcher], T]) -> T:
        """Run ``search`` on the searcher of the course API, and count its nodes.

        One search at a time, because the searcher is shared; Ctrl-C interrupts machine code too.
        """
        with self._lock:
            searcher = self._searcher(env)
            nodes, hits = searcher.nodes, searcher.hits
            try:
                return interruptible(partial(search, searcher), searcher.flag)
            finally:
                self.nodes_evaluated += searcher.nodes - nodes
                self.cache_hits += searcher.hits - hits
                self._last = searcher
                searcher.flag[0] = 0

    def _searcher(self, env: BaseGameEnv) -> Searcher:
        """The searcher of the course API, which keeps its memo from call to call.

        With a depth limit every call gets a new searcher: deeper entries of earlier calls would
        make the answer depend on them.
        """
        if self.max_depth is not None or type(env).kernel_spec is BaseGameEnv.kernel_spec:
            return self._new_searcher(env)
        key = (type(env), env.name, self.options, self._wants_compiled(env), self.evaluate)
        if self._kept is None or self._kept[0] != key:
            self._kept = (key, self._new_searcher(env))
        return self._kept[1]

    def _wants_compiled(self, env: BaseGameEnv) -> bool:
        if self.evaluate is not None:
            return False
        if self.compiled is not None:
            return self.compiled
        return _empty_cells(env) > SMALL_POSITION and env.kernel_spec() is not None

    def _new_searcher(self, env: BaseGameEnv, threads: int = 1) -> Searcher:
        how = self._wants_compiled(env)
        return make_searcher(
            env,
            self.options,
            self.max_memory_mb,
            compiled=how,
            worth=self.worth,
            threads=threads,
        )


def _moves_of(env: BaseGameEnv) -> list[int]:
    """The legal moves; `ValueError` if there are none."""
    moves = legal_moves(env)
    if not moves:
        raise ValueError("there is no legal move: the game is over")
    return moves


def _next_is_too_long(now: float, begin: float, limit: Limit) -> bool:
    """Whether the next depth, after one that took from ``begin`` to ``now``, is out of reach."""
    return limit.time is not None and _GROWTH * (now - begin) > limit.time - now


def _empty_cells(env: BaseGameEnv) -> int:
    return int(np.count_nonzero(np.asarray(env.board) == 0))
