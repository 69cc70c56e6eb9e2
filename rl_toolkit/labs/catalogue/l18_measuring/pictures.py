"""The picture of the sheet: the same share of wins from more and more games."""

from __future__ import annotations

from rl_toolkit.utils import wilson_interval
from rl_toolkit.utils.svg import Axis, Plot, Series

_GAMES = (5, 20, 100, 1000)


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    intervals = [wilson_interval(0.6, games) for games in _GAMES]
    series = [
        Series(
            name,
            [(60.0, row) for row, (low, _) in enumerate(intervals) if (low > 0.5) == is_sure],
            "points",
            across=[(100 * low, 100 * high) for low, high in intervals if (low > 0.5) == is_sure],
        )
        for name, is_sure in (("cannot say", False), ("better than even", True))
    ]
    share = Axis(high=100.0, unit=" %", mark=(50.0, "as good as the opponent"))
    names = Axis(names=[f"{games:,} games" for games in _GAMES])
    plot = Plot("60 % won: where may the true share lie?", series, share, names)
    return {"intervals.svg": plot.to_svg()}
