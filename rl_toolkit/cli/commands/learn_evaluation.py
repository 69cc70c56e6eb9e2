"""``learn-evaluation``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, examples


@click.command("learn-evaluation")
@click.argument("game", type=GAME)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("evaluation"),
    show_default=True,
    help="Where games and weights are kept.",
)
@click.option(
    "--positions",
    type=click.IntRange(min=25_000),
    default=2_000_000,
    show_default=True,
    help="How many to play for each round.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--passes", type=click.IntRange(min=1), default=10, show_default=True)
@click.option(
    "--look-ahead",
    type=click.IntRange(0, 8),
    default=4,
    show_default=True,
    help="Plies, at least, to look ahead for labels; 0 to learn from how games ended alone.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@examples(
    "rl-toolkit learn-evaluation reversi",
    "rl-toolkit learn-evaluation reversi --positions 200000 --rounds 1 --folder quick",
)
def learn_evaluation(game: str, folder: Path, **plan: int) -> None:
    """Learn how to judge positions of GAME from games that the toolkit plays against itself.

    Each round plays with what the round before has learned. Then the positions of the last two
    rounds are labelled by looking ahead, the last stage of the game first, each with what was
    learned of the later ones. All of it is kept as it is done: after Ctrl-C, or a crash, the same
    command goes on where it was.
    """
    from rl_toolkit.cli.commands._learning import learn

    learn(game, folder, **plan)
