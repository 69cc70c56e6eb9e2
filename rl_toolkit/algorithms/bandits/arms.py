"""Arms that pay 1 or 0, each with a probability of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BernoulliArms:
    """Arms numbered from 0; arm ``a`` pays 1 with probability ``means[a]``, else 0.

    The player does not know the means. Raises ``ValueError`` without an arm, and for a mean that is
    not from 0 to 1.

    >>> arms = BernoulliArms((0.2, 0.5, 0.8))
    >>> len(arms), arms.best_mean, [round(arms.gap(arm), 1) for arm in range(3)]
    (3, 0.8, [0.6, 0.3, 0.0])
    """

    means: Sequence[float]

    def __post_init__(self) -> None:
        if not self.means:
            raise ValueError("a bandit needs at least one arm")
        for mean in self.means:
            if not 0 <= mean <= 1:
                raise ValueError(f"the mean of an arm is from 0 to 1, not {mean!r}")

    @classmethod
    def drawn(cls, count: int, seed: int) -> BernoulliArms:
        """Random arms, all different: means of 5, 10, … 95 percent.

        >>> BernoulliArms.drawn(3, 0) == BernoulliArms.drawn(3, 0)
        True
        """
        if not 1 <= count <= 19:
            raise ValueError(f"from 1 to 19 arms can be drawn, not {count}")
        chosen = random.Random(f"means {seed}").sample(range(1, 20), count)
        return cls(tuple(round(0.05 * step, 2) for step in chosen))

    def __len__(self) -> int:
        return len(self.means)

    @property
    def best_mean(self) -> float:
        """The mean of the best arm."""
        return max(self.means)

    def gap(self, arm: int) -> float:
        """How much less this arm pays on average than the best one."""
        return self.best_mean - self.means[arm]

    def pull(self, arm: int, chance: random.Random) -> int:
        """What one pull of the arm pays: 1 or 0."""
        return int(chance.random() < self.means[arm])
