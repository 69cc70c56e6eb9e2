"""``play``: the command; the game itself is in `play_loop`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from rl_toolkit.records import GameRecord, RecordError
from rl_toolkit.terminal.arguments import (
    GAME,
    PLAYER,
    describe_os_error,
    examples,
    failure,
    of_size,
    refuse,
)
from rl_toolkit.terminal.screen import Screen
from rl_toolkit.terminal.session import First, Session, new_game
from rl_toolkit.terminal.state_folder import Autosave, latest_unfinished

DEFAULT_GAME = "tictactoe"
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
        from rl_toolkit.terminal.seats import HUMAN

        before = record.players if record is not None else ("", "")
        x, o = self.x or before[0], self.o or before[1]
        if not x and not o:
            return HUMAN, DEFAULT_OPPONENT
        # Whoever names one side only means to play the other.
        return x or HUMAN, o or HUMAN

    def session(self, record: GameRecord | None = None) -> Session:
        """A new game at this table, or the record's; ``ValueError`` for seats that are none."""
        from rl_toolkit.terminal.seats import make_seat

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


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--x", type=PLAYER, help="Who plays X: human, a level or an engine.")
@click.option("--o", type=PLAYER, help="Who plays O. Default: you against level medium.")
@click.option(
    "--first",
    type=click.Choice(["x", "o", "random"]),
    default="x",
    show_default=True,
    help="Who opens.",
)
@click.option(
    "--time", type=click.FloatRange(min=0.01), metavar="SECONDS", help="Clock for each move."
)
@click.option("--show-thinking", is_flag=True, help="Show the candidates of every engine's move.")
@click.option("--show-search-tree", is_flag=True, help="Show the top of the search tree (mcts).")
@click.option("--size", metavar="ROWSxCOLSxLENGTH", help="Another board: 4, 4x4x3, 6x8x4.")
@click.option("--load", type=click.Path(path_type=Path), help="Go on with a saved game.")
@click.option("--resume", is_flag=True, help="Go on with the game you left last, of GAME if given.")
@click.option("--seed", type=click.IntRange(min=0), help="Makes engines and lots repeatable.")
@examples(
    "rl-toolkit play tictactoe                      you are X against level medium",
    "rl-toolkit play connect-four --o expert --first o",
    "rl-toolkit play reversi --x mcts:time=2 --o human --show-thinking",
    "rl-toolkit play gomoku --x hard --o expert     watch two engines",
    "rl-toolkit play tictactoe --x human --o human  two people",
    "rl-toolkit play --resume                       go on after a break, or a crash",
)
def play(
    game: str | None,
    x: str | None,
    o: str | None,
    first: First,
    time: float | None,
    show_thinking: bool,
    show_search_tree: bool,
    size: str | None,
    load: Path | None,
    resume: bool,
    seed: int | None,
) -> None:
    """Play GAME in the terminal: against the computer, a friend, or watch two engines.

    Moves are names (b2), indices, row,col, and in Connect Four columns (d or 4). `help` at the
    prompt lists the rest: undo, hint, why, save and more. Ctrl-C while an engine thinks makes it
    answer at once.
    """
    from rl_toolkit.terminal.face import Face
    from rl_toolkit.terminal.play_loop import PlayLoop

    if load is not None and resume:
        raise refuse("--load and --resume exclude each other")
    record, autosave = _earlier_game(game, load, resume)
    wanted = record.game if record is not None else of_size(game or DEFAULT_GAME, size)
    table = Table(wanted, x, o, first, time, seed)
    try:
        session = table.session(record)
    except ValueError as error:  # a level or engine that does not exist
        raise refuse(error) from error
    face = Face(Screen(), show_thinking=show_thinking, show_tree=show_search_tree)
    PlayLoop(session, face, table.session, autosave).run()


def _earlier_game(
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
