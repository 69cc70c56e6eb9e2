"""Ways to choose the next arm: at random, greedy, ε-greedy, UCB1, Thompson sampling.

A policy sees a `Tally`: how often each arm was pulled and what it paid. All of them but
`RandomArm` and `Thompson` pull every arm once before they compare. Of equal arms the first is
chosen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Protocol


@dataclass(slots=True)
class Tally:
    """What is known about the arms: pulls and the sum of the rewards, by arm.

    Raises ``ValueError`` if there is not one sum for each count.
    """

    counts: list[int]
    sums: list[float]
    pulls: int = field(init=False)  # of all arms

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.sums):
            raise ValueError(f"{len(self.counts)} counts, but {len(self.sums)} sums")
        self.pulls = sum(self.counts)

    @classmethod
    def empty(cls, arms: int) -> Tally:
        """The tally before the first pull."""
        return cls([0] * arms, [0.0] * arms)

    def add(self, arm: int, reward: float) -> None:
        """Record one pull."""
        self.counts[arm] += 1
        self.sums[arm] += reward
        self.pulls += 1

    def mean(self, arm: int) -> float:
        """The average reward of an arm; infinite before its first pull, so that it is tried."""
        return self.sums[arm] / self.counts[arm] if self.counts[arm] else inf


class Policy(Protocol):
    """What chooses the next arm."""

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """The arm to pull next."""


@dataclass(frozen=True, slots=True)
class RandomArm:
    """Every arm with the same probability: the policy that learns nothing."""

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """Any arm."""
        return chance.randrange(len(tally.counts))


@dataclass(frozen=True, slots=True)
class Greedy:
    """The best average so far, and nothing else."""

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """An untried arm, else the one with the highest mean."""
        return _first_best([tally.mean(arm) for arm in range(len(tally.counts))])


@dataclass(frozen=True, slots=True)
class EpsilonGreedy:
    """Greedy, but with probability ``epsilon`` any arm.

    Raises ``ValueError`` for an ``epsilon`` that is not from 0 to 1.
    """

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon is a probability from 0 to 1, not {self.epsilon!r}")

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """An untried arm; else now and then any arm, otherwise the one with the highest mean."""
        if 0 not in tally.counts and chance.random() < self.epsilon:
            return chance.randrange(len(tally.counts))
        return Greedy().choose(tally, chance)


def ucb1_scores(
    sums: Sequence[float], counts: Sequence[int], pulls: int | None = None, c: float = sqrt(2)
) -> list[float]:
    """Mean reward plus c·√(ln n / nₐ) for every arm; infinite for an untried one.

    ``pulls`` is n, by default the sum of the counts.

    >>> [round(score, 3) for score in ucb1_scores([3, 1, 2], [5, 2, 3])]
    [1.56, 2.017, 1.906]
    """
    total = sum(counts) if pulls is None else pulls
    return [
        inf if count == 0 else value / count + c * sqrt(log(total) / count)
        for value, count in zip(sums, counts, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class UCB1:
    """The highest upper confidence bound: the mean plus a bonus for arms that are little known.

    ``c = √2`` is for rewards from 0 to 1.
    """

    c: float = sqrt(2)

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """An untried arm, else the one with the highest score."""
        return _first_best(ucb1_scores(tally.sums, tally.counts, tally.pulls, self.c))


@dataclass(frozen=True, slots=True)
class Thompson:
    """Draw a possible mean for every arm, and pull the arm with the highest draw.

    An arm that paid w times and nothing l times gets a draw from Beta(1 + w, 1 + l); rewards must
    be 0 or 1.
    """

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """The arm whose draw is highest."""
        return _first_best(
            [
                chance.betavariate(1 + paid, 1 + count - paid)
                for paid, count in zip(tally.sums, tally.counts, strict=True)
            ]
        )


@dataclass(frozen=True, slots=True)
class Told:
    """The arms that somebody has chosen beforehand, in this order."""

    arms: tuple[int, ...]

    def choose(self, tally: Tally, chance: random.Random) -> int:
        """The next one in the list; ``IndexError`` after the last."""
        return self.arms[tally.pulls]


def _first_best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)
