"""``match``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, PLAYER, examples
from rl_toolkit.cli.workers import crew_options


@click.command()
@click.argument("engine", type=PLAYER)
@click.argument("opponent", metavar="ENGINE", type=PLAYER)
@click.option("--game", type=GAME, default="connect-four", show_default=True)
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    help="An even number: every opening is played twice.",
)
@click.option(
    "--openings",
    default="random:4",
    show_default=True,
    help="random:K for K random moves, or start for the empty board.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--save", type=click.Path(path_type=Path), help="Keep the games here; a killed run goes on."
)
@crew_options
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, for programs.")
@examples(
    "rl-toolkit match mcts:simulations=2000 hard --game connect-four --games 40",
    "rl-toolkit match medium easy --game reversi --games 20 --openings random:8",
    "rl-toolkit match expert mcts --game gomoku-9 --games 200 --save match.jsonl --workers 4",
)
def match(
    engine: str,
    opponent: str,
    game: str,
    games: int,
    openings: str,
    seed: int,
    save: Path | None,
    workers: int | None,
    ray: bool,
    as_json: bool,
) -> None:
    """Let two engines play each other: paired openings, colours swapped.

    Every opening is played twice, with either engine moving first, and the confidence interval
    counts pairs. With --save the games are kept as they are played, a line of JSON for each pair:
    after Ctrl-C, or a crash, the same command goes on where it was.
    """
    from rl_toolkit.cli.commands._matching import run

    run(game, (engine, opponent), games, openings, seed, save, (workers, ray), as_json=as_json)
