"""The picture of the sheet: regret of four policies; and curves for a failing case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

from rl_toolkit.utils.svg import Frame, chart_text, element, picture

_COLOURS = ("#64748b", "#b91c1c", "#b45309", "#1d4ed8")
_WIDTH, _HEIGHT = 640.0, 360.0
_MARGINS = (70.0, 130.0, 40.0, 50.0)
#: Means .2, .5, .8: regret after 100, 1,000 and 10,000 pulls, averaged over 200 runs.
_PULLS = (100, 1_000, 10_000)
_MEASURED = {
    "random": (30.0, 300.0, 3001.0),
    "greedy": (13.0, 118.0, 1171.0),
    "ε-greedy": (9.0, 39.0, 309.0),
    "UCB1": (12.0, 39.0, 74.0),
}


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    title = "Regret after 100, 1,000 and 10,000 pulls"
    return {"regret.svg": curves(title, _PULLS, _MEASURED, (1, 10, 100, 1_000, 10_000))}


def curves(
    title: str,
    pulls: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    ticks: Sequence[float],
) -> str:
    """Lines of regret over pulls, both axes logarithmic."""
    frame = Frame(_WIDTH, _HEIGHT, _MARGINS, ticks, log=True)
    low, high = log10(pulls[0]), log10(pulls[-1])
    shares = [(log10(n) - low) / (high - low) for n in pulls]
    parts = [chart_text(_WIDTH / 2, 22, title, size=15, weight="bold"), *frame.grid()]
    for share, n in zip(shares, pulls, strict=True):
        parts.append(chart_text(frame.across(share), _HEIGHT - 28, f"{n:,}", size=13))
    parts.append(chart_text(frame.across(0.5), _HEIGHT - 8, "pulls", size=13))
    for colour, (name, values) in zip(_COLOURS, lines.items(), strict=False):
        points = list(zip(shares, values, strict=True))
        parts.append(frame.polyline(points, colour))
        for share, value in points:
            x, y = frame.across(share), frame.y(value)
            parts.append(element("circle", cx=x, cy=y, r=4, fill=colour))
        end = f"{name} {values[-1]:,.0f}"
        x, y = frame.across(1) + 10, frame.y(values[-1]) + 4
        parts.append(chart_text(x, y, end, size=13, anchor="start", colour=colour))
    return picture(_WIDTH, _HEIGHT, parts)
