"""``self-play``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, PLAYER, examples
from rl_toolkit.cli.workers import crew_options


@click.command("self-play")
@click.argument("engine", type=PLAYER)
@click.option("--game", type=GAME, default="connect-four", show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--varied",
    type=click.IntRange(min=0),
    default=8,
    show_default=True,
    help="Moves of each game that are drawn by the engine's visits.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    required=True,
    help="Where the games go, a line of JSON each; a killed run goes on.",
)
@crew_options
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
    """Let ENGINE play against itself and keep the games with what it thought of every move.

    Each game is a record whose analyses hold visits and values: material to learn from. Workers
    may be killed, and the command itself too: the same command goes on where it was.
    """
    from rl_toolkit.cli.commands._self_playing import run

    run(engine, game, games, varied, seed, save, (workers, ray))
