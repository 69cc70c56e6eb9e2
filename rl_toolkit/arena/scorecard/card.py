"""The card: what was measured of an engine, game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from rl_toolkit.arena.grading import Grade, Rate
from rl_toolkit.arena.scorecard.positions import ShownPosition
from rl_toolkit.arena.scorecard.rating import RatingEstimate


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds of an answer, by the clock of the arena."""

    mean: float
    median: float
    slowest: float
    answers: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Speed | None:
        """The speed of some answers, ``None`` without any."""
        if not seconds:
            return None
        return cls(mean(seconds), median(seconds), max(seconds), len(seconds))

    def to_dict(self) -> dict[str, Any]:
        """The speed as plain data."""
        return {
            "mean": self.mean,
            "median": self.median,
            "slowest": self.slowest,
            "answers": self.answers,
        }


@dataclass(frozen=True, slots=True)
class GameCard:
    """What an engine can do in one game.

    Attributes:
        grade: its answers compared with exact play; ``None`` where that is not known.
        tactics: forced wins that it found, by their length in moves.
        rating: its rating against levels; ``None`` if that was not measured.
        problem: why measuring ended early; "" if it did not.
        notes: what was not measured, and why.
    """

    game: str
    grade: Grade | None = None
    tactics: Mapping[int, Rate] = field(default_factory=dict)
    rating: RatingEstimate | None = None
    speed: Speed | None = None
    strongest: Sequence[ShownPosition] = ()
    weakest: Sequence[ShownPosition] = ()
    problem: str = ""
    notes: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """The card of a game as plain data; what was not measured is ``None`` or empty."""
        return {
            "game": self.game,
            "accuracy": None if self.grade is None else self.grade.to_dict(),
            "tactics": {str(length): rate.to_dict() for length, rate in self.tactics.items()},
            "rating": None if self.rating is None else self.rating.to_dict(),
            "speed": None if self.speed is None else self.speed.to_dict(),
            "strongest": [position.to_dict() for position in self.strongest],
            "weakest": [position.to_dict() for position in self.weakest],
            "problem": self.problem or None,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What an engine can do in all games that were measured."""

    engine: str
    quick: bool
    games: Sequence[GameCard]

    def to_dict(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "engine": self.engine,
            "quick": self.quick,
            "games": [game.to_dict() for game in self.games],
        }
