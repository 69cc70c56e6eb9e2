"""``record``: saved games shown, converted and checked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from rl_toolkit.records import (
    GameRecord,
    RecordError,
    from_transcript,
    position_to_text,
    to_transcript,
)
from rl_toolkit.terminal.arguments import GAME, describe_os_error, examples, failure, refuse
from rl_toolkit.terminal.board_text import draw_board
from rl_toolkit.terminal.screen import Screen
from rl_toolkit.utils.atomic_file import write_text_atomically

_RESULTS = {1: "X won", -1: "O won", 0: "a draw", None: "unfinished"}

#: Forms a game can be written in, each with its writer; the text ends with a line end.
FORMS: dict[str, Callable[[GameRecord], str]] = {
    "json": lambda record: record.to_json(),
    "transcript": lambda record: to_transcript(record) + "\n",
    "position": lambda record: position_to_text(record.replay()) + "\n",
    "svg": lambda record: record.replay().to_svg() + "\n",
}


@click.group()
@examples(
    "rl-toolkit record show game.json",
    "rl-toolkit record convert game.json --to transcript",
    "rl-toolkit record check *.json",
)
def record() -> None:
    """Show, convert or check saved games."""


@record.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ply", type=click.IntRange(min=0), help="Show the board after so many moves.")
@examples("rl-toolkit record show game.json", "rl-toolkit record show game.json --ply 7")
def show(file: Path, ply: int | None) -> None:
    """Show the players, the moves, the result and the board of a saved game."""
    screen, game = Screen(), _load(file)
    positions = list(game.positions())
    if ply is not None and ply >= len(positions):
        raise refuse(f"the game has {len(game.moves)} moves, so there is no ply {ply}")
    x, o = (name or "unknown" for name in game.players)
    ended = f" ({game.ended_by})" if game.ended_by else ""
    screen.say(f"{game.game} · X: {x} · O: {o} · {_RESULTS[game.result]}{ended}", "bold")
    for name, value in game.headers.items():
        screen.say(f"{name}: {value}", "dim")
    if game.start:
        screen.say(f"from {game.start}", "dim")
    env = positions[-1 if ply is None else ply]
    screen.say(draw_board(env, screen.width))
    names = [positions[0].move_name(move) for move in game.moves]
    turns = [f"{n // 2 + 1}. {' '.join(names[n : n + 2])}" for n in range(0, len(names), 2)]
    screen.say(" ".join(turns) or "No move was played.")


@record.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--to", "form", type=click.Choice(list(FORMS)), default="json", show_default=True)
@click.option("--game", type=GAME, help="FILE holds the moves of this game instead of a record.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write here, not to stdout.")
@examples(
    "rl-toolkit record convert game.json --to transcript",
    "rl-toolkit record convert game.json --to svg -o end.svg",
    "echo 4453 | rl-toolkit record convert - --game connect-four > game.json",
)
def convert(file: Path, form: str, game: str | None, output: Path | None) -> None:
    """Write a game in another form.

    The forms: json, a record; transcript, the moves; position, the last board as text; svg, the
    same as a picture.
    """
    source = _load(file) if game is None else _from_moves(file, game)
    text = FORMS[form](source)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        write_text_atomically(output, text)
    except OSError as error:
        raise failure(describe_os_error(error)) from error


@record.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@examples("rl-toolkit record check games/*.json")
def check(files: tuple[Path, ...]) -> None:
    """Check that saved games can be read and replayed; says what is wrong with those that cannot.

    The exit code is 1 if any cannot.
    """
    screen, broken = Screen(), 0
    for file in files:
        try:
            game = _load(file)
        except click.ClickException as problem:
            broken += 1
            screen.say(problem.message, "red")
            continue
        moves = "1 move" if len(game.moves) == 1 else f"{len(game.moves)} moves"
        screen.say(f"{file}: {game.game}, {moves}, {_RESULTS[game.result]}")
    if broken:
        raise failure(f"{broken} of {len(files)} cannot be read")


def _load(file: Path) -> GameRecord:
    try:
        if str(file) == "-":
            return GameRecord.from_json(sys.stdin.read())
        return GameRecord.load(file)
    except RecordError as error:
        raise failure(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error


def _from_moves(file: Path, game: str) -> GameRecord:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        return GameRecord.from_env(from_transcript(game, text))
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    except ValueError as error:  # moves that cannot be played, or bytes that are no text
        raise failure(error) from error
