"""``train evaluation``: an evaluation for Reversi, learned from self-play games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.options import examples, seed_option
from rl_toolkit.cli.param_types import COUNT, FOLDER, GAME
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import Reversi, for_game, make_game

if TYPE_CHECKING:
    from rl_toolkit.learning.reversi.fitting import Progress


@click.command(short_help="Train a Reversi evaluation by self-play.")
@click.argument("game", type=GAME)
@click.option(
    "--folder", type=FOLDER, default=Path("evaluation"), help="Folder for games and weights."
)
@click.option(
    "--positions",
    type=click.IntRange(min=25_000),
    default=2_000_000,
    help="Positions to play in each round.",
)
@click.option("--rounds", type=COUNT, default=3)
@click.option("--passes", type=COUNT, default=10)
@click.option(
    "--look-ahead",
    type=click.IntRange(0, 8),
    default=4,
    help="Plies to search for labels, at least; 0 learns from the results of games alone.",
)
@seed_option
@examples(
    "rl-toolkit train evaluation reversi",
    "rl-toolkit train evaluation reversi --positions 200000 --rounds 1 --folder quick",
)
def evaluation(
    game: str, folder: Path, positions: int, rounds: int, passes: int, look_ahead: int, seed: int
) -> None:
    """Train a Reversi evaluation by self-play.

    Each round plays with what the previous round has learned. Then the positions of the last two
    rounds are labelled by searching ahead, from the last stage of the game to the first, each with
    what was learned about the later ones. Everything is saved as it is done: after Ctrl-C or a
    crash, run the same command to resume.
    """
    from rl_toolkit.algorithms.reversi.weights import SHIPPED
    from rl_toolkit.learning.reversi.pipeline import Plan, learn

    screen, env = Screen(), make_game(game)
    if env.rows not in (for_game({Reversi: SHIPPED}, env) or ()):
        raise refuse(f"an evaluation is trained for Reversi on 8×8 or 6×6, not for {game}")
    errors: dict[str, str] = {}
    with (
        report_errors(),
        resumable(screen, f"The games played are in {folder}"),
        ProgressReporter(screen) as progress,
    ):

        def listen(made: Progress) -> None:
            detail, error = "", made.held_back_error
            if error is not None:
                detail = errors[made.part] = f"held back positions are off by {error:.2f} discs"
            progress.update(f"{made.part}: {made.step}", made.done, made.total, detail)

        learn(folder, Plan(positions, rounds, passes, seed, env.rows, look_ahead), listen)
    path = folder / SHIPPED[env.rows]
    screen.say(f"{path}: {path.stat().st_size:,} bytes")
    for part, error in errors.items():
        screen.say(f"{part}: {error}")
