"""The minimax tree of a position: what each move leads to with best play, and what is skipped.

The tree has the depth asked for; positions at its lower edge are solved, so the values of all
nodes are those of the whole game. Alpha-beta then searches the tree that is shown, and branches
that it skips are marked. Where a position cannot be solved in time, its value is an estimate, and
so are the values above that depend on it; without any time left, a position counts as even.
"""

from __future__ import annotations

import time
from threading import Event

from rl_toolkit.algorithms.game_tree import TreeNode, alpha_beta
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text
from rl_toolkit.utils.background_task import AnyTask
from rl_toolkit.web.limits import ServerLimits
from rl_toolkit.web.responses import Json

#: Seconds for one position at the lower edge of the tree, and for all of them together.
_SECONDS_A_LEAF, _SECONDS = 0.5, 3.0


class GameTreeView:
    """Builds and values the tree below a position, within the server's limits."""

    def __init__(self, env: BaseGameEnv, depth: int, limits: ServerLimits) -> None:
        self._env, self._depth, self._limits = env, depth, limits
        # Hundreds of small searches: only machine code is quick enough.
        self._engine = MinimaxSolver.strong(
            compiled=env.kernel_spec() is not None or None, max_memory_mb=limits.memory_mb
        )
        self._nodes = 0
        self._solved: dict[object, tuple[float, bool]] = {}
        self._leaves = 1  # positions at the lower edge that are still to be solved
        self._too_large = False
        self._seconds = min(_SECONDS, limits.time)
        self._deadline: float | None = None

    def __call__(self, task: AnyTask) -> Json:
        """The tree as nested objects; values are player +1's."""
        depth = self._depth_that_fits()
        shown = self._grow(self._env.copy(), depth, None, task.stop)
        root = _tree_node(shown)
        result = alpha_beta(root, maximizing=self._env.current_player == 1)
        pruned = {id(node) for node in result.pruned}
        _mark(shown, root, pruned)
        return {"tree": shown, "depth": depth, "nodes": self._nodes, "cut_off": len(pruned)}

    def _depth_that_fits(self) -> int:
        """The depth asked for, or the greatest whose tree is small enough to be shown."""
        count, level, depth = 1, [self._env.copy()], 0
        while depth < self._depth and level:
            following = []
            for env in level:
                for move in env.get_legal_moves():
                    count += 1
                    if count > self._limits.tree_nodes:
                        return max(1, depth)
                    after = env.copy()
                    after.step(move)
                    following.append(after)
            level, depth = following, depth + 1
            self._leaves = len(level) or 1
        return max(1, depth)

    def _grow(self, env: BaseGameEnv, depth: int, move: int | None, stop: Event) -> Json:
        self._nodes += 1
        node: Json = {
            "move": move,
            "player": env.current_player,
            "position": position_to_text(env),
            "over": env.is_terminal(),
            "children": [],
            "cut_off": False,
        }
        if env.is_terminal():
            return {**node, "value": env.get_result(1), "proven": True, "moves": 0}
        moves = env.get_legal_moves()
        node["moves"] = len(moves)
        if depth == 0:
            node["value"], node["proven"] = self._solve(env, stop)
            return node
        mover = env.current_player
        for move_down in moves:
            after = env.copy()
            after.step(move_down)
            child = self._grow(after, depth - 1, move_down, stop)
            child["name"] = env.move_name(move_down)
            child["mover"] = mover
            node["children"].append(child)
        best = max(child["value"] * mover for child in node["children"])
        for child in node["children"]:
            child["best"] = child["value"] * mover == best
        node["value"] = best * mover + 0.0
        decided = [child["proven"] for child in node["children"] if child["best"]]
        every = [child["proven"] for child in node["children"]]
        node["proven"] = any(decided) if best == 1 else all(every)
        return node

    def _solve(self, env: BaseGameEnv, stop: Event) -> tuple[float, bool]:
        """The value for player +1 and whether it is proven."""
        key = env.get_state_hash()
        if key not in self._solved:
            self._solved[key] = self._search(env, stop)
        self._leaves -= 1
        return self._solved[key]

    def _search(self, env: BaseGameEnv, stop: Event) -> tuple[float, bool]:
        left = self._seconds if self._deadline is None else self._deadline - time.monotonic()
        if left <= 0:
            return 0.0, False
        # Once one position was too large, each gets its share of what is left.
        seconds = left / max(1, self._leaves) if self._too_large else min(left, _SECONDS_A_LEAF)
        analysis = self._engine.analyse(env, Limit(time=seconds), None, stop)
        if self._deadline is None:  # the first search may have had to be compiled: that is free
            self._deadline = time.monotonic() + self._seconds - min(analysis.elapsed, seconds)
        self._too_large |= not analysis.proven
        return analysis.value * env.current_player + 0.0, analysis.proven


def _tree_node(shown: Json) -> TreeNode:
    children = [_tree_node(child) for child in shown["children"]]
    return TreeNode(children, score=shown["value"], move=shown["move"])


def _mark(shown: Json, node: TreeNode, pruned: set[int]) -> None:
    """Note for each child whether alpha-beta skips it."""
    for child, twin in zip(shown["children"], node.children, strict=True):
        child["cut_off"] = shown["cut_off"] or id(twin) in pruned
        _mark(child, twin, pruned)
