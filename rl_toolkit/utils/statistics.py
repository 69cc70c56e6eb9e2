"""How sure a measured share is: 95 % confidence intervals, and what they say as Elo points."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt

#: Standard errors that 95 % of a normal distribution lie within.
Z95 = 1.96


def wilson_interval(share: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The 95 % confidence interval of a share seen in so many games, by Wilson's formula.

    >>> [round(end, 3) for end in wilson_interval(0.5, 100)]
    [0.404, 0.596]
    """
    if games == 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def mean_interval(points: Sequence[float], z: float = Z95) -> tuple[float, float]:
    """The 95 % confidence interval of the mean of points that lie from 0 to 1.

    For results that are more than yes or no, such as the points of a pair of games. Two imagined
    results of 0 and two of 1 are added first (as Agresti and Coull do for shares), without which
    ten wins in ten games would look like certainty.

    >>> [round(end, 3) for end in mean_interval([1.0] * 10)]
    [0.674, 1.0]
    """
    padded = [*points, 0.0, 0.0, 1.0, 1.0]
    count = len(padded)
    mean = sum(padded) / count
    variance = sum((point - mean) ** 2 for point in padded) / count
    reach = z * sqrt(variance / count)
    return max(0.0, mean - reach), min(1.0, mean + reach)


def elo(share: float) -> float:
    """The difference in Elo points that makes one expect this share of the points.

    >>> round(elo(0.75)), elo(1.0)
    (191, inf)
    """
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return -400 * log10(1 / share - 1)


def percent(share: float) -> str:
    """A share as people read it: ``52.5 %``."""
    return f"{100 * share:.1f} %"
