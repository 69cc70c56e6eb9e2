"""Somebody else's search in sentences: its faults, and its steps as far as they are checked.

On boards of nine cells and on trees that were typed the sentences of `tell` are used up to the first
fault; `steps_of` reads the events again while they are told, so nothing is said that does not
follow from them. On larger games, and after a fault, only counts and values are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rl_toolkit.algorithms.traces import Simulation, Trace, TraceError, events
from rl_toolkit.explain.traces.line import Line
from rl_toolkit.explain.traces.minimax import tell_minimax
from rl_toolkit.explain.traces.trees import tell_steps
from rl_toolkit.utils import JsonObject, counted

#: Every fault in a sentence, by its kind.
FAULTS = {
    "nothing": "{After} your function returns nothing that is a number.",
    "leaf_won": (
        "{After} the game is over: {winner} has won. For {x} that is {sign}; your function returns "
        "{value}."
    ),
    "leaf_drawn": "{After} the game is a draw, so the value is 0; your function returns {value}.",
    "leaf_tree": "{After} there is a leaf with {right}; your function returns {value}.",
    "after-end": "{After} the game is over, and your function tries further moves.",
    "not-a-move": (
        "{After} your function calls itself with a board that is not one move away. Is the board "
        "copied before a move is tried, or the move taken back after it?"
    ),
    "side": (
        "{After} it is {side}'s turn, but your function is called as if it were {other}'s: the "
        "flag or the player is not switched from call to call."
    ),
    "window": (
        "{After} your function is called with the window from {low} to {high}, narrower than what "
        "is known there, {alpha} to {beta}: a good value can be missed."
    ),
    "cut": (
        "Wrong cut {after}: {left} left out although α = {alpha} is below β = {beta}. The best "
        "value so far is {best}, and what is left out could still change the result."
    ),
    "choice": (
        "Wrong value {after}: it is {side}'s turn, and the moves came back with {children}. {side} "
        "takes the {direction}, {best}; your function returns {value}."
    ),
    "memory": (
        "Wrong memory {after}: your table says {value}, but the true value is {truth}. It was "
        "stored {stored}, when moves were left out: that value is a bound."
    ),
    "early": (
        "{After} your function returns {value} without trying a move; the true value is {truth}. A "
        "depth limit does that, a table whose key lacks the side to move, or a test for the end "
        "that is true too early."
    ),
    "value": "{After} your function returns {value}; the true value is {truth}.",
    "sign": (
        "Wrong sign: simulation {number} ends with {end}. {chooser} moved into {node}, so {node} "
        "must get {right}; your code adds {added}."
    ),
    "amount": (
        "Wrong amount: simulation {number} ends with {end}, so {node} must get {right}; your code "
        "adds {added}."
    ),
    "visit": "Simulation {number} goes through {node}, but its visits change by {visits}, not by 1.",
    "tree_choice": (
        "Selection: simulation {number} takes {taken} with the score {low}, although {best} has "
        "{high}."
    ),
    "illegal": "Simulation {number} makes a move that is not legal: {problem}.",
    "flips": (
        "The sign is turned at every step from the leaf upwards, although the result is always "
        "{x}'s. Add the result times the player who moved into the node."
    ),
    "same": (
        "Every node gets the same number, whoever moved into it. Add the result times the player "
        "who moved into the node."
    ),
    "ends": (
        "This happens only where the game is over: after the last move some games leave the player "
        "to move as it was. The player who moved into a node is the one to move at its parent."
    ),
    "more": "There are {count} places like this in the search; this is the first.",
}
#: Events without a checked sentence: counts and values.
VALUES = {
    "start": "{side} to move.",
    "enter": "{side} tries {move}.",
    "leaf": "Value {value}.",
    "folded": "{count} further down: value {value}.",
    "better": "{move}: {value}, the best so far.",
    "worse": "{move}: {value}.",
    "cut": "{left} left out.",
    "return": "Returns {value}.",
    "select": "Select {move}: {visits}, mean {mean}, bonus {bonus}.",
    "expand": "{move} is new.",
    "playout": "Playout, move {number}: {move}.",
    "no_playout": "No playout.",
    "back_up": "{node}: {visits}, mean {mean}.",
}
_MOST_CHILDREN = 9


def tell_faults(trace: Trace) -> list[str]:
    """One or more sentences for each fault of the trace; the first has what all have in common."""
    data = trace.data
    told = [_Fault(trace, fault).text() for fault in data.get("faults", ())]
    if told:
        if data.get("cause"):
            told[0] += " " + FAULTS[data["cause"]].format(x=data["sides"]["X"])
        if data["all_faults"] > 1:
            told[0] += " " + FAULTS["more"].format(count=f"{data['all_faults']:,}")
    return told


class _Fault:
    def __init__(self, trace: Trace, fault: JsonObject) -> None:
        self._trace, self._fault, self._sides = trace, fault, trace.data["sides"]

    def text(self) -> str:
        fault, trace = self._fault, self._trace
        where = "at the start"
        if fault["line"]:
            where = f"after {' '.join(map(trace.name, fault['line']))}"
        slots: dict[str, Any] = {"x": self._sides["X"], "o": self._sides["O"]}
        slots |= {"after": where, "After": where[0].upper() + where[1:] + ","}
        slots |= {k: v for k, v in fault.items() if isinstance(v, str)}
        name = fault["kind"]
        if "simulation" in fault:
            slots |= self._of_simulation(fault)
            name = "tree_choice" if name == "choice" else name
        else:
            slots |= self._of_call(fault)
            if name == "leaf":
                free = trace.data.get("free_results")
                name = "leaf_tree" if free else "leaf_won" if fault["result"] else "leaf_drawn"
        return FAULTS[name].format(**slots)

    def _of_call(self, fault: JsonObject) -> dict[str, str]:
        side = fault["side"]
        children = [f"{self._trace.name(move)} {value}" for move, value in fault["children"]]
        more = len(children) - _MOST_CHILDREN
        shown = ", ".join(children[:_MOST_CHILDREN]) + (f" and {more} more" if more > 0 else "")
        stored = fault.get("stored")
        at = "at the start"
        if stored:
            at = f"after {' '.join(map(self._trace.name, stored))}"
        low, high = fault["window"]
        left = fault.get("left", [])
        names = ", ".join(map(self._trace.name, left))
        return {
            "side": self._sides[side],
            "other": self._sides["O" if side == "X" else "X"],
            "children": shown,
            "direction": "highest" if side == "X" else "lowest",
            "winner": self._sides["X" if (fault["result"] or 0) > 0 else "O"],
            "sign": "positive" if (fault["result"] or 0) > 0 else "negative",
            "low": low,
            "high": high,
            "stored": at,
            "left": f"{names} {'is' if len(left) == 1 else 'are'}",
        }

    def _of_simulation(self, fault: JsonObject) -> dict[str, str]:
        trace, result = self._trace, fault.get("result", 0)
        end = "a draw"
        if result in (1, -1):
            end = f"a win for {self._sides['X' if result > 0 else 'O']}"
        elif result:
            end = f"{_signed(result)} for {self._sides['X']}"
        line = " ".join(map(trace.name, fault["line"])) or "the start"
        slots = {"number": f"{fault['simulation'] + 1:,}", "end": end, "node": line}
        if "chooser" in fault:
            slots["chooser"] = self._sides[fault["chooser"]]
            slots["right"], slots["added"] = _signed(fault["right"]), _signed(fault["added"])
        if "visits" in fault:
            slots["visits"] = f"{fault['visits']:g}"
        if fault["kind"] == "choice":
            (taken, low), (best, high) = fault["taken"], fault["best"]
            slots |= {"taken": trace.name(taken), "best": trace.name(best)}
            slots |= {"low": f"{low:.3f}", "high": f"{high:.3f}"}
        return slots


# ---------------------------------------------------------------------- minimax, by event


def tell_own(trace: Trace, *, is_small: bool) -> list[Line]:
    """One or more lines for every event of a minimax trace that somebody else's search left."""
    data = trace.data
    faults = {fault["event"]: text for fault, text in zip(*_first_faults(trace), strict=True)}
    first = min(faults, default=len(data["events"]["kind"]))
    checked: dict[int, list[Line]] = {}
    rest: list[Line] = []
    if is_small:
        checked, rest = _checked(trace, first)
    lines: list[Line] = []
    for line in _valued(trace):
        told = checked.get(line.event, [line])
        if line.event in faults:
            told = [line._replace(text=faults[line.event])]
        lines += told
    return lines + (rest if not faults else [])


def _first_faults(trace: Trace) -> tuple[list[JsonObject], list[str]]:
    """The faults with their texts, one for each event."""
    seen: dict[int, tuple[JsonObject, str]] = {}
    for fault, text in zip(trace.data.get("faults", ()), tell_faults(trace), strict=True):
        seen.setdefault(fault["event"], (fault, text))
    return [fault for fault, _ in seen.values()], [text for _, text in seen.values()]


def _checked(trace: Trace, first: int) -> tuple[dict[int, list[Line]], list[Line]]:
    """The sentences of `tell` by event, before event ``first``; and those after the last event."""
    by_event: dict[int, list[Line]] = {}
    after: list[Line] = []
    last = len(trace.data["events"]["kind"]) - 1
    try:
        for line in tell_minimax(trace):
            if line.event >= first:
                break
            if line.event >= 0:
                by_event[line.event] = [line]
            elif last in by_event:
                after.append(line)
    except TraceError:  # from here on the events do not say what the sentence would
        return by_event, []
    return by_event, after


def _valued(trace: Trace) -> Iterator[Line]:
    """One line for each event: what is entered, and values."""
    data, texts = trace.data, trace.data["texts"]
    args = iter(data["events"]["args"])
    sides, moves = data["nodes"]["side"], data["nodes"]["move"]
    stack: list[int] = []
    back = entered = 0
    for number, kind in enumerate(data["events"]["kind"]):
        if kind in events.ENTRIES:
            if kind != events.ENTER:
                next(args), next(args)
            name = "enter" if stack else "start"
            mover = data["sides"][sides[stack[-1] if stack else 0]]
            move = trace.name(moves[entered]) if stack else ""
            text = VALUES[name].format(side=mover, move=move)
            stack.append(entered)
            entered += 1
        elif kind == events.CUT:
            left = ", ".join(map(trace.name, data["cuts"][str(number)]["left"]))
            text = VALUES["cut"].format(left=left)
        else:
            text = _value_line(trace, number, kind, texts[next(args)], moves[back])
        yield Line(text, len(stack) - 1, number, kind == events.CUT)
        if kind in events.LEAVES or kind == events.RETURN:
            back = stack.pop()


def _value_line(trace: Trace, number: int, kind: str, value: str, move: int) -> str:
    if kind == events.FOLD:
        count = counted(trace.data["folded"][str(number)], "position")
        return VALUES["folded"].format(count=count, value=value)
    if kind in events.OFFERS:
        name = "worse" if kind == events.WORSE else "better"
        return VALUES[name].format(move=trace.name(move), value=value)
    return VALUES["return" if kind == events.RETURN else "leaf"].format(value=value)


# ----------------------------------------------------------------- tree search, by step


def tell_own_steps(trace: Trace, first: int, count: int, *, is_small: bool) -> list[list[str]]:
    """The steps of simulations from number ``first``, with the faults where they happen."""
    told = tell_steps(trace, first, count) if is_small else list(_counted(trace, first, count))
    texts = tell_faults(trace)
    for fault, text in zip(trace.data["faults"], texts, strict=True):
        number = fault["simulation"] - first
        if not 0 <= number < len(told) or not told[number]:
            continue
        one = Simulation(*trace.data["simulations"][fault["simulation"]])
        # Steps of the back-up come last, from the leaf to the root.
        step = fault["place"] if fault["kind"] == "choice" else -1 - fault["place"]
        if -len(told[number]) <= step < len(told[number]) and one.terms is not None:
            told[number][step] = text
    return told


def _counted(trace: Trace, first: int, count: int) -> Iterator[list[str]]:
    data = trace.data
    parents = data["nodes"]["parent"]
    visits, totals = [0] * len(parents), [0.0] * len(parents)
    for number, fields in enumerate(data["simulations"][: first + count]):
        one = Simulation(*fields)
        told = [] if number < first else list(_steps_before(trace, one))
        for place in reversed(range(len(one.path))):
            node = one.path[place]
            visits[node] += 1
            totals[node] += one.backed[place] if one.backed else one.result
            if number >= first and one.terms is not None:
                name = trace.name(data["nodes"]["move"][node]) if node else "start"
                told.append(_tallied("back_up", name, visits[node], totals[node] / visits[node]))
        if number >= first:
            yield told


def _tallied(name: str, node: str, visits: int, mean: float) -> str:
    return VALUES[name].format(node=node, visits=counted(visits, "visit"), mean=_signed(mean))


def _steps_before(trace: Trace, one: Simulation) -> Iterator[str]:
    if one.terms is None:
        return
    nodes: Mapping[str, Any] = trace.data["nodes"]
    for above, below, terms in zip(one.path, one.path[1:], one.terms, strict=False):
        sign = 1 if nodes["side"][above] == "X" else -1
        row = next((row for row in terms if row[0] == below), None)
        move = trace.name(nodes["move"][below])
        visits, mean, bonus = (int(row[1]), sign * row[2], row[3]) if row else (0, 0.0, 0.0)
        yield VALUES["select"].format(
            move=move, visits=counted(visits, "visit"), mean=_signed(mean), bonus=f"{bonus:.2f}"
        )
    if one.new >= 0:
        yield VALUES["expand"].format(move=trace.name(nodes["move"][one.new]))
    for number, move in enumerate(one.moves, 1):
        yield VALUES["playout"].format(number=number, move=trace.name(move))
    if not one.moves:
        yield VALUES["no_playout"]


def _signed(value: float) -> str:
    text = f"{value:+.2f}".removesuffix(".00") if value == int(value) else f"{value:+.2f}"
    return "0" if text in ("+0", "-0") else text.replace("-", "−")
