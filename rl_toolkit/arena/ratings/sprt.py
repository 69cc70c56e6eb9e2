"""The sequential probability ratio test (SPRT): play until one of two hypotheses is accepted.

::

    H0   the first engine is ``elo0`` stronger       accepted when LLR ≤ lower = log(β / (1 − α))
    H1   the first engine is ``elo1`` stronger       accepted when LLR ≥ upper = log((1 − β) / α)

Elo is *logistic*: a difference of e Elo means 1 / (1 + 10^(−e / 400)) points per game, the scale of
matches and ratings. If H0 is true, H1 is accepted with a chance of at most α, and H0 by mistake
with at most β; between the two hypotheses either may be accepted.

The unit is a pair of games from one opening, with five possible results: 0, ½, 1, 1½ or 2 points
(*pentanomial*). The likelihood of a hypothesis is that of the most likely chances of these five
results which have the points that the hypothesis claims (*generalised* SPRT). So neither the number
of draws nor the dependence of the two games has to be known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import Any, Literal

import numpy as np

from rl_toolkit.arena.ratings.elo_model import expected_points

#: Points per game of a pair.
PAIR_POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
#: Pairs that every result has at least, so that none is impossible.
_LEAST = 1e-3
#: Hypotheses further apart than this say nothing that a few games would not show.
_LARGEST = 1000.0

Decision = Literal["H0", "H1"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses, and the chances of the two mistakes.

    Raises ``ValueError`` unless −1000 ≤ ``elo0`` < ``elo1`` ≤ 1000, and ``alpha`` and ``beta`` are
    between 0 and 0.5.

    >>> test = Sprt(0, 10)
    >>> round(test.lower, 2), round(test.upper, 2)
    (-2.94, 2.94)
    >>> test.decision(test.llr([0, 0, 0, 0, 300]))
    'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not (isfinite(value) and abs(value) <= _LARGEST):
                raise ValueError(f"{name} must be from -1000 to 1000, not {value}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {getattr(self, name)}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio, given the number of pairs with 0, ½, 1, 1½ and 2 points."""
        return float(log_likelihood_ratios(np.asarray(pairs, float), self.elo0, self.elo1))

    def decision(self, llr: float) -> Decision | None:
        """The hypothesis that is accepted, if one is."""
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None


def log_likelihood_ratios(pairs: Any, elo0: float, elo1: float) -> Any:
    """The generalised log-likelihood ratio of H1 against H0.

    ``pairs`` is an array whose last axis has the numbers of pairs with each of the five results; an
    axis of three results of single games is possible as well. Without any pairs the ratio is 0.
    """
    counts = np.asarray(pairs, float)
    points = PAIR_POINTS if counts.shape[-1] == 5 else np.linspace(0, 1, counts.shape[-1])
    played = counts.sum(-1, keepdims=True) > 0
    counts = np.maximum(counts, _LEAST)
    total = counts.sum(-1, keepdims=True)
    logs = [
        np.log(_tilt(counts / total, points - float(expected_points(elo)))) for elo in (elo0, elo1)
    ]
    return np.where(played[..., 0], (counts * (logs[0] - logs[1])).sum(-1), 0.0)


def _tilt(shares: Any, away: Any) -> Any:
    """What the shares must be divided by to become the most likely chances with mean away 0.

    With Lagrange's multiplier x this is 1 + x·away, where Σ share · away / (1 + x·away) = 0. The
    sum falls as x grows, so Newton's steps are kept between two bounds that close in.
    """
    low = np.full((*shares.shape[:-1], 1), -1 / away[-1])
    high = np.full_like(low, -1 / away[0])
    x = np.zeros_like(low)
    for _ in range(100):
        ratio = away / (1 + x * away)
        value = (shares * ratio).sum(-1, keepdims=True)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = value / (shares * ratio * ratio).sum(-1, keepdims=True)
        converged = np.abs(step) <= 1e-12 * (1 + np.abs(x))
        if converged.all():
            break
        inside = (x + step > low) & (x + step < high)
        x = np.where(converged, x, np.where(inside, x + step, (low + high) / 2))
    return 1 + x * away
