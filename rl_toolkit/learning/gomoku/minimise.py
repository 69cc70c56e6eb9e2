"""L-BFGS: the minimum of a smooth convex function of many numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: A value and its gradient.
Loss = Callable[[Floats], tuple[float, Floats]]

_REMEMBERED = 10
_ENOUGH = 1e-4  # of the descent that the slope promises
_SHORTEST = 1e-10
_SMALL_STEPS = 3


def minimise(
    loss: Loss,
    start: Floats,
    steps: int,
    tolerance: float = 1e-6,
    on_step: Callable[[int, float], bool] | None = None,
) -> Floats:
    """The point where ``loss`` is least, after at most ``steps`` steps.

    Stops when three steps gain less than ``tolerance`` of the value each, or when ``on_step``,
    called with the number of steps done and the value, returns ``False``.
    """
    point = start.copy()
    value, slope = loss(point)
    steps_made: deque[tuple[Floats, Floats]] = deque(maxlen=_REMEMBERED)
    small = 0
    for number in range(steps):
        direction = -_times_inverse(slope, steps_made)
        descent = float(direction @ slope)
        if descent >= 0:  # rounding has spoilt what was remembered
            steps_made.clear()
            direction, descent = -slope, -float(slope @ slope)
        length = 1.0 if steps_made else min(1.0, 1.0 / max(1e-12, float(np.abs(slope).sum())))
        while True:
            tried, its_slope = loss(point + length * direction)
            if tried <= value + _ENOUGH * length * descent:
                break
            length /= 2
            if length < _SHORTEST:
                return point
        move, change = length * direction, its_slope - slope
        if float(move @ change) > 0:
            steps_made.append((move, change))
        gained = value - tried
        point, value, slope = point + move, tried, its_slope
        if on_step is not None and not on_step(number + 1, value):
            break
        small = small + 1 if gained < tolerance * max(1e-12, abs(value)) else 0
        if small == _SMALL_STEPS:
            break
    return point


def _times_inverse(slope: Floats, steps_made: deque[tuple[Floats, Floats]]) -> Floats:
    """``slope`` times the inverse of the second derivative, as far as the last steps tell."""
    direction, shares = slope.copy(), []
    for move, change in reversed(steps_made):
        share = float(move @ direction) / float(move @ change)
        shares.append(share)
        direction -= share * change
    if steps_made:
        move, change = steps_made[-1]
        direction *= float(move @ change) / float(change @ change)
    for (move, change), share in zip(steps_made, reversed(shares), strict=True):
        direction += move * (share - float(change @ direction) / float(move @ change))
    return direction
