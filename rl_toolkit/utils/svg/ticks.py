"""Round numbers for the ticks of an axis."""

from __future__ import annotations

import math


def round_ticks(low: float, high: float, least: float = 0.0) -> list[float]:
    """About five round numbers that cover the range from ``low`` to ``high``.

    There are at least two, even if ``low`` equals ``high``. ``least`` is the smallest step: 1 for
    what is counted.

    >>> round_ticks(0, 870)
    [0.0, 250.0, 500.0, 750.0, 1000.0]
    >>> round_ticks(0.72, 0.98)
    [0.7, 0.8, 0.9, 1.0]
    >>> round_ticks(3, 3)
    [3.0, 4.0, 5.0, 6.0]
    >>> round_ticks(0, 1, least=1)
    [0.0, 1.0]
    """
    if high - low <= 1e-9 * abs(low):
        high = low + (abs(low) or 1.0)
    rough = max((high - low) / 4, least)
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * i, 12) for i in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten, at least two, from at most ``low`` (1 at least) to ``high`` or more.

    >>> log_ticks(1, 700), log_ticks(200, 3000)
    ([1.0, 10.0, 100.0, 1000.0], [100.0, 1000.0, 10000.0])
    """
    first = math.floor(math.log10(max(low, 1)) + 1e-9)
    last = math.ceil(math.log10(max(high, 1)) - 1e-9)
    return [10.0**power for power in range(first, max(first + 1, last) + 1)]
