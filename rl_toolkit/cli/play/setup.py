"""Setting up a game: a new one, a saved one, or the last unfinished one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from rl_toolkit.cli.arguments import failure
from rl_toolkit.cli.play.autosave import Autosave, has_unknown_games, latest_unfinished
from rl_toolkit.cli.play.session import First, Session
from rl_toolkit.cli.play.sides import HUMAN, Side, make_side, names_a_side
from rl_toolkit.cli.saved_games import pick, read_file
from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, reaches_outside, usual_level
from rl_toolkit.records import GameRecord


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
        """Who plays X and O: as asked for, else as in the record, else a person and an engine.

        Names of people in the record are left out: a file of another program has many.
        """
        before = record.players if record is not None else ("", "")
        x, o = (
            own or (name if names_a_side(name) else "")
            for own, name in zip((self.x, self.o), before, strict=True)
        )
        for option, own, text in (("--x", self.x, x), ("--o", self.o, o)):
            if not own and reaches_outside(text):  # a saved game runs nothing by itself
                raise SpecError(
                    f"{text} played in this game; to let it play on, add {option} {text}"
                )
        if not x and not o:
            return HUMAN, usual_level(self.game)
        # With one side named, the person plays the other.
        return x or HUMAN, o or HUMAN

    def session(self, record: GameRecord | None = None) -> Session:
        """A new game, or that of the record; ``ValueError`` for sides that do not exist.

        Time limit and seed of a record are kept unless others were asked for.
        """
        texts = self.side_texts(record)
        if record is None:
            return self._new(self.game, texts)
        kept = self._keeping(record.headers)
        session = Session.from_record(record, kept._sides(record.game, texts))
        session.headers |= kept._headers()
        return session

    def again(self, session: Session) -> Session:
        """Another game with the same rules, sides, time limit and seed."""
        x, o = session.sides
        return self._keeping(session.headers)._new(session.env.name, (x.text, o.text))

    def _new(self, game: str, texts: tuple[str, str]) -> Session:
        env, first = make_game(game), self.first
        if first == "random":
            first = random.Random(self.seed).choice(("x", "o"))
        if first == "o":
            env.reset(first_player=-1)
        return Session(env, self._sides(game, texts), headers=self._headers())

    def _sides(self, game: str, texts: tuple[str, str]) -> tuple[Side, Side]:
        x, o = (make_side(game, text, time=self.time, seed=self.seed) for text in texts)
        return x, o

    def _headers(self) -> dict[str, str]:
        """The time limit and the seed as a record keeps them."""
        written = {"time": self.time, "seed": self.seed}
        return {name: f"{value}" for name, value in written.items() if value is not None}

    def _keeping(self, headers: Mapping[str, str]) -> GameSetup:
        """This setup with the time limit and seed of a record where no others were asked for.

        Headers of other programs may mean something else.
        """
        time, seed = self.time, self.seed
        if time is None:
            with suppress(ValueError):
                written = float(headers.get("time", ""))
                time = written if 0 < written < inf else None
        if seed is None:
            with suppress(ValueError):
                number = int(headers.get("seed", ""))
                seed = number if number >= 0 else None
        return replace(self, time=time, seed=seed)


def earlier_game(
    game: str | None, saved: Path | None, number: int | None, resume: bool
) -> tuple[GameRecord | None, Autosave | None]:
    """The game to continue, if one was asked for, and its autosave file.

    It is game ``number`` of the file ``saved``, or the last unfinished one if ``resume`` is true.
    """
    if saved is not None:
        return pick(read_file(saved, game), number, saved), None
    if resume:
        record = latest_unfinished(game)
        if record is None:
            text = f"There is no unfinished game{f' of {game}' if game else ''}"
            if game is None and has_unknown_games():
                text += "; to continue one of yours, name its file: play my_game.py --resume"
            raise failure(f"{text}.")
        return record
    return None, None
