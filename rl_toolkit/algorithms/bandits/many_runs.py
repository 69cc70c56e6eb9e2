"""Regret of many runs at once, in NumPy: for curves with bands.

The policies are those of `policies`, written for all runs together: arrays of ``runs`` × ``arms``
hold the counts and the sums. The luck comes from another generator than that of `play_bandit`, so
single runs differ; their distribution is the same, and where nothing is left to chance so are they.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.algorithms.bandits.arms import BernoulliArms
from rl_toolkit.algorithms.bandits.policies import (
    UCB1,
    EpsilonGreedy,
    Greedy,
    Policy,
    RandomArm,
    Thompson,
)
from rl_toolkit.analysis import StopSignal

Numbers = NDArray[np.float64]
#: Chooses an arm for every run, given counts, sums and the number of pulls so far.
_Choose = Callable[[Numbers, Numbers, int], NDArray[np.intp]]

#: Pulls between two looks at the stop signal.
_LOOK = 64


@dataclass(frozen=True, slots=True)
class RegretBand:
    """The regret after each number of pulls in ``at``: its mean, and the 10th and 90th percentile.

    ``spread`` is the standard deviation of single runs.
    """

    at: list[int]
    mean: list[float]
    low: list[float]
    high: list[float]
    spread: list[float]


def regret_band(
    arms: BernoulliArms,
    policy: Policy,
    at: Sequence[int],
    *,
    runs: int,
    seed: int = 0,
    stop: StopSignal | None = None,
) -> RegretBand:
    """The regret of ``runs`` runs of a policy; fewer points if ``stop`` is set meanwhile.

    Raises ``ValueError`` if the numbers of pulls in ``at`` do not increase from 1 on.

    >>> from rl_toolkit.algorithms.bandits import RandomArm
    >>> band = regret_band(BernoulliArms((0.5, 0.5)), RandomArm(), (1, 10), runs=4)
    >>> band.mean
    [0.0, 0.0]
    """
    if not at or list(at) != sorted(set(at)) or at[0] < 1:
        raise ValueError(f"the numbers of pulls must increase from 1 on, not {list(at)!r}")
    chance = np.random.default_rng(seed)
    choose = _vectorised(policy, chance)
    means = np.asarray(arms.means)
    gaps = arms.best_mean - means
    counts, sums = np.zeros((runs, len(arms))), np.zeros((runs, len(arms)))
    regret = np.zeros(runs)
    every, wanted = np.arange(runs), set(at)
    curves: list[Numbers] = []
    for number in range(1, at[-1] + 1):
        if number % _LOOK == 0 and stop is not None and stop.is_set():
            break
        chosen = choose(counts, sums, number - 1)
        paid = chance.random(runs) < means[chosen]
        counts[every, chosen] += 1
        sums[every, chosen] += paid
        regret += gaps[chosen]
        if number in wanted:
            curves.append(regret.copy())
    table = np.array(curves).reshape(-1, runs)
    low, high = np.percentile(table, (10, 90), axis=1) if curves else ([], [])
    return RegretBand(
        at=list(at[: len(curves)]),
        mean=[float(each) for each in table.mean(axis=1)],
        low=[float(each) for each in low],
        high=[float(each) for each in high],
        spread=[float(each) for each in table.std(axis=1)],
    )


def _vectorised(policy: Policy, chance: np.random.Generator) -> _Choose:
    """The same policy for many runs; ``TypeError`` for one that is not known here."""
    match policy:
        case RandomArm():
            return lambda counts, sums, pulls: chance.integers(counts.shape[1], size=len(counts))
        case Greedy():
            return lambda counts, sums, pulls: _means(counts, sums).argmax(axis=1)
        case EpsilonGreedy(epsilon):
            return lambda counts, sums, pulls: _epsilon(counts, sums, epsilon, chance)
        case UCB1(c):
            return lambda counts, sums, pulls: _ucb1(counts, sums, pulls, c)
        case Thompson():
            return lambda counts, sums, pulls: chance.beta(1 + sums, 1 + counts - sums).argmax(1)
    raise TypeError(f"{type(policy).__name__} cannot be run many times at once")


def _means(counts: Numbers, sums: Numbers) -> Numbers:
    """The mean of each arm; infinite before its first pull."""
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)


def _epsilon(
    counts: Numbers, sums: Numbers, epsilon: float, chance: np.random.Generator
) -> NDArray[np.intp]:
    best = _means(counts, sums).argmax(axis=1)
    anything = chance.integers(counts.shape[1], size=len(counts))
    explores = (counts > 0).all(axis=1) & (chance.random(len(counts)) < epsilon)
    return np.where(explores, anything, best)


def _ucb1(counts: Numbers, sums: Numbers, pulls: int, c: float) -> NDArray[np.intp]:
    bonus = c * np.sqrt(np.log(max(pulls, 1)) / np.maximum(counts, 1))
    chosen: NDArray[np.intp] = np.argmax(_means(counts, sums) + bonus, axis=1)
    return chosen
