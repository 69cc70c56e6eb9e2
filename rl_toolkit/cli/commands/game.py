"""``game show | review | convert | check``: saved games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from rl_toolkit.algorithms.review import MoveReview, Review
from rl_toolkit.analysis import Limit
from rl_toolkit.cli.arguments import failure, load, refuse, report_errors
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import ENGINE, FILE, GAME, NATURAL, SECONDS
from rl_toolkit.cli.play.game_review import discs_lost, review_lines, review_with
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, make_engine, make_player
from rl_toolkit.players.advisers import REVIEW_SECONDS, as_reviewer, reviewer, usual_limit
from rl_toolkit.records import GameRecord, from_transcript, position_to_text, to_transcript
from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.messages import counted

RESULTS = {1: "X won", -1: "O won", 0: "a draw", None: "unfinished"}

#: The forms a game can be written in; the text ends with a newline.
FORMS: dict[str, Callable[[GameRecord], str]] = {
    "json": lambda record: record.to_json(),
    "transcript": lambda record: to_transcript(record) + "\n",
    "position": lambda record: position_to_text(record.replay()) + "\n",
    "svg": lambda record: record.replay().to_svg() + "\n",
}

_FILE = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
_MOVES_OF = click.option(
    "--game", type=GAME, help="FILE holds the moves of this game, not a saved game."
)


@click.group()
@examples(
    "rl-toolkit game show game.json",
    "rl-toolkit game review game.json",
    "rl-toolkit game convert game.json --to transcript",
    "rl-toolkit game check *.json",
)
def game() -> None:
    """Show, review, convert or check saved games."""


@game.command(short_help="Players, moves, result and board of a game.")
@_FILE
@click.option("--ply", type=NATURAL, metavar="N", help="Show the board after N moves.")
@json_option()
@examples("rl-toolkit game show game.json", "rl-toolkit game show game.json --ply 7")
def show(file: Path, ply: int | None, as_json: bool) -> None:
    """Show the players, the moves, the result and the board of a saved game."""
    screen, record = Screen(), load(file)
    positions = list(record.positions())
    if ply is not None and ply >= len(positions):
        raise refuse(f"the game has {len(record.moves)} moves, so there is no ply {ply}")
    if as_json:
        position = position_to_text(positions[-1 if ply is None else ply])
        screen.json({**json.loads(record.to_json()), "position": position})
        return
    x, o = (name or "unknown" for name in record.players)
    ended = f" ({record.ended_by})" if record.ended_by else ""
    screen.say(f"{record.game} · X: {x} · O: {o} · {RESULTS[record.result]}{ended}", "bold")
    for name, value in record.headers.items():
        screen.say(f"{name}: {value}", "dim")
    if record.start:
        screen.say(f"from {record.start}", "dim")
    screen.say(draw_board(positions[-1 if ply is None else ply], screen.width))
    names = positions[0].line_names(record.moves)
    screen.say(numbered_turns(names) or "No move was played.")


@game.command(short_help="Say what every move lost, and what was better.")
@_FILE
@_MOVES_OF
@click.option("--engine", type=ENGINE, help="Engine or level. Default: the best for the game.")
@click.option("--time", type=SECONDS, help="Seconds for each move.")
@json_option("one line of JSON, for programs")
@examples(
    "rl-toolkit game review game.json",
    "rl-toolkit game review game.json --time 2",
    "echo f5f6e6f4 | rl-toolkit game review - --game reversi --json",
)
def review(
    file: Path, game: str | None, engine: str | None, time: float | None, as_json: bool
) -> None:
    """Review a game: what every move lost, and which move was better.

    Where the game can be solved the review is exact; elsewhere it is an estimate, and says so.
    Reversi is counted in discs.
    """
    record, screen = _read(file, game), Screen()
    env = record.replay()
    if not env.history:
        raise refuse("no move was played, so there is nothing to review")
    player = _reviewer(env, engine)
    limit = Limit(time=time).or_else(usual_limit(player, REVIEW_SECONDS))
    reviewed = review_with(env, player, screen, Interrupts(), limit)
    if as_json:
        screen.json(_review_data(env, player, reviewed))
        return
    in_discs = bool(env.traits.score_unit)
    screen.say(_review_table(reviewed, in_discs))
    resigned = -record.result if record.ended_by == "resignation" and record.result else None
    for line in review_lines(reviewed, resigned, in_discs=in_discs):
        screen.say(line)


def _reviewer(env: BaseGameEnv, engine: str | None) -> Player:
    if engine is None:
        return reviewer(env) or make_engine("minimax")
    with report_errors():
        return as_reviewer(make_player(env.name, engine))


def _review_table(reviewed: Review, in_discs: bool) -> Table:
    """A row for each move: what it lost, whether that is proven, and what was better."""
    table = plain_table("move", "", "lost", "better", numbers=("lost",))
    for move in reviewed.moves:
        lost = _lost(move, in_discs)
        better = " ".join(move.best) if lost else ""
        style = "red" if move.threw_away else "" if lost else "dim"
        table.add_row(f"{move.number}. {SIDES[move.player]}", move.name, lost, better, style=style)
    return table


def _lost(move: MoveReview, in_discs: bool) -> str:
    """``12``, ``about 5``, or how the result changed: ``win → draw``; empty for a good move."""
    if in_discs and (discs := discs_lost(move)) is not None:
        return f"{'' if move.score_proven else 'about '}{discs}" if discs else ""
    if move.threw_away:
        return f"{move.before} → {move.after}"
    if in_discs:  # the winner is known, the margin is not
        return "" if move.is_best else "?"
    known = move.before is not None and move.after is not None
    return "" if known or not move.value_lost else f"about {move.value_lost / 2:.0%}"


def _review_data(env: BaseGameEnv, player: Player, reviewed: Review) -> dict[str, Any]:
    return {
        "game": env.name,
        "engine": player.spec,
        "moves": [
            {**asdict(move), "best": list(move.best), "score_lost": move.score_lost}
            for move in reviewed.moves
        ],
        "sides": {
            side.lower(): {
                "accuracy": reviewed.accuracy(number),
                "score_lost": reviewed.score_lost(number, proven=True),
                "score_lost_by_estimate": reviewed.score_lost(number, proven=False),
                "costliest": getattr(reviewed.costliest(number), "number", None),
            }
            for number, side in SIDES.items()
        },
    }


@game.command(short_help="Write a game in another form.")
@_FILE
@click.option("--to", "form", type=click.Choice(list(FORMS)), default="json")
@_MOVES_OF
@click.option("--output", "-o", type=FILE, help="File. Default: stdout.")
@examples(
    "rl-toolkit game convert game.json --to transcript",
    "rl-toolkit game convert game.json --to svg -o end.svg",
    "echo 4453 | rl-toolkit game convert - --game connect-four > game.json",
)
def convert(file: Path, form: str, game: str | None, output: Path | None) -> None:
    """Write a game in another form.

    The forms are json (a saved game), transcript (the moves), position (the last board as text)
    and svg (the last board as a picture).
    """
    text = FORMS[form](_read(file, game))
    if output is None:
        sys.stdout.write(text)
        return
    with report_errors():
        write_text_atomically(output, text)


def _read(file: Path, game: str | None) -> GameRecord:
    """The saved game in a file, or the game whose moves it holds; ``-`` is stdin."""
    if game is None:
        return load(file)
    with report_errors(ValueError):  # moves that cannot be played, or bytes that are not text
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        return GameRecord.from_env(from_transcript(game, text))


@game.command(short_help="Say which games can be read and replayed.")
@click.argument("files", nargs=-1, required=True, type=FILE)
@json_option("one line of JSON for each file")
@examples("rl-toolkit game check games/*.json")
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check that saved games can be read and replayed, and say what is wrong with the others.

    The exit code is 1 if any cannot be read.
    """
    screen, broken = Screen(), 0
    for file in files:
        try:
            record = load(file)
        except click.ClickException as problem:
            broken += 1
            if as_json:
                screen.json({"file": str(file), "error": problem.message})
            else:
                screen.say(problem.message, "red")
            continue
        if as_json:
            found = {"game": record.game, "moves": len(record.moves), "result": record.result}
            screen.json({"file": str(file), **found})
            continue
        moves = counted(len(record.moves), "move")
        screen.say(f"{file}: {record.game}, {moves}, {RESULTS[record.result]}")
    if broken:
        raise failure(f"{broken} of {len(files)} cannot be read")
