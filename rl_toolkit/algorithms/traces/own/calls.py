"""The calls of somebody else's minimax, placed on the game: moves, sides, results.

`OwnCall` is what a recorder of foreign code writes down: positions and numbers as that code has
them. `OwnTree` plays them again on a game of the toolkit, so that every node has a move, a side
and, at the end of a game, a result that does not come from the foreign code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

import numpy as np

from rl_toolkit.algorithms.traces.trace import TraceError, cells_of
from rl_toolkit.envs import BaseGameEnv

#: Scores of this size stand for infinity, which JSON does not have.
HUGE = 1e300
#: The score of a game that is won, as in the traces of the toolkit.
WIN = 1000.0


class OwnCall(NamedTuple):
    """One call of the search.

    Attributes:
        parent: the number of the call that made it, −1 for the first one.
        where: what differs from the parent's board: cell, piece, cell, piece, …; in a tree that was
            typed the number of the node.
        alpha, beta: its window, ``None`` if it has none.
        is_max: whether it says that it maximises, ``None`` if it does not say.
        mover: the player to move as it says, ``None`` if it does not say.
        value: what it returned, ``None`` if that is not a number.
    """

    parent: int
    where: list[int] | int
    alpha: float | None
    beta: float | None
    is_max: bool | None
    mover: int | None
    value: float | None


@dataclass(slots=True)
class OwnNode:
    """A call with its place in the game; scores are X's.

    Attributes:
        moves: the legal moves, none at the end of a game. result: of the end, for X.
        stray: calls below it that are not one move away.
        twin: of a node without calls below it in the middle of a game: an earlier node of the same
            position that was searched, −1 if there is none.
    """

    call: OwnCall
    ply: int
    move: int
    cells: Any
    side: int
    moves: list[int]
    result: float | None
    key: Any
    children: list[int] = field(default_factory=list)
    stray: int = 0
    twin: int = -1
    value: float = 0.0
    alpha: float = -inf
    beta: float = inf


class OwnTree:
    """The calls as nodes, in the order of the calls.

    Attributes:
        nodes: number of the call → node; calls that are not one move away from their parent, and
            all below them, are left out.
        view: whose view the values are: ``x``, ``o`` or ``mover``.
        unit: the value of a won game, if it is always the same, else ``None``.
    """

    def __init__(self, env: BaseGameEnv, calls: Sequence[OwnCall], *, negates: bool) -> None:
        if not calls:
            raise TraceError("the search was never called")
        self.env, self.calls = env.copy(), calls
        self.nodes: dict[int, OwnNode] = {}
        self._below: list[list[int]] = [[] for _ in calls]
        for number, call in enumerate(calls):
            if number and not 0 <= call.parent < number:
                raise TraceError("a call comes before the one that made it")
            if number:
                self._below[call.parent].append(number)
        self._seen: dict[Any, list[int]] = {}
        self._place(0, 0, -1, -1, -env.current_player)
        self.prunes = calls[0].alpha is not None and calls[0].beta is not None
        self.view = self._view(negates)
        self.unit = self._unit()
        for node in self.nodes.values():
            node.value = self.score(node.call.value, node.side)
            node.alpha, node.beta = self._window(node)

    # --------------------------------------------------------------------------- placing

    def _place(self, number: int, ply: int, move: int, cells: Any, before: int) -> None:
        env, call = self.env, self.calls[number]
        over = env.is_terminal()
        node = OwnNode(
            call,
            ply,
            move,
            cells,
            -before if over else env.current_player,
            [] if over else [int(move) for move in env.get_legal_moves()],
            float(env.get_result(1)) if over else None,
            env.get_state_hash(),
        )
        self.nodes[number] = node
        for below in self._below[number]:
            found = None if over else self._move_to(node, self.calls[below].where)
            if found is None:
                node.stray += 1
                continue
            node.children.append(below)
            env.step(found[0])
            self._place(below, ply + 1, *found, node.side)
            env.undo()
        if node.children:
            self._seen.setdefault((node.key, node.side), []).append(number)
        elif not over:
            node.twin = self._stored(node)

    def _stored(self, node: OwnNode) -> int:
        """The latest search of the same position, best one with the same value; −1 if none."""
        earlier = self._seen.get((node.key, node.side), [])
        same = [n for n in earlier if self.calls[n].value == node.call.value]
        return (same or earlier or [-1])[-1]

    def _move_to(self, node: OwnNode, where: list[int] | int) -> tuple[int, Any] | None:
        """The legal move that leads there, and the cells that it changes as traces write them."""
        env = self.env
        if isinstance(where, int):
            return (where, -1) if where in node.moves else None
        before = cells_of(env)
        wanted = before.copy()
        for cell, piece in zip(where[::2], where[1::2], strict=True):
            wanted[cell] = piece
        likely = [where[0], where[0] % env.cols] if where else []
        for move in dict.fromkeys([*(m for m in likely if m in node.moves), *node.moves]):
            env.step(move)
            now = cells_of(env)
            env.undo()
            if np.array_equal(now, wanted):
                changed = np.flatnonzero(now != before).tolist()
                if any(now[cell] != node.side for cell in changed):
                    return move, [[cell, int(now[cell])] for cell in changed]
                return move, changed[0] if len(changed) == 1 else changed or -1
        return None

    # ----------------------------------------------------------------------------- values

    def _view(self, negates: bool) -> str:
        first = self.calls[0]
        if negates:
            return "mover"
        if first.is_max is not None or first.mover is None:
            return "x"
        ends = [
            (node.result, node.call.value)
            for node in self.nodes.values()
            if node.result and node.call.value
        ]
        other = sum((result > 0) != (value > 0) for result, value in ends)
        return "o" if 2 * other > len(ends) else "x"

    def _unit(self) -> float | None:
        if self.env.traits.free_results:
            return None
        sizes = {
            abs(node.call.value)
            for node in self.nodes.values()
            if node.result and node.call.value is not None
        } - {0.0}
        return sizes.pop() if len(sizes) == 1 else None

    def score(self, value: float | None, side: int) -> float:
        """A value of theirs as a score for X; 0 for what is not a number."""
        if value is None:
            return 0.0
        if self.view == "o" or (self.view == "mover" and side == -1):
            value = -value
        if abs(value) >= HUGE:
            return inf if value > 0 else -inf
        if self.unit is not None:
            if abs(value) == self.unit:
                return WIN if value > 0 else -WIN
            if abs(value) < self.unit:
                return value / self.unit + 0.0
        return value + 0.0

    def _window(self, node: OwnNode) -> tuple[float, float]:
        alpha, beta = node.call.alpha, node.call.beta
        if alpha is None or beta is None:
            return -inf, inf
        one, other = self.score(alpha, node.side), self.score(beta, node.side)
        turned = self.view == "o" or (self.view == "mover" and node.side == -1)
        return (other, one) if turned else (one, other)

    def best(self, node: OwnNode) -> float | None:
        """The best value among its children, by what it says that it does."""
        values = [self.nodes[child].value for child in node.children]
        if not values:
            return None
        return max(values) if self.is_max(node) else min(values)

    def is_max(self, node: OwnNode) -> bool:
        """Whether it takes the highest value, in X's view: as it says, else by the side to move."""
        if node.call.is_max is not None:
            return node.call.is_max
        return (node.call.mover or node.side) == 1

    def line(self, number: int) -> list[int]:
        """The moves from the start to a node."""
        moves: list[int] = []
        while number > 0:
            moves.append(self.nodes[number].move)
            number = self.calls[number].parent
        return moves[::-1]
