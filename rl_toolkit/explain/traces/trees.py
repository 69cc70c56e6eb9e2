"""A tree search in sentences: the four phases of every simulation, or every step of them.

A *step* is one choice, a new node, one move of a playout (or that there is none), or one node
backed up. `tell_tree` tells a whole search, a few lines to a simulation; `tell_steps` tells every
step of some simulations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rl_toolkit.algorithms.traces import DIGITS, Simulation, Trace
from rl_toolkit.explain.traces.line import Line
from rl_toolkit.utils import counted, listed

#: Every sentence, by what happened; front ends that draw a trace fill in the same ones.
SENTENCES = {
    "start": "{side} to move. {engine}: {count}, c = {c}.",
    "simulation": "Simulation {number}.",
    "select": "Select: {side} takes {move}: mean for {side} {mean} + bonus {bonus} = {sum}{next}.",
    "next": "; next {move} {sum}",
    "tie": "; a tie with {moves}: of equal sums the first that was made is taken",
    "only": "Select: {side} takes {move}, the only move.",
    "only_tactics": "Select: {side} takes {move}, the only move that the tactics leave.",
    "only_open": "Select: {side} takes {move}, the only move not yet proven lost.",
    "expand": "Expand: {side}'s {move} is new.",
    "expand_all": "Expand: {where} every move ({count}) gets a prior.",
    "playout": "Playout: {moves}. {end}",
    "playout_move": "Playout, move {number}: {move}{how}.{end}",
    "random": " at random",
    "no_playout": "No playout: {end}",
    "no_network": "The network is not asked: {end}",
    "network": "Evaluate: the network expects {value} for {viewer}.",
    "proven": "Proven: {where} {end}",
    "back_up": "Back up {value} for {viewer}: {nodes}.",
    "back_up_node": "Back up {value} for {viewer}: {node} now has {tally}.{proven}",
    "proven_node": " Now it is proven: {end}",
    "folded": "Simulation {number}: {path}, {value} for {viewer}.",
    "end": "{side} plays {move}. Visits: {visits}.",
    "end_mean": "{side} plays {move}, which has the best mean of all moves with at least a quarter "
    "of the visits of {most}. Visits: {visits}.",
    "end_proven": "{side} plays {move}; the result is proven. Visits: {visits}.",
}

_MOST_NAMED = 12  # playout moves
_MOST_COUNTED = 8  # moves with their visits


class _Tally:
    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0


def tell_tree(trace: Trace) -> Iterator[Line]:
    """The simulations of a tree search: selection, expansion, playout, backup."""
    return _Teller(trace).lines()


def tell_ends(trace: Trace) -> tuple[str, str]:
    """What is searched, and the answer; empty if no simulation ran."""
    teller = _Teller(trace)
    return teller.start().text, "".join(line.text for line in teller.end())


def tell_steps(trace: Trace, first: int, count: int) -> list[list[str]]:
    """The steps of ``count`` simulations from number ``first``; none of those that are folded."""
    return list(_Teller(trace).steps(first, count))


class _Teller:
    def __init__(self, trace: Trace) -> None:
        self._trace, self._data = trace, trace.data
        self._nodes, self._sides = self._data["nodes"], self._data["sides"]
        # Results and means are told for the side that asks, the one to move at the root.
        self._viewer = self._sides[self._data["side"]]
        self._view = 1 if self._data["side"] == "X" else -1
        self._tallies = [_Tally() for _ in self._nodes["parent"]]
        self._proven: dict[int, float] = {}

    def lines(self) -> Iterator[Line]:
        yield self.start()
        for number, fields in enumerate(self._data["simulations"]):
            yield from self._simulation(number, Simulation(*fields))
        yield from self.end()

    def start(self) -> Line:
        options = self._data["engine"]["options"]
        return self._line(
            "start",
            side=self._sides[self._data["side"]],
            engine=self._data["engine"]["name"],
            count=counted(len(self._data["simulations"]), "simulation"),
            c=f"{options.get('c', options.get('cpuct')):g}",
        )

    def end(self) -> Iterator[Line]:
        answer = self._data["answer"]
        if answer["move"] is None:
            return
        tried = {move: count for move, count in answer["visits"].items() if count}
        most = sorted(tried, key=lambda move: -tried[move])[:_MOST_COUNTED]
        if len(most) == len(tried):
            most = list(tried)
        visits = ", ".join(f"{self._trace.name(int(move))} {tried[move]:,}" for move in most)
        if len(most) < len(tried):
            visits += f" and {len(tried) - len(most):,} more"
        favourite = max(tried, key=lambda move: tried[move], default=None)
        chosen = tried.get(str(answer["move"]), 0)
        by_mean = favourite is not None and chosen < tried[favourite]
        name = "end_mean" if by_mean and self._data["kind"] == "alphazero" else "end"
        yield self._line(
            "end_proven" if answer["proven"] else name,
            side=self._sides[self._data["side"]],
            move=self._trace.name(answer["move"]),
            most=self._trace.name(int(favourite)) if favourite is not None else "",
            visits=visits or "none",
        )

    def steps(self, first: int, count: int) -> Iterator[list[str]]:
        for number, fields in enumerate(self._data["simulations"][: first + count]):
            one = Simulation(*fields)
            told = [] if number < first else [line.text for line in self._steps_of(number, one)]
            nodes = self._back_up(one)
            if told:
                told += self._steps_up(one, nodes)
            if number >= first:
                yield told

    def _steps_of(self, number: int, one: Simulation) -> Iterator[Line]:
        """The steps before the back-up."""
        if one.terms is None:
            return
        for above, below, terms in zip(one.path, one.path[1:], one.terms, strict=False):
            yield self._choice(number, above, below, terms)
        if one.new >= 0 and self._data["kind"] == "mcts":
            yield self._expansion(number, one)
        elif one.new >= 0:
            count = str(self._nodes["parent"].count(one.new))
            yield self._line("expand_all", 1, number, where=self._where(one.new), count=count)
        how = "" if self._data["engine"]["options"]["tactics"] else SENTENCES["random"]
        for ply, move in enumerate(one.moves, 1):
            end = f" {self._end(one)}" if ply == len(one.moves) else ""
            name = self._trace.name(move)
            yield self._line(
                "playout_move", 1, number, number=str(ply), move=name, how=how, end=end
            )
        if not one.moves:
            yield self._ending(number, one)

    def _steps_up(self, one: Simulation, nodes: list[tuple[str, str]]) -> Iterator[str]:
        """The steps of the back-up, from the leaf to the start; ``nodes`` are told already."""
        fresh, result = {int(node): value for node, value in one.proven}, one.result
        places = reversed(range(len(one.path)))
        for place, (name, tally) in zip(places, nodes, strict=True):
            node = one.path[place]
            result = self._proven.get(node, result)
            proven = ""
            if node in fresh:
                proven = SENTENCES["proven_node"].format(end=self._result(fresh[node]))
            yield self._line(
                "back_up_node",
                value=self._shown(one.backed[place] if one.backed else result),
                node=name,
                tally=tally,
                proven=proven,
            ).text

    def _line(self, name: str, depth: int = 0, event: int = -1, **slots: str) -> Line:
        text = SENTENCES[name].format(viewer=self._viewer, **slots)
        return Line(text, depth, event)

    def _shown(self, value: float) -> str:
        """A value for X as the side that asks reads it."""
        return _short(self._view * value)

    def _name(self, node: int) -> str:
        return self._trace.name(self._nodes["move"][node]) if node else "start"

    def _side(self, node: int) -> str:
        side: str = self._sides[self._nodes["side"][node]]
        return side

    def _simulation(self, number: int, one: Simulation) -> Iterator[Line]:
        if one.terms is None:
            path = " ".join(map(self._name, one.path[1:])) or "start"
            yield self._line(
                "folded",
                0,
                number,
                number=f"{number + 1:,}",
                path=path,
                value=self._shown(one.result),
            )
            self._back_up(one)
            return
        yield self._line("simulation", 0, number, number=f"{number + 1:,}")
        for above, below, terms in zip(one.path, one.path[1:], one.terms, strict=False):
            yield self._choice(number, above, below, terms)
        if one.new >= 0 and self._data["kind"] == "mcts":
            yield self._expansion(number, one)
        yield self._ending(number, one)
        told = self._back_up(one)
        for node, result in one.proven:
            where = self._where(int(node))
            yield self._line("proven", 1, number, where=where, end=self._result(result))
        value = self._shown(one.result)
        yield self._line("back_up", 1, number, value=value, nodes=", ".join(map(" ".join, told)))

    def _expansion(self, number: int, one: Simulation) -> Line:
        side = self._side(self._nodes["parent"][one.new])
        return self._line("expand", 1, number, side=side, move=self._name(one.new))

    def _choice(self, number: int, above: int, below: int, terms: list[list[float]]) -> Line:
        """Why selection takes ``below``; the shown numbers add up."""
        side, sign = self._side(above), 1 if self._nodes["side"][above] == "X" else -1
        sums = {}
        proofs = self._data["engine"]["options"].get("proofs", True)
        for child, _, mean, bonus, *_ in terms:
            if child == below or not proofs or self._proven.get(int(child)) != -sign:
                sums[int(child)] = sign * mean, bonus
        if len(sums) == 1:
            reduced = self._data["engine"]["options"].get("tactics")
            name = "only_open" if len(terms) > 1 else "only_tactics" if reduced else "only"
            return self._line(name, 1, number, side=side, move=self._name(below))
        ties = self._ties(below, terms)
        digits = digits_for(sums, below)
        shown = {child: [round(term, digits) for term in terms] for child, terms in sums.items()}
        mean, bonus = shown.pop(below)
        other = max(shown, key=lambda child: sum(shown[child]))
        following = SENTENCES["next"].format(
            move=self._name(other), sum=_short(sum(shown[other]), digits, signed=False)
        )
        if ties:
            following = SENTENCES["tie"].format(moves=listed(map(self._name, ties), "and"))
        return self._line(
            "select",
            1,
            number,
            side=side,
            move=self._name(below),
            mean=_short(mean, digits, signed=False),
            bonus=_short(bonus, digits, signed=False),
            sum=_short(mean + bonus, digits, signed=False),
            next=following,
        )

    def _ties(self, below: int, terms: list[list[float]]) -> list[int]:
        """The children made after ``below`` with the same visits and mean, so the same sum.

        In PUCT sums depend on priors, which are written rounded: nothing is called a tie there.
        """
        if self._data["kind"] != "mcts":
            return []
        taken = next(term for term in terms if term[0] == below)
        same = [int(child) for child, *rest in terms if rest == taken[1:]]
        return same[1:] if same[0] == below else []

    def _ending(self, number: int, one: Simulation) -> Line:
        leaf = one.path[-1]
        if self._data["kind"] == "alphazero" and leaf not in self._all_proven(one):
            return self._line("network", 1, number, value=self._shown(one.result))
        if not one.moves:
            known = "the result is proven here. " if leaf in self._all_proven(one) else ""
            name = "no_network" if self._data["kind"] == "alphazero" else "no_playout"
            return self._line(name, 1, number, end=known + self._result(one.result))
        moves = [self._trace.name(move) for move in one.moves[:_MOST_NAMED]]
        if len(one.moves) > _MOST_NAMED:
            moves.append(f"… ({len(one.moves)} moves)")
        return self._line("playout", 1, number, moves=" ".join(moves), end=self._end(one))

    def _all_proven(self, one: Simulation) -> set[int]:
        return {*self._proven, *(int(node) for node, _ in one.proven)}

    def _end(self, one: Simulation) -> str:
        """How a playout ended; at the depth limit it may have been cut off."""
        if len(one.moves) == self._data["engine"]["options"].get("max_depth"):
            return f"The playout stops here with {self._shown(one.result)} for {self._viewer}."
        return self._result(one.result)

    def _result(self, value: float) -> str:
        if value in (1, -1):
            return f"{self._sides['X' if value > 0 else 'O']} wins."
        return (
            "A draw." if value == 0 else f"The estimate is {self._shown(value)} for {self._viewer}."
        )

    def _where(self, node: int) -> str:
        path = []
        while node:
            path.append(self._name(node))
            node = self._nodes["parent"][node]
        return f"after {' '.join(reversed(path))}:" if path else "at the start:"

    def _back_up(self, one: Simulation) -> list[tuple[str, str]]:
        """Count the simulation; each node with its new visits and mean, from the leaf up."""
        self._proven.update((int(node), result) for node, result in one.proven)
        told, result = [], one.result
        for place in reversed(range(len(one.path))):
            node = one.path[place]
            result = self._proven.get(node, result)
            tally = self._tallies[node]
            tally.visits += 1
            tally.total += one.backed[place] if one.backed else result
            visits = counted(tally.visits, "visit")
            mean = self._shown(tally.total / tally.visits)
            told.append((self._name(node), f"{visits}, mean {mean}"))
        return told


def digits_for(sums: Mapping[int, tuple[float, float]], taken: int) -> int:
    """How many digits show that no sum is above that of ``taken``: 2, or as many as it needs."""
    for digits in range(2, DIGITS):
        shown = {child: sum(round(term, digits) for term in terms) for child, terms in sums.items()}
        if shown[taken] >= max(shown.values()) - 1e-9:
            return digits
    return DIGITS


def _short(value: float, digits: int = 2, *, signed: bool = True) -> str:
    """So many digits, with the sign of a value; no −0."""
    if not round(value, digits):
        return f"{0:.{digits}f}"
    return f"{value:{'+' if signed else ''}.{digits}f}".replace("-", "−")
