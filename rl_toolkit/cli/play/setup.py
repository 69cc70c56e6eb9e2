"""Who sits down to play, and at which game: a new one, a saved one, the one left last."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

from rl_toolkit.cli.arguments import failure
from rl_toolkit.cli.commands import _saved_games
from rl_toolkit.cli.play.autosave import Autosave, latest_unfinished
from rl_toolkit.cli.play.seats import HUMAN, Side, make_seat
from rl_toolkit.cli.play.session import First, Session, new_game
from rl_toolkit.records import GameRecord

DEFAULT_OPPONENT = "medium"


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What stays the same from game to game: the options that decide who plays and how.

    ``x`` and ``o`` are ``None`` where nobody said.
    """

    game: str
    x: str | None = None
    o: str | None = None
    first: First = "x"
    time: float | None = None
    seed: int | None = None

    def seat_texts(self, record: GameRecord | None = None) -> tuple[str, str]:
        """Who plays X and O: as asked for, else as in the record, else a person and an engine."""
        before = record.players if record is not None else ("", "")
        x, o = self.x or before[0], self.o or before[1]
        if not x and not o:
            return HUMAN, DEFAULT_OPPONENT
        # Whoever names one side only means to play the other.
        return x or HUMAN, o or HUMAN

    def session(self, record: GameRecord | None = None) -> Session:
        """A new game at this table, or the record's; ``ValueError`` for seats that are none.

        Clock and seed of a record are kept unless others were asked for.
        """
        texts = self.seat_texts(record)
        if record is None:
            return self._new(self.game, texts, self._terms({}))
        terms = self._terms(record.headers)
        session = Session.from_record(record, terms.seats(record.game, texts))
        session.headers |= terms.headers()
        return session

    def again(self, session: Session) -> Session:
        """Another game like the one on the board: the same game, seats, clock and seed."""
        x, o = session.seats
        return self._new(session.env.name, (x.text, o.text), self._terms(session.headers))

    def _new(self, game: str, texts: tuple[str, str], terms: _Terms) -> Session:
        env = new_game(game, self.first, terms.seed)
        return Session(env, terms.seats(game, texts), headers=terms.headers())

    def _terms(self, headers: Mapping[str, str]) -> _Terms:
        written = _Terms.from_headers(headers)
        return _Terms(
            written.time if self.time is None else self.time,
            written.seed if self.seed is None else self.seed,
        )


@dataclass(frozen=True, slots=True)
class _Terms:
    """The clock and the seed of a game, as its record keeps them in headers."""

    time: float | None
    seed: int | None

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> _Terms:
        """The terms that are written there; headers of others may mean something else."""
        time = seed = None
        with suppress(ValueError):
            time = float(headers.get("time", ""))
        if time is not None and not 0 < time < inf:
            time = None
        with suppress(ValueError):
            seed = int(headers.get("seed", ""))
        return cls(time, None if seed is not None and seed < 0 else seed)

    def headers(self) -> dict[str, str]:
        """The terms as headers, those that are set."""
        written = {"time": self.time, "seed": self.seed}
        return {name: f"{value}" for name, value in written.items() if value is not None}

    def seats(self, game: str, texts: tuple[str, str]) -> tuple[Side, Side]:
        """The seats that the texts describe, on these terms."""
        x, o = (make_seat(game, text, time=self.time, seed=self.seed) for text in texts)
        return x, o


def earlier_game(
    game: str | None, load: Path | None, resume: bool
) -> tuple[GameRecord | None, Autosave | None]:
    """The game to go on with, if one was asked for, and the file in which it is kept."""
    if load is not None:
        return _saved_games.load(load), None
    if resume:
        found = latest_unfinished(game)
        if found is None:
            raise failure(f"There is no unfinished game{f' of {game}' if game else ''}.")
        return found
    return None, None
