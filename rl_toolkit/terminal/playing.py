"""Who sits down to play, and at which game: a new one, a saved one, the one left last."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.records import GameRecord, RecordError
from rl_toolkit.terminal.arguments import describe_os_error, failure
from rl_toolkit.terminal.seats import HUMAN, make_seat
from rl_toolkit.terminal.session import First, Session, new_game
from rl_toolkit.terminal.state_folder import Autosave, latest_unfinished

DEFAULT_OPPONENT = "medium"


@dataclass(frozen=True, slots=True)
class Table:
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
        """A new game at this table, or the record's; ``ValueError`` for seats that are none."""
        game = record.game if record is not None else self.game
        x, o = (
            make_seat(game, text, time=self.time, seed=self.seed)
            for text in self.seat_texts(record)
        )
        if record is not None:
            return Session.from_record(record, (x, o))
        headers = {}
        if self.time is not None:
            headers["time"] = f"{self.time:g}"
        if self.seed is not None:
            headers["seed"] = str(self.seed)
        return Session(new_game(game, self.first, self.seed), (x, o), headers=headers)


def earlier_game(
    game: str | None, load: Path | None, resume: bool
) -> tuple[GameRecord | None, Autosave | None]:
    """The game to go on with, if one was asked for, and the file in which it is kept."""
    if load is not None:
        try:
            return GameRecord.load(load), None
        except RecordError as error:
            raise failure(error) from error
        except OSError as error:
            raise failure(describe_os_error(error)) from error
    if resume:
        found = latest_unfinished(game)
        if found is None:
            raise failure(f"There is no unfinished game{f' of {game}' if game else ''}.")
        return found
    return None, None
