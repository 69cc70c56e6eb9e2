"""A minimax trace in sentences that are true.

Three traps are avoided. "X already has a move worth that much" holds at MIN nodes only; at MAX
nodes it is O who has something. On a tie the side "gains nothing"; it need not lose. And the bound
of a null window belongs to no move. Values that are only known as bounds are written as bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from rl_toolkit.algorithms.minimax import WIN
from rl_toolkit.algorithms.traces import Step, Trace, events, steps_of
from rl_toolkit.explain.traces.line import Line

#: Every sentence, by what happened; front ends that draw a trace fill in the same ones.
SENTENCES = {
    "plain": "{side} to move. Plain minimax: every move is searched.",
    "start": "{side} to move. The window is α = {alpha}, β = {beta}.",
    "horizon": (
        "The search looks {depth} ahead; values beyond are the heuristic's estimates, in points."
    ),
    "blind": "The search looks {depth} ahead; without a heuristic every position there counts 0.",
    "enter": "{side} tries {move}.",
    "enter_with": "{side} tries {move}. The window is α = {alpha}, β = {beta}.",
    "again": "It may be: {side} searches {move} again. The window is α = {alpha}, β = {beta}.",
    "probe": "{side} tries {move}, and asks only: {question}?",
    "won": "The game is over: {side} wins, {value} for {x}.",
    "won_in_words": "The game is over: {side} wins.",
    "drawn": "The game is over: a draw, {value}.",
    "leaf": "A leaf: {value} for {x}.",
    "estimate": "The depth limit: {value} for {x} by the estimate.",
    "hit": "Seen before{where}: the table says {known}.",
    "mirror": "A symmetric position was seen{where}: the table says {known}.",
    "blocked": "Neither side can complete a line any more: a draw, 0.",
    "half_blocked": "{side} can complete no line any more: {known} for {x}, which is enough here.",
    "folded": "{count} further down: {known} for {x}.",
    "best": "{move} is {side}'s best so far: {value}.",
    "alpha": "{move} is {side}'s best so far: {value}. α rises to {value}.",
    "beta": "{move} is {side}'s best so far: {value}. β falls to {value}.",
    "soft_max": "{move} comes back with {known}: not above α = {alpha}, so α stays.",
    "soft_min": "{move} comes back with {known}: not below β = {beta}, so β stays.",
    "worse": "{move} comes back with {known}: no better than {best}.",
    "cut_min": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {o} holds {x} to {value} or less; but {where} {x} "
        "already has {move}, worth {alpha}. {x} gains nothing by coming here: {left} left out."
    ),
    "cut_max": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {x} gets {value} or more; but {where} {o} already has "
        "{move}, which holds {x} to {beta}. {o} gains nothing by coming here: {left} left out."
    ),
    "cut_min_best": (
        "Cut: α = {alpha} ≥ β = {beta}. {x} already wins with {move} {where}. Nothing is better "
        "for {x}, so {x} need not look here any further: {left} left out."
    ),
    "cut_max_best": (
        "Cut: α = {alpha} ≥ β = {beta}. {o} already wins with {move} {where}. Nothing is better "
        "for {o}, so {o} need not look here any further: {left} left out."
    ),
    "cut_min_held": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {o} holds {x} to {amount} or less; but {where} {x} "
        "already has {move}, {worth}. {x} gains nothing by coming here: {left} left out."
    ),
    "cut_max_held": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {x} gets {amount} or more; but {where} {o} already "
        "has {move}, {worth}. {o} gains nothing by coming here: {left} left out."
    ),
    "cut_min_over": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {o} wins; but {where} {x} already has {move}, "
        "{worth}. {x} gains nothing by coming here: {left} left out."
    ),
    "cut_max_over": (
        "Cut: α = {alpha} ≥ β = {beta}. Here {x} wins; but {where} {o} already has {move}, "
        "{worth}. {o} gains nothing by coming here: {left} left out."
    ),
    "cut_null_min": (
        "Cut: here {o} holds {x} to {amount} or less. The question was only: {question}? Yes, so "
        "stop: {left} left out."
    ),
    "cut_null_max": (
        "Cut: here {x} gets {amount} or more. The question was only: {question}? Yes, so stop: "
        "{left} left out."
    ),
    "cut_null_min_over": (
        "Cut: here {o} wins. The question was only: {question}? Yes, so stop: {left} left out."
    ),
    "cut_null_max_over": (
        "Cut: here {x} wins. The question was only: {question}? Yes, so stop: {left} left out."
    ),
    "by_table": " The table's bound is enough for that.",
    "return": "{after}: {known} for {x}.",
    "return_cut": (
        "{after}: {known} for {x}. What was left out could only move it further that way."
    ),
    "end": "The value is {value} for {x}, with {line}: {visited}.",
}

#: A result for X in words; an estimate and its unit.
_AMOUNTS = {"win": "a win", "loss": "a loss", "draw": "a draw"}
#: What the other side already has elsewhere, for one who moves there.
_WORTH = {
    "draw": "a draw",
    "defeat": "which loses too",
    "points": "worth {amount} for {x} by the estimate",
    "number": "worth {amount}",
}


class _Node:
    """What the teller keeps of a node."""

    def __init__(self, side: str, move: int, path: str, question: str) -> None:
        self.side, self.move, self.path = side, move, path
        self.question = question  # what the null window in force asks, if there is one
        self.best = self.owner_move = ""  # texts: the best value, the move that set the bound
        self.last = -1  # the child that came back last
        self.was_cut = False


def tell_minimax(trace: Trace) -> Iterator[Line]:
    """The steps of a minimax trace, indented by ply."""
    return _Teller(trace).lines()


class _Teller:
    def __init__(self, trace: Trace) -> None:
        self._trace, self._data = trace, trace.data
        self._options = self._data["engine"]["options"]
        places: list[float] = [float(value) for value in self._data["values"]]
        self._text: dict[float, str] = dict(zip(places, self._data["texts"], strict=True))
        self._place = {score: place for place, score in enumerate(places)}
        self._sides = self._data["sides"]
        # In a tree that was typed every node has a name, so the path to it need not be told.
        self._is_typed = bool(self._data.get("free_results"))
        self._estimates = events.ESTIMATE in self._data["events"]["kind"]
        self._points = bool(self._data.get("points"))  # whether values are written as points
        self._nodes: dict[int, _Node] = {}
        self._path: list[int] = []

    def lines(self) -> Iterator[Line]:
        for step in steps_of(self._data):
            text = self._sentence(step)
            yield Line(text, step.ply, step.number, step.kind == events.CUT)
            if step.kind in events.LEAVES or step.kind == events.RETURN:
                self._path.pop()
                if self._path:
                    self._nodes[self._path[-1]].last = step.node
            if step.number == 0 and self._options["depth"] is not None:
                depth = self._options["depth"]
                name = "horizon" if self._options.get("heuristic", True) else "blind"
                yield self._line(name, depth="1 ply" if depth == 1 else f"{depth} plies")
        answer = self._data["answer"]
        line = " ".join(map(self._trace.name, answer["line"])) or "no move"
        visited = f"{answer['nodes']:,} positions visited"
        if answer["plain"] is not None and answer["plain"] > answer["nodes"]:
            visited += f", {answer['plain']:,} by plain minimax"
        value = self._text[answer["score"]]
        yield self._line("end", value=value, line=line, visited=visited)

    def _line(self, name: str, **slots: str) -> Line:
        return Line(self._fill(name, **slots))

    def _fill(self, name: str, **slots: str) -> str:
        return SENTENCES[name].format(x=self._sides["X"], o=self._sides["O"], **slots)

    def _sentence(self, step: Step) -> str:
        if step.kind in events.ENTRIES:
            return self._entered(step)
        if step.kind in events.LEAVES:
            return self._leaf(step)
        if step.kind in events.OFFERS:
            return self._offered(step)
        return self._cut(step) if step.kind == events.CUT else self._returned(step)

    # ------------------------------------------------------------------------- entering

    def _entered(self, step: Step) -> str:
        side = self._data["nodes"]["side"][step.node]
        window = {"alpha": self._text[step.alpha], "beta": self._text[step.beta]}
        if not self._path:
            self._push(step.node, _Node(side, -1, "", ""))
            name = "start" if self._options["pruning"] else "plain"
            return self._fill(name, side=self._sides[side], **window)
        above = self._nodes[self._path[-1]]
        move = self._data["nodes"]["move"][step.node]
        again = above.last >= 0 and self._nodes[above.last].move == move
        name = self._trace.name(move)
        question = above.question
        if step.kind == events.PROBE:
            # The mover asks whether this move beats the best one: the near end of the window.
            is_max = above.side == "X"
            bound = self._amount(step.alpha if is_max else step.beta)
            question = f"more than {bound}" if is_max else f"less than {bound}"
        path = name if self._is_typed else f"{above.path} {name}".strip()
        self._push(step.node, _Node(side, move, path, question))
        mover = self._sides[above.side]
        if step.kind == events.PROBE:
            return self._fill("probe", side=mover, move=name, question=question)
        if not self._options["pruning"] or window["alpha"] == window["beta"]:  # a null window
            return self._fill("enter", side=mover, move=name)
        return self._fill("again" if again else "enter_with", side=mover, move=name, **window)

    def _push(self, node: int, entered: _Node) -> None:
        self._nodes[node] = entered
        self._path.append(node)

    # --------------------------------------------------------------------------- leaves

    def _leaf(self, step: Step) -> str:
        assert step.value is not None
        value, known = self._text[step.value], self._known(step.node, step.value)
        if step.kind == events.RESULT and self._is_typed:
            return self._fill("leaf", value=value)
        if step.kind == events.RESULT and step.value == 0:
            return self._fill("drawn", value=value)
        if step.kind == events.RESULT:
            side = self._sides["X" if step.value > 0 else "O"]
            return self._fill("won_in_words" if self._points else "won", side=side, value=value)
        if step.kind == events.ESTIMATE:
            return self._fill("estimate", value=self._amount(step.value))
        if step.kind == events.HIT:
            hit = self._data["hits"][str(step.number)]
            twin = self._nodes.get(hit["twin"])
            where = "" if twin is None else f", {self._after(twin.path)}"
            return self._fill("mirror" if hit["symmetric"] else "hit", where=where, known=known)
        if step.kind == events.DEAD:
            if known[0] not in "≤≥":
                return self._fill("blocked")
            side = self._sides["X" if known[0] == "≤" else "O"]
            return self._fill("half_blocked", side=side, known=known)
        below = self._data["folded"][str(step.number)]
        count = "1 position" if below == 1 else f"{below:,} positions"
        return self._fill("folded", count=count, known=known)

    def _known(self, node: int, value: float) -> str:
        """What is known of the node that returned ``value``: a number, or a bound."""
        nodes = self._data["nodes"]
        low, high = nodes["lo"][node], nodes["hi"][node]
        text = self._text[value]
        if low == high:
            return text
        return f"≤ {text}" if self._place[value] == high else f"≥ {text}"

    # ------------------------------------------------------------------ values that come back

    def _offered(self, step: Step) -> str:
        assert step.value is not None
        here = self._nodes[step.node]
        child = here.last
        move = self._trace.name(self._nodes[child].move)
        known, value = self._known(child, step.value), self._text[step.value]
        here.last = -1
        if step.kind == events.WORSE:
            return self._fill("worse", move=move, known=known, best=here.best)
        here.best = value
        is_max = here.side == "X"
        if step.kind == events.SOFT:
            bound = {"alpha": self._text[step.alpha], "beta": self._text[step.beta]}
            return self._fill("soft_max" if is_max else "soft_min", move=move, known=known, **bound)
        here.owner_move = move
        name = "best" if not self._options["pruning"] else "alpha" if is_max else "beta"
        return self._fill(name, move=move, side=self._sides[here.side], value=value)

    def _cut(self, step: Step) -> str:
        assert step.value is not None
        here, cut = self._nodes[step.node], self._data["cuts"][str(step.number)]
        here.was_cut = True
        at = "min" if here.side == "O" else "max"
        slots = {
            "alpha": self._text[step.alpha],
            "beta": self._text[step.beta],
            "value": self._text[step.value],
            "amount": self._amount(step.value),
            "left": _left(cut["left"], cut["saved"]),
        }
        mover = 1 if at == "max" else -1
        is_over = self._what(step.value) == ("win" if mover > 0 else "loss")
        if cut["from"] < 0:
            name = f"cut_null_{at}_over" if is_over else f"cut_null_{at}"
            text = self._fill(name, question=here.question, **slots)
        else:
            owner = self._nodes[cut["from"]]
            bound = step.beta if mover > 0 else step.alpha
            slots |= {"where": self._after(owner.path), "move": owner.owner_move}
            text = self._fill(
                f"cut_{at}{self._manner(step.value, bound, mover)}",
                worth=self._worth(bound, -mover),
                **slots,
            )
        return text + (self._fill("by_table") if "table" in cut["how"] else "")

    def _what(self, score: float) -> str:
        """What a score is for X: ``win``, ``loss``, ``draw``, ``points``, or another ``number``."""
        if self._is_typed or self._options.get("distance"):
            return "number"
        if abs(score) == WIN:
            return "win" if score > 0 else "loss"
        if self._estimates:
            return "points" if 0 < abs(score) <= 1 and self._points else "number"
        return "draw" if score == 0 else "number"

    def _amount(self, score: float) -> str:
        """A score for X as a noun: ``a draw``, ``60 points``, ``3``."""
        what = self._what(score)
        if what == "points":
            return f"{self._text[score]} points"
        return _AMOUNTS.get(what, self._text[score])

    def _worth(self, bound: float, side: int) -> str:
        """What a move that is worth ``bound`` to X is for ``side``, who has it."""
        what = self._what(bound)
        kind = "defeat" if what == ("loss" if side > 0 else "win") else what
        return _WORTH.get(kind, _WORTH["number"]).format(
            amount=self._amount(bound), x=self._sides["X"]
        )

    def _manner(self, value: float, bound: float, mover: int) -> str:
        """Which sentence of a cut fits: whether ``bound`` or ``value`` is the best result."""
        whats = self._what(value), self._what(bound)
        if whats[1] == ("loss" if mover > 0 else "win"):
            return "_best"  # the other side already wins elsewhere
        if whats[0] == ("win" if mover > 0 else "loss"):
            return "_over"
        return "" if whats == ("number", "number") and not self._estimates else "_held"

    def _returned(self, step: Step) -> str:
        assert step.value is not None
        here = self._nodes[step.node]
        after = self._after(here.path)
        after = after[0].upper() + after[1:]
        known = self._known(step.node, step.value)
        is_bound = here.was_cut and known[0] in "≤≥"
        return self._fill("return_cut" if is_bound else "return", after=after, known=known)

    def _after(self, path: str) -> str:
        if self._is_typed:
            return f"at {path}" if path else "at the root"
        return f"after {path}" if path else "at the start"


def _left(left: list[int], saved: list[int | None]) -> str:
    """``2 moves (9 positions)``; the positions only if they were counted."""
    moves = "1 move" if len(left) == 1 else f"{len(left)} moves"
    counts = [count for count in saved if count is not None]
    if len(counts) < len(left):
        return moves
    total = sum(counts)
    return f"{moves} ({total:,} position{'s' if total > 1 else ''})"
