"""`MCTSSolver`: Monte Carlo tree search as an engine and with the course API.

The search itself is in `algorithms.mcts.tree`; where a game has compiled rules the same search runs
as machine code (`kernels.search.mcts`). This module chooses between the two, applies the limit and
reports the result.

>>> from rl_toolkit.envs import make_game
>>> env = make_game("tictactoe")
>>> env.board = [1, 1, 0, -1, -1, 0, 0, 0, 0]
>>> MCTSSolver(num_simulations=100, seed=1).search(env)
2
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from rl_toolkit.adapting import as_game, own_move
from rl_toolkit.algorithms.mcts.growth import TreeAnalysisBuilder, grow
from rl_toolkit.algorithms.mcts.report import uct_bonus
from rl_toolkit.algorithms.mcts.tree import MCTSNode, PythonTree, Settings
from rl_toolkit.analysis import (
    AmericanSpelling,
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.threads import crew
from rl_toolkit.utils import exploration as exploration_in_words
from rl_toolkit.utils import is_own, refuse_unused

if TYPE_CHECKING:
    from rl_toolkit.algorithms.mcts.compiled_tree import CompiledTree

    _Tree = PythonTree | CompiledTree

__all__ = ["MCTSNode", "MCTSSolver"]

#: Simulations × cells up to which Python is faster than loading the machine code.
SMALL_SEARCH = 10_000
#: Methods of the courses' class that this one does without; see `refuse_unused`.
_UNUSED: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {
    ("_count_nodes", "_max_depth"): ("get_stats(self)", ("get_stats", "search")),
}


class MCTSSolver(AmericanSpelling):
    """Monte Carlo tree search over any `BaseGameEnv`, compiled for games with kernels.

    Args:
        num_simulations: simulations that `search` runs, and `analyse` without a limit.
        c: the exploration constant of UCT.
        max_depth: plies after which a playout is cut off and evaluated by the game's heuristic.
        tactics: in line games, take immediate wins and block them, in the tree and in playouts.
        seed: makes a search repeatable; without one a new seed is drawn for every search.
        max_memory_mb: memory cap on the tree; when it is reached the tree stops growing,
            simulations continue from its leaves, and a note says so.
        compiled: use machine code; by default for all but very short searches.
        reuse_tree: keep the part of the last tree that belongs to the new position.
        threads: how many threads search, if the search is compiled and not very short. With more
            than one a search is not repeatable, even with a seed.
        proofs: prove results from the end of games upwards, and end once the root is proven. Off is
            UCT as textbooks have it, every value a mean; it runs in Python.

    A subclass may override `_simulate`, the playout, `_backpropagate`, which counts its result, and
    `_generate_reasoning`, the words for a move, or name a subclass of `PythonTree` as its
    ``tree_class``. Its search then runs in Python, whatever ``compiled`` says.

    Attributes:
        nodes_explored: nodes created by the last search; ``max_tree_depth``: plies it reached.

    An argument out of its range raises ``ValueError``.
    """

    name = "mcts"
    tree_class: type[PythonTree] = PythonTree

    def __init__(
        self,
        num_simulations: int = 1000,
        c: float = 1.41,
        max_depth: int | None = None,
        *,
        tactics: bool = True,
        seed: int | None = None,
        max_memory_mb: float = 512,
        compiled: bool | None = None,
        reuse_tree: bool = False,
        threads: int = 1,
        proofs: bool = True,
    ) -> None:
        _check_count("num_simulations", num_simulations, 1)
        if max_depth is not None:
            _check_count("max_depth", max_depth, 0)
        if isinstance(c, bool) or not isinstance(c, (int, float)) or not 0 <= c < 1000:
            raise ValueError(f"c must be a number from 0 to 1000, not {c!r}")
        if not max_memory_mb > 0:
            raise ValueError(f"max_memory_mb must be positive, not {max_memory_mb!r}")
        self.num_simulations = num_simulations
        self.c = c
        self.max_depth = max_depth
        self.tactics = tactics
        self.seed = seed
        self.max_memory_mb = max_memory_mb
        self.compiled = compiled
        self.reuse_tree = reuse_tree
        self.threads = crew.checked(threads)
        self.proofs = proofs
        self.nodes_explored = 0
        self.max_tree_depth = 0
        self._simulations = 0
        self._last: _LastSearch | None = None
        self._growing: PythonTree | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_unused(cls, MCTSSolver, _UNUSED)

    # ------------------------------------------------------------------ course API

    def search(self, env: BaseGameEnv, maximize: bool | None = True) -> int:
        """The move to play: the most visited one, unless another one is proven better.

        ``maximize`` is accepted for the course API and ignored: the side to move decides. ``env``
        may be an object without a base class (see `envs.adapt_game`); its own move is then
        returned.
        """
        env = as_game(env)
        best = self.analyse(_running(env)).best_move
        assert best is not None  # a running game has a legal move
        move: int = own_move(env, best)
        return move

    def get_candidate_evaluations(
        self, env: BaseGameEnv, maximize: bool | None = True
    ) -> dict[int, dict[str, Any]]:
        """The evaluation of every legal move, with values from the view of the side to move.

        The keys are ``value``, ``visits``, ``uct_score``, ``reasoning`` and ``is_best``. After a
        `search` of the same position with the same settings, its results are returned. A move
        without a visit has the value 0 and is called "not searched".
        """
        env = as_game(env)
        last, key = self._last, self._key(_running(env), Limit())
        analysis = self.analyse(env) if last is None or last.key != key else last.analysis
        own_words = is_own(self._generate_reasoning, MCTSSolver._generate_reasoning)
        found = {}
        for candidate in sorted(analysis.candidates, key=lambda candidate: candidate.move):
            value, visits = candidate.value or 0.0, candidate.visits or 0
            if own_words:
                words = self._generate_reasoning(value=value, visits=visits)
            else:
                words = exploration_in_words(visits, candidate.value, proven=candidate.proven)
            found[own_move(env, candidate.move)] = {
                "value": value,
                "visits": visits,
                "uct_score": _uct_of(candidate),
                "reasoning": words,
                "is_best": candidate.move == analysis.best_move,
            }
        return found

    def _generate_reasoning(self, value: float, visits: int) -> str:
        """The words for a move with this value, for the side to move, after that many visits.

        A subclass may override it. Ours does not know what is proven, so
        `get_candidate_evaluations` has better words as long as it is not overridden.
        """
        return exploration_in_words(visits, value)

    def get_stats(self) -> dict[str, int]:
        """Nodes created, depth reached and simulations actually run in the last search."""
        return {
            "nodes_explored": self.nodes_explored,
            "max_tree_depth": self.max_tree_depth,
            "simulations": self._simulations,
        }

    # ---------------------------------------------------------------------- engine

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse every legal move by simulations within ``limit``.

        The search ends early once its result is proven.
        """
        env = as_game(env)
        limit = self._with_default(limit or Limit())
        if env.is_terminal():
            return Analysis.of(env, self.name, [], seed=self.seed)
        seed = self.seed if self.seed is not None else random.getrandbits(32)
        tree = self._tree(env, limit, seed)  # compiles, if necessary, before the clock starts
        analysis = self._grown(env, tree, limit, seed, on_progress, stop)
        self.nodes_explored, self.max_tree_depth = tree.nodes, tree.deepest
        self._simulations = tree.simulations
        self._last = _LastSearch(self._key(env, limit), analysis, env.copy(), tree)
        return analysis

    def _grown(
        self,
        env: BaseGameEnv,
        tree: _Tree,
        limit: Limit,
        seed: int,
        on_progress: ProgressCallback | None,
        stop: StopSignal | None,
    ) -> Analysis:
        """Grow ``tree``, whose root is the position of ``env``, within ``limit``."""
        builder = TreeAnalysisBuilder(
            self.name,
            env,
            tree,
            uct_bonus(self.c),
            tactics=self.tactics,
            proofs=self.proofs,
            max_memory_mb=self.max_memory_mb,
            seed=seed,
            threads=tree.threads,
        )
        return grow(
            tree, lambda some, _: tree.run(some), builder.analysis, limit, on_progress, stop
        )

    def _with_default(self, limit: Limit) -> Limit:
        """``limit``, with ``num_simulations`` if it would not end the search."""
        if limit.time is None and limit.nodes is None and limit.simulations is None:
            return replace(limit, simulations=self.num_simulations)
        return limit

    def _settings(self) -> Settings:
        return Settings(self.c, self.max_depth, self.tactics, self.max_memory_mb, self.proofs)

    def _key(self, env: BaseGameEnv, limit: Limit) -> Hashable:
        """A key that is equal for searches of the same position with the same settings."""
        settings = (self._settings(), self.seed, self.compiled, self._with_default(limit))
        return (type(env), env.name, env.get_state_hash(), settings)

    # ------------------------------------------------------------------------ tree

    def _simulate(self, env: BaseGameEnv) -> float | None:
        """The result of one random playout for player +1, in the search that is running.

        A subclass may override it: ``env`` is a copy, to be played to the end or evaluated.

        >>> from rl_toolkit.envs import make_game
        >>> class Centre(MCTSSolver):
        ...     def _simulate(self, env):  # no playout: whoever has the centre wins
        ...         return float(env.board[4])
        >>> Centre(200, seed=1).search(make_game("tictactoe"))
        4
        """
        if self._growing is None:
            raise RuntimeError("_simulate is called by search and analyse")
        return self._growing._simulate(env)

    def _backpropagate(self, node: MCTSNode, result: float) -> None:
        """Count a simulation in ``node`` and its ancestors; ``result`` is for player +1.

        A subclass may override it. Then nothing but the end of a game is proven, unless its method
        calls this one.
        """
        node.back_up(result)

    @property
    def _has_own_simulation(self) -> bool:
        return is_own(self._simulate, MCTSSolver._simulate)

    @property
    def _has_own_backup(self) -> bool:
        return is_own(self._backpropagate, MCTSSolver._backpropagate)

    def _tree(self, env: BaseGameEnv, limit: Limit, seed: int) -> _Tree:
        """The tree to grow: the reusable part of the last one, or a new one."""
        last, self._last = self._last, None
        is_own_tree = self.tree_class is not PythonTree
        is_changed = self._has_own_simulation or self._has_own_backup or is_own_tree
        is_changed |= not self.proofs
        if self.reuse_tree and last is not None and self._follow(last, env):
            last.tree.reset_counts()
            return last.tree
        settings = self._settings()
        if self._wants_compiled(env, limit) and not is_changed:
            from rl_toolkit.algorithms.mcts.compiled_tree import compiled_tree

            spent = last.tree if last else None
            tree = compiled_tree(env, settings, seed, spent, crew.allowed(self.threads))
            if tree is not None:
                return tree
        return self._python_tree(env, self.tree_class, seed)

    def _python_tree(self, env: BaseGameEnv, tree_class: type[PythonTree], seed: int) -> PythonTree:
        """A new tree of ``tree_class`` with the settings and the playouts of this solver."""
        grown = tree_class(env, self._settings(), seed)
        if self._has_own_simulation:
            self._growing, grown.playout = grown, self._simulate
        if self._has_own_backup:
            grown.backup = self._backpropagate
        return grown

    def _wants_compiled(self, env: BaseGameEnv, limit: Limit) -> bool:
        if self.compiled is not None:
            return self.compiled
        few = min(limit.simulations or inf, limit.nodes or inf)
        return few * len(env.board) > SMALL_SEARCH

    def _follow(self, last: _LastSearch, env: BaseGameEnv) -> bool:
        """Move the root of the last tree to the position of ``env``; False if that is not in it."""
        played, now = last.env.history, env.history
        same_game = type(last.env) is type(env) and last.env.name == env.name
        if not same_game or last.tree.settings != self._settings() or now[: len(played)] != played:
            return False
        moves = now[len(played) :]
        try:
            for move in moves:
                last.env.step(move)
        except ValueError:
            return False
        return last.env.get_state_hash() == env.get_state_hash() and last.tree.advance(moves)


class _LastSearch:
    """The last search of a solver, kept for reuse."""

    def __init__(self, key: Hashable, analysis: Analysis, env: BaseGameEnv, tree: _Tree) -> None:
        self.key, self.analysis, self.env, self.tree = key, analysis, env, tree


def _running(env: BaseGameEnv) -> BaseGameEnv:
    if env.is_terminal():
        raise ValueError("there is no legal move: the game is over")
    return env


def _check_count(name: str, count: object, least: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {count!r}")


def _uct_of(candidate: Candidate) -> float:
    """A score for the course API: that of a proven move is its result."""
    if candidate.uct is not None:
        return candidate.uct
    return inf if candidate.value is None else candidate.value
