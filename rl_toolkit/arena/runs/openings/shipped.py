"""The balanced openings that come with the package, one text file for each game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rl_toolkit.arena.runs.openings.files import openings_from_text
from rl_toolkit.arena.runs.openings.opening import OpeningList
from rl_toolkit.envs import make_game

FOLDER = Path(__file__).parents[3] / "data" / "openings"


def shipped_games() -> list[str]:
    """The games that have shipped openings."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def shipped_openings(game: str) -> OpeningList:
    """The shipped openings of a game; raises ``ValueError`` if there are none."""
    name = make_game(game).name
    path = FOLDER / f"{name}.txt"
    if name not in shipped_games():
        raise ValueError(
            f"there are no shipped openings of {name}; these games have some: "
            f"{', '.join(shipped_games())}"
        )
    openings = openings_from_text(path.read_text(encoding="utf-8"), name, f"balanced {name}")
    return replace(openings, balanced=True)
