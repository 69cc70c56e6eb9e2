"""The engine ``gomoku``: proofs by threats, and a search with a learned evaluation.

For each move it looks for a win by fours, then for one by threats; otherwise it searches 1, 2, 3 …
plies deep until its time is up. With a second or more it then asks whether the chosen move loses to
threats, and if so takes another.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

from rl_toolkit.algorithms.gomoku.plan import Plan
from rl_toolkit.algorithms.gomoku.root import RootSearch, checked
from rl_toolkit.algorithms.gomoku.weights import load_weights, shipped_weights
from rl_toolkit.algorithms.search_control import SearchClock, interruptible, report
from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import LineRule
from rl_toolkit.kernels.threads import crew

#: The time limit when no limit is given.
DEFAULT_SECONDS = 2.0


class GomokuEngine:
    """Plays Gomoku on boards of all sizes by both rules.

    Args:
        max_memory_mb: memory cap on the tables.
        every_move: value every move, not only the best one; leaves less time for depth.
        seed: choose among equally good moves, and among the openings of the book, at random.
        weights: a file with a learned evaluation, `WeightsError` if it cannot be used; by default
            the one shipped for the rule.
        proofs: look for wins by threats, and check the chosen move against those of the other side.
        solve: use the whole limit to prove who wins; otherwise the search ends when the move is
            chosen.
        threads: how many threads search; with more than one a search is not repeatable. Proofs by
            threats stay on one.
    """

    name = "gomoku"

    def __init__(
        self,
        *,
        max_memory_mb: float = 64,
        every_move: bool = False,
        seed: int | None = None,
        weights: str | os.PathLike[str] | None = None,
        proofs: bool = True,
        solve: bool = False,
        threads: int = 1,
    ) -> None:
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        self.max_memory_mb, self.every_move, self.seed = max_memory_mb, every_move, seed
        self.weights, self.proofs, self.solve = weights, proofs, solve
        self.threads = crew.checked(threads)
        self._space: Workspace | None = None
        if weights is not None:
            load_weights(weights, None)  # reject a damaged file before a game begins

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Estimate the legal moves, and prove wins and losses where threats decide.

        Without ``every_move`` only the best move has an estimate of its own at full depth; the
        score of the others, in points of the evaluation, is an upper bound, and their value comes
        from earlier searches. A proven distance is that of the proof: the game is over by then.
        ``threat`` is the line of a win that the other side would have if this side passed.
        """
        game = checked(env)
        limit = limit or Limit()
        if (limit.time, limit.nodes, limit.depth) == (None, None, None):
            limit = replace(limit, time=DEFAULT_SECONDS)
        space = self._space_for(game.rows, game.win_rule)
        space.make()  # the compiler's time is not the engine's
        before = space.nodes
        with SearchClock(limit.time, stop) as clock:
            space.watch(clock.flag, limit.nodes)
            space.new_search()
            root = RootSearch(game, space, self.seed, every_move=self.every_move)

            def analysis() -> Analysis:
                return Analysis.of(
                    game,
                    self.name,
                    root.candidates(),
                    nodes=space.nodes - before,
                    depth=root.depth,
                    elapsed=clock.elapsed,
                    seed=self.seed,
                    threads=space.threads,
                    threat=root.threat,
                )

            def progress() -> None:
                # Building an analysis takes milliseconds, and after a stop the last one follows.
                if on_progress is not None and not clock.expired:
                    report(on_progress, analysis())

            if root.legal:
                plan = Plan(root, limit, clock, stop, progress, solve=self.solve)
                steps = partial(plan.run, every_move=self.every_move, proofs=self.proofs)
                interruptible(steps, clock.flag)
            return analysis()

    def check_files(self, env: BaseGameEnv) -> None:
        """Raise `WeightsError` if the engine's own files are not for the rule of ``env``."""
        rule = checked(env).win_rule
        if self.weights is not None:
            load_weights(self.weights, rule)

    def forget(self) -> None:
        """Empty the tables."""
        if self._space is not None:
            self._space.forget()

    def _space_for(self, size: int, rule: LineRule) -> Workspace:
        """The memory of the searches; new for another board or rule."""
        space = self._space
        if space is None or (space.size, space.rule) != (size, rule):
            own = self.weights
            evaluation = shipped_weights(rule) if own is None else load_weights(own, rule)
            space = self._space = Workspace(size, rule, evaluation, self.max_memory_mb)
        space.use(crew.allowed(self.threads))
        return space
