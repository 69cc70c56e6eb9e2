"""The model behind ratings: Bradley–Terry on Elo's scale, with draws as Davidson counts them.

::

    strength   d = rating of the first player − rating of the second + advantage of the first move
    points     expected points of the first player = 1 / (1 + 10^(−d / 400))
    draws      chance of a draw = ν · √(chance of a win · chance of a loss)

Davidson's original model makes the *odds of a win against a loss* 10^(d / 400). A player who never
loses, as the perfect player of Tic-Tac-Toe, would then be infinitely strong, and 100 Elo would mean
other points in a game with many draws. Here the *expected points* are fixed, as in Elo's own
definition, and for every ν there is exactly one set of chances that has them. So ratings mean the
same in all games, and the same as in a match. A two-threshold model has neither property: there
the number of draws moves the ratings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

#: Elo of one unit of the natural logarithm of the odds.
ELO_UNIT = 400 / float(np.log(10))


def expected_points(difference: Any) -> Any:
    """Points per game at a difference in Elo: a number, or an array of them.

    >>> round(float(expected_points(0.0)), 3), round(float(expected_points(100.0)), 3)
    (0.5, 0.64)
    """
    return 0.5 * (1 + np.tanh(np.asarray(difference) / (2 * ELO_UNIT)))


def chances(points: Any, nu: float) -> tuple[Any, Any, Any]:
    """The chances of win, draw and loss with these expected points, for Davidson's ν.

    ``points`` is a number or an array, between 0 and 1, both excluded.

    >>> [round(float(chance), 3) for chance in chances(0.5, 2.0)]
    [0.25, 0.5, 0.25]
    >>> [round(float(chance), 3) for chance in chances(0.75, 0.0)]
    [0.75, 0.0, 0.25]
    """
    # With t² the odds of a win against a loss, the weights are t² : ν·t : 1. The equation
    # points = (t² + ν·t/2) / (t² + ν·t + 1) is quadratic in t and has one positive root.
    points = np.asarray(points, float)
    tilt = nu * (points - 0.5)
    root = np.sqrt(tilt * tilt + 4 * points * (1 - points))
    # Two forms of the root: each is exact where the other subtracts nearly equal numbers.
    t = np.where(tilt >= 0, (tilt + root) / (2 * (1 - points)), 2 * points / (root - tilt))
    total = t * t + nu * t + 1
    return t * t / total, nu * t / total, 1 / total
