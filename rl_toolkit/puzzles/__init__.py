"""Puzzles, proven by exact engines: made, judged, rated, and brought back when they are due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.puzzles.attempts import (
        DAY,
        Attempt,
        Glicko,
        Review,
        Standing,
        days_in_a_row,
        standings,
    )
    from rl_toolkit.puzzles.choosing import (
        STORM_SECONDS,
        climbing,
        daily,
        next_puzzle,
    )
    from rl_toolkit.puzzles.judging import Hint, answer, hints, story, task
    from rl_toolkit.puzzles.making import Maker
    from rl_toolkit.puzzles.mine import LOOKED_AT, MistakeFinder, Mistakes, MistakesOf
    from rl_toolkit.puzzles.provers import NoPuzzlesError, prover_of
    from rl_toolkit.puzzles.puzzle import KINDS, Puzzle, PuzzleError, number_of
    from rl_toolkit.puzzles.sets import (
        PuzzleSet,
        read_set,
        shipped,
        shipped_games,
        shipped_puzzle,
    )
    from rl_toolkit.puzzles.store import PuzzleStore, read_progress
    from rl_toolkit.puzzles.warm_ups import small_set

__all__ = [
    "DAY",  # Seconds of a day
    "KINDS",  # What puzzles ask for: the theme and the task of each kind
    "LOOKED_AT",  # The tag of games that were looked at for mistakes
    "STORM_SECONDS",  # How long a storm takes
    "Attempt",  # One attempt at a puzzle
    "Glicko",  # A rating and its uncertainty
    "Hint",  # A step towards the answer
    "Maker",  # Makes puzzles from games
    "MistakeFinder",  # Makes puzzles from one's own mistakes
    "Mistakes",  # What became of the moves of some games
    "MistakesOf",  # Keeps the puzzles from mistakes in games of a library
    "NoPuzzlesError",  # A game whose moves no engine proves
    "Puzzle",  # A position with one right move, and the line that follows it
    "PuzzleError",  # Text that is not a puzzle, or a puzzle that does not exist
    "PuzzleSet",  # Puzzles as a file
    "PuzzleStore",  # One's attempts and puzzles, in the file of the library
    "Review",  # A puzzle that comes back
    "Standing",  # What follows from the attempts at puzzles of one game
    "answer",  # Whether a move solves a puzzle, and what refutes it
    "climbing",  # The next puzzle of a storm or a streak
    "daily",  # The puzzle of a day
    "days_in_a_row",  # On how many days up to today a puzzle was solved
    "hints",  # Steps towards the next move
    "next_puzzle",  # The puzzle to solve now
    "number_of",  # The number of a puzzle in a position
    "prover_of",  # The prover of a game
    "read_progress",  # Attempts and puzzles of a file
    "read_set",  # The set in a file
    "shipped",  # The puzzles that come with the package for a game
    "shipped_games",  # The games that come with puzzles
    "shipped_puzzle",  # The puzzle of a name
    "small_set",  # Every puzzle of a game that is small enough
    "standings",  # The standing in each game, from all attempts
    "story",  # What was played in the game
    "task",  # What is asked
]
__getattr__, __dir__ = front_door(__name__)
