"""``train evaluation``: an evaluation for Reversi or Gomoku, learned from self-play games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rl_toolkit.cli.arguments import make_executor, refuse, report_errors
from rl_toolkit.cli.options import examples, seed_option
from rl_toolkit.cli.param_types import COUNT, FOLDER, GAME
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv, Gomoku, Reversi, for_game, make_game

if TYPE_CHECKING:
    from rl_toolkit.learning.gomoku import fitting as gomoku_fitting
    from rl_toolkit.learning.reversi.fitting import Progress

#: The least positions of a round: those of one file of the game with the smaller ones.
_LEAST = 5000


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for: ``wanted`` of every plan, and ``more``, the options of single games."""

    screen: Screen
    env: BaseGameEnv
    folder: Path
    wanted: dict[str, int]
    more: dict[str, Any]


@click.command(short_help="Train a Reversi or Gomoku evaluation by self-play.")
@click.argument("game", type=GAME)
@click.option(
    "--folder", type=FOLDER, default=Path("evaluation"), help="Folder for games and weights."
)
@click.option(
    "--positions",
    type=click.IntRange(min=_LEAST),
    help="Positions to play in each round. Default: 2,000,000 (Reversi), 1,000,000 (Gomoku).",
)
@click.option("--rounds", type=COUNT, help="Default: 3 (Reversi), 1 (Gomoku).")
@click.option("--passes", type=COUNT, default=10, help="Reversi: passes over the positions.")
@click.option(
    "--look-ahead",
    type=click.IntRange(0, 8),
    default=4,
    help="Reversi: plies to search for labels, at least; 0 learns from results of games alone.",
)
@click.option(
    "--nodes", type=click.IntRange(min=100), default=1500, help="Gomoku: nodes a move of self-play."
)
@click.option(
    "--hours",
    type=click.FloatRange(min=0, min_open=True),
    help="Gomoku: stop playing after this time, and fit the games played so far.",
)
@click.option("--workers", type=COUNT, default=1, help="Gomoku: number of processes.")
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

    Each round plays with what the previous round has learned. For Reversi the positions of the last
    two rounds are then labelled by searching ahead, from the last stage of the game to the first,
    each with what was learned about the later ones. Everything is saved as it is done: after Ctrl-C
    or a crash, run the same command to resume.
    """
    env = make_game(game)
    trainers: dict[type[BaseGameEnv], tuple[Callable[[_Request], None], set[str]]] = {
        Reversi: (_train_reversi, {"passes", "look_ahead"}),
        Gomoku: (_train_gomoku, {"nodes", "hours", "workers", "from_nothing"}),
    }
    trainer = for_game(trainers, env)
    if trainer is None:
        raise refuse(f"an evaluation is trained for Reversi or Gomoku, not for {game}")
    train, own = trainer
    for name in more:
        if name not in own and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise refuse(f"--{name.replace('_', '-')} is not an option for {game}")
    wanted = {"positions": positions, "rounds": rounds, "seed": seed}
    given = {name: number for name, number in wanted.items() if number is not None}
    train(_Request(Screen(), env, folder, given, more))


def _train_reversi(asked: _Request) -> None:
    from rl_toolkit.algorithms.reversi.weights import SHIPPED
    from rl_toolkit.learning.reversi.pipeline import Plan, learn

    screen, env, folder = asked.screen, asked.env, asked.folder
    if env.rows not in SHIPPED:
        raise refuse(f"an evaluation is trained for Reversi on 8×8 or 6×6, not for {env.name}")
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

        plan = Plan(
            **asked.wanted,
            size=env.rows,
            passes=asked.more["passes"],
            look_ahead=asked.more["look_ahead"],
        )
        learn(folder, plan, listen)
    path = folder / SHIPPED[env.rows]
    screen.say(f"{path}: {path.stat().st_size:,} bytes")
    for part, error in errors.items():
        screen.say(f"{part}: {error}")


def _train_gomoku(asked: _Request) -> None:
    from rl_toolkit.learning.gomoku.pipeline import Plan, learn

    screen, env, folder, more = asked.screen, asked.env, asked.folder, asked.more
    assert isinstance(env, Gomoku)
    if env.win_length != 5:
        raise refuse(f"an evaluation is trained for five in a row, not for {env.name}")
    with (
        report_errors(),
        resumable(screen, f"The games played are in {folder}"),
        ProgressReporter(screen) as progress,
    ):

        def listen(made: gomoku_fitting.Progress) -> None:
            progress.update(f"{made.part}: {made.step}", made.done, made.total)

        plan = Plan(
            **asked.wanted,
            size=env.rows,
            exactly=env.exactly,
            nodes=more["nodes"],
            from_nothing=more["from_nothing"],
        )
        seconds = None if more["hours"] is None else 3600 * more["hours"]
        executor = make_executor(more["workers"], ray=False)
        learned = learn(folder, plan, listen, executor=executor, seconds=seconds)
    assert learned is not None  # nothing stops it but Ctrl-C, which raises
    values, ranks = learned.values, learned.ranks
    screen.say(f"{learned.path}: {learned.path.stat().st_size:,} bytes")
    screen.say(f"fitted to {learned.positions:,} quiet positions; of those that were held back")
    screen.say(f"  {values.right:.1%} of the results are predicted (log-loss {values.loss:.3f})")
    screen.say(
        f"  {ranks.first:.1%} of the moves are ranked first, {ranks.five:.1%} in the first 5"
    )
