"""``self-play``: games of an engine against itself, with its analyses, to learn from."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rl_toolkit.arena.runs import IfChanged
from rl_toolkit.arena.self_play import SelfPlay
from rl_toolkit.arena.self_play import self_play as play_games
from rl_toolkit.cli.arguments import make_executor
from rl_toolkit.cli.library_options import Keeper, keep_options
from rl_toolkit.cli.long_runs import (
    if_changed_option,
    measuring,
    tell_work,
)
from rl_toolkit.cli.options import csv_option, examples, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, GAME, NATURAL, GameFirst
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.records import GameRecord, csv_of_games


@click.command("self-play", cls=GameFirst)
@click.argument("game", type=GAME)
@click.argument("engine", type=ENGINE)
@click.option("--games", type=COUNT, default=100, help="How many games to play.")
@click.option(
    "--varied",
    type=NATURAL,
    default=8,
    help="Moves of each game that are drawn at random, weighted by visits.",
)
@seed_option
@click.option(
    "--save",
    type=FILE,
    required=True,
    help="File for the games, one line of JSON each; an interrupted run resumes.",
)
@if_changed_option
@keep_options
@worker_options
@json_option("the counts as one line of JSON")
@csv_option("one row of CSV for each game")
@examples(
    "rl-toolkit self-play connect-four mcts:simulations=500 --save games.jsonl",
    "rl-toolkit self-play reversi alphazero:simulations=100 --games 1000 --save games.jsonl --ray",
)
def self_play(
    game: str,
    engine: str,
    games: int,
    varied: int,
    seed: int,
    save: Path,
    if_changed: IfChanged,
    keep: bool,
    library: Path | None,
    as_json: bool,
    as_csv: bool,
    **workers: Any,
) -> None:
    """Let ENGINE play GAME against itself and save the games with its analysis of every move.

    Each game is a record whose analyses hold visits and values: data to learn from. The command
    saves each game at once, so you may stop it or its workers at any time: run the same command to
    resume. If the engine fails, the command ends.
    """
    screen = Screen()
    keeper = Keeper(keep, library, screen)
    results, played = Counter[int | None](), list[GameRecord]()
    kept = f"The games played are in {save}"
    with measuring(screen, kept):
        plan, executor = SelfPlay(game, engine, games, varied, seed), make_executor(**workers)
        try:
            with ProgressReporter(screen) as progress:
                for record in play_games(plan, executor, save, if_changed=if_changed):
                    results[record.result] += 1
                    if as_csv or keep:
                        played.append(record)
                    progress.update("games", results.total(), games)
        finally:  # after Ctrl-C, too: what is resumed is not saved twice
            if played:
                keeper.run(lambda: played, f"self-play of {engine}, seed {seed}", "self-play")
    if as_csv:
        sys.stdout.write(csv_of_games([replace(record, analyses=()) for record in played]))
        tell_work(screen, executor.account)
        return
    first, drawn, second = results[1], results[0], results[-1]
    if as_json:
        counts = {"games": games, "x_won": first, "drawn": drawn, "o_won": second}
        work = executor.account.to_dict()
        screen.json({"file": str(save), "game": game, "engine": engine, **counts, "work": work})
        return
    screen.say(f"{save}: {games:,} games, {first:,} won by X, {drawn:,} drawn, {second:,} by O")
    tell_work(screen, executor.account)
