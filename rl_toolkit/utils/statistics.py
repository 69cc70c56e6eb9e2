"""95 % confidence intervals of measured scores, and Elo differences."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt

#: 95 % of a normal distribution lie within this many standard errors.
Z95 = 1.96


def wilson_interval(share: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson 95 % confidence interval of a share measured in ``games`` games.

    >>> [round(end, 3) for end in wilson_interval(0.5, 100)]
    [0.404, 0.596]
    """
    if games == 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def mean_interval(
    points: Sequence[float], z: float = Z95, *, weights: Sequence[float] = ()
) -> tuple[float, float]:
    """The 95 % confidence interval of the mean of points between 0 and 1.

    ``weights`` are those of the points, 1 if there are none.

    For results other than 0 and 1, such as the points of a pair of games. Two results of 0 and two
    of 1 are added first (as Agresti and Coull do for proportions); without them ten wins in ten
    games would look like certainty.

    >>> [round(end, 3) for end in mean_interval([1.0] * 10)]
    [0.674, 1.0]
    """
    weighted = list(zip(points, weights or [1.0] * len(points), strict=True))
    weighted += [(0.0, 1.0), (0.0, 1.0), (1.0, 1.0), (1.0, 1.0)]
    total = sum(weight for _, weight in weighted)
    mean = sum(point * weight for point, weight in weighted) / total
    variance = sum((weight * (point - mean)) ** 2 for point, weight in weighted)
    reach = z * sqrt(variance) / total
    return max(0.0, mean - reach), min(1.0, mean + reach)


def elo(share: float) -> float:
    """The Elo difference at which this share of the points is expected.

    >>> round(elo(0.75)), elo(1.0)
    (191, inf)
    """
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 0.0 - 400 * log10(1 / share - 1)  # 0.0 − 0.0 is +0.0


def percent(share: float) -> str:
    """A share in percent: ``52.5 %``."""
    return f"{100 * share:.1f} %"
