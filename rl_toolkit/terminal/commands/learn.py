"""``learn-evaluation``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.terminal.arguments import GAME, examples


@click.command("learn-evaluation")
@click.argument("game", type=GAME)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("evaluation"),
    show_default=True,
    help="Where games and weights are kept.",
)
@click.option("--positions", type=click.IntRange(min=1), default=3_000_000, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--passes", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@examples(
    "rl-toolkit learn-evaluation reversi",
    "rl-toolkit learn-evaluation reversi --positions 200000 --rounds 1 --folder quick",
)
def learn_evaluation(
    game: str, folder: Path, positions: int, rounds: int, passes: int, seed: int
) -> None:
    """Learn how to judge positions of GAME from games that the toolkit plays against itself.

    Each round plays POSITIONS with what the round before has learned. Games are kept as they are
    played: after Ctrl-C, or a crash, the same command goes on where it was.
    """
    from rl_toolkit.terminal.learning import learn

    learn(game, folder, positions, rounds, passes, seed)
