"""Who proves puzzles: one module for each game, found by the class of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.puzzles.provers.prover import (
        ASKING,
        TOO_EARLY,
        Find,
        Judged,
        NoPuzzlesError,
        Prover,
        prover_of,
    )

__all__ = [
    "ASKING",  # The lock of all provers
    "TOO_EARLY",  # Why a move is not even known to be a mistake
    "Find",  # A puzzle in a position: its kind and its line
    "Judged",  # What is known of a move
    "NoPuzzlesError",  # A game whose moves no engine proves
    "Prover",  # Proves which moves of a position are right
    "prover_of",  # The prover of a game
]
__getattr__, __dir__ = front_door(__name__)
