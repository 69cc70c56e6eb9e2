"""The picture of the sheet: the same share of wins from more and more games."""

from __future__ import annotations

from rl_toolkit.utils import wilson_interval
from rl_toolkit.utils.svg import chart_text, element

_LEFT, _RIGHT, _TOP, _STEP = 110.0, 550.0, 50.0, 40.0
_GAMES = (5, 20, 100, 1000)
_INK, _SURE, _OPEN = "#334155", "#15803d", "#b45309"


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    height = _TOP + _STEP * len(_GAMES) + 40
    bottom = _TOP + _STEP * len(_GAMES) - 10
    parts = [element("rect", x=0, y=0, width=600, height=height, fill="#ffffff")]
    parts.append(chart_text(300, 22, "60 % won: where may the true share lie?", size=16))
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        parts.append(_line(x, _TOP - 15, x, bottom, "#e2e8f0"))
        parts.append(chart_text(x, bottom + 18, f"{tenth * 10} %", size=12))
    half = _x(0.5)
    parts.append(_line(half, _TOP - 15, half, bottom, _INK, dashed=True))
    parts.append(chart_text(half, bottom + 34, "as good as the opponent", size=12))
    for row, games in enumerate(_GAMES):
        low, high = wilson_interval(0.6, games)
        y, colour = _TOP + row * _STEP, _SURE if low > 0.5 else _OPEN
        parts.append(chart_text(_LEFT - 12, y + 5, f"{games:,} games", size=13, anchor="end"))
        bar = {"x": _x(low), "y": y - 7, "width": _x(high) - _x(low), "height": 14, "rx": 4}
        parts.append(element("rect", **bar, fill=colour, fill_opacity=0.35, stroke=colour))
        parts.append(element("circle", cx=_x(0.6), cy=y, r=4, fill=colour))
    title = "Wilson intervals of 60 per cent: wide for 5 games, narrow for 1,000"
    return {
        "intervals.svg": (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 {height:g}" width="600" '
            f'height="{height:g}" role="img" font-family="system-ui, sans-serif">'
            f"<title>{title}</title>{''.join(parts)}</svg>"
        )
    }


def _x(share: float) -> float:
    return _LEFT + share * (_RIGHT - _LEFT)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> str:
    dashes = {"stroke_dasharray": "5 4"} if dashed else {}
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, **dashes)
