"""``train evaluation``: an evaluation for Reversi or Gomoku, learned from self-play games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from rl_toolkit.cli.arguments import make_executor, refuse, report_errors
from rl_toolkit.cli.options import examples, seed_option
from rl_toolkit.cli.param_types import COUNT, FOLDER, GAME, DecimalNumber, WholeNumber
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import make_game
from rl_toolkit.utils import listed

#: The least positions of a round: those of one file of the game with the smaller ones.
_LEAST = 5000


@click.command(short_help="Train a Reversi or Gomoku evaluation by self-play.")
@click.argument("game", type=GAME)
@click.option(
    "--folder", type=FOLDER, default=Path("evaluation"), help="Folder for games and weights."
)
@click.option(
    "--positions",
    type=WholeNumber(_LEAST),
    help="Positions to play in each round. Default: 2,000,000 (Reversi), 1,000,000 (Gomoku).",
)
@click.option("--rounds", type=COUNT, help="Rounds of play. Default: 3 (Reversi), 1 (Gomoku).")
@click.option("--passes", type=COUNT, default=10, help="Reversi: passes over the positions.")
@click.option(
    "--look-ahead",
    type=WholeNumber(0, 8),
    default=4,
    help="Reversi: plies to search for labels, at least; 0 learns from results of games alone.",
)
@click.option(
    "--nodes", type=WholeNumber(100), default=1500, help="Gomoku: nodes a move of self-play."
)
@click.option(
    "--hours",
    type=DecimalNumber(above=0),
    help="Gomoku: stop playing after this time, and fit the games played so far.",
)
@click.option("--workers", type=COUNT, default=1, help="Number of processes.")
@click.option(
    "--from-nothing",
    is_flag=True,
    help="Gomoku: play the first round without an evaluation, not with the shipped one.",
)
@seed_option
@examples(
    "rl-toolkit train evaluation reversi",
    "rl-toolkit train evaluation reversi --positions 200000 --rounds 1 --folder quick",
    "rl-toolkit train evaluation gomoku --hours 2 --workers 4",
    "rl-toolkit train evaluation gomoku-15-standard --from-nothing --rounds 3",
)
@click.pass_context
def evaluation(
    ctx: click.Context,
    /,
    game: str,
    folder: Path,
    positions: int | None,
    rounds: int | None,
    seed: int,
    **more: Any,
) -> None:
    """Train a Reversi or Gomoku evaluation by self-play.

    Each round plays with what the previous round has learned. For Reversi a search then labels the
    positions of the last two rounds, from the last stage of the game to the first, and uses what it
    has learned about the later stages. The command saves everything at once: after Ctrl-C or a
    crash, run the same command to resume.
    """
    from rl_toolkit.learning import Step, Wanted, trained_games, training_for

    env = make_game(game)
    training = training_for(env)
    if training is None:
        raise refuse(
            f"an evaluation is trained for {listed(trained_games(), 'or')}, not for {game}"
        )
    for name in more:
        given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in training.options:
            raise refuse(f"--{name.replace('_', '-')} is not an option for {game}")
    if (problem := training.problem(env)) is not None:
        raise refuse(problem)
    plan = {"positions": positions, "rounds": rounds, "seed": seed}
    asked = {name: number for name, number in plan.items() if number is not None}
    screen = Screen()
    with (
        report_errors(),
        resumable(screen, f"The games played are in {folder}"),
        ProgressReporter(screen) as progress,
    ):

        def show(step: Step) -> None:
            progress.update(*step)

        executor = make_executor(more["workers"], ray=False)
        said = training.train(Wanted(env, folder, asked, more, executor), show)
    for line in said:
        screen.say(line)
