"""The trace of somebody else's minimax or alpha-beta, from its calls.

The document is that of `traces.minimax`, so everything that draws a trace draws it; what differs:

``engine``
    its name is that of the function, and it has the option ``own``.
``faults``
    what is wrong, in the order in which it happens: ``kind`` (`own_faults.FaultKind`), ``node``,
    ``event``, ``line`` (the moves that lead there) and the facts of its kind.

Events may contradict themselves from the first fault on; before it `steps_of` reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from rl_toolkit.algorithms.minimax.negamax import UNLIMITED
from rl_toolkit.algorithms.traces import events
from rl_toolkit.algorithms.traces.own.calls import WIN, OwnCall, OwnNode, OwnTree
from rl_toolkit.algorithms.traces.own.faults import Fault, Truth, find_faults
from rl_toolkit.algorithms.traces.plain_size import PlainSize
from rl_toolkit.algorithms.traces.trace import (
    Trace,
    TraceBounds,
    TraceError,
    cells_of,
    dumped,
    letter,
    names_of,
    opening,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import JsonObject

#: Boards of at most this many cells, and trees that were typed, are solved beside the search.
SMALL = 9
#: The most faults that a trace names.
MOST_FAULTS = 20


def is_small(env: BaseGameEnv) -> bool:
    """Whether all true values are known, so that sentences can be checked."""
    return bool(env.traits.free_results) or (
        bool(env.traits.has_grid) and env.rows * env.cols <= SMALL
    )


def trace_calls(
    env: BaseGameEnv,
    calls: Sequence[OwnCall],
    name: str,
    *,
    negates: bool = False,
    bounds: TraceBounds | None = None,
) -> Trace:
    """The trace of a search that made these calls, the first one at ``env``.

    ``negates`` says that the search turns the sign of what it calls, as negamax does. `TraceError`
    if there are too many calls for ``bounds``.
    """
    bounds = bounds or TraceBounds()
    if len(calls) > bounds.nodes:
        raise TraceError(f"this search visits more than {bounds.nodes:,} positions")
    tree = OwnTree(env, calls, negates=negates)
    truth = Truth(env) if is_small(env) else None
    faults, known = find_faults(tree, truth)
    deepest = max(node.ply for node in tree.nodes.values())
    for fold in range(deepest, 0, -1):
        writer = _Writer(tree, known, fold)
        writer.write(0, None)
        if len(writer.kinds) > bounds.events:
            continue
        data = _document(tree, name, writer, faults)
        if len(dumped(data).encode()) <= bounds.bytes:
            return Trace(data)
    if not deepest:
        writer = _Writer(tree, known, 1)
        writer.write(0, None)
        return Trace(_document(tree, name, writer, faults))
    raise TraceError("this search has too many moves for a trace; limit its depth")


class _Frame:
    """A node that is being written: its window as it changes, and where the bounds were set."""

    def __init__(self, node: OwnNode, above: _Frame | None) -> None:
        self.node = node
        self.alpha, self.beta = node.alpha, node.beta
        self.alpha_from = self.beta_from = -1
        if above is not None and node.alpha == above.alpha:
            self.alpha_from = above.alpha_from
        if above is not None and node.beta == above.beta:
            self.beta_from = above.beta_from
        self.best: float | None = None


class _Writer:
    """Writes the events down to ply ``fold``; ``place`` is call → number of the node."""

    def __init__(self, tree: OwnTree, known: dict[int, Any], fold: int) -> None:
        self._tree, self._known, self.fold = tree, known, fold
        self.kinds: list[str] = []
        self.args: list[float] = []
        self.move: list[int] = []
        self.cells: list[Any] = []
        self.side: list[str] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.cuts: dict[str, Any] = {}
        self.hits: dict[str, Any] = {}
        self.folded: dict[str, int] = {}
        self.place: dict[int, int] = {}
        self.entered: dict[int, int] = {}  # call → event
        self.left: dict[int, int] = {}
        self.sizes = PlainSize()

    def _tell(self, kind: str, *args: float) -> str:
        self.kinds.append(kind)
        self.args += args
        return str(len(self.kinds) - 1)

    def write(self, number: int, above: _Frame | None) -> float:
        """Write a node and what is below it; its value."""
        tree, node = self._tree, self._tree.nodes[number]
        frame = _Frame(node, above)
        self.place[number] = len(self.move)
        self.move.append(node.move)
        self.cells.append(node.cells)
        self.side.append(letter(node.side))
        least, greatest = self._known[number]
        self.low.append(least)
        self.high.append(greatest)
        if above is not None and (frame.alpha, frame.beta) == (above.alpha, above.beta):
            event = self._tell(events.ENTER)
        else:
            event = self._tell(events.ENTER_WITH, frame.alpha, frame.beta)
        self.entered[number] = int(event)
        if node.ply < self.fold:
            for child in node.children:
                tree.env.step(tree.nodes[child].move)
                value = self.write(child, frame)
                tree.env.undo()
                self._offer(frame, number, value)
            if node.children:
                self._leave_out(frame, number)
        self.left[number] = self._close(number, node)
        return node.value

    def _offer(self, frame: _Frame, number: int, value: float) -> None:
        best, is_max, prunes = frame.best, frame.node.side == 1, self._tree.prunes
        if best is not None and not (value > best if is_max else value < best):
            self._tell(events.WORSE, value)
            return
        frame.best = value
        moves = value > frame.alpha if is_max else value < frame.beta
        self._tell(events.BETTER if moves or not prunes else events.SOFT, value)
        if prunes and moves and is_max:
            frame.alpha, frame.alpha_from = value, self.place[number]
        elif prunes and moves:
            frame.beta, frame.beta_from = value, self.place[number]

    def _leave_out(self, frame: _Frame, number: int) -> None:
        node, tree = frame.node, self._tree
        tried = {tree.nodes[child].move for child in node.children}
        left = [move for move in node.moves if move not in tried]
        best = WIN if node.side == 1 else -WIN
        sure = not tree.env.traits.free_results and frame.best == best
        if not left or (sure and frame.alpha < frame.beta):
            return  # nothing is left out, or a win was found and nothing can be better
        env = tree.env
        saved, cells = [], []
        before = cells_of(env) if env.traits.has_grid else None
        for move in left:
            env.step(move)
            saved.append(self.sizes.count(env, UNLIMITED))
            cells.append(_changed(before, env, node.side))
            env.undo()
        owner = frame.beta_from if node.side == 1 else frame.alpha_from
        how = ["tie"] if frame.alpha == frame.beta else []
        cut = {"from": owner, "left": left, "cells": cells, "saved": saved, "how": how}
        self.cuts[self._tell(events.CUT)] = cut

    def _close(self, number: int, node: OwnNode) -> int:
        tree = self._tree
        if node.children and node.ply >= self.fold:
            event = self._tell(events.FOLD, node.value)
            self.folded[event] = self._below(number)
        elif node.children:
            event = self._tell(events.RETURN, node.value)
        elif node.result is not None:
            event = self._tell(events.RESULT, node.value)
        elif node.twin >= 0 and tree.nodes[node.twin].value == node.value:
            event = self._tell(events.HIT, node.value)
            self.hits[event] = {"twin": self.place.get(node.twin, -1), "symmetric": False}
        else:
            event = self._tell(events.ESTIMATE, node.value)
        return int(event)

    def _below(self, number: int) -> int:
        children = self._tree.nodes[number].children
        return len(children) + sum(map(self._below, children))

    def event_of(self, fault: Fault) -> int:
        """The event at which a fault shows; in a folded part, that of the part."""
        number = fault.node
        while number not in self.place:
            number = self._tree.calls[number].parent
        if number == fault.node and fault.at_entry:
            return self.entered[number]
        event = self.left[number]
        if number == fault.node and fault.kind == "cut" and str(event - 1) in self.cuts:
            return event - 1
        return event


def _changed(before: Any, env: BaseGameEnv, side: int) -> Any:
    if before is None:
        return -1
    now = cells_of(env)
    changed = np.flatnonzero(now != before).tolist()
    if any(now[cell] != side for cell in changed):
        return [[cell, int(now[cell])] for cell in changed]
    return changed[0] if len(changed) == 1 else changed or -1


def _document(tree: OwnTree, name: str, writer: _Writer, faults: Sequence[Fault]) -> JsonObject:
    env, root = tree.env, tree.nodes[0]
    seen = {*writer.args, *writer.low, *writer.high} - {-inf, inf}
    scores = [-inf, *sorted(seen), inf]
    place = {score: number for number, score in enumerate(scores)}
    best = next((c for c in root.children if tree.nodes[c].value == tree.best(root)), None)
    line = [] if best is None else [tree.nodes[best].move]
    told = [_told_fault(tree, writer, fault, place) for fault in faults[:MOST_FAULTS]]
    left = {move for cut in writer.cuts.values() for move in cut["left"]}
    named = {move for fault in told for move in (*fault["line"], *fault.get("left", ()))}
    folded = sum(writer.folded.values())
    visited = len(tree.nodes)
    notes = []
    if folded:
        plies = "one ply is" if writer.fold == 1 else f"{writer.fold} plies are"
        notes.append(
            f"The search visited {visited:,} positions; only the first {plies} told, "
            f"{folded:,} positions below are folded"
        )
    nodes: JsonObject = {
        "move": writer.move,
        "side": "".join(writer.side),
        "lo": [place[score] for score in writer.low],
        "hi": [place[score] for score in writer.high],
    }
    if writer.cells != writer.move:
        nodes["cells"] = writer.cells
    score = root.value if abs(root.value) < inf else 0.0
    return {
        **opening("minimax", env, name, {"own": True, **_options(tree)}),
        "answer": {
            "value": score / WIN if tree.unit is not None and abs(score) == WIN else score,
            "score": score,
            "nodes": visited,
            "plain": writer.sizes.count(env, UNLIMITED) if is_small(env) else None,
            "hits": len(writer.hits),
            "cuts": len(writer.cuts),
            "line": line,
            "settled": True,
        },
        "notes": notes,
        "names": names_of(env, {*writer.move, *left, *line, *named}),
        "values": ["-inf", *scores[1:-1], "inf"],
        "texts": [_text(tree, score) for score in scores],
        "nodes": nodes,
        "events": {
            "kind": "".join(writer.kinds),
            "args": [place[score] for score in writer.args],
        },
        "cuts": writer.cuts,
        "hits": writer.hits,
        "folded": writer.folded,
        "below": {},
        "faults": told,
        "all_faults": len(faults),
    }


def _options(tree: OwnTree) -> JsonObject:
    """The options of a trace, as far as the calls show them."""
    remembers = any(
        node.twin >= 0 and not node.children and node.result is None for node in tree.nodes.values()
    )
    off = dict.fromkeys(("symmetry", "ordering", "pvs", "distance"), False)
    return {"pruning": tree.prunes, "memoization": remembers, **off, "depth": None} | {
        "heuristic": False
    }


def _told_fault(
    tree: OwnTree, writer: _Writer, fault: Fault, place: dict[float, int]
) -> JsonObject:
    """A fault as data; scores as texts."""
    node = tree.nodes[fault.node]
    facts = {
        name: _text(tree, fact) if isinstance(fact, float) else fact
        for name, fact in fault.facts.items()
        if name != "twin"
    }
    if "twin" in fault.facts:
        facts["stored"] = tree.line(fault.facts["twin"])
    children = [[tree.nodes[c].move, _text(tree, tree.nodes[c].value)] for c in node.children]
    return {
        "kind": fault.kind,
        "node": writer.place.get(fault.node, -1),
        "event": writer.event_of(fault),
        "line": tree.line(fault.node),
        "side": letter(node.side),
        "value": _text(tree, node.value),
        "result": node.result,
        "children": children,
        "window": [_text(tree, node.alpha), _text(tree, node.beta)],
        **facts,
    }


def _text(tree: OwnTree, score: float) -> str:
    """A score as the search has it, for people."""
    if abs(score) == inf:
        return "+∞" if score > 0 else "−∞"
    if tree.unit is not None and abs(score) <= 1:
        score *= tree.unit
    elif tree.unit is not None and abs(score) == WIN:
        score = tree.unit if score > 0 else -tree.unit
    text = f"{score:.4g}" if abs(score) < 1e6 else f"{score:.0f}"
    return "0" if text in ("-0", "0") else text.replace("-", "−")
