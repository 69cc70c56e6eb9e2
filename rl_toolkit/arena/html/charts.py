"""Charts of a report: SVG without colours of its own, so that light and dark both work.

Colours are the variables of the page (``--bar``, ``--ink``, …). Every chart has a name for those
who cannot see it; the figures themselves are in the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rl_toolkit.arena.html.page import Html
from rl_toolkit.utils.svg import element, escaped, round_ticks

_WIDTH, _HEIGHT = 520.0, 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 60.0, 28.0, 14.0, 46.0

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Round ticks that cover some values."""

    ticks: Sequence[float]

    @classmethod
    def covering(cls, values: Sequence[float]) -> Scale:
        """The scale for these values, which must not be empty."""
        return cls(round_ticks(min(values), max(values)))

    def share(self, value: float) -> float:
        """The place of a value on the scale, from 0 to 1; values beyond it are at its ends."""
        low, high = self.ticks[0], self.ticks[-1]
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def axis(self) -> str:
        """The ends of the scale, for bars of the full width."""
        low, high = self.ticks[0], self.ticks[-1]
        return f'<div class="axis"><span>{low:g}</span><span>{high:g}</span></div>'


def bar(scale: Scale, value: float, interval: Interval | None, said: str) -> Html:
    """A bar from the left edge to ``value`` with the whisker of its interval, as wide as its cell.

    ``said`` is what the bar says, in words.
    """
    end = 100 * scale.share(value)
    parts = [element("rect", x=0, y=4, width=max(end, 0.3), height=12, fill="var(--bar)")]
    if interval is not None:
        low, high = (100 * scale.share(each) for each in interval)
        lines = ((low, 10, high, 10), (low, 6, low, 14), (high, 6, high, 14))
        parts += [_whisker(*ends) for ends in lines]
    return Html(
        element(
            "svg",
            *parts,
            viewBox="0 0 100 20",
            preserveAspectRatio="none",
            role="img",
            aria_label=said,
        )
    )


def _whisker(x1: float, y1: float, x2: float, y2: float) -> str:
    return element(
        "line",
        x1=x1,
        y1=y1,
        x2=x2,
        y2=y2,
        vector_effect="non-scaling-stroke",
        stroke="var(--ink)",
        stroke_width=1.5,
    )


@dataclass(frozen=True, slots=True)
class Point:
    """A named point with an interval in each direction."""

    name: str
    x: float
    y: float
    x_interval: Interval | None = None
    y_interval: Interval | None = None


def scatter(points: Sequence[Point], x_label: str, y_label: str, said: str) -> str:
    """Points with whiskers; each is marked with its name, which should be short."""
    xs = [p.x for p in points] + [end for p in points for end in p.x_interval or ()]
    ys = [p.y for p in points] + [end for p in points for end in p.y_interval or ()]
    across, up = Scale.covering(xs), Scale.covering(ys)
    parts = _frame(across, up, x_label, y_label)
    for point in points:
        x, y = _x(across.share(point.x)), _y(up.share(point.y))
        whiskers = []
        if point.x_interval is not None:
            low, high = (_x(across.share(end)) for end in point.x_interval)
            whiskers.append((low, y, high, y))
        if point.y_interval is not None:
            low, high = (_y(up.share(end)) for end in point.y_interval)
            whiskers.append((x, low, x, high))
        parts += [
            element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="var(--soft)")
            for x1, y1, x2, y2 in whiskers
        ]
        parts.append(element("circle", cx=x, cy=y, r=5, fill="var(--bar)"))
        parts.append(_text(x + 8, y - 7, point.name, "start"))
    return _picture(parts, said)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram: its label and its parts, lowest first."""

    label: str
    parts: Sequence[int]


#: The colours of the parts of columns, lowest first.
PART_COLOURS = ("var(--bar)", "var(--bar-2)", "var(--bar-3)")


def columns(found: Sequence[Column], x_label: str, y_label: str, said: str) -> str:
    """Columns of counts, each made of parts."""
    up = Scale(round_ticks(0, max(1, *(sum(each.parts) for each in found))))
    parts = _frame(None, up, x_label, y_label)
    step = 1 / max(1, len(found))
    every = -(-len(found) // 12)  # of crowded labels only some are shown
    for number, each in enumerate(found):
        below = 0
        left, right = _x((number + 0.08) * step), _x((number + 0.92) * step)
        for count, colour in zip(each.parts, PART_COLOURS, strict=False):
            if count:
                top, bottom = _y(up.share(below + count)), _y(up.share(below))
                parts.append(
                    element(
                        "rect", x=left, y=top, width=right - left, height=bottom - top, fill=colour
                    )
                )
            below += count
        if number % every == 0:
            parts.append(_text((left + right) / 2, _HEIGHT - _BOTTOM + 18, each.label, soft=True))
    return _picture(parts, said)


def _frame(across: Scale | None, up: Scale, x_label: str, y_label: str) -> list[str]:
    right = _WIDTH - _RIGHT
    parts = []
    for tick in up.ticks:
        y = _y(up.share(tick))
        parts.append(element("line", x1=_LEFT, x2=right, y1=y, y2=y, stroke="var(--line)"))
        parts.append(_text(_LEFT - 8, y + 5, f"{tick:g}", "end", soft=True))
    for tick in () if across is None else across.ticks:
        x = _x(across.share(tick)) if across is not None else 0.0
        bottom = _HEIGHT - _BOTTOM
        parts.append(element("line", x1=x, x2=x, y1=_TOP, y2=bottom, stroke="var(--line)"))
        parts.append(_text(x, bottom + 18, f"{tick:g}", soft=True))
    parts.append(_text(_x(0.5), _HEIGHT - 8, x_label))
    turned = f"rotate(-90 14 {_y(0.5):g})"
    parts.append(
        element("text", escaped(y_label), x=14, y=_y(0.5), text_anchor="middle", transform=turned)
    )
    return parts


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, text: str, anchor: str = "middle", *, soft: bool = False) -> str:
    style = {"class": "soft"} if soft else {}
    return element("text", escaped(text), x=x, y=y, text_anchor=anchor, **style)


def _picture(parts: Sequence[str], said: str) -> str:
    picture = element(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="img",
        aria_label=said,
        **{"class": "chart"},
    )
    return f"<figure>{picture}</figure>"
