"""Attempts at puzzles, and what follows from them: a rating, what is due, and progress.

The list of attempts is the only thing that is kept, in the terminal and in a browser. Everything
else is computed from it, so it can be computed differently tomorrow.

*Rating.* A puzzle is an opponent: solved at the first try without a hint is a win, a wrong move a
loss, by Glicko's formulas. Only the first attempt at a puzzle counts, and none with a hint. The
rating starts at 800 ± 350 on the scale of the levels; its uncertainty grows with time away.
Speed is not rated.

*Due.* A puzzle that was missed comes back the next day, and then at growing intervals, until it is
solved twice in a row without a hint. After that a puzzle of the same kind takes its place once:
the motif should be known, not the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from typing import Any

from rl_toolkit.puzzles.puzzle import KINDS, PuzzleError
from rl_toolkit.puzzles.sets import shipped_names
from rl_toolkit.utils import shown

DAY = 86_400.0
#: Where puzzles are met; those of a storm are not rated and do not come back.
MODES = ("next", "daily", "streak", "storm", "mine", "set")

START, UNCERTAIN, SURE = 800.0, 350.0, 45.0
#: The uncertainty of a puzzle's rating, and how that of a player grows with a day.
_PUZZLE, _PER_DAY = 120.0, 15.0
_Q = math.log(10) / 400

#: The change of the pace with a review that was solved or missed: even at 85 % solved.
_UP, _DOWN = 0.03, 0.17
_SLOWEST, _FASTEST, _LONGEST = 0.2, 3.0, 365.0
#: Part of a day by which a puzzle may come back earlier: tomorrow is not after this hour.
_EARLIER = 0.25
#: The most puzzles of a game that come back on one day.
_A_DAY = 20
#: Solved this often in a row, a puzzle is known.
_KNOWN = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a puzzle.

    Attributes:
        puzzle, kind, rating: the name of the puzzle, its kind and its difficulty.
        time: when it ended, in seconds since 1970.
        solved: whether no wrong move was made.
        seconds: how long it took.
        hints: how many hints were asked for.
        mode: an entry of `MODES`.

    Raises `PuzzleError` for a field with a value that no attempt has.
    """

    puzzle: str
    kind: str
    rating: int
    time: float
    solved: bool
    seconds: float = 0.0
    hints: int = 0
    mode: str = "next"

    def __post_init__(self) -> None:
        texts = isinstance(self.puzzle, str) and "/" in self.puzzle and len(self.puzzle) <= 80
        if not texts or self.kind not in KINDS or self.mode not in MODES:
            raise PuzzleError(f"this is not an attempt at a puzzle: {shown(self.puzzle)}")
        for value in (self.rating, self.time, self.seconds, self.hints):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or not 0 <= value < 1e11:
                raise PuzzleError(f"{shown(value)} is not a number of an attempt")
        if not isinstance(self.solved, bool):
            raise PuzzleError(f"solved is true or false, not {shown(self.solved)}")

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.puzzle.rpartition("/")[0]

    def to_dict(self) -> dict[str, Any]:
        """The attempt as plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Attempt:
        """The attempt of `to_dict`; raises `PuzzleError` for other data."""
        if not isinstance(data, Mapping) or not set(data) <= set(cls.__slots__):
            raise PuzzleError(f"this is not an attempt at a puzzle: {shown(data)}")
        try:
            return cls(**data)
        except TypeError as error:
            raise PuzzleError(f"an attempt lacks a field: {error}") from error


# -------------------------------------------------------------------------------------- rating


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating and its deviation, which says how uncertain the rating is."""

    rating: float = START
    deviation: float = UNCERTAIN

    def after(self, opponent: float, deviation: float, score: float) -> Glicko:
        """The rating after a game against ``opponent``: Glicko's step for one game."""
        g = 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)
        expected = 1 / (1 + 10 ** (-g * (self.rating - opponent) / 400))
        precision = 1 / self.deviation**2 + (_Q * g) ** 2 * expected * (1 - expected)
        rating = self.rating + _Q / precision * g * (score - expected)
        return Glicko(rating, max(SURE, math.sqrt(1 / precision)))

    def away(self, days: float) -> Glicko:
        """The same after some days without a puzzle."""
        grown = math.sqrt(self.deviation**2 + _PER_DAY**2 * max(0.0, days))
        return replace(self, deviation=min(UNCERTAIN, grown))


# ----------------------------------------------------------------------------------------- due


@dataclass(frozen=True, slots=True)
class Review:
    """A puzzle that comes back, or that a puzzle of the same kind replaces (``sibling``).

    Attributes:
        due: when, in seconds since 1970; ``interval`` in days.
        run: how often it was solved in a row.
    """

    puzzle: str
    kind: str
    rating: int
    due: float
    interval: float = 0.0
    run: int = 0
    sibling: bool = False


def reviewed(review: Review, attempt: Attempt, pace: float) -> tuple[Review, float]:
    """The review after an attempt, and the new pace of the player.

    The interval doubles at pace 1, and a miss cuts it to a quarter. The pace is one number for a
    player, which rises a little with every review that was solved and falls with every miss.
    """
    clean = attempt.solved and not attempt.hints
    if review.interval:
        pace = min(_FASTEST, max(_SLOWEST, pace * math.exp(_UP if clean else -_DOWN)))
    if not clean:
        days = max(1.0, review.interval / 4)
    elif not review.interval:
        days = 3.0 * pace
    else:
        late = max(0.0, attempt.time - review.due) / DAY
        days = (review.interval + min(late, review.interval)) * (1 + pace)
    days = max(1.0, min(_LONGEST, days * _spread(review.puzzle)))
    run = review.run + 1 if clean else 0
    return (
        replace(
            review,
            due=attempt.time + (days - _EARLIER) * DAY,
            interval=days,
            run=run,
            sibling=run >= _KNOWN,
        ),
        pace,
    )


def _spread(puzzle: str) -> float:
    """0.9 to 1.1: the puzzles of one evening do not come back together."""
    return 0.9 + int(puzzle[-2:], 16) % 21 / 100


# ------------------------------------------------------------------------------------ progress


@dataclass(slots=True)
class Standing:
    """What follows from the attempts at puzzles of one game.

    Attributes:
        glicko: the rating; ``rated``: how many attempts count for it.
        history: time and rating after each of them.
        reviews: puzzles that come back, by name.
        seen: the puzzles that were tried.
        returned: when a puzzle was tried that was due, or another one in its place.
        solved, tried: how many attempts of each kind, storms included.
        best_run: the most puzzles solved in a row; ``run``: how many are at present.
    """

    glicko: Glicko = field(default_factory=Glicko)
    rated: int = 0
    history: list[tuple[float, float]] = field(default_factory=list)
    reviews: dict[str, Review] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    returned: list[float] = field(default_factory=list)
    solved: dict[str, int] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)
    run: int = 0
    best_run: int = 0

    def ready(self, now: float) -> list[Review]:
        """All reviews whose time has come, the oldest first."""
        found = [each for each in self.reviews.values() if each.due <= now]
        return sorted(found, key=lambda each: each.due)

    def left(self, now: float) -> int:
        """How many puzzles may still come back today."""
        today = datetime.fromtimestamp(now).date()
        done = sum(datetime.fromtimestamp(each).date() == today for each in self.returned)
        return max(0, _A_DAY - done)

    def due(self, now: float) -> list[Review]:
        """The puzzles that come back today, the oldest first; none that is known."""
        return [each for each in self.ready(now) if not each.sibling][: self.left(now)]


def standings(attempts: Iterable[Attempt], own: Iterable[Review] = ()) -> dict[str, Standing]:
    """The standing in each game; ``own`` puzzles are due from the time on that they name.

    Puzzles come back if they are shipped or one's own: others cannot be asked without their file.
    """
    found: dict[str, Standing] = {}
    last: dict[str, float] = {}
    pace = 1.0
    for review in own:
        standing = found.setdefault(review.puzzle.rpartition("/")[0], Standing())
        standing.reviews[review.puzzle] = review
    for attempt in sorted(attempts, key=lambda each: each.time):
        standing = found.setdefault(attempt.game, Standing())
        _count(standing, attempt)
        first = attempt.puzzle not in standing.seen
        standing.seen.add(attempt.puzzle)
        if attempt.mode == "storm":
            continue
        if first and not attempt.hints:
            days = (attempt.time - last.get(attempt.game, attempt.time)) / DAY
            last[attempt.game] = attempt.time
            standing.glicko = standing.glicko.away(days).after(
                attempt.rating, _PUZZLE, float(attempt.solved)
            )
            standing.rated += 1
            standing.history.append((attempt.time, standing.glicko.rating))
        before = standing.reviews.get(attempt.puzzle)
        was_due = before is not None and before.due <= attempt.time
        if was_due or (first and _replace_sibling(standing, attempt)):
            standing.returned.append(attempt.time)
        missed = not attempt.solved or attempt.hints
        if before is None and missed and attempt.puzzle in shipped_names(attempt.game):
            before = Review(attempt.puzzle, attempt.kind, attempt.rating, attempt.time)
        if before is not None:
            standing.reviews[attempt.puzzle], pace = reviewed(before, attempt, pace)
    return found


def _count(standing: Standing, attempt: Attempt) -> None:
    kind = attempt.kind
    standing.tried[kind] = standing.tried.get(kind, 0) + 1
    standing.solved[kind] = standing.solved.get(kind, 0) + attempt.solved
    standing.run = standing.run + 1 if attempt.solved else 0
    standing.best_run = max(standing.best_run, standing.run)


def _replace_sibling(standing: Standing, attempt: Attempt) -> bool:
    """Whether a new puzzle of the kind takes the place of one that is known and due."""
    for name, review in list(standing.reviews.items()):
        if review.sibling and review.kind == attempt.kind and review.due <= attempt.time:
            del standing.reviews[name]
            return True
    return False


def days_in_a_row(attempts: Sequence[Attempt], today: date) -> int:
    """The number of days without a gap on which a puzzle was solved, up to ``today``.

    A day that has just begun does not break the row: without a puzzle today it ends yesterday.
    """
    days = {datetime.fromtimestamp(each.time).date() for each in attempts if each.solved}
    number = today.toordinal()
    if today not in days:
        number -= 1
    count = 0
    while date.fromordinal(number - count) in days:
        count += 1
    return count
