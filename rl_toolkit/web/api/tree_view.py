"""The minimax tree of a position: what each move leads to with best play, and what is skipped.

The engine that knows the game best analyses the position, which gives every move of the first ply
its value: the same values that the page shows elsewhere. In a deeper tree it analyses each inner
position in turn, and a proof found there replaces the estimate above it. What the time did not
suffice for has no value, and no move without a value is best. Where everything is proven,
alpha-beta searches the tree that is shown, and the branches that it skips are marked.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from threading import Event

from rl_toolkit.algorithms import TreeNode, alpha_beta
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ScoreBound,
    headline,
    outcome_of,
    words_for,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import counted
from rl_toolkit.utils.executors import AnyTask
from rl_toolkit.web.exchange.responses import Json, tree_label
from rl_toolkit.web.serving.limits import ServerLimits

#: Seconds for the whole tree, and the part of them for the position itself.
SECONDS, _ROOT_PART = 4.0, 0.5
#: Times its share that a position may take as long as all others were solved, and the least seconds
#: for a position, while there is time.
_GENEROUS, _LEAST = 4.0, 0.01

#: A bound on a score as the other side sees it.
_FLIPPED: dict[ScoreBound, ScoreBound] = {"exact": "exact", "lower": "upper", "upper": "lower"}


class GameTreeView:
    """Builds and values the tree below a position, within the server's limits."""

    def __init__(self, env: BaseGameEnv, player: Player, depth: int, limits: ServerLimits) -> None:
        self._env, self._player, self._asked, self._limits = env, player, depth, limits
        self._words = words_for(env)
        self._nodes = self._unknown = 0
        self._searched: dict[object, Analysis] = {}
        self._waiting = 0  # inner positions that are still to be analysed
        self._seconds = min(SECONDS, limits.time)
        self._deadline: float | None = None
        self._too_large = False  # whether a position could not be solved

    def __call__(self, task: AnyTask) -> Json:
        """The tree as nested objects; values are player +1's, null where nothing is known."""
        depth, too_large = self._depth_that_fits()
        analysis, children = self._grow(self._env, depth, task.stop)
        root = self._node(self._env, None, analysis.value, analysis.player)
        text = headline(analysis, self._words)
        label = tree_label(self._words, analysis, analysis.player) if analysis.proven else text
        root |= {"proven": analysis.proven, "text": text, "label": label}
        root["children"] = children
        pruned = self._mark_pruned(root)
        notes = [too_large] if too_large else []
        if self._unknown:
            late = "Time ran out: " if self._time_left() <= 0 else ""
            missing = f"{late}{counted(self._unknown)} not searched."
            notes.append(missing[0].upper() + missing[1:])
        return {
            "tree": root,
            "engine": self._player.name,
            "depth": depth,
            "nodes": self._nodes,
            "cut_off": pruned,
            "notes": notes,
        }

    def _depth_that_fits(self) -> tuple[int, str]:
        """The depth asked for or the greatest that can be shown, and why it is not that asked for.

        Positions are only counted here; the level that would be too large is never made.
        """
        count, level, depth = 1, [self._env], 0
        while depth < self._asked and level:
            further = count + sum(len(env.get_legal_moves()) for env in level)
            if depth and further > self._limits.tree_nodes:
                return (
                    depth,
                    f"Depth {depth + 1} would be {further:,} nodes; showing depth {depth}.",
                )
            following = [_after(env, move) for env in level for move in env.get_legal_moves()]
            self._waiting += len(level)
            level = [env for env in following if not env.is_terminal()]
            count, depth = further, depth + 1
        return depth, ""

    def _grow(self, env: BaseGameEnv, depth: int, stop: Event) -> tuple[Analysis, list[Json]]:
        """The analysis of ``env`` with what the plies below have proven, and its children."""
        analysis = self._analysis(env, stop)
        mover, words = env.current_player, words_for(env, analysis)
        candidates, nodes = [], []
        for move in env.get_legal_moves():
            candidate, after = analysis.candidate(move), _after(env, move)
            below: list[Json] = []
            if after.is_terminal():
                value = after.get_result(mover)
                candidate = replace(
                    candidate, value=value, outcome=outcome_of(value), proven=True, distance=1
                )
            elif depth > 1:
                found, below = self._grow(after, depth - 1, stop)
                candidate = _with_proof(candidate, found)
            candidates.append(candidate)
            value_of_x = None if candidate.value is None else candidate.value * mover + 0.0
            node = self._node(after, move, value_of_x, 1)
            self._unknown += candidate.value is None
            node |= {
                "name": env.move_name(move),
                "mover": mover,
                "proven": candidate.proven,
                "text": words.full(candidate, mover),
                "label": tree_label(words, candidate, mover),
                "children": below,
            }
            nodes.append(node)
        if set(candidates) != set(analysis.candidates):
            ordered = sorted(candidates, key=_promise)
            analysis = Analysis.of(env, analysis.engine, ordered)
        for node in nodes:
            node["best"] = node["move"] in analysis.best_moves
        return analysis, nodes

    def _node(self, env: BaseGameEnv, move: int | None, value: float | None, player: int) -> Json:
        self._nodes += 1
        return {
            "move": move,
            "name": None,
            "mover": None,
            "player": env.current_player,
            "position": position_to_text(env),
            "over": env.is_terminal(),
            "value": None if value is None else value * player + 0.0,
            "best": False,
            "cut_off": False,
            "moves": 0 if env.is_terminal() else len(env.get_legal_moves()),
        }

    # ------------------------------------------------------------------------------ searching

    def _analysis(self, env: BaseGameEnv, stop: Event) -> Analysis:
        """The engine's view of every move, unknown ones if there is no time."""
        key = env.get_state_hash()
        if key not in self._searched:
            self._searched[key] = self._search(env, stop)
        self._waiting -= 1
        return self._searched[key]

    def _search(self, env: BaseGameEnv, stop: Event) -> Analysis:
        left = self._time_left()
        if left <= 0 or stop.is_set():
            moves = env.get_legal_moves()
            names = [Candidate(move, env.move_name(move)) for move in moves]
            return Analysis.of(env, self._player.name, names)
        first = self._deadline is None
        if self._waiting <= 1:
            seconds = left
        elif first:
            seconds = left * _ROOT_PART
        else:
            part = 1.0 if self._too_large else _GENEROUS
            seconds = min(left, max(_LEAST, part * left / self._waiting))
        analysis = self._player.within(Limit(time=seconds)).analyse(env, None, None, stop)
        self._too_large |= not analysis.proven
        if first:  # it may have had to be compiled: that is free
            self._deadline = time.monotonic() + self._seconds - min(analysis.elapsed, seconds)
        return analysis

    def _time_left(self) -> float:
        return self._seconds if self._deadline is None else self._deadline - time.monotonic()

    # ------------------------------------------------------------------------------- skipping

    def _mark_pruned(self, root: Json) -> int:
        """Mark what alpha-beta skips, if every leaf is proven; the number of such branches."""
        if not _all_proven(root):
            return 0
        twin = _tree_node(root)
        result = alpha_beta(twin, maximizing=self._env.current_player == 1)
        _mark(root, twin, {id(node) for node in result.pruned})
        return len(result.pruned)


def _after(env: BaseGameEnv, move: int) -> BaseGameEnv:
    after = env.copy()
    after.step(move)
    return after


def _with_proof(candidate: Candidate, found: Analysis) -> Candidate:
    """``candidate`` with what ``found``, the analysis of the position after it, has proven."""
    if candidate.proven or not found.proven or found.value is None:
        return candidate
    return replace(
        candidate,
        value=-found.value + 0.0,
        outcome=outcome_of(-found.value),
        proven=True,
        distance=None if found.distance is None else found.distance + 1,
        score=None if found.score is None else -found.score,
        score_bound=_FLIPPED[found.score_bound],
    )


def _promise(candidate: Candidate) -> tuple[float, float]:
    """Sort key, best first: by value, unknown ones last; fast wins and slow losses first."""
    if candidate.value is None:
        return (2.0, 0.0)
    plies = candidate.distance or 0
    return (-candidate.value, plies if candidate.value > 0 else -plies)


def _all_proven(shown: Json) -> bool:
    children: Sequence[Json] = shown["children"]
    return all(map(_all_proven, children)) if children else shown["proven"]


def _tree_node(shown: Json) -> TreeNode:
    children = [_tree_node(child) for child in shown["children"]]
    return TreeNode(children, score=shown["value"], move=shown["move"])


def _mark(shown: Json, node: TreeNode, pruned: set[int]) -> None:
    """Note for each child whether alpha-beta skips it."""
    for child, twin in zip(shown["children"], node.children, strict=True):
        child["cut_off"] = shown["cut_off"] or id(twin) in pruned
        _mark(child, twin, pruned)
