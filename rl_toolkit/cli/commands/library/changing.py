"""``library import | export | tag | remove | check``: what changes the library, or writes it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from rl_toolkit.cli.arguments import confirm, failure, refuse, report_errors
from rl_toolkit.cli.library_options import (
    check_there,
    filter_of,
    filter_options,
    game_option,
    library_option,
    opened,
)
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, FILE, GAME
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.library import ImportReport, LibraryError, Refused, files_in
from rl_toolkit.records import (
    FORMATS,
    GameFormat,
    GameRecord,
    RecordError,
    format_of,
    write_games,
)
from rl_toolkit.utils import counted, listed

#: Games that were set aside and are named one by one.
_NAMED = 20
_KIB = 1024


@click.command("import", short_help="Save the games of files and folders.")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--game", type=GAME, help="The game that FILES hold, if they do not name it.")
@click.option(
    "--event",
    default="",
    show_default=False,
    help="The event of games that name none. Default: the name of the file.",
)
@click.option("--tag", "tags", multiple=True, help="Give the games a tag; may be repeated.")
@library_option
@json_option("one line of JSON, for programs")
@examples(
    "rl-toolkit library import WTH_2001.wtb        names from WTHOR.JOU and WTHOR.TRN beside it",
    "rl-toolkit library import games/ --tag club   every file of games in the folder",
    "rl-toolkit library import match.jsonl tournament.jsonl",
)
def import_(
    files: tuple[Path, ...],
    game: str | None,
    event: str,
    tags: tuple[str, ...],
    library: Path | None,
    as_json: bool,
) -> None:
    """Save the games of FILES: WTHOR, SGF, GGF, psq, JSON, JSON lines, saved matches and runs.

    Every move is checked. A game that cannot be read is named and set aside; the others are saved.
    No game of an event is saved twice, and a file that was imported is not read again. After Ctrl-C
    or a crash, run the same command to resume. The exit code is 1 if games of FILES were set aside,
    now or before.
    """
    screen = Screen()
    with report_errors():
        there, empty = files_in(files)
    if not there:  # what cannot be imported makes no library
        raise failure(f"there is no file of games in {listed(map(str, empty), 'or')}")
    with (
        opened(library, make=True) as found,
        resumable(screen, f"what was imported is in {found.path}"),
        ProgressReporter(screen) as progress,
        report_errors(RecordError, LibraryError),
    ):

        def look(done: int, total: int, games: int) -> None:
            progress.update(f"KiB, {games:,} games", done // _KIB, max(1, total // _KIB))

        report = found.import_files(files, game=game, event=event, tags=tags, on_progress=look)
    if as_json:
        screen.json(report.to_dict())
    else:
        _tell(report, screen)
    if report.refused:
        games = sum(refused.number > 0 for refused in report.refused)
        whole = len(report.refused) - games
        parts = [counted(games, "game")] * bool(games) + [counted(whole, "file")] * bool(whole)
        raise failure(f"{listed(parts, 'and')} could not be read")


def _tell(report: ImportReport, screen: Screen) -> None:
    read = f"{counted(report.added, 'game')} saved from {counted(report.files, 'file')}"
    screen.say(f"{read}.", "bold")
    if report.known:
        verb = "was" if report.known == 1 else "were"
        screen.say(f"{counted(report.known, 'file')} {verb} imported before.")
    if report.resumed:
        screen.say(f"{counted(report.resumed, 'file')} resumed where an earlier import stopped.")
    if report.there:
        verb = "was" if report.there == 1 else "were"
        screen.say(f"{counted(report.there, 'game')} {verb} there already, in the same event.")
    if report.twins:
        screen.say(
            f"{counted(report.twins, 'game')} with the moves of a game that was there before, or "
            "with a mirror image of them; `library show` names these games.",
            "dim",
        )
    _name_refused(report.refused, screen)


def _name_refused(refused: Sequence[Refused], screen: Screen) -> None:
    """Name games that were set aside, with the reasons; of many, the first."""
    for each in refused[:_NAMED]:
        screen.tell(f"Set aside: {each}", "red")
    if len(refused) > _NAMED:
        screen.tell(f"… and {len(refused) - _NAMED:,} more.", "red")


@click.command(short_help="Write games to a file, in any format.")
@click.argument("numbers", nargs=-1, type=COUNT)
@game_option
@filter_options
@click.option("--output", "-o", type=FILE, help="The file to write. Default: JSON lines on stdout.")
@library_option
@examples(
    "rl-toolkit library export 12 -o game.sgf",
    "rl-toolkit library export --event Cup -o cup.wtb",
    "rl-toolkit library export --player Ada > ada.jsonl",
)
def export(
    numbers: tuple[int, ...], output: Path | None, library: Path | None, **given: Any
) -> None:
    """Write games NUMBERS, or all games that fit, to a file; its suffix decides the format."""
    screen, where = Screen(), filter_of(given)
    if numbers and (where or where.game):
        raise refuse("choose games by their numbers or by a filter, not by both")
    form = None if output is None else format_of(output.suffix)
    if output is not None and form is None:
        known = ", ".join(each.suffixes[0] for each in FORMATS.values())
        raise refuse(f"{output}: the name must end in one of {known}")
    with opened(library) as found:
        chosen = list(numbers) or found.ids(where)[::-1]
        games = dict(zip(chosen, found.records(chosen, with_event=True), strict=True))
    if not games:
        raise failure("no game of the library fits")
    records = list(games.values())
    with report_errors(RecordError):
        if output is None or form is None:
            sys.stdout.write(FORMATS["jsonl"].write(records)[".jsonl"].decode())
            return
        left_out: dict[int, str] = {}
        try:
            write_games(output, records)
        except RecordError:
            left_out = _unwritable(form, games)
            records = [record for number, record in games.items() if number not in left_out]
            if not records:
                number, reason = next(iter(left_out.items()))
                raise failure(f"game {number}: {reason}") from None
            if not left_out:
                raise
            write_games(output, records)
        lost = form.loses(records)
    screen.tell(f"{counted(len(records), 'game')} written to {output}.")
    for number, reason in list(left_out.items())[:_NAMED]:
        screen.tell(f"Left out: game {number}: {reason}.", "yellow")
    screen.left_out(len(left_out) - _NAMED)
    if lost:
        screen.tell(
            f"Not written, because {form.name} does not hold it: {', '.join(lost)}.", "yellow"
        )


def _unwritable(form: GameFormat, records: Mapping[int, GameRecord]) -> dict[int, str]:
    """The games, by their numbers, that a format cannot hold, and why."""
    found = {}
    for number, record in records.items():
        try:
            form.write([record])
        except RecordError as error:
            found[number] = str(error).removeprefix("game 1: ")
    return found


@click.command(short_help="Give tags to games, or take them away.")
@click.argument("numbers", nargs=-1, required=True, type=COUNT)
@click.option("--add", "added", multiple=True, metavar="TAG", help="A tag to give.")
@click.option("--drop", "dropped", multiple=True, metavar="TAG", help="A tag to take away.")
@library_option
@examples(
    "rl-toolkit library tag 12 15 --add 'nice ending'",
    "rl-toolkit library tag 12 --drop 'nice ending'",
)
def tag(
    numbers: tuple[int, ...],
    added: tuple[str, ...],
    dropped: tuple[str, ...],
    library: Path | None,
) -> None:
    """Give tags to games NUMBERS, or take them away; `library search --tag` finds them."""
    if not added and not dropped:
        raise refuse("name a tag: --add TAG or --drop TAG")
    with opened(library) as found:
        before = {number: found.head(number).tags for number in numbers}
        found.tag(numbers, *added)
        found.untag(numbers, *dropped)
        changed = sum(found.head(number).tags != tags for number, tags in before.items())
    words = f"{counted(changed, 'game')} tagged anew" if changed else "No tag was changed"
    Screen().tell(f"{words}.")


@click.command(short_help="Remove games.")
@click.argument("numbers", nargs=-1, type=COUNT)
@game_option
@filter_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@library_option
@examples(
    "rl-toolkit library remove 12 15",
    "rl-toolkit library remove --event 'match easy' --yes",
)
def remove(numbers: tuple[int, ...], yes: bool, library: Path | None, **given: Any) -> None:
    """Remove games NUMBERS, or all games that fit, from the library."""
    where = filter_of(given)
    if bool(numbers) == bool(where or where.game):
        raise refuse("choose games by their numbers or by a filter")
    with opened(library) as found:
        chosen = list(numbers) or found.ids(where)
        for number in numbers:
            found.head(number)  # a sentence for one that does not exist
        if not chosen:
            raise failure("no game of the library fits")
        if not yes:
            confirm(f"Remove {counted(len(chosen), 'game')}?", "Nothing was removed.")
        removed = found.remove(chosen)
    Screen().tell(f"{counted(removed, 'game')} removed.")


@click.command(short_help="Check the file and every game, and repair what can be repaired.")
@click.option("--repair", is_flag=True, help="Repair; set a damaged file aside.")
@library_option
@examples("rl-toolkit library check", "rl-toolkit library check --repair")
def check(repair: bool, library: Path | None) -> None:
    """Check that the file is whole, that every game is legal, and that searches see them all.

    With --repair lists that do not agree with the games are made anew. A damaged file is set aside:
    the games that can be read are written to a file of JSON lines first, and saved in a new library
    with their tags. The exit code is 1 if something is wrong and was not repaired.
    """
    from rl_toolkit.library import DamagedLibraryError, Library

    check_there(library)
    screen = Screen()
    with report_errors(LibraryError):
        try:
            with Library(library) as found:
                path, report = found.path, found.check(repair=repair)
        except DamagedLibraryError as error:
            if not repair:
                raise
            _rescue(error.path, screen)
            return
    for problem in report.problems[:_NAMED]:
        screen.say(problem, "red")
    if report.refused:
        screen.say(f"{counted(len(report.refused), 'game')} set aside by imports.", "dim")
        _name_refused(report.refused, screen)
    if not report.problems:
        screen.say(f"{path}: {counted(report.games, 'game')}, all right.")
    elif report.is_damaged and repair:
        _rescue(path, screen)
    elif report.repaired:
        screen.say("The lists were made anew from the games.")
    else:
        hint = "" if repair else "; --repair repairs what can be repaired"
        raise failure(f"{counted(len(report.problems), 'problem')} found{hint}")


def _rescue(path: Path, screen: Screen) -> None:
    from rl_toolkit.library import rescue

    saved = rescue(path)
    screen.say(f"The damaged file is now {saved.aside}.")
    if saved.attempts or saved.puzzles:
        tried, own = counted(saved.attempts, "attempt"), counted(saved.puzzles, "own puzzle")
        screen.say(f"The new library {path} has {tried} at puzzles and {own}.")
    if saved.saved is None:
        screen.say(f"No game could be read. The new library {path} has none yet.", "red")
        return
    verb = "is" if saved.games == 1 else "are"
    screen.say(
        f"{counted(saved.games, 'game')} could be read and {verb} in the new library {path}, "
        f"and in {saved.saved}."
    )
    if saved.lost:
        screen.say(f"{counted(saved.lost, 'game')} could not be read.", "red")
