"""Grow a search tree within a limit and turn it into an `Analysis`; shared by MCTS and PUCT.

Whether simulations end in a playout or in a network's evaluation is up to the tree. Here they run
in slices; between slices the clock, the stop signal and Ctrl-C are checked and progress is
reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.mcts.report import Bonus, SearchNode, candidates, distance, tree_view
from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.algorithms.simple.tactics import plain_results
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    Outcome,
    ProgressCallback,
    StopSignal,
    TreeView,
)
from rl_toolkit.envs import BaseGameEnv

#: The most simulations one tree can hold: visits are counted in 32 bits.
MOST_SIMULATIONS = (1 << 31) - 2
_REPORT_EVERY = 0.1  # seconds
_FIRST_SLICE = 16  # simulations
_SLICE = 0.03  # seconds of search between two checks of the clock and of Ctrl-C

_OPPOSITE: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


class Tree(Protocol):
    """A search tree that can be grown and read; see `algorithms.mcts.tree.PythonTree`."""

    flag: NDArray[np.int64]
    node_limit: int

    @property
    def simulations(self) -> int:
        """Simulations run so far."""

    @property
    def nodes(self) -> int:
        """Nodes created so far."""

    @property
    def deepest(self) -> int:
        """The greatest depth reached below the root, in plies."""

    @property
    def full(self) -> bool:
        """Whether the memory cap prevented a node from being created."""

    @property
    def settled(self) -> bool:
        """Whether the result of the root is proven."""

    @property
    def root(self) -> SearchNode:
        """The root in its current state."""

    def snapshot(self) -> SearchNode:
        """The root of a view of the tree that stays valid after the search."""


def grow(
    tree: Tree,
    run: Callable[[int, int], None],
    analyse: Callable[[float], Analysis],
    limit: Limit,
    on_progress: ProgressCallback | None,
    stop: StopSignal | None,
) -> Analysis:
    """Run simulations until ``limit`` is reached, ``stop`` is set or the result is proven.

    ``run(some, most)`` runs about ``some`` simulations and never more than ``most``;
    ``analyse(elapsed)`` returns the analysis of the tree after that many seconds.
    """
    tree.node_limit = limit.nodes or 1 << 62
    left = MOST_SIMULATIONS - tree.root.visit_count
    left = min(left, limit.simulations or MOST_SIMULATIONS)
    with SearchClock(limit.time, stop) as clock:
        tree.flag = clock.flag
        size, reported = _FIRST_SLICE, 0.0
        while True:
            begin, before = clock.elapsed, tree.simulations
            run(min(size, left), left)
            left -= tree.simulations - before
            if left <= 0 or clock.expired or tree.settled or tree.nodes >= tree.node_limit:
                break
            if tree.full and limit.time is None and limit.simulations is None:
                break  # the tree can never reach the node limit
            now = clock.elapsed
            size = size * 2 if now - begin < _SLICE else max(1, size // 2)
            if on_progress is not None and now - reported >= _REPORT_EVERY:
                reported = now
                report(on_progress, analyse(now))
        return analyse(clock.elapsed)


class TreeAnalysisBuilder:
    """Turns the current state of a tree into an `Analysis`.

    Args:
        engine: the name of the engine.
        env: the position at the root of ``tree``.
        bonus: the exploration term of a child's UCT score.
        tactics: whether the tree skips moves that ignore a forced one.
        proofs: whether results that the board shows count as proven.
        max_memory_mb: the memory cap on the tree, named in a note when it is reached.
        priors: the network's priors of the moves, if there is a network.
        expected: the value of the position if no move has one.
        trusted: moves with at least this share of the highest visit count are ranked by value;
            without it all moves are ranked by visits.
        notes: notes of the engine, before those on the search.
        threads: how many threads search.
    """

    def __init__(
        self,
        engine: str,
        env: BaseGameEnv,
        tree: Tree,
        bonus: Bonus,
        *,
        tactics: bool,
        max_memory_mb: float,
        seed: int,
        proofs: bool = True,
        priors: Mapping[int, float] | None = None,
        expected: float | None = None,
        trusted: float | None = None,
        notes: tuple[str, ...] = (),
        threads: int = 1,
    ) -> None:
        self._threads = threads
        self._engine, self._env, self._tree, self._seed = engine, env, tree, seed
        self._bonus, self._max_memory_mb = bonus, max_memory_mb
        self._priors, self._expected, self._own_notes = priors or {}, expected, notes
        self._trusted = trusted
        self._moves = env.get_legal_moves()
        named = self._moves if env.names_vary else range(env.num_moves)
        self._names = {move: env.move_name(move) for move in named}
        self._sees_wins = tactics and env.wins_by_lines
        self._plain = plain_results(env) if proofs else {}

    def analysis(self, elapsed: float) -> Analysis:
        """The analysis of the tree as it is; later searches do not change it."""
        tree, root = self._tree, self._tree.root
        found = candidates(
            root,
            self._moves,
            self._plain,
            self._names.__getitem__,
            self._bonus,
            sees_wins=self._sees_wins,
            priors=self._priors,
            trusted=self._trusted,
        )
        analysis = Analysis.of(
            self._env,
            self._engine,
            found,
            nodes=tree.nodes,
            depth=tree.deepest,
            simulations=tree.simulations,
            elapsed=elapsed,
            seed=self._seed,
            threads=self._threads,
            notes=(*self._own_notes, *self._notes(found)),
            tree_source=self._tree_source(found),
        )
        if analysis.value is None:
            analysis = replace(analysis, value=self._expected)
        if root.outcome is None:
            return analysis
        to_end = distance(root, sees_wins=self._sees_wins)
        return replace(
            analysis,
            outcome=_OPPOSITE[root.outcome],
            proven=True,
            distance=analysis.distance if to_end is None else to_end,
        )

    def _tree_source(self, found: Sequence[Candidate]) -> Callable[[int, int], TreeView]:
        root, names = self._tree.snapshot(), self._names
        source = _tree_source(root, found, lambda move: names.get(move, ""), self._bonus)
        if not self._env.names_vary:
            return source
        env = self._env.copy()
        return lambda depth, top: _named_along(source(depth, top), env)

    def _notes(self, found: Sequence[Candidate]) -> tuple[str, ...]:
        notes = []
        best, most = found[0], max(found, key=lambda candidate: candidate.visits or 0)
        proven_win = best.outcome == "win"  # needs no explanation
        if self._trusted is not None and not proven_win and (best.value or 0) > (most.value or 0):
            notes.append(f"{most.name} has the most visits, but {best.name} has a higher value")
        if self._tree.full:
            cap = f"{self._max_memory_mb:g} MB"
            notes.append(f"The tree reached its memory cap of {cap} and stopped growing")
        return tuple(notes)


def _tree_source(
    root: SearchNode, found: Sequence[Candidate], name: Callable[[int], str], bonus: Bonus
) -> Callable[[int, int], TreeView]:
    """A function that returns views of the tree; the moves at its root come in ``found`` order."""

    def source(depth: int, top: int) -> TreeView:
        visits = root.visit_count
        view = tree_view(root, visits, name, bonus, 0, top)
        if depth <= 0:
            return view
        shown = [each for each in found if each.move in root.children][: max(0, top)]
        children = (
            replace(
                tree_view(root.children[each.move], visits, name, bonus, depth - 1, top),
                prior=each.prior,
                value=each.value,
                outcome=each.outcome if each.proven else None,
                distance=each.distance,
            )
            for each in shown
        )
        return replace(view, children=tuple(children))

    return source


def _named_along(view: TreeView, env: BaseGameEnv) -> TreeView:
    """The view below the position of ``env``, each move named in its own position."""
    children = []
    for child in view.children:
        assert child.move is not None  # it is not the root
        after, name = env.copy(), env.move_name(child.move)
        after.step(child.move)
        children.append(replace(_named_along(child, after), name=name))
    return replace(view, children=tuple(children))
