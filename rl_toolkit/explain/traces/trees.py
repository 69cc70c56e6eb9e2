"""A tree search in sentences: the four phases of every simulation."""

from __future__ import annotations

from collections.abc import Iterator

from rl_toolkit.algorithms.traces import Trace
from rl_toolkit.algorithms.traces.mcts import Simulation
from rl_toolkit.explain.traces.line import Line

#: Every sentence, by what happened; front ends that draw a trace fill in the same ones.
SENTENCES = {
    "start": "{side} to move. {engine}: {count} simulations, c = {c}.",
    "simulation": "Simulation {number}.",
    "select": "Select: {side} takes {move}: mean for {side} {mean} + bonus {bonus} = {sum}{next}.",
    "next": "; next {move} {sum}",
    "only": "Select: {side} takes {move}, the only move here that is not lost.",
    "expand": "Expand: {side}'s {move} is new.",
    "playout": "Playout: {moves}. {end}",
    "no_playout": "No playout: {end}",
    "no_network": "The network is not asked: {end}",
    "network": "Evaluate: the network expects {value} for {x}.",
    "proven": "Proven: {where} {end}",
    "back_up": "Back up {value} for {x}: {nodes}.",
    "folded": "Simulation {number}: {path}, {value} for {x}.",
    "end": "{side} plays {move}. Visits: {visits}.",
    "end_proven": "{side} plays {move}; the result is proven. Visits: {visits}.",
}

_MOST_NAMED = 12  # playout moves


class _Tally:
    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0


def tell_tree(trace: Trace) -> Iterator[Line]:
    """The simulations of a tree search: selection, expansion, playout, backup."""
    return _Teller(trace).lines()


class _Teller:
    def __init__(self, trace: Trace) -> None:
        self._trace, self._data = trace, trace.data
        self._nodes, self._sides = self._data["nodes"], self._data["sides"]
        self._tallies = [_Tally() for _ in self._nodes["parent"]]
        self._proven: dict[int, float] = {}

    def lines(self) -> Iterator[Line]:
        options = self._data["engine"]["options"]
        yield self._line(
            "start",
            side=self._sides[self._data["side"]],
            engine=self._data["engine"]["name"],
            count=f"{len(self._data['simulations']):,}",
            c=f"{options.get('c', options.get('cpuct')):g}",
        )
        for number, fields in enumerate(self._data["simulations"]):
            yield from self._simulation(number, Simulation(*fields))
        answer = self._data["answer"]
        if answer["move"] is not None:
            visits = ", ".join(
                f"{self._trace.name(int(move))} {count:,}"
                for move, count in answer["visits"].items()
                if count
            )
            yield self._line(
                "end_proven" if answer["proven"] else "end",
                side=self._sides[self._data["side"]],
                move=self._trace.name(answer["move"]),
                visits=visits or "none",
            )

    def _line(self, name: str, depth: int = 0, event: int = -1, **slots: str) -> Line:
        text = SENTENCES[name].format(x=self._sides["X"], **slots)
        return Line(text, depth, event)

    def _name(self, node: int) -> str:
        return self._trace.name(self._nodes["move"][node]) if node else "start"

    def _side(self, node: int) -> str:
        side: str = self._sides[self._nodes["side"][node]]
        return side

    def _simulation(self, number: int, one: Simulation) -> Iterator[Line]:
        if one.terms is None:
            path = " ".join(map(self._name, one.path[1:])) or "start"
            yield self._line(
                "folded", 0, number, number=f"{number + 1:,}", path=path, value=_short(one.result)
            )
            self._back_up(one)
            return
        yield self._line("simulation", 0, number, number=f"{number + 1:,}")
        for above, below, terms in zip(one.path, one.path[1:], one.terms, strict=False):
            yield self._choice(number, above, below, terms)
        if one.new >= 0 and self._data["kind"] == "mcts":
            above = self._nodes["parent"][one.new]
            side, move = self._side(above), self._name(one.new)
            yield self._line("expand", 1, number, side=side, move=move)
        yield self._ending(number, one)
        told = self._back_up(one)
        for node, result in one.proven:
            where = self._where(int(node))
            yield self._line("proven", 1, number, where=where, end=self._result(result))
        value = _short(one.result)
        yield self._line("back_up", 1, number, value=value, nodes=", ".join(told))

    def _choice(self, number: int, above: int, below: int, terms: list[list[float]]) -> Line:
        """Why selection takes ``below``; the shown numbers add up."""
        side, sign = self._side(above), 1 if self._nodes["side"][above] == "X" else -1
        sums = {}
        for child, _, mean, bonus, *_ in terms:
            if child == below or self._proven.get(int(child)) != -sign:
                sums[child] = round(sign * mean, 2), round(bonus, 2)
        mean, bonus = sums.pop(below)
        if not sums:
            return self._line("only", 1, number, side=side, move=self._name(below))
        other = max(sums, key=lambda child: sum(sums[child]))
        following = SENTENCES["next"].format(
            move=self._name(int(other)), sum=_short(sum(sums[other]), signed=False)
        )
        return self._line(
            "select",
            1,
            number,
            side=side,
            move=self._name(below),
            mean=_short(mean, signed=False),
            bonus=_short(bonus, signed=False),
            sum=_short(mean + bonus, signed=False),
            next=following,
        )

    def _ending(self, number: int, one: Simulation) -> Line:
        leaf = one.path[-1]
        if self._data["kind"] == "alphazero" and leaf not in self._all_proven(one):
            return self._line("network", 1, number, value=_short(one.result))
        if not one.moves:
            known = "the result is proven here. " if leaf in self._all_proven(one) else ""
            name = "no_network" if self._data["kind"] == "alphazero" else "no_playout"
            return self._line(name, 1, number, end=known + self._result(one.result))
        moves = [self._trace.name(move) for move in one.moves[:_MOST_NAMED]]
        if len(one.moves) > _MOST_NAMED:
            moves.append(f"… ({len(one.moves)} moves)")
        return self._line("playout", 1, number, moves=" ".join(moves), end=self._result(one.result))

    def _all_proven(self, one: Simulation) -> set[int]:
        return {*self._proven, *(int(node) for node, _ in one.proven)}

    def _result(self, value: float) -> str:
        if value in (1, -1):
            return f"{self._sides['X' if value > 0 else 'O']} wins."
        return (
            "A draw." if value == 0 else f"The estimate is {_short(value)} for {self._sides['X']}."
        )

    def _where(self, node: int) -> str:
        path = []
        while node:
            path.append(self._name(node))
            node = self._nodes["parent"][node]
        return f"after {' '.join(reversed(path))}:" if path else "at the start:"

    def _back_up(self, one: Simulation) -> list[str]:
        """Count the simulation; each node with its new visits and mean, from the leaf up."""
        self._proven.update((int(node), result) for node, result in one.proven)
        told, result = [], one.result
        for node in reversed(one.path):
            result = self._proven.get(node, result)
            tally = self._tallies[node]
            tally.visits += 1
            tally.total += result
            visits = f"{tally.visits:,} visit{'s' if tally.visits > 1 else ''}"
            told.append(f"{self._name(node)} {visits}, mean {_short(tally.total / tally.visits)}")
        return told


def _short(value: float, *, signed: bool = True) -> str:
    """Two digits, with the sign of a value; no −0."""
    text = f"{value + 0.0:+.2f}" if signed and value else f"{value + 0.0:.2f}"
    return text.replace("-", "−") if round(value, 2) else "0.00"
