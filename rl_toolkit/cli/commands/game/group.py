"""``game show | review | convert | stats | check``: saved games, in every format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.commands.game.review import review
from rl_toolkit.cli.commands.game.stats import stats
from rl_toolkit.cli.options import csv_option, examples, json_option
from rl_toolkit.cli.param_types import FILE, NATURAL
from rl_toolkit.cli.saved_games import (
    RESULTS,
    file_argument,
    moves_of_option,
    number_option,
    pick,
    read_file,
)
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import (
    FORMATS,
    GameRecord,
    RecordError,
    Variation,
    branches,
    csv_of_games,
    csv_of_moves,
    format_of,
    names_along,
    position_to_text,
    replay_svg,
    to_transcript,
    write_games,
)
from rl_toolkit.records.tree import Note
from rl_toolkit.utils import counted, write_text_atomically

Games = Sequence[GameRecord]

#: The forms beside the formats of `records.FORMATS`, with their suffixes; the text ends a line.
FORMS: dict[str, tuple[str, Callable[[Games], str]]] = {
    "transcript": (".txt", lambda games: "".join(to_transcript(game) + "\n" for game in games)),
    "position": (
        ".pos",
        lambda games: "".join(position_to_text(game.replay()) + "\n" for game in games),
    ),
    "svg": (".svg", lambda games: _only(games, "svg").replay().to_svg() + "\n"),
    "replay": (".svg", lambda games: replay_svg(_only(games, "replay").replay()) + "\n"),
    "csv": (".csv", csv_of_games),
    "csv-moves": ("", csv_of_moves),
}


@click.group()
@examples(
    "rl-toolkit game show game.sgf",
    "rl-toolkit game review game.json",
    "rl-toolkit game convert match.jsonl --to sgf -o games.sgf",
    "rl-toolkit game stats match.jsonl",
    "rl-toolkit game check *.json",
)
def game() -> None:
    """Show, review, convert, count or check saved games.

    Files may be JSON, SGF, GGF, WTHOR or psq, and those that match --save and self-play write.
    """


game.add_command(review)


@game.command(short_help="Players, moves, result and board of a game.")
@file_argument
@moves_of_option
@number_option
@click.option("--ply", type=NATURAL, metavar="N", help="Show the board after N moves.")
@json_option()
@csv_option("one row of CSV for each game; with --number for each move")
@examples(
    "rl-toolkit game show game.json",
    "rl-toolkit game show game.json --ply 7",
    "rl-toolkit game show match.jsonl",
    "rl-toolkit game show match.jsonl --number 3",
)
def show(
    file: Path,
    game: str | None,
    number: int | None,
    ply: int | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the players, the moves, the result and the board of a saved game.

    If the file holds many games, the command lists them; --number shows one of them.
    """
    screen, records = Screen(), read_file(file, game)
    if as_csv and number is None:
        sys.stdout.write(csv_of_games(records))
    elif as_csv:
        sys.stdout.write(csv_of_moves([pick(records, number, file)]))
    elif number is None and ply is None and len(records) > 1:
        _show_list(records, screen, as_json)
    else:
        _show_game(pick(records, number, file), ply, screen, as_json)


def _show_list(records: Games, screen: Screen, as_json: bool) -> None:
    if as_json:
        for record in records:
            screen.json(json.loads(record.to_json()))
        return
    table = plain_table("game", "", "X", "O", "result", "moves", numbers=("game", "moves"))
    for number, record in enumerate(records, 1):
        x, o = record.players
        result, moves = RESULTS[record.result], str(len(record.moves))
        table.add_row(str(number), record.game, x or "?", o or "?", result, moves)
    screen.say(table)


def _show_game(record: GameRecord, ply: int | None, screen: Screen, as_json: bool) -> None:
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
    if record.opening:
        first = numbered_turns(names[: record.opening])
        screen.say(f"Opening, which no player chose: {first}", "dim")
    screen.say(
        numbered_turns(_signed(names, record.notes), record.opening) or "No move was played."
    )
    for after, text in record.comments.items():
        where = f"After move {after}, {names[after - 1]}" if after else "At the start"
        screen.say(f"{where}: {text}")
    _show_variations(positions[0], record.moves, record.variations, screen, 0)


def _signed(names: Sequence[str], notes: Mapping[int, Note]) -> list[str]:
    """The names of moves with their glyphs and verdicts: ``d3?!``, ``c4 =``."""
    signs = [notes.get(ply, Note()) for ply in range(1, len(names) + 1)]
    return [
        f"{name}{note.glyph}" + (f" {note.verdict}" if note.verdict else "")
        for name, note in zip(names, signs, strict=True)
    ]


def _show_variations(
    begun: BaseGameEnv,
    line: Sequence[int],
    variations: Sequence[Variation],
    screen: Screen,
    depth: int,
) -> None:
    """A line for each variation, indented under the line that it leaves."""
    for variation, env in branches(begun, line, variations):
        names = names_along(env.copy(), variation.moves)
        told = "; ".join(
            f"{names[after - 1]}: {text}" for after, text in variation.comments.items()
        )
        indent, note = "  " * (depth + 1), f" ({told})" if told else ""
        replaced = env.line_names(line[variation.ply : variation.ply + 1])
        there = f"instead of {replaced[0]}" if replaced else "after the game"
        screen.say(f"{indent}{there}: {' '.join(_signed(names, variation.notes))}{note}")
        _show_variations(env, variation.moves, variation.variations, screen, depth + 1)


@game.command(
    short_help="Write games in another form.", context_settings={"allow_extra_args": True}
)
@click.pass_context
@file_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([*FORMATS, *FORMS]),
    help="The form to write. Default: the one that the suffix of --output names, else json.",
)
@moves_of_option
@number_option
@click.option("--output", "-o", type=FILE, help="The file to write. Default: stdout.")
@examples(
    "rl-toolkit game convert game.json --to transcript",
    "rl-toolkit game convert game.json --to svg -o end.svg",
    "rl-toolkit game convert match.jsonl -o games.sgf",
    "rl-toolkit game convert match.jsonl --to csv -o games.csv",
    "rl-toolkit game convert WTH_2001.wtb --number 7 --to ggf",
    "echo 4453 | rl-toolkit game convert - --game connect-four > game.json",
)
def convert(
    ctx: click.Context,
    file: Path,
    form: str | None,
    game: str | None,
    number: int | None,
    output: Path | None,
) -> None:
    """Write games in another form.

    The formats are json (a saved game), jsonl (many), sgf, ggf, wthor and psq; the other forms are
    transcript (the moves), position (the last board as text), svg (the last board as a picture),
    csv (a row for each game) and csv-moves (a row for each move).
    """
    if ctx.args:
        raise refuse(f"one file is read, not {1 + len(ctx.args)}; write -o {ctx.args[0]}")
    records = read_file(file, game)
    if number is not None:
        records = [pick(records, number, file)]
    form = form or _form_of(output) or ("json" if len(records) == 1 else "jsonl")
    with report_errors(RecordError):
        if form in FORMS:
            _write_text(output, FORMS[form][1](records))
            return
        known = FORMATS[form]
        lost = known.loses(records)
        if output is not None:
            write_games(output, records, form)
        elif not known.is_text:
            raise refuse(f"{form} is not text; write it to a file with -o")
        else:
            sys.stdout.write(known.write(records)[known.suffixes[0]].decode())
    if lost:
        Screen().tell(f"Not written, because {form} does not hold it: {', '.join(lost)}.", "yellow")


def _form_of(output: Path | None) -> str | None:
    """The form that the suffix of a file says, ``None`` if it says nothing."""
    if output is None:
        return None
    known = format_of(output.suffix)
    if known is not None:
        return known.name
    suffix = output.suffix.lower()
    return next((name for name, (own, _) in FORMS.items() if own and own == suffix), None)


def _write_text(output: Path | None, text: str) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        write_text_atomically(output, text)


def _only(games: Games, form: str) -> GameRecord:
    if len(games) != 1:
        raise refuse(f"{form} shows one game; choose one with --number")
    return games[0]


game.add_command(stats)


@game.command(short_help="Say which games can be read and replayed.")
@click.argument("files", nargs=-1, required=True, type=FILE)
@json_option("one line of JSON for each file")
@examples("rl-toolkit game check games/*.json")
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check that saved games can be read and replayed, and say what is wrong with the others.

    The exit code is 1 if a game cannot be read.
    """
    screen, broken = Screen(), 0
    for file in files:
        try:
            records = read_file(file)
        except click.ClickException as problem:
            broken += 1
            if as_json:
                screen.json({"file": str(file), "error": problem.message})
            else:
                screen.say(problem.message, "red")
            continue
        record = records[0]
        if len(records) > 1:
            moves = sum(len(record.moves) for record in records)
            if as_json:
                screen.json({"file": str(file), "games": len(records), "moves": moves})
            else:
                screen.say(f"{file}: {len(records):,} games, {moves:,} moves")
        elif as_json:
            found = {"game": record.game, "moves": len(record.moves), "result": record.result}
            screen.json({"file": str(file), **found})
        else:
            moves_text = counted(len(record.moves), "move")
            screen.say(f"{file}: {record.game}, {moves_text}, {RESULTS[record.result]}")
    if broken:
        raise failure(f"{broken} of {len(files)} cannot be read")
