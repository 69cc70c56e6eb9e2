"""Reading files of games for commands: one game of a file, or all."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.param_types import GAME
from rl_toolkit.records import GameRecord, RecordError, games_from_bytes, read_games
from rl_toolkit.records.record_json import errors_named

RESULTS = {1: "X won", -1: "O won", 0: "a draw", None: "unfinished"}

file_argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
moves_of_option = click.option(
    "--game",
    type=GAME,
    help="The game, if FILE does not say which one, or holds the moves alone.",
)
#: ``--number`` of commands that take one game of a file.
number_option = click.option(
    "--number", type=click.IntRange(min=1), metavar="N", help="Only game N of the file, from 1."
)


def read_file(file: Path, game: str | None = None) -> list[GameRecord]:
    """All games in a file, ``-`` for stdin; a failure that names the file as it was typed.

    With ``game`` the file may hold the moves alone, or leave open which game it is.
    """
    with report_errors(RecordError):
        if str(file) == "-":
            return games_from_bytes(_stdin(), game)
        try:
            return read_games(file.expanduser(), game)
        except RecordError as error:
            # The reader knows only the last part of the name; of two files it may be the same.
            where = error.where.removeprefix(file.name).removeprefix(": ")
            with errors_named(str(file)):
                raise type(error)(error.problem, where) from error


def _stdin() -> bytes:
    buffer = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if buffer is None else bytes(buffer.read())


def pick(records: list[GameRecord], number: int | None, file: Path) -> GameRecord:
    """Game ``number`` of a file; the only one if no number is given."""
    if number is not None and number > len(records):
        raise refuse(f"{file} has {len(records)} games, so there is no game {number}")
    if number is None and len(records) > 1:
        raise refuse(
            f"{file} has {len(records)} games; choose one with --number 1 to {len(records)}"
        )
    return records[(number or 1) - 1]
