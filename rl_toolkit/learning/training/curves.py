"""The curves of a run as one SVG chart: four small panels over time in minutes.

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
from rl_toolkit.utils.svg import Frame, chart_text, element, picture, round_ticks

_WIDTH, _HEIGHT = 480.0, 280.0  # of a panel
_MARGINS = (64.0, 16.0, 48.0, 40.0)
_COLOURS = ("#2f6db5", "#c9502e", "#3c8d4f", "#7a4fa3", "#8a6d1d")
_MOST_POINTS = 400
_text = partial(chart_text, size=12)

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves by name over a common time axis."""

    title: str
    lines: dict[str, Points]


def curves_svg(entries: Iterable[Entry]) -> str:
    """Draw the curves of a log."""
    panels = _panels(list(entries))
    drawn = [
        element("g", *_panel(panel), transform=f"translate({x:g},{y:g})")
        for number, panel in enumerate(panels)
        for x, y in [(number % 2 * _WIDTH, number // 2 * _HEIGHT)]
    ]
    return picture(2 * _WIDTH, math.ceil(len(panels) / 2) * _HEIGHT, drawn)


def _panels(entries: list[Entry]) -> list[Panel]:
    """The panels to draw; empty ones are left out."""
    iterations = [entry for entry in entries if entry.get("kind") == "iteration"]
    evaluations = [entry for entry in entries if entry.get("kind") == "evaluation"]

    def lines(**fields: str) -> dict[str, Points]:
        return {name.replace("_", " "): _points(iterations, key) for name, key in fields.items()}

    kinds = dict.fromkeys(str(entry.get("what")) for entry in evaluations)
    strength = {
        what: _points([entry for entry in evaluations if str(entry.get("what")) == what], "score")
        for what in kinds
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
    """Minutes and values, thinned out if there are too many to see."""
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
    frame = Frame(_WIDTH, _HEIGHT, _MARGINS, heights, text_size=12)
    left, right, _, bottom = _MARGINS
    last = minutes[-1]
    parts = [
        _text(left, 20, panel.title, size=15, anchor="start", weight="bold"),
        *frame.grid(),
        *(
            _text(frame.across(minute / last), _HEIGHT - bottom + 18, f"{minute:,.10g}")
            for minute in minutes
        ),
        _text(_WIDTH - right, _HEIGHT - 6, "minutes", anchor="end"),
    ]
    beside = left
    for colour, (name, points) in zip(_COLOURS, panel.lines.items(), strict=False):
        shares = [(minute / last, value) for minute, value in points]
        parts.append(frame.polyline(shares, colour, 1.5))
        parts.append(_text(beside, 38, name, anchor="start", colour=colour))
        beside += 7.0 * len(name) + 16
    return parts
