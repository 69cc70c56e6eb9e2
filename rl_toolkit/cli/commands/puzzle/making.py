"""``puzzle make``: new puzzles, proven, from games of weak players or from games of a library."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.commands.puzzle.training import full_name
from rl_toolkit.cli.library_options import library_option, opened
from rl_toolkit.cli.long_runs import check_writable
from rl_toolkit.cli.options import examples, seed_option
from rl_toolkit.cli.param_types import COUNT, FILE, GAME, SECONDS
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.puzzles import Maker, Puzzle, PuzzleSet

#: Games after which the file is written, also without a new puzzle.
_SAVE_EVERY = 20
_FOREVER = 10**9


@click.command(short_help="Make new puzzles, each proven by an exact engine.")
@click.argument("game", type=GAME)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The file; if it exists, puzzles are added to it.",
)
@click.option("--count", type=COUNT, default=20, help="Puzzles that the file shall have.")
@click.option("--time", "seconds", type=SECONDS, help="End after this many seconds.")
@click.option(
    "--from-library",
    is_flag=True,
    help="Look at the games of your library, not at those of weak players.",
)
@seed_option
@library_option
@examples(
    "rl-toolkit puzzle make connect-four -o mine.txt --count 50",
    "rl-toolkit puzzle make reversi -o club.txt --from-library",
)
def make(
    game: str,
    output: Path,
    count: int,
    seconds: float | None,
    from_library: bool,
    seed: int,
    library: Path | None,
) -> None:
    """Make puzzles of GAME, and write them to a file that `puzzle next --set` and the page read.

    Positions of games are looked at one by one: exactly one move must be right, proven for every
    move, at each own turn of the line; and the puzzle must be one that people like (`rl-toolkit
    help puzzles` has the rules). Run the same command to continue after Ctrl-C, or with a higher
    --count.
    """
    from rl_toolkit.puzzles import Maker, PuzzleSet, read_set

    screen, name = Screen(), full_name(game)
    check_writable("-o", output)
    if from_library:
        _check_games(library, name)
    with report_errors():
        made = read_set(output) if output.exists() else PuzzleSet(name)
        if made.game != name:
            raise refuse(f"{output} has puzzles of {made.game}, not of {name}")
        maker = Maker(name, made.puzzles)
    before, end = len(made.puzzles), None if seconds is None else time.monotonic() + seconds
    kept = [_kept(made, output)]
    with resumable(screen, kept), ProgressReporter(screen) as bar:
        try:
            for puzzle in _found(maker, made, seed, from_library, library, output, bar, count):
                made.puzzles.append(puzzle)
                kept[:] = [_kept(made, output)]
                if len(made.puzzles) >= count or (end is not None and time.monotonic() > end):
                    break
        finally:
            with report_errors():
                made.save(output)
    new = len(made.puzzles) - before
    screen.say(f"{output}: {counted(len(made.puzzles), 'puzzle')}, {new} of them new")
    _say_reasons(maker.reasons, screen)


def _check_games(library: Path | None, name: str) -> None:
    """Raise a `failure` if no game of a library can have puzzles."""
    from rl_toolkit.library import Filter

    with opened(library) as found:
        numbers = found.ids(Filter(game=name))
        if not numbers:
            raise failure(f"there is no game of {name} in {found.path}")
        if all(found.head(number).start for number in numbers):
            raise failure(
                f"no game of {name} in {found.path} has the usual start, and puzzles are made only "
                "of such games"
            )


def _kept(made: PuzzleSet, output: Path) -> str:
    """What the file holds, for a player who stops the command."""
    if not made.puzzles:
        return "no puzzle was found yet"
    verb = "is" if len(made.puzzles) == 1 else "are"
    return f"{counted(len(made.puzzles), 'puzzle')} {verb} in {output}"


def _found(
    maker: Maker,
    made: PuzzleSet,
    seed: int,
    from_library: bool,
    library: Path | None,
    output: Path,
    bar: ProgressReporter,
    count: int,
) -> Iterator[Puzzle]:
    """New puzzles, one after the other; the file is written now and then."""

    def on_game(number: int, reasons: Counter[str]) -> None:
        made.games = number + 1
        bar.update("puzzles", len(made.puzzles), count, counted(reasons["games"], "game"))
        if number % _SAVE_EVERY == 0:
            made.save(output)

    if not from_library:
        if len(made.puzzles) < count:
            yield from maker.played(seed, made.games, _FOREVER, on_game)
        return
    from rl_toolkit.library import Filter

    with opened(library) as found:
        for record in found.records(found.ids(Filter(game=made.game))):
            if not record.start:
                yield from maker.in_game(record.moves)
                bar.update("puzzles", len(made.puzzles), count)


def _say_reasons(reasons: Counter[str], screen: Screen) -> None:
    """Why positions became no puzzle, the most frequent reason first."""
    games, positions = reasons.pop("games", 0), reasons.pop("positions", 0)
    reasons.pop("made", None)
    screen.say(
        f"{counted(games, 'game')} and {counted(positions, 'position')} were looked at.", "dim"
    )
    for reason, number in reasons.most_common():
        screen.say(f"  {number:>6,}  {reason}", "dim")
