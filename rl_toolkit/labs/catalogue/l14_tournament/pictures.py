"""The picture of the sheet: results of leagues with their intervals."""

from __future__ import annotations

from math import sqrt

from rl_toolkit.utils.svg import chart_text, element, picture

#: Leagues of depth 2 with the engine of this lab: wins, draws, losses of the first player.
_LEAGUES = {
    "windows – none": (96, 0, 2),
    "centre – none": (72, 21, 5),
    "windows – centre": (79, 4, 15),
    "40 : 49": (40, 9, 49),
}
_WIDTH, _LEFT, _RIGHT, _ROW = 620.0, 150.0, 30.0, 44.0


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    height = 60 + _ROW * len(_LEAGUES)
    parts = [
        chart_text(_WIDTH / 2, 22, "Score per game, with 95 % intervals", size=15, weight="bold")
    ]
    for score in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        half = score == 0.5
        parts.append(
            element(
                "line",
                x1=_x(score),
                x2=_x(score),
                y1=36,
                y2=height - 26,
                stroke="#b91c1c" if half else "#dddddd",
                stroke_width=2 if half else 1,
            )
        )
        parts.append(chart_text(_x(score), height - 8, f"{score:.1f}", size=12))
    for number, (name, (wins, draws, losses)) in enumerate(_LEAGUES.items()):
        y = 58 + _ROW * number
        games = wins + draws + losses
        mean = (wins + draws / 2) / games
        squares = wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + losses * mean**2
        margin = 1.96 * sqrt(squares) / games
        low, high = _x(mean - margin), _x(min(1.0, mean + margin))
        parts.append(chart_text(_LEFT - 12, y + 5, name, size=13, anchor="end"))
        parts.append(element("line", x1=low, x2=high, y1=y, y2=y, stroke="#1d4ed8", stroke_width=4))
        parts.append(element("circle", cx=_x(mean), cy=y, r=6, fill="#1d4ed8"))
    return {"intervals.svg": picture(_WIDTH, height, parts)}


def _x(score: float) -> float:
    return _LEFT + (score - 0.3) / 0.7 * (_WIDTH - _LEFT - _RIGHT)
