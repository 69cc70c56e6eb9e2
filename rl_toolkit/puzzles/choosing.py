"""Which puzzle comes next: at one's rating, of a theme, the one of the day, one that is due."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from datetime import date

from rl_toolkit.puzzles.attempts import Standing
from rl_toolkit.puzzles.puzzle import WARM_UPS, Puzzle, PuzzleError
from rl_toolkit.puzzles.sets import shipped, shipped_games

#: A puzzle this far below the rating of the player is solved about seven times in ten.
BELOW, AROUND = 150, 100
#: Seconds of a storm, and by how much its puzzles and those of a streak get harder.
STORM_SECONDS = 180
_CLIMB, _START_BELOW = 40, 400
#: Puzzles among which one is drawn where few are near.
_NEAREST = 8
#: The middle of the difficulties from which the puzzle of the day is taken.
_DAILY = (0.25, 0.75)


def next_puzzle(
    puzzles: Sequence[Puzzle],
    standing: Standing,
    now: float,
    rng: random.Random,
    *,
    theme: str = "",
    reviews: bool = True,
) -> Puzzle:
    """The puzzle to solve now: one that is due, else a new one near the rating of the player.

    ``theme`` is a kind. Raises `PuzzleError` if there is none.
    """
    fitting = [each for each in puzzles if not theme or each.kind == theme]
    if not fitting:
        raise PuzzleError(f"there is no puzzle of the kind {theme}" if theme else "no puzzle")
    known = {each.name: each for each in fitting}
    if reviews and standing.left(now):
        for review in standing.ready(now):
            if review.sibling:
                kin = [each for each in fitting if each.kind == review.kind]
                new = [each for each in kin if each.name not in standing.seen]
                if new:
                    return min(new, key=lambda each: abs(each.rating - review.rating))
            elif review.puzzle in known:
                return known[review.puzzle]
    new = [each for each in fitting if each.name not in standing.seen]
    return near(new or fitting, standing.glicko.rating - BELOW, rng)


def near(puzzles: Sequence[Puzzle], rating: float, rng: random.Random) -> Puzzle:
    """A puzzle near a rating, drawn by ``rng``."""
    close = [each for each in puzzles if abs(each.rating - rating) <= AROUND]
    if not close:
        close = sorted(puzzles, key=lambda each: abs(each.rating - rating))[:_NEAREST]
    return rng.choice(sorted(close, key=lambda each: each.number))


def climbing(
    puzzles: Sequence[Puzzle], standing: Standing, solved: int, rng: random.Random
) -> Puzzle:
    """The next puzzle of a storm or a streak in which ``solved`` were solved, harder with each.

    It is one that the player has not seen, as long as there is one.
    """
    new = [each for each in puzzles if each.name not in standing.seen] or puzzles
    return near(new, standing.glicko.rating - _START_BELOW + _CLIMB * solved, rng)


def daily(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody; games take turns, none repeats soon.

    Raises `PuzzleError` if this copy of the package comes without puzzles.
    """
    games = shipped_games()
    if not games:
        raise PuzzleError("there are no puzzles")
    ranked = sorted(
        (
            each
            for each in shipped(games[day.toordinal() % len(games)])
            if each.kind not in WARM_UPS
        ),
        key=lambda each: (each.rating, each.number),
    )
    low, high = (int(share * len(ranked)) for share in _DAILY)
    middle = ranked[low:high] or ranked
    drawn = sorted(middle, key=lambda each: hashlib.blake2b(each.name.encode()).digest())
    return drawn[day.toordinal() // len(games) % len(drawn)]
