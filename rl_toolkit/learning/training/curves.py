"""The curves of a run as one SVG chart: four small panels over time in minutes.

::

    ┌ loss ────────┐ ┌ right moves ─┐
    │ policy, value│ │ evaluations  │
    ├ games ───────┤ ├ speed ───────┤
    │ draws, wins  │ │ positions/s  │
    └──────────────┘ └──────────────┘
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rl_toolkit.learning.training.log import Entry
from rl_toolkit.utils.svg import Axis, Plot, Series, panels

_MOST_POINTS = 400

Points = Sequence[tuple[float, float]]


def curves_svg(entries: Iterable[Entry]) -> str:
    """Draw the curves of a log; what it has no numbers of is left out."""
    logged = list(entries)
    iterations = [entry for entry in logged if entry.get("kind") == "iteration"]
    evaluations = [entry for entry in logged if entry.get("kind") == "evaluation"]

    def lines(**fields: str) -> dict[str, Points]:
        return {name.replace("_", " "): _points(iterations, key) for name, key in fields.items()}

    kinds = dict.fromkeys(str(entry.get("what")) for entry in evaluations)
    strength = {
        what: _points([entry for entry in evaluations if str(entry.get("what")) == what], "score")
        for what in kinds
    }
    plots = {
        "loss (nats)": lines(policy="policy_loss", targets="target_entropy", value="value_loss"),
        "strength": strength,
        "games": lines(draws="draw_rate", first_mover_wins="first_wins", distinct="distinct_share"),
        "positions per second": lines(self_play="positions_per_second"),
    }
    return panels([_plot(title, named) for title, named in plots.items() if any(named.values())])


def _points(entries: list[Entry], field: str) -> Points:
    """Minutes and values, thinned out if there are too many to see."""
    points = [
        (entry["seconds"] / 60, float(entry[field]))
        for entry in entries
        if isinstance(entry.get(field), int | float)
        and isinstance(entry.get("seconds"), int | float)
    ]
    return points[:: max(1, len(points) // _MOST_POINTS)]


def _plot(title: str, lines: dict[str, Points]) -> Plot:
    values = [value for points in lines.values() for _, value in points]
    near_zero = 0 <= min(values) < 0.5 * max(values)
    series = [Series(name, points) for name, points in lines.items() if points]
    return Plot(title, series, Axis("minutes"), Axis(low=0.0 if near_zero else None))
