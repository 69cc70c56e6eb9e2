"""Play a bandit pull by pull, and measure the regret.

The regret after n pulls is what the best arm would have paid on average, less what the pulled arms
pay on average: the sum of their gaps. It never falls, and luck in the payments does not enter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log, pi

from rl_toolkit.algorithms.bandits.arms import BernoulliArms
from rl_toolkit.algorithms.bandits.policies import Policy, Tally


@dataclass(frozen=True, slots=True)
class Pull:
    """One pull: its number from 1, the arm, what it paid, and the regret up to here."""

    number: int
    arm: int
    reward: int
    regret: float


def play_bandit(arms: BernoulliArms, policy: Policy, *, seed: int = 0) -> Iterator[Pull]:
    """Pull for ever; take as many pulls as you like.

    The same seed gives the same pulls. The luck of the arms and the luck of the policy are drawn
    from two generators.

    >>> from itertools import islice
    >>> from rl_toolkit.algorithms.bandits import UCB1
    >>> pulls = list(islice(play_bandit(BernoulliArms((0.2, 0.8)), UCB1(), seed=1), 100))
    >>> pulls[0].arm, pulls[1].arm, pulls[-1].number
    (0, 1, 100)
    """
    luck, chance = random.Random(f"arms {seed}"), random.Random(f"policy {seed}")
    tally, regret, number = Tally.empty(len(arms)), 0.0, 0
    while True:
        arm = policy.choose(tally, chance)
        reward = arms.pull(arm, luck)
        tally.add(arm, reward)
        regret += arms.gap(arm)
        number += 1
        yield Pull(number, arm, reward, regret)


def regrets(
    arms: BernoulliArms, policy: Policy, at: Sequence[int], *, seed: int = 0
) -> list[float]:
    """The regret after each number of pulls in ``at``.

    Raises ``ValueError`` if these numbers do not increase from 1 on.

    >>> from rl_toolkit.algorithms.bandits import Greedy
    >>> regrets(BernoulliArms((0.0, 1.0)), Greedy(), at=(1, 2, 50))
    [1.0, 1.0, 1.0]
    """
    if not at or list(at) != sorted(set(at)) or at[0] < 1:
        raise ValueError(f"the numbers of pulls must increase from 1 on, not {list(at)!r}")
    wanted = set(at)
    regrets = []
    for pull in play_bandit(arms, policy, seed=seed):
        if pull.number in wanted:
            regrets.append(pull.regret)
            if len(regrets) == len(wanted):
                break
    return regrets


def mean_regret(
    arms: BernoulliArms, policy: Policy, at: Sequence[int], *, runs: int, seed: int = 0
) -> list[float]:
    """The regret at each number of pulls in ``at``, averaged over ``runs`` runs."""
    every = [regrets(arms, policy, at, seed=seed * runs + run) for run in range(runs)]
    return [sum(column) / runs for column in zip(*every, strict=True)]


def ucb1_regret_bound(arms: BernoulliArms, pulls: int) -> float:
    """What the regret of UCB1 never exceeds on average, by Auer, Cesa-Bianchi and Fischer (2002).

    8 · Σ ln n / gap + (1 + π²/3) · Σ gap, both sums over the arms that are not best.

    >>> round(ucb1_regret_bound(BernoulliArms((0.2, 0.5, 0.8)), 1000))
    280
    """
    gaps = [gap for arm in range(len(arms)) if (gap := arms.gap(arm)) > 0]
    logarithm = log(pulls) if pulls >= 1 else -inf
    return 8 * logarithm * sum(1 / gap for gap in gaps) + (1 + pi**2 / 3) * sum(gaps)
