"""The picture of the sheet: results of leagues with their intervals."""

from __future__ import annotations

from math import sqrt

from rl_toolkit.utils.svg import Axis, Plot, Series

#: Leagues of depth 2 with the engine of this lab: wins, draws, losses of the first player.
_LEAGUES = {
    "windows – none": (96, 0, 2),
    "centre – none": (72, 21, 5),
    "windows – centre": (79, 4, 15),
    "40 : 49": (40, 9, 49),
}


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    means, intervals = [], []
    for wins, draws, losses in _LEAGUES.values():
        games = wins + draws + losses
        mean = (wins + draws / 2) / games
        squares = wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + losses * mean**2
        margin = 1.96 * sqrt(squares) / games
        means.append(mean)
        intervals.append((mean - margin, min(1.0, mean + margin)))
    points = [(mean, row) for row, mean in enumerate(means)]
    plot = Plot(
        "Score per game, with 95 % intervals",
        [Series("", points, "points", across=intervals)],
        Axis(low=None, high=1.0, mark=(0.5, "equally strong")),
        Axis(names=list(_LEAGUES)),
    )
    return {"intervals.svg": plot.to_svg()}
