"""Draw the figures of docs/learn/ from what the toolkit computes and measures.

usage: python tools/draw_learn_figures.py [NAME ...]

Without names all figures are drawn. ``layouts`` needs Chromium; the others need only the toolkit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "learn_figures"))

import charts
import drawing
import games
import layouts
import trees

from rl_toolkit.utils.atomic_file import write_text_atomically

FOLDER = Path(__file__).parent.parent / "docs" / "learn" / "images"

FIGURES: dict[str, Callable[[], drawing.Figure]] = {
    "game_tree": trees.beginners,
    "alpha_beta_tree": trees.cut_tree,
    "backup": trees.backup,
    "states_by_ply": games.states_by_ply,
    "sweeps": games.sweeps,
    "horizon": games.horizon,
    "sizes": games.sizes,
    "pruning": charts.pruning,
    "bandits": charts.bandit_regret,
    "visits": charts.visits,
    "recommendation": charts.recommendation,
    "priors": charts.priors,
    "ideas": charts.ideas,
    "timeline": charts.timeline,
    "layouts": layouts.offsets,
}
#: Figures that take more than a second, or a browser.
SLOW = {
    "bandits",
    "horizon",
    "ideas",
    "layouts",
    "priors",
    "pruning",
    "recommendation",
    "states_by_ply",
    "sweeps",
    "visits",
}


def main(names: list[str]) -> None:
    """Draw the named figures, or all."""
    for name in names or FIGURES:
        if name not in FIGURES:
            sys.exit(f"there is no figure {name!r}; there are {', '.join(FIGURES)}")
        write_text_atomically(FOLDER / f"{name}.svg", FIGURES[name]().svg() + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
