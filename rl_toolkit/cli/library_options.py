"""What commands share that save games in the library, or ask it: options, errors, ``--keep``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.options import options
from rl_toolkit.cli.param_types import FILE, GAME
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.library import Filter, Library
    from rl_toolkit.records import GameRecord

#: The argument ``library``.
library_option = click.option(
    "--library",
    type=FILE,
    metavar="FILE",
    help="The library. Default: the file that RL_TOOLKIT_LIBRARY names, else your own.",
)

#: The arguments ``keep`` and ``library`` of commands that play games.
keep_options = options(
    click.option("--keep", is_flag=True, help="Save the games in your library."),
    click.option(
        "--library",
        type=FILE,
        metavar="FILE",
        help="With --keep: another library than your own.",
    ),
)

#: The fields of a `Filter`, without the name of the game.
filter_options = options(
    click.option("--player", default="", show_default=False, help="Only games of this player."),
    click.option(
        "--opponent", default="", show_default=False, help="With --player: only against this one."
    ),
    click.option("--side", type=click.Choice(["x", "o"]), default=None, help="The player's side."),
    click.option(
        "--engine", default="", show_default=False, help="Only games in which this engine played."
    ),
    click.option(
        "--result",
        type=click.Choice(["x", "o", "draw", "undecided", "won", "lost"]),
        default=None,
        help="Who won; won and lost by --player.",
    ),
    click.option(
        "--since",
        default="",
        show_default=False,
        metavar="DATE",
        help="Games from then on: 2001, 2001-05 or 2001-05-31.",
    ),
    click.option(
        "--until",
        default="",
        show_default=False,
        metavar="DATE",
        help="Games up to this year, month or day, which is included.",
    ),
    click.option(
        "--event", default="", show_default=False, help="The name of the event, or a part of it."
    ),
    click.option("--tag", default="", show_default=False, help="Only games with this tag."),
    click.option("--mine", is_flag=True, help="Only games that you played."),
)

#: The argument ``game`` of a filter.
game_option = click.option("--game", type=GAME, help="Only games of this name.")


@contextmanager
def opened(library: Path | None, *, make: bool = False) -> Iterator[Library]:
    """The library that a command uses; errors about it end the command with a sentence.

    The file is made with ``make`` only: asking makes none, and a mistyped name is not a library.
    """
    from rl_toolkit.library import Library, LibraryError

    if not make:
        check_there(library)
    with report_errors(LibraryError), Library(library) as found:
        if found.remark:
            Screen().tell(f"Note: {found.remark}.", "yellow")
        yield found


def check_there(library: Path | None) -> None:
    """Raise a `failure` if the file of the library does not exist."""
    from rl_toolkit.library import library_file

    file = library or library_file()
    if not file.exists():
        raise failure(f"there is no library {file} yet; `library import` and --keep make one")


def filter_of(given: dict[str, Any]) -> Filter:
    """The filter that `filter_options` describe; a usage error if they contradict each other."""
    from rl_toolkit.library import Filter

    with report_errors():
        return Filter(**{name: value for name, value in given.items() if value})


class Keeper:
    """Saves the games of a command in the library, if ``--keep`` asks for it.

    A library that cannot be used is refused before the first game is played.
    """

    def __init__(self, keep: bool, library: Path | None, screen: Screen) -> None:
        if library is not None and not keep:
            raise refuse("--library names the file for --keep; add --keep")
        self.wanted, self._library, self._screen = keep, library, screen
        if keep:
            with opened(library, make=True) as found:
                self._check(found)

    @staticmethod
    def _check(library: Library) -> None:
        if library.read_only:
            raise refuse(f"{library.path} is read-only, so no game can be kept there")

    def run(self, records: Callable[[], Sequence[GameRecord]], event: str, origin: str) -> None:
        """Save the games of a run by engines, without those that were saved before."""
        if not self.wanted:
            return
        with opened(self._library, make=True) as library:
            day = {"date": time.strftime("%Y-%m-%d")}
            games = [replace(game, headers={**day, **game.headers}) for game in records()]
            added = library.add_run(games, event, origin=origin)
            there = len(games) - added
            known = f" ({there:,} were there already)" if there else ""
            words = f"{counted(added, 'game')} saved in {library.path}{known}."
        self._screen.tell(words, "dim")

    def game(self, record: GameRecord, engines: tuple[bool, bool]) -> None:
        """Save a game that somebody played."""
        if not self.wanted:
            return
        with opened(self._library, make=True) as library:
            number = library.add(record, event="played", origin="play", engines=engines)
            words = f"Saved in {library.path} as game {number}."
        self._screen.tell(words, "dim")
