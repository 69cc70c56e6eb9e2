"""The curves of a run as one SVG picture: four small panels over the minutes.

::

    ┌ loss ────────┐ ┌ right moves ─┐
    │ policy, value│ │ evaluations  │
    ├ games ───────┤ ├ speed ───────┤
    │ draws, wins  │ │ positions/s  │
    └──────────────┘ └──────────────┘
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from rl_toolkit.learning.training.log import Entry
from rl_toolkit.utils.svg.canvas import chart_text, element
from rl_toolkit.utils.svg.ticks import round_ticks

_WIDTH, _HEIGHT = 480.0, 280.0  # of a panel
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 16.0, 48.0, 40.0
_COLOURS = ("#2f6db5", "#c9502e", "#3c8d4f", "#7a4fa3", "#8a6d1d")
_GRID = "#dddddd"
_MOST_POINTS = 400
_text = partial(chart_text, size=12)

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines by name over the same minutes."""

    title: str
    lines: dict[str, Points]


def curves_svg(entries: Iterable[Entry]) -> str:
    """The picture of a log."""
    panels = _panels(list(entries))
    drawn = [
        element("g", *_panel(panel), transform=f"translate({x:g},{y:g})")
        for number, panel in enumerate(panels)
        for x, y in [(number % 2 * _WIDTH, number // 2 * _HEIGHT)]
    ]
    width, height = 2 * _WIDTH, math.ceil(len(panels) / 2) * _HEIGHT
    paper = element("rect", width=width, height=height, fill="white")
    return element(
        "svg",
        paper,
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        font_family="system-ui, sans-serif",
    )


def _panels(entries: list[Entry]) -> list[Panel]:
    """What to draw; panels without anything to show are left out."""
    iterations = [entry for entry in entries if entry.get("kind") == "iteration"]
    evaluations = [entry for entry in entries if entry.get("kind") == "evaluation"]

    def lines(**fields: str) -> dict[str, Points]:
        return {name.replace("_", " "): _points(iterations, key) for name, key in fields.items()}

    asked = dict.fromkeys(str(entry.get("what")) for entry in evaluations)
    strength = {
        what: _points([entry for entry in evaluations if str(entry.get("what")) == what], "score")
        for what in asked
    }
    panels = [
        Panel(
            "loss (nats)",
            lines(policy="policy_loss", targets="target_entropy", value="value_loss"),
        ),
        Panel("strength", strength),
        Panel(
            "games",
            lines(draws="draw_rate", first_mover_wins="first_wins", distinct="distinct_share"),
        ),
        Panel("positions per second", lines(self_play="positions_per_second")),
    ]
    return [panel for panel in panels if any(panel.lines.values())]


def _points(entries: list[Entry], field: str) -> Points:
    """Minutes and values, thinned out where there are too many to see."""
    found = [
        (entry["seconds"] / 60, float(entry[field]))
        for entry in entries
        if isinstance(entry.get(field), int | float)
        and isinstance(entry.get("seconds"), int | float)
    ]
    return found[:: max(1, len(found) // _MOST_POINTS)]


def _panel(panel: Panel) -> list[str]:
    everything = [point for points in panel.lines.values() for point in points]
    low, high = min(value for _, value in everything), max(value for _, value in everything)
    heights = round_ticks(0.0 if 0 <= low < 0.5 * high else low, high)
    minutes = round_ticks(0.0, max(minute for minute, _ in everything))
    low, high, last = heights[0], heights[-1], minutes[-1]

    def x(minute: float) -> float:
        return _LEFT + minute / last * (_WIDTH - _LEFT - _RIGHT)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (value - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [_text(_LEFT, 20, panel.title, size=15, anchor="start", weight="bold")]
    for value in heights:
        parts.append(
            element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(value), y2=y(value), stroke=_GRID)
        )
        parts.append(_text(_LEFT - 6, y(value) + 4, f"{value:,.10g}", anchor="end"))
    parts += [_text(x(minute), _HEIGHT - _BOTTOM + 18, f"{minute:,.10g}") for minute in minutes]
    parts.append(_text(_WIDTH - _RIGHT, _HEIGHT - 6, "minutes", anchor="end"))
    beside = _LEFT
    for colour, (name, points) in zip(_COLOURS, panel.lines.items(), strict=False):
        path = " ".join(f"{x(minute):.1f},{y(value):.1f}" for minute, value in points)
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width=1.5))
        parts.append(_text(beside, 38, name, anchor="start", colour=colour))
        beside += 7.0 * len(name) + 16
    return parts
