"""Draw the plot of the page connect_four_solver from what `make bench-connect-four` measured.

usage: python tools/draw_connect_four_plot.py
"""

from __future__ import annotations

import json
from html import escape
from math import log10
from pathlib import Path

from rl_toolkit.utils.atomic_file import write_text_atomically

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PLOT = ROOT / "docs" / "images" / "connect_four_solver.svg"

WIDTH, ROW, LEFT, RIGHT = 760, 22, 150, 90
OURS, THEIRS, INK = "#2a78b8", "#c9772b", "#444444"


def rows_of(name: str) -> list[dict[str, float | str]]:
    """The rows of a benchmark, each without what was not measured."""
    rows = json.loads((RESULTS / f"{name}.json").read_text())["rows"]
    return [{key: value for key, value in row.items() if value is not None} for row in rows]


def text(x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False) -> str:
    """Words that start, or end, at a place."""
    weight = ' font-weight="bold"' if bold else ""
    where = f'x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"'
    return f'<text {where} fill="{INK}"{weight}>{escape(words)}</text>'


def bar(y: float, share: float, colour: str, words: str) -> str:
    """A bar over ``share`` of the room there is, with words at its end."""
    length = max(1.0, share * (WIDTH - LEFT - RIGHT))
    shape = (
        f'<rect x="{LEFT}" y="{y:.0f}" width="{length:.1f}" height="{ROW - 8}" fill="{colour}"/>'
    )
    return shape + text(LEFT + length + 5, y + ROW - 11, words)


def beside_the_peer(top: float) -> tuple[list[str], float]:
    """Seconds of both solvers, on a scale of powers of ten from a hundredth up."""
    out = [
        text(
            10,
            top,
            "Processor seconds, logarithmic (blue: this solver, brown: bitbully)",
            bold=True,
        )
    ]
    y = top + 14
    for row in rows_of("connect_four"):
        out.append(text(LEFT - 8, y + ROW - 5, str(row["positions"]), anchor="end"))
        for key, colour in (("seconds", OURS), ("bitbully seconds", THEIRS)):
            if key in row:
                seconds = float(row[key])
                share = (log10(max(seconds, 0.011)) + 2) / 4
                out.append(bar(y, share, colour, f"{seconds:.2f}"))
            y += ROW - 8
        y += 10
    return out, y


def without_each_idea(top: float) -> tuple[list[str], float]:
    """How many times longer it takes without an idea, logarithmic."""
    out = [text(10, top, "How many times longer without each idea, logarithmic", bold=True)]
    y = top + 14
    rows = [row for row in rows_of("connect_four_ideas") if not str(row["without"]).startswith("—")]
    most = max(float(row["× seconds"]) for row in rows)
    for row in sorted(rows, key=lambda row: -float(row["× seconds"])):
        factor = float(row["× seconds"])
        out.append(
            text(LEFT - 8, y + ROW - 11, str(row["without"]).replace("_", " "), anchor="end")
        )
        out.append(bar(y, max(0.0, log10(max(factor, 1.0)) / log10(most)), OURS, f"× {factor:.2f}"))
        y += ROW
    return out, y


def main() -> None:
    """Write the plot."""
    first, y = beside_the_peer(24)
    second, y = without_each_idea(y + 30)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 10:.0f}" '
        'font-family="sans-serif" font-size="12" role="img" '
        'aria-label="Speed of the Connect Four solver">'
    )
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    write_text_atomically(PLOT, "\n".join([head, ground, *first, *second, "</svg>"]) + "\n")


if __name__ == "__main__":
    main()
