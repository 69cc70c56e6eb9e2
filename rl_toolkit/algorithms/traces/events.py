"""The events of a minimax search, and the reader that turns their compact form into steps.

A trace of minimax has these fields beside the common ones:

``values``, ``texts``
    The scores that occur, increasing, from ``"-inf"`` to ``"inf"``, and how people read them. All
    other numbers that stand for a score are places in this list. A won game scores 1000, with the
    option ``distance`` less the plies from the root. Estimates are written in points, won and lost
    games then as words; ``points`` says how many points the estimate 1 has.
``nodes``
    Columns over the visited nodes, numbered in the order of entry: the ``move`` that led there (−1
    at the root), the ``side`` to move, and what is known of the true value on leaving, ``lo`` and
    ``hi``. ``cells``, where it differs from ``move``, is the cell or the list of cells that the
    mover takes; in games that change cells otherwise, pairs of cell and content.
``events``
    ``kind``, one letter an event, and their arguments one after the other in ``args``.
``cuts``
    By number of the event: ``from``, the node where the bound was set (−1 for the bound of a null
    window), the moves ``left`` out, their ``cells``, the positions ``saved`` that plain minimax
    would visit below them (null if there are too many to count), and ``how``: ``tie`` if alpha
    equals beta, ``null`` for a null window, ``table`` if the value came from the table as a bound.
``hits``
    By number of the event: ``twin``, the node that stored the entry (−1 if it is folded), whether
    the two are only ``symmetric``, and the positions ``saved`` that plain minimax would visit below
    (null if there are too many to count).
``folded``
    By number of the event: how many positions below the node are not told.
``below``
    By number of the event of a folded part, where there is something to count: its cuts, what they
    save (null if there is too much to count), and its hits of the table.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from rl_toolkit.algorithms.traces.trace import CHECKS, TraceError
from rl_toolkit.utils import JsonObject

#: Enter a node with the window of its parent; with another window: alpha, beta; with a null window.
ENTER, ENTER_WITH, PROBE = "E", "N", "P"
#: Leave a leaf: the result of the game, an estimate at the depth limit, an entry of the table, a
#: draw because lines are blocked, a folded part. Each with its value.
RESULT, ESTIMATE, HIT, DEAD, FOLD = "V", "v", "H", "D", "F"
#: A child comes back: better and the bound of the mover moves; better, but it stays; no better.
BETTER, SOFT, WORSE = "B", "b", "W"
#: Leave out the other moves. Leave the node with the value found.
CUT, RETURN = "C", "R"

ENTRIES = ENTER + ENTER_WITH + PROBE
LEAVES = RESULT + ESTIMATE + HIT + DEAD + FOLD
OFFERS = BETTER + SOFT + WORSE


class Step(NamedTuple):
    """One event with all its numbers; alpha and beta are those of its node, after the event."""

    number: int
    kind: str
    node: int
    ply: int
    alpha: float
    beta: float
    value: float | None


class Replay(NamedTuple):
    """What the events of a trace add up to."""

    value: float
    nodes: int


class _Open:
    """A node that has been entered and not left."""

    def __init__(self, node: int, is_max: bool, alpha: float, beta: float) -> None:
        self.node, self.is_max, self.alpha, self.beta = node, is_max, alpha, beta
        self.best: float | None = None
        self.returned: float | None = None  # by the last child, not yet compared

    def offer(self, kind: str, value: float, prunes: bool) -> None:
        """Compare a child's value as the search does; `TraceError` if the event says otherwise."""
        if value != self.returned:
            raise TraceError(f"a child of node {self.node} returned another value")
        better = self.best is None or (value > self.best if self.is_max else value < self.best)
        moves = value > self.alpha if self.is_max else value < self.beta
        told = WORSE if not better else BETTER if moves or not prunes else SOFT
        if told != kind:
            raise TraceError(f"node {self.node}: {kind} does not fit the values, {told} does")
        self.returned = None
        if better:
            self.best = value
        if better and prunes and self.is_max:
            self.alpha = max(self.alpha, value)
        elif better and prunes:
            self.beta = min(self.beta, value)


def steps_of(data: JsonObject) -> Iterator[Step]:
    """The events of a minimax trace in order; `TraceError` where they contradict themselves."""
    values = [_score(value) for value in data["values"]]
    sides, prunes = data["nodes"]["side"], bool(data["engine"]["options"]["pruning"])
    args = iter(data["events"]["args"])
    stack: list[_Open] = []
    entered = 0
    for number, kind in enumerate(data["events"]["kind"]):
        value: float | None = None
        if kind in ENTRIES:
            if not stack and (entered or kind == ENTER):
                raise TraceError("the root is entered once, with its window")
            if kind == ENTER:
                alpha, beta = stack[-1].alpha, stack[-1].beta
            else:
                alpha, beta = _at(values, next(args)), _at(values, next(args))
            stack.append(_Open(entered, sides[entered] == "X", alpha, beta))
            entered += 1
        elif not stack:
            raise TraceError("events after the root was left")
        here = stack[-1]
        if kind in LEAVES or kind == RETURN:
            value = _at(values, next(args))
            if kind == RETURN and value != here.best:
                raise TraceError(f"node {here.node} returns another value than its best")
            if kind in LEAVES and here.best is not None:
                raise TraceError(f"node {here.node} has children and is not a leaf")
        elif kind in OFFERS:
            value = _at(values, next(args))
            here.offer(kind, value, prunes)
        elif kind == CUT:
            value = here.best
            if not here.alpha >= here.beta:
                raise TraceError(f"node {here.node} is cut although alpha is below beta")
            if str(number) not in data["cuts"]:
                raise TraceError(f"event {number} is a cut without a reason")
        elif kind not in ENTRIES:
            raise TraceError(f"{kind!r} is not an event")
        yield Step(number, kind, here.node, len(stack) - 1, here.alpha, here.beta, value)
        if kind in LEAVES or kind == RETURN:
            stack.pop()
            if stack:
                stack[-1].returned = value
    if stack or not entered:
        raise TraceError("the trace ends before its root is left")
    if entered != len(sides) or next(args, None) is not None:
        raise TraceError("nodes or arguments are left over")


def replay(data: JsonObject) -> Replay:
    """Play the events of a minimax trace again; `TraceError` where they contradict themselves."""
    last, nodes = None, sum(data["folded"].values())
    for last in steps_of(data):
        nodes += last.kind in ENTRIES
    assert last is not None
    assert last.value is not None
    return Replay(last.value, nodes)


def check_minimax(data: JsonObject) -> None:
    """Check the events against each other and against the answer; raises `TraceError`."""
    values, nodes = data["values"], data["nodes"]
    if len({len(nodes[name]) for name in ("move", "side", "lo", "hi")}) != 1:
        raise TraceError("the columns of nodes differ in length")
    if len(data["texts"]) != len(values) or any(
        not _score(low) < _score(high) for low, high in itertools.pairwise(values)
    ):
        raise TraceError("values must increase, each with its text")
    found = replay(data)
    answer = data["answer"]
    if (found.value, found.nodes) != (answer["score"], answer["nodes"]):
        raise TraceError(
            f"the events lead to {found.value:g} in {found.nodes:,} nodes, "
            f"the answer says {answer['score']} in {answer['nodes']}"
        )
    count = len(data["events"]["kind"])
    for name in ("cuts", "hits", "folded", "below"):
        if any(not 0 <= int(number) < count for number in data.get(name, {})):
            raise TraceError(f"{name} name events that do not exist")
    named = {*nodes["move"][1:], *(move for cut in data["cuts"].values() for move in cut["left"])}
    if any(str(move) not in data["names"] for move in named):
        raise TraceError("a move has no name")
    if any(not -1 <= cut["from"] < len(nodes["move"]) for cut in data["cuts"].values()):
        raise TraceError("a cut names a node that does not exist")


def _score(value: object) -> float:
    if value in ("-inf", "inf"):
        return inf if value == "inf" else -inf
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TraceError(f"a value is a number, not {value!r}")
    return float(value)


def _at(values: list[float], place: object) -> float:
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(values):
        raise TraceError(f"there is no value at place {place!r}")
    return values[place]


CHECKS["minimax"] = check_minimax
