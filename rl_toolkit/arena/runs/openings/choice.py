"""What ``--openings`` means: ``start``, ``random:4``, ``balanced``, ``balanced:6``, or a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.arena.runs.openings.files import read_openings
from rl_toolkit.arena.runs.openings.opening import OpeningList
from rl_toolkit.arena.runs.openings.shipped import shipped_openings


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """Which openings a match plays.

    Attributes:
        plies: the number of random moves.
        balanced: whether only balanced positions are drawn.
        listed: the openings of a file, or the shipped ones.
    """

    plies: int = 0
    balanced: bool = False
    listed: OpeningList | None = None


def chosen_openings(text: str, game: str, plies: int | None = None) -> OpeningChoice:
    """The openings that ``text`` names; raises ``ValueError`` or ``OSError`` if there are none.

    ``plies`` is the number of moves to take from each game of a file.
    """
    word = text.strip()
    found = re.fullmatch(r"(random|balanced):([0-9]{1,3})|start|balanced", word.lower())
    if found is not None and plies is not None:
        raise ValueError("--opening-plies is for the games of a file")
    if found is None:
        if not Path(word).is_file():
            raise ValueError(
                "openings are random:K, start, balanced, balanced:K or the name of a file, "
                f"not {text!r}"
            )
        return OpeningChoice(listed=read_openings(word, game, plies))
    if found[2] is not None:
        return OpeningChoice(int(found[2]), balanced=found[1] == "balanced")
    if word.lower() == "balanced":
        return OpeningChoice(listed=shipped_openings(game))
    return OpeningChoice()
