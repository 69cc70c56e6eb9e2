"""The picture of the sheet: regret of four policies; and curves for a failing case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rl_toolkit.utils.svg import Axis, Plot, Series

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
    return {"regret.svg": curves("Regret after 100, 1,000 and 10,000 pulls", _PULLS, _MEASURED)}


def curves(title: str, pulls: Sequence[int], lines: Mapping[str, Sequence[float]]) -> str:
    """Lines of regret over pulls, both axes logarithmic, with the last value at their ends."""
    series = [
        Series(
            name,
            list(zip(pulls, values, strict=True)),
            texts=[*[""] * (len(pulls) - 1), f"{values[-1]:,.0f}"],
        )
        for name, values in lines.items()
    ]
    return Plot(title, series, Axis("pulls", log=True), Axis(log=True)).to_svg()
