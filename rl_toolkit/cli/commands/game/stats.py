"""``game stats``: results, lengths, players and openings of many games."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rl_toolkit.cli.options import csv_option, examples, json_option
from rl_toolkit.cli.param_types import COUNT, NATURAL
from rl_toolkit.cli.saved_games import moves_of_option, read_file
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.records import PLAYER_COLUMNS, GameStats, Score, csv_text, player_rows, stats_of
from rl_toolkit.utils import counted, percent


@click.command(short_help="Results, lengths, players and openings of many games.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@moves_of_option
@click.option("--plies", type=NATURAL, default=2, help="Number of moves that count as the opening.")
@click.option("--top", type=COUNT, default=10, help="How many openings to show.")
@json_option("one line of JSON for each kind of game")
@csv_option("one row of CSV for each player")
@examples(
    "rl-toolkit game stats match.jsonl",
    "rl-toolkit game stats WTH_*.wtb --plies 4",
    "rl-toolkit game stats games.sgf --csv",
)
def stats(
    files: tuple[Path, ...],
    game: str | None,
    plies: int,
    top: int,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Count the games in files: results, lengths, the score of each player, common openings."""
    screen = Screen()
    counts = stats_of((record for file in files for record in read_file(file, game)), plies)
    if as_csv:
        sys.stdout.write(csv_text(PLAYER_COLUMNS, player_rows(counts)))
        return
    for kind in counts:
        if as_json:
            screen.json(kind.to_dict(top))
        else:
            _show(kind, top, screen)


def _show(kind: GameStats, top: int, screen: Screen) -> None:
    results, lengths = kind.results, kind.lengths
    undecided = f", {results.undecided:,} unfinished" if results.undecided else ""
    screen.say(
        f"{kind.game}: {counted(results.games, 'game')}; X won {results.won:,}, "
        f"{results.drawn:,} drawn, O won {results.lost:,}{undecided}",
        "bold",
    )
    mean = sum(lengths) / len(lengths)
    screen.say(f"Moves: {mean:.1f} on average, {min(lengths)} to {max(lengths)}.")
    if kind.players:
        table = plain_table("player", *_HEADS, numbers=_HEADS)
        for name, score in kind.ranking:
            table.add_row(name, *_cells(score))
        screen.say(table)
    counts = {"opening": kind.common_openings, "given opening": kind.given_openings}
    for head, openings in counts.items():
        if openings:
            table = plain_table(head, *_OPENING_HEADS, numbers=_OPENING_HEADS)
            for moves, score in openings[:top]:
                table.add_row(moves, *_cells(score))
            screen.say(table)
            screen.left_out(len(openings) - top, " (--top shows more)")
    if kind.given:
        screen.say("No player chose the moves of a given opening.", "dim")


_HEADS = ("games", "won", "drawn", "lost", "points")
_OPENING_HEADS = ("games", "X won", "drawn", "O won", "points of X")


def _cells(score: Score) -> list[str]:
    counts = (score.games, score.won, score.drawn, score.lost)
    points = "" if score.share is None else percent(score.share)
    return [*map(str, counts), points]
