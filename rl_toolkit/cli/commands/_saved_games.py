"""Saved games read, shown and written in other forms."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.ui._move_list import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.records import (
    GameRecord,
    RecordError,
    from_transcript,
    position_to_text,
    to_transcript,
)
from rl_toolkit.records.record_json import errors_named, read_text
from rl_toolkit.utils.atomic_file import write_text_atomically

RESULTS = {1: "X won", -1: "O won", 0: "a draw", None: "unfinished"}

#: Forms a game can be written in, each with its writer; the text ends with a line end.
FORMS: dict[str, Callable[[GameRecord], str]] = {
    "json": lambda record: record.to_json(),
    "transcript": lambda record: to_transcript(record) + "\n",
    "position": lambda record: position_to_text(record.replay()) + "\n",
    "svg": lambda record: record.replay().to_svg() + "\n",
}


def show(game: GameRecord, ply: int | None) -> None:
    """Show players, result, moves, and the board after so many moves or at the end."""
    screen = Screen()
    positions = list(game.positions())
    if ply is not None and ply >= len(positions):
        raise refuse(f"the game has {len(game.moves)} moves, so there is no ply {ply}")
    x, o = (name or "unknown" for name in game.players)
    ended = f" ({game.ended_by})" if game.ended_by else ""
    screen.say(f"{game.game} · X: {x} · O: {o} · {RESULTS[game.result]}{ended}", "bold")
    for name, value in game.headers.items():
        screen.say(f"{name}: {value}", "dim")
    if game.start:
        screen.say(f"from {game.start}", "dim")
    screen.say(draw_board(positions[-1 if ply is None else ply], screen.width))
    names = [positions[0].move_name(move) for move in game.moves]
    screen.say(numbered_turns(names) or "No move was played.")


def write(game: GameRecord, form: str, output: Path | None) -> None:
    """Write the game in one of `FORMS` to a file, or to stdout."""
    text = FORMS[form](game)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        write_text_atomically(output, text)
    except OSError as error:
        raise failure(describe_os_error(error)) from error


def check(files: tuple[Path, ...]) -> None:
    """Say of each file what it holds or what is wrong with it; a failure if any cannot be read."""
    screen, broken = Screen(), 0
    for file in files:
        try:
            game = load(file)
        except click.ClickException as problem:
            broken += 1
            screen.say(problem.message, "red")
            continue
        moves = "1 move" if len(game.moves) == 1 else f"{len(game.moves)} moves"
        screen.say(f"{file}: {game.game}, {moves}, {RESULTS[game.result]}")
    if broken:
        raise failure(f"{broken} of {len(files)} cannot be read")


def load(file: Path) -> GameRecord:
    """The record in a file, or on stdin for ``-``; a failure if it cannot be read.

    The failure names the file as it was written: of many files two may have the same name.
    """
    try:
        if str(file) == "-":
            return GameRecord.from_json(sys.stdin.read())
        with errors_named(str(file)):
            return GameRecord.from_json(read_text(file.expanduser()))
    except RecordError as error:
        raise failure(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error


def from_moves(file: Path, game: str) -> GameRecord:
    """The record of a game whose moves are in a file, or on stdin for ``-``."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        return GameRecord.from_env(from_transcript(game, text))
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    except ValueError as error:  # moves that cannot be played, or bytes that are no text
        raise failure(error) from error
