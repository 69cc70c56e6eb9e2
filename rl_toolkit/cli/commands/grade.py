"""``grade``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, PLAYER, examples
from rl_toolkit.cli.workers import crew_options


@click.command()
@click.argument("engines", metavar="ENGINE...", type=PLAYER, nargs=-1)
@click.option("--game", type=GAME, default="connect-four", show_default=True)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    help="How many. Default: all of a small game, else 3000.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Draw another sample than the usual one.")
@click.option(
    "--part",
    type=click.Choice(["grade", "judge"]),
    default="grade",
    show_default=True,
    help="The half of all positions to draw from; judge is for looking at trainings.",
)
@click.option("--by-stones", is_flag=True, help="A row for every number of stones, too.")
@click.option("--mistakes", type=click.IntRange(min=0), default=0, help="Show so many of them.")
@click.option(
    "--save", type=click.Path(path_type=Path), help="Keep answers here; a killed run goes on."
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    help="Write the sample and its truth as arrays, for `train --judge`.",
)
@crew_options
@click.option("--json", "as_json", is_flag=True, help="Write a line of JSON for each engine.")
@examples(
    "rl-toolkit grade hard --game connect-four",
    "rl-toolkit grade mcts:simulations=200 minimax:depth=4 --positions 500 --workers 2",
    "rl-toolkit grade perfect --game tictactoe --json",
    "rl-toolkit grade --game connect-four --part judge --export judge.npz",
)
def grade(
    engines: tuple[str, ...],
    game: str,
    positions: int | None,
    seed: int | None,
    part: str,
    by_stones: bool,
    mistakes: int,
    save: Path | None,
    export: Path | None,
    workers: int | None,
    ray: bool,
    as_json: bool,
) -> None:
    """Measure how often ENGINE is right, against the exact solver.

    The positions are drawn by the toolkit itself, the same every time; their truth is found once
    and kept. Shown is how often the engine's move keeps the result (what is won stays won), and how
    often it is exactly best, by stage of the game, with 95 % confidence intervals. Tic-Tac-Toe is
    judged on every position there is, Reversi on late positions.
    """
    from rl_toolkit.cli.commands._grading import Wishes, run

    if not engines and export is None:
        raise click.UsageError("name an engine to grade, or a file to --export the sample to")
    wishes = Wishes(game, positions, seed, part, by_stones, mistakes, save, export, as_json)
    run(engines, wishes, workers, ray)
