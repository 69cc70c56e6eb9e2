"""``self-play``: games of an engine against itself, with its analyses, to learn from."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from rl_toolkit.arena.self_play import SelfPlay
from rl_toolkit.arena.self_play import self_play as play_games
from rl_toolkit.cli.arguments import ENGINE, GAME, examples, report_errors
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.workers import make_executor, worker_options
from rl_toolkit.utils.executors import LostTaskError


@click.command("self-play")
@click.argument("engine", type=ENGINE)
@click.option("--game", type=GAME, default="connect-four", show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--varied",
    type=click.IntRange(min=0),
    default=8,
    show_default=True,
    help="Moves of each game that are drawn at random, weighted by visits.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    required=True,
    help="File for the games, one line of JSON each; an interrupted run resumes.",
)
@worker_options
@examples(
    "rl-toolkit self-play mcts:simulations=500 --game connect-four --save games.jsonl",
    "rl-toolkit self-play alphazero:simulations=100 --games 1000 --save games.jsonl --ray",
)
def self_play(
    engine: str,
    game: str,
    games: int,
    varied: int,
    seed: int,
    save: Path,
    workers: int | None,
    ray: bool,
) -> None:
    """Let ENGINE play against itself and save the games with its analysis of every move.

    Each game is a record whose analyses hold visits and values: data to learn from. Workers may be
    killed, and so may the command: run the same command to resume.
    """
    screen = Screen()
    results = Counter[int | None]()
    with report_errors(LostTaskError), resumable(screen, f"The games played are in {save}"):
        plan, executor = SelfPlay(game, engine, games, varied, seed), make_executor(workers, ray)
        with ProgressReporter(screen) as progress:
            for record in play_games(plan, executor, save):
                results[record.result] += 1
                progress.update("games", results.total(), games)
    first, drawn, second = results[1], results[0], results[-1]
    screen.say(f"{save}: {games:,} games, {first:,} won by X, {drawn:,} drawn, {second:,} by O")
