"""Measured ratings of a ladder: data that `rl-toolkit calibrate` writes and the package includes.

A file in ``data`` belongs to one game and holds, besides ratings and intervals, what is
needed to repeat the measurement: the openings, the seed, and a few games move by move. A rating
belongs to a spec: if a level gets another engine, its old rating is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rl_toolkit.utils import read_object

FORMAT, VERSION = "rl_toolkit ladder", 1
FOLDER = Path(__file__).with_name("data")
#: The player whose rating is 0.
ANCHOR = "random"
#: The half-width of a 95 % interval that counts as measured, in Elo.
TARGET = 40.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A measured rating in Elo, relative to `ANCHOR`.

    Attributes:
        spec: the engine.
        rating, interval: the estimate, with its 95 % interval.
        games: the games that it played.
        milliseconds: its mean time per move where it was measured; a hint, not a promise.
        accuracy: the share of its moves that kept the result where another move would have given it
            away, in games that can be solved; ``None`` if it was not measured.
    """

    spec: str
    rating: float
    interval: tuple[float, float]
    games: int
    milliseconds: float
    accuracy: float | None = None

    @property
    def error(self) -> float:
        """The larger half of the interval: the rating is known to ± this."""
        return max(self.rating - self.interval[0], self.interval[1] - self.rating)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the measurement, to be played again.

    Attributes:
        players: two specs, in the order of the match.
        pair: the number of its opening.
        first: the number of the player that moved first.
        opening, moves: the random moves, and those of the players.
    """

    players: tuple[str, str]
    pair: int
    first: int
    opening: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RatedLadder:
    """The result of a calibration; ``ratings`` are in the order of the ladder, weakest first."""

    game: str
    date: str
    random_plies: int
    seed: int
    games: int
    first_move: float
    ratings: tuple[Rating, ...]
    stored: tuple[StoredGame, ...] = ()

    def of(self, spec: str) -> Rating | None:
        """The rating of a spec, ``None`` if it was not measured."""
        return next((rating for rating in self.ratings if rating.spec == spec), None)

    def to_dict(self) -> dict[str, Any]:
        """The ladder as plain data."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RatedLadder:
        """The ladder of `to_dict`; raises ``ValueError`` for other data."""
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(f"this is not an {FORMAT} of version {VERSION}")
        fields = {key: data[key] for key in cls.__slots__}
        ratings = (
            Rating(**{**each, "interval": tuple(each["interval"])}) for each in fields["ratings"]
        )
        stored = (
            StoredGame(
                (each["players"][0], each["players"][1]),
                each["pair"],
                each["first"],
                tuple(each["opening"]),
                tuple(each["moves"]),
            )
            for each in fields["stored"]
        )
        return cls(**{**fields, "ratings": tuple(ratings), "stored": tuple(stored)})


@lru_cache(maxsize=64)
def rated_ladder(game: str) -> RatedLadder | None:
    """The shipped ratings of a game, given by its full name; ``None`` if it was not measured."""
    path = FOLDER / f"{game}.json"
    if "/" in game or not path.is_file():
        return None
    return RatedLadder.from_dict(read_object(path.read_bytes()))


def rated_games() -> list[str]:
    """The games whose ladders were measured."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))
