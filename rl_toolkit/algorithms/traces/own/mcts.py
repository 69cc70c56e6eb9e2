"""The trace of somebody else's Monte Carlo tree search, from its simulations.

The document is that of `traces.mcts`. The result of each simulation is read from the game, not from
the foreign code; where that code credits something else to a node, the simulation has the field
``backed``: what each node of the path got, in X's view. The view in which the search keeps its
values follows from how it chooses. What differs in the document:

``engine``
    it has the option ``own``.
``faults``
    what is wrong, in the order in which it happens: ``kind`` (`TreeFaultKind`), ``simulation``,
    ``place`` on its path, ``node``, ``line``, and the facts of its kind. ``all_faults`` is how many
    there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from rl_toolkit.algorithms.mcts.report import exploration
from rl_toolkit.algorithms.traces.mcts import DIGITS, Simulation, check_simulations, fitted
from rl_toolkit.algorithms.traces.trace import (
    Trace,
    TraceBounds,
    TraceError,
    changed_cells,
    letter,
    names_of,
    opening,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import JsonObject

#: ``sign``: a result is credited to a node with the wrong sign. ``amount``: another number than the
#: result. ``visit``: a node on the path is not counted once. ``choice``: selection takes another
#: child than that with the highest score. ``result``: a playout returns another result than that
#: of the game. ``illegal``: a move that is not legal.
TreeFaultKind = Literal["sign", "amount", "visit", "choice", "result", "illegal"]
#: The most faults that a trace names.
MOST_FAULTS = 20
_CLOSE = 1e-6


class OwnChild(NamedTuple):
    """A child that selection could take; ``score`` is what the search says of it, if it does."""

    move: int
    visits: int
    total: float
    score: float | None


class OwnSimulation(NamedTuple):
    """One simulation of the search.

    Attributes:
        path: the moves from the root to the node that was played out.
        playout: the moves after that; ``None`` if they are not known.
        result: the number that was backed up.
        visits, totals: how much each node on the path gained, the root first.
        choices: the children at each node of the path where all were visited before.
    """

    path: list[int]
    playout: list[int] | None
    result: float
    visits: list[float]
    totals: list[float]
    choices: list[list[OwnChild]]


class TreeFault(NamedTuple):
    """A fault at a place on the path of a simulation, with what sentences about it name."""

    kind: TreeFaultKind
    simulation: int
    place: int
    facts: dict[str, Any]


#: A mean of theirs, seen by the player who chooses, from a total, visits and that player.
_View = Callable[[float, int], float]
_VIEWS: dict[str, _View] = {
    "chooser": lambda amount, chooser: amount,  # of the player who moved into the node
    "other": lambda amount, chooser: -amount,  # of the player to move at the node
    "x": lambda amount, chooser: amount * chooser,
}


def trace_simulations(
    env: BaseGameEnv,
    simulations: Sequence[OwnSimulation],
    name: str,
    *,
    c: float,
    best: int | None,
    bounds: TraceBounds | None = None,
) -> Trace:
    """The trace of a search that ran these simulations from ``env`` and answered ``best``.

    Raises `TraceError` if there is no simulation.
    """
    bounds = bounds or TraceBounds()
    check_simulations(len(simulations), bounds)
    if not simulations:
        raise TraceError("the search ran no simulation")
    return _Reader(env, simulations, c).trace(name, best, bounds)


class _Reader:
    def __init__(self, env: BaseGameEnv, simulations: Sequence[OwnSimulation], c: float) -> None:
        self._env, self._given, self._c = env.copy(), simulations, c
        self._columns: dict[str, list[Any]] = {
            "parent": [-1],
            "move": [-1],
            "cells": [[]],
        }
        self._sides = [env.current_player]
        self._numbers: dict[tuple[int, ...], int] = {(): 0}
        self._visits: list[int] = [0]
        self._ends: set[int] = set()  # nodes at which the game is over
        self.faults: list[TreeFault] = []
        self.done: list[Simulation] = []
        self._shares = self._counts_shares()
        self.view = self._found_view()

    # -------------------------------------------------------------------- their numbers

    def _counts_shares(self) -> bool:
        """Whether a win counts 1 and a loss 0, as a share of wins does."""
        every = [set(each.totals[1:]) for each in self._given]
        return all(totals <= {0.0, 0.5, 1.0} for totals in every) and {0.0, 1.0} in every

    def _signed(self, amount: float) -> float:
        return 2 * amount - 1 if self._shares else amount

    def _found_view(self) -> str:
        """The view that explains most choices; the chooser's if several do."""
        errors = dict.fromkeys(_VIEWS, 0.0)
        for each in self._given:
            player = self._env.current_player
            for choice, above in zip(each.choices, _prefixes(each.path), strict=False):
                chooser = player if len(above) % 2 == 0 else -player
                total = sum(child.visits for child in choice)
                taken = each.path[len(above)]
                for name, view in _VIEWS.items():
                    errors[name] += self._error(choice, taken, view, chooser, total)
        least = min(errors.values())
        return next(name for name in _VIEWS if errors[name] <= least + _CLOSE)

    def _error(
        self, choice: list[OwnChild], taken: int, view: _View, chooser: int, total: int
    ) -> float:
        """How badly a view explains a choice: by their scores if they have some, else by ours."""
        if all(child.score is not None and math.isfinite(child.score) for child in choice):
            return sum(
                abs((child.score or 0.0) - view(child.total / child.visits, chooser) - bonus)
                for child in choice
                for bonus in [exploration(child.visits, total, self._c)]
            )
        sums = {
            child.move: view(self._signed(child.total / child.visits), chooser)
            + exploration(child.visits, total, self._c) * (2 if self._shares else 1)
            for child in choice
        }
        return 1.0 if sums.get(taken, -math.inf) < max(sums.values()) - _CLOSE else 0.0

    # ------------------------------------------------------------------------ replaying

    def trace(self, name: str, best: int | None, bounds: TraceBounds) -> Trace:
        """The document."""
        for number, given in enumerate(self._given):
            if not self._replay(number, given):
                break  # what follows cannot be placed on the game
        if not self.done:
            raise TraceError(
                f"the first simulation is not legal: {self.faults[0].facts['problem']}"
            )
        env = self._env
        visits = {
            self._columns["move"][node]: self._visits[node]
            for node, up in enumerate(self._columns["parent"])
            if up == 0
        }
        shown = {str(move): visits.get(move, 0) for move in map(int, env.get_legal_moves())}
        played = {move for one in self.done for move in one.moves}
        options = {
            "own": True,
            "c": self._c,
            "simulations": len(self.done),
            "tactics": False,
            "view": self.view,
        }
        told = [self._told(fault) for fault in self.faults[:MOST_FAULTS]]
        data = {
            **opening("mcts", env, name, options),
            "answer": {
                "move": best,
                "value": None,
                "proven": False,
                "simulations": len(self.done),
                "nodes": len(self._visits),
                "visits": shown,
            },
            "notes": [],
            "names": names_of(env, {*self._columns["move"], *played, *env.get_legal_moves()}),
            "nodes": {
                "parent": self._columns["parent"],
                "move": self._columns["move"],
                "side": "".join(map(letter, self._sides)),
                "cells": self._columns["cells"],
            },
            "faults": told,
            "all_faults": len(self.faults),
            "cause": self._cause(),
            "simulations": [],
        }
        return fitted(data, self.done, bounds)

    def _replay(self, number: int, given: OwnSimulation) -> bool:
        """Play a simulation again and judge it; whether its path is legal."""
        env, before = self._env, len(self._env.history)
        path, new = [0], -1
        try:
            for move in given.path:
                node, is_new = self._step(path[-1], move)
                new = node if is_new else new
                path.append(node)
            leaf = path[-1]
            playout, cells = self._played_out(given)
            result = self._result(given, leaf)
        except ValueError as error:
            self._blame("illegal", number, len(path) - 1, problem=str(error))
            return False
        finally:
            while len(env.history) > before:
                env.undo()
        terms = self._terms(number, given, path)
        backed = self._backed(number, given, path, result)
        for node in path:
            self._visits[node] += 1
        self.done.append(Simulation(path, new, playout, result, terms, [], cells, backed))
        return True

    def _step(self, above: int, move: int) -> tuple[int, bool]:
        env = self._env
        line = (*self._line(above), move)
        earlier = env.copy()
        env.step(move)
        known = self._numbers.get(line)
        if known is not None:
            return known, False
        number = self._numbers[line] = len(self._visits)
        self._columns["parent"].append(above)
        self._columns["move"].append(move)
        self._columns["cells"].append(changed_cells(earlier, env))
        self._sides.append(-self._sides[above] if env.is_terminal() else env.current_player)
        self._visits.append(0)
        if env.is_terminal():
            self._ends.add(number)
        return number, True

    def _line(self, node: int) -> list[int]:
        moves: list[int] = []
        while node:
            moves.append(self._columns["move"][node])
            node = self._columns["parent"][node]
        return moves[::-1]

    def _played_out(self, given: OwnSimulation) -> tuple[list[int], list[list[int]]]:
        """Play the playout; nothing of it if it is not known, or if it tries moves elsewhere."""
        env, before = self._env, len(self._env.history)
        cells: list[list[int]] = []
        try:
            for move in given.playout or ():
                earlier = env.copy()
                env.step(move)
                cells.append(changed_cells(earlier, env))
        except ValueError:
            while len(env.history) > before:
                env.undo()
            return [], []
        return [int(move) for move in env.history[before:]], cells

    def _result(self, given: OwnSimulation, leaf: int) -> float:
        """The result for X: that of the game, or their number where no end was reached."""
        env = self._env
        if env.is_terminal():
            return float(env.get_result(1)) + 0.0
        # A playout that was cut off, or that is not known: the number that its leaf got.
        chooser = self._sides[self._columns["parent"][leaf]] if leaf else self._sides[0]
        return _VIEWS[self.view](self._signed(given.totals[-1]), chooser) * chooser + 0.0

    # ------------------------------------------------------------------------- judging

    def _blame(self, kind: TreeFaultKind, number: int, place: int, **facts: Any) -> None:
        self.faults.append(TreeFault(kind, number, place, facts))

    def _terms(self, number: int, given: OwnSimulation, path: list[int]) -> list[Any]:
        terms = []
        scale = 2 if self._shares else 1
        for place, (choice, (above, below)) in enumerate(
            zip(given.choices, pairwise(path), strict=False)
        ):
            chooser, total = self._sides[above], sum(child.visits for child in choice)
            rows, scores = [], {}
            for child in choice:
                node = self._numbers.get((*self._line(above), child.move))
                if node is None:
                    continue
                mean = _VIEWS[self.view](self._signed(child.total / child.visits), chooser)
                bonus = scale * exploration(child.visits, total, self._c)
                if child.score is not None and math.isfinite(child.score):
                    scores[node] = child.score
                    bonus = (2 * child.score - 1 if self._shares else child.score) - mean
                shown = round(mean * chooser, DIGITS) + 0.0
                rows.append([node, child.visits, shown, round(bonus, DIGITS)])
            if len(scores) == len(rows) and scores.get(below, math.inf) < (
                max(scores.values(), default=-math.inf) - _CLOSE
            ):
                best = max(scores, key=lambda node: scores[node])
                self._blame(
                    "choice",
                    number,
                    place,
                    taken=[self._columns["move"][below], scores[below]],
                    best=[self._columns["move"][best], scores[best]],
                )
            terms.append(rows)
        return terms

    def _backed(
        self, number: int, given: OwnSimulation, path: list[int], result: float
    ) -> list[float] | None:
        """What each node got, in X's view; ``None`` if it is the result everywhere."""
        if len(given.totals) != len(path):
            raise TraceError("a simulation counts other nodes than those on its path")
        backed = [result]
        for place in range(1, len(path)):
            chooser = self._sides[path[place - 1]]
            amount = _VIEWS[self.view](self._signed(given.totals[place]), chooser)
            got = amount * chooser + 0.0
            backed.append(got)
            if given.visits[place] != 1:
                self._blame("visit", number, place, visits=given.visits[place])
            elif abs(got - result) > _CLOSE:
                kind: TreeFaultKind = "sign" if abs(got + result) <= _CLOSE else "amount"
                self._blame(
                    kind,
                    number,
                    place,
                    result=result,
                    right=result * chooser + 0.0,
                    added=amount,
                    chooser=letter(chooser),
                )
        return None if all(abs(got - result) <= _CLOSE for got in backed) else backed

    def _cause(self) -> str:
        """What all wrong signs have in common; "" if there is nothing."""
        wrong = [fault for fault in self.faults if fault.kind == "sign"]
        if not wrong:
            return ""
        if all(
            self._numbers[tuple(self._given[f.simulation].path[: f.place])] in self._ends
            for f in wrong
        ):
            return "ends"
        flips = same = True
        for given in self._given:
            last = len(given.totals) - 1
            for place, total in enumerate(given.totals):
                if place:
                    flips &= abs(total - given.result * (-1) ** (last - place)) <= _CLOSE
                    same &= abs(total - given.result) <= _CLOSE
        return "same" if same else "flips" if flips else ""

    def _told(self, fault: TreeFault) -> JsonObject:
        line = self._given[fault.simulation].path[: fault.place]
        return {
            "kind": fault.kind,
            "simulation": fault.simulation,
            "place": fault.place,
            "line": line,
            **fault.facts,
        }


def _prefixes(path: list[int]) -> list[list[int]]:
    return [path[:place] for place in range(len(path))]
