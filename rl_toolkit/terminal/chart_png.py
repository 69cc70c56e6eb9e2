"""The chart of `chart` as a PNG, by matplotlib, which is an extra: ``rl_toolkit[plot]``."""

from __future__ import annotations

import importlib
import io
from typing import Any

from rl_toolkit.terminal.chart import Chart

_MISSING = (
    "a .png needs matplotlib: install it with `pip install 'rl_toolkit[plot]'`, "
    "or write an .svg, which needs nothing"
)


def figure_module() -> Any:
    """``matplotlib.figure``; `ImportError` with a sentence where it is missing."""
    try:
        return importlib.import_module("matplotlib.figure")
    except ImportError as error:
        raise ImportError(_MISSING) from error


def draw_png(chart: Chart) -> bytes:
    """The picture; `ImportError` with a sentence where matplotlib is missing."""
    figure = figure_module().Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(chart.values))
    if chart.kind == "bars":
        axes.bar(places, chart.values)
    else:
        axes.plot(places, chart.values, marker="o")
    for place, (low, high) in enumerate(chart.errors):
        axes.plot([place, place], [low, high], color="black")
    if chart.log:
        axes.set_yscale("log")
    axes.set_xticks(places, chart.labels)
    axes.set_title(chart.title)
    axes.set_ylabel(chart.y_label)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()
