"""Setting up a game: a new one, a saved one, or the last unfinished one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

from rl_toolkit.cli.arguments import failure, load
from rl_toolkit.cli.play.autosave import Autosave, latest_unfinished
from rl_toolkit.cli.play.session import First, Session, new_game
from rl_toolkit.cli.play.sides import HUMAN, Side, make_side
from rl_toolkit.records import GameRecord

DEFAULT_OPPONENT = "medium"


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The options that stay the same from game to game.

    ``x`` and ``o`` are ``None`` where they were not given.
    """

    game: str
    x: str | None = None
    o: str | None = None
    first: First = "x"
    time: float | None = None
    seed: int | None = None

    def side_texts(self, record: GameRecord | None = None) -> tuple[str, str]:
        """Who plays X and O: as asked for, else as in the record, else a person and an engine."""
        before = record.players if record is not None else ("", "")
        x, o = self.x or before[0], self.o or before[1]
        if not x and not o:
            return HUMAN, DEFAULT_OPPONENT
        # With one side named, the person plays the other.
        return x or HUMAN, o or HUMAN

    def session(self, record: GameRecord | None = None) -> Session:
        """A new game, or that of the record; ``ValueError`` for sides that do not exist.

        Time limit and seed of a record are kept unless others were asked for.
        """
        texts = self.side_texts(record)
        if record is None:
            return self._new(self.game, texts, self._terms({}))
        terms = self._terms(record.headers)
        session = Session.from_record(record, terms.sides(record.game, texts))
        session.headers |= terms.headers()
        return session

    def again(self, session: Session) -> Session:
        """Another game with the same rules, sides, time limit and seed."""
        x, o = session.sides
        return self._new(session.env.name, (x.text, o.text), self._terms(session.headers))

    def _new(self, game: str, texts: tuple[str, str], terms: _Terms) -> Session:
        env = new_game(game, self.first, terms.seed)
        return Session(env, terms.sides(game, texts), headers=terms.headers())

    def _terms(self, headers: Mapping[str, str]) -> _Terms:
        written = _Terms.from_headers(headers)
        return _Terms(
            written.time if self.time is None else self.time,
            written.seed if self.seed is None else self.seed,
        )


@dataclass(frozen=True, slots=True)
class _Terms:
    """The time limit and the seed of a game, which its record keeps in headers."""

    time: float | None
    seed: int | None

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> _Terms:
        """Read the terms; headers of other programs may mean something else."""
        time = seed = None
        with suppress(ValueError):
            time = float(headers.get("time", ""))
        if time is not None and not 0 < time < inf:
            time = None
        with suppress(ValueError):
            seed = int(headers.get("seed", ""))
        return cls(time, None if seed is not None and seed < 0 else seed)

    def headers(self) -> dict[str, str]:
        """The terms that are set, as headers."""
        written = {"time": self.time, "seed": self.seed}
        return {name: f"{value}" for name, value in written.items() if value is not None}

    def sides(self, game: str, texts: tuple[str, str]) -> tuple[Side, Side]:
        """The sides that the texts describe, on these terms."""
        x, o = (make_side(game, text, time=self.time, seed=self.seed) for text in texts)
        return x, o


def earlier_game(
    game: str | None, saved: Path | None, resume: bool
) -> tuple[GameRecord | None, Autosave | None]:
    """The game to continue, if one was asked for, and its autosave file."""
    if saved is not None:
        return load(saved), None
    if resume:
        found = latest_unfinished(game)
        if found is None:
            raise failure(f"There is no unfinished game{f' of {game}' if game else ''}.")
        return found
    return None, None
