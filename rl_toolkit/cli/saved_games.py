"""Reading files of games for commands: all games of a file, one of them, or its last position."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.options import options
from rl_toolkit.cli.param_types import COUNT, GAME, NATURAL
from rl_toolkit.envs import BaseGameEnv, UnknownGameError
from rl_toolkit.records import (
    GameRecord,
    OtherGameError,
    RecordError,
    errors_named,
    format_of,
    games_from_bytes,
    read_games,
    read_position,
)
from rl_toolkit.utils import counted

RESULTS = {1: "X won", -1: "O won", 0: "a draw", None: "unfinished"}

file_argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
moves_of_option = click.option(
    "--game",
    type=GAME,
    help="The game that FILE holds, if FILE does not name it; a game of yours by its file.",
)
#: ``--number`` of commands that take one game of a file.
number_option = click.option(
    "--number", type=COUNT, metavar="N", help="Only game N of the file, from 1."
)
#: ``--number`` and ``--ply`` of commands whose position may be in a file of games.
in_file_options = options(
    click.option(
        "--number",
        type=COUNT,
        metavar="N",
        help="Game N, from 1, if POSITION is a file of several games.",
    ),
    click.option(
        "--ply",
        type=NATURAL,
        metavar="N",
        help="The position after N moves of the game in the file. Default: after the last.",
    ),
)

#: The position argument that stands for "lines from stdin".
STREAM = "-"


def position_of(
    game: str, text: str, number: int | None = None, ply: int | None = None
) -> BaseGameEnv:
    """The position that ``text`` describes, or one of the saved game in the file of that name.

    ``number`` and ``ply`` are those of `in_file_options`. A usage error for text that is neither,
    and for a file that holds another game; a failure for a file that cannot be read.
    """
    if format_of(Path(text).suffix) is None and not (text and Path(text).expanduser().is_file()):
        if number is not None or ply is not None:
            raise refuse("--number and --ply choose from a file of games, and POSITION is not one")
        with report_errors():
            return read_position(game, text)
    file = Path(text)
    record = pick(read_file(file, game), number, file)
    if ply is None:
        return record.replay()
    if ply > len(record.moves):
        raise refuse(f"the game has {len(record.moves)} moves, so there is no ply {ply}")
    return list(record.positions())[ply]


def read_file(file: Path, game: str | None = None) -> list[GameRecord]:
    """All games in a file, ``-`` for stdin; a failure that names the file as it was typed.

    With ``game`` the file may hold the moves alone, or leave open which game it is; a usage error
    if it holds another game.
    """
    try:
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
    except click.ClickException as problem:
        if isinstance(problem.__cause__, OtherGameError):
            raise refuse(problem.message) from problem
        if game is None and _is_of_unknown_game(problem):
            hint = "if it is a game of yours, name its file: --game my_game.py"
            raise failure(f"{problem.message}; {hint}") from problem
        raise


def _is_of_unknown_game(error: BaseException | None) -> bool:
    """Whether an error began with a game that is not registered."""
    while error is not None and not isinstance(error, UnknownGameError):
        error = error.__cause__
    return error is not None


def _stdin() -> bytes:
    buffer = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if buffer is None else bytes(buffer.read())


def pick(records: list[GameRecord], number: int | None, file: Path) -> GameRecord:
    """Game ``number`` of a file; the only one if no number is given."""
    if number is not None and number > len(records):
        there = counted(len(records), "game")
        raise refuse(f"{file} has {there}, so there is no game {number}")
    if number is None and len(records) > 1:
        raise refuse(
            f"{file} has {len(records)} games; choose one with --number 1 to {len(records)}"
        )
    return records[(number or 1) - 1]
