"""Make tasks from a seed: UCT, PUCT, and a sweep of value iteration."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from rl_toolkit.algorithms.mcts import exploration
from rl_toolkit.explain.hand_tasks.blanks import Blank, HandTask

C_UCT, C_PUCT = 1.41, 1.5
_MOVES = ("a", "b", "c")


class _Child(NamedTuple):
    """A move of the position: its visits, the sum of its results for the mover, its prior."""

    name: str
    visits: int
    total: int
    prior: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


def _n(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")


def _children(rng: random.Random, *, all_visited: bool) -> list[_Child]:
    children = []
    for name in _MOVES:
        visits = rng.randint(1 if all_visited else 0, 9)
        children.append(_Child(name, visits, rng.randint(-visits, visits)))
    return children


def _far_apart(sums: list[float]) -> bool:
    """Whether the greatest sum is clear from two digits."""
    first, second, *_ = sorted(sums, reverse=True)
    return first - second > 0.03


def uct_task(seed: int) -> HandTask:
    """One simulation of UCT: scores, choice, back-up."""
    rng = random.Random(f"uct {seed}")
    while True:
        children = _children(rng, all_visited=True)
        parent = sum(child.visits for child in children)
        bonus = [exploration(child.visits, parent, C_UCT) for child in children]
        sums = [child.mean + more for child, more in zip(children, bonus, strict=True)]
        if _far_apart(sums):
            break
    result = rng.choice((1, 0, -1))
    at = sums.index(max(sums))
    chosen = children[at]
    blanks = [
        Blank(
            f"sum {child.name}",
            f"Score of {child.name}",
            total,
            "Mean plus c · √(ln N / n), where N are the visits of the position",
            f"{_n(child.mean)} + {C_UCT} · √(ln {parent} / {child.visits}) = {_n(total)}",
        )
        for child, total in zip(children, sums, strict=True)
    ]
    return HandTask(
        "uct",
        seed,
        "One simulation of UCT",
        f"The position has N = {parent} visits, c = {C_UCT}. Means are for the side to move. "
        "The score of a move is mean + c · √(ln N / n). Compute the scores, choose the greatest, "
        f"and back up: the playout from there ends with {_n(result)} for the side to move. Two "
        "digits are enough.",
        ("move", "visits n", "sum of results", "mean"),
        tuple((c.name, str(c.visits), _n(c.total), _n(c.mean)) for c in children),
        (*blanks, *_backed_up(children, chosen, parent, result)),
    )


def _backed_up(
    children: list[_Child], chosen: _Child, parent: int, result: float
) -> tuple[Blank, ...]:
    """Which move is taken, and the counts after the result was backed up."""
    total = sum(child.total for child in children) + result
    mean = (chosen.total + result) / (chosen.visits + 1)
    return (
        Blank(
            "choice",
            "Which move does selection take?",
            chosen.name,
            "The one with the greatest score",
            f"{chosen.name} has the greatest score",
        ),
        Blank(
            "visits",
            "Its visits after the back-up",
            chosen.visits + 1,
            "The simulation went through it once",
            f"{chosen.visits} + 1 = {chosen.visits + 1}",
        ),
        Blank(
            "mean",
            "Its mean after the back-up",
            mean,
            "The new sum of results divided by the new visits",
            f"({_n(chosen.total)} + {_n(result)}) / {chosen.visits + 1} = {_n(mean)}",
        ),
        Blank(
            "root",
            "The mean of the position after the back-up, for the side to move",
            total / (parent + 1),
            "The sum of all results divided by all visits",
            f"{_n(total)} / {parent + 1} = {_n(total / (parent + 1))}",
        ),
    )


def puct_task(seed: int) -> HandTask:
    """A choice of PUCT with given priors, and what one visit changes."""
    rng = random.Random(f"puct {seed}")
    while True:
        children = _children(rng, all_visited=True)
        parts = [rng.randint(1, 8) for _ in children]
        priors = [round(part / sum(parts), 2) for part in parts]
        priors[-1] = round(1 - sum(priors[:-1]), 2)  # as they are written they add up to 1
        children = [
            child._replace(prior=prior) for child, prior in zip(children, priors, strict=True)
        ]
        visits = sum(child.visits for child in children)
        now = visits + 1  # the simulation under way counts
        sums = [
            child.mean + C_PUCT * child.prior * sqrt(now) / (1 + child.visits) for child in children
        ]
        if _far_apart(sums):
            break
    value = round(rng.uniform(-0.9, 0.9), 1) + 0.0
    chosen = children[sums.index(max(sums))]
    blanks = [
        Blank(
            f"sum {child.name}",
            f"Score of {child.name}",
            total,
            "Mean plus c · prior · √N / (1 + n), where N counts this visit too",
            f"{_n(child.mean)} + {C_PUCT} · {_n(child.prior)} · √{now} / (1 + {child.visits}) "
            f"= {_n(total)}",
        )
        for child, total in zip(children, sums, strict=True)
    ]
    return HandTask(
        "puct",
        seed,
        "A choice of PUCT",
        f"The moves have {visits} visits together, so N = {now} with this one; c = {C_PUCT}. Means "
        "are for the side to move. The score of a move is mean + c · prior · √N / (1 + n). Compute "
        "the scores and choose the greatest; the network values the new position at "
        f"{_n(value, 1)} for the side to move here. Two digits are enough.",
        ("move", "prior", "visits n", "sum of values", "mean"),
        tuple((c.name, _n(c.prior), str(c.visits), _n(c.total), _n(c.mean)) for c in children),
        (*blanks, *_backed_up(children, chosen, visits, value)[:3]),
    )


def sweep_task(seed: int) -> HandTask:
    """One synchronous sweep of value iteration over four states."""
    rng = random.Random(f"sweep {seed}")
    gamma = rng.choice((0.5, 0.9, 1.0))
    names = ("A", "B", "C", "D")
    values = {name: float(rng.randint(0, 10)) for name in names}
    rows, blanks = [], []
    for name in names:
        actions = []
        for _ in range(2):
            actions.append((rng.randint(-3, 5), rng.choice((*names, "end"))))
        if actions[0] == actions[1]:
            actions[1] = (actions[1][0] + 1, actions[1][1])
        worths = [reward + gamma * values.get(to, 0.0) for reward, to in actions]
        best = max(worths)
        rows.append((name, _n(values[name]), *(f"{_n(r)}, then {to}" for r, to in actions)))
        ways = " and ".join(
            f"{_n(reward)} + {_n(gamma)} · {_n(values.get(to, 0.0))} = {_n(worth)}"
            for (reward, to), worth in zip(actions, worths, strict=True)
        )
        blanks.append(
            Blank(
                f"value {name}",
                f"New value of {name}",
                best,
                "The greater of the two: reward plus γ times the old value of where it leads",
                f"{ways}; the greater is {_n(best)}",
            )
        )
    return HandTask(
        "sweep",
        seed,
        "One sweep of value iteration",
        f"Each state has two actions: a reward, then the next state. γ = {_n(gamma)}, the end is "
        "worth 0. Compute all new values from the old ones.",
        ("state", "old value", "first action", "second action"),
        tuple(rows),
        tuple(blanks),
    )


#: The kinds of tasks under their names, each with its title and how it is made.
HAND_TASKS: dict[str, tuple[str, Callable[[int], HandTask]]] = {
    "uct": ("One simulation of UCT", uct_task),
    "puct": ("A choice of PUCT", puct_task),
    "sweep": ("One sweep of value iteration", sweep_task),
}


def made(kind: str, seed: int) -> HandTask:
    """The task of that kind and seed; the same seed gives the same task."""
    return HAND_TASKS[kind][1](seed)
