"""``train GAME``, ``train plot``, ``train check``: networks that learn by self-play."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, examples

_FOLDER = click.Path(path_type=Path, file_okay=False)


class TrainGroup(click.Group):
    """A group in which a game's name stands where a command could: ``train tictactoe``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read anything that is neither a command nor a cry for help as ``start …``."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["start", *args]
        return super().parse_args(ctx, args)


@click.group(cls=TrainGroup, subcommand_metavar="GAME [OPTIONS] | COMMAND [ARGS]...")
@examples(
    "rl-toolkit train tictactoe",
    "rl-toolkit train connect-four --preset laptop --minutes 30 --out runs/c4",
    "rl-toolkit train --resume runs/c4",
    "rl-toolkit train plot runs/c4",
    "rl-toolkit train check runs/c4",
)
def train() -> None:
    """Train a network for a game by self-play, from nothing.

    `rl-toolkit train GAME` is short for `rl-toolkit train start GAME`, whose help lists the
    options.
    """


@train.command(short_help="Train; the word start may be left out.")
@click.argument("game", type=GAME, required=False)
@click.option("--preset", help="laptop (default), gpu, gpu-wide or tiny: how large, how long.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="How long.")
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    help="How long, instead of minutes: such a run can be repeated exactly.",
)
@click.option("--out", type=_FOLDER, help="Where the run is kept. Default: runs/GAME.")
@click.option("--resume", type=_FOLDER, metavar="DIR", help="Go on with the run in this folder.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--judge",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Solved positions (`grade --export`) to judge the network by while it learns.",
)
@click.option(
    "--teacher",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A network (.npz) that plays in place of the one that learns: distillation.",
)
@examples(
    "rl-toolkit train start tictactoe --minutes 4",
    "rl-toolkit train start connect-four --preset gpu --out runs/c4 --judge judge.npz",
    "rl-toolkit train start connect-four --teacher runs/wide/network.npz --out runs/small",
    "rl-toolkit train start --resume runs/c4 --minutes 90",
)
def start(
    game: str | None,
    preset: str | None,
    minutes: float | None,
    iterations: int | None,
    out: Path | None,
    resume: Path | None,
    seed: int,
    judge: Path | None,
    teacher: Path | None,
) -> None:
    """Train a network for GAME by self-play.

    A checkpoint is written every minute, and with it network.npz, the weights to play with.
    After Ctrl-C (which lets the current round finish), or a crash, --resume goes on from the last
    checkpoint; with other --minutes the run becomes shorter or longer.
    """
    from rl_toolkit.cli.commands._training import Wish
    from rl_toolkit.cli.commands._training import train as run

    run(Wish(game, preset, minutes, iterations, out, resume, seed, judge, teacher))


@train.command(short_help="Draw the curves of a run.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="Default: curves.svg in the folder."
)
@examples("rl-toolkit train plot runs/c4", "rl-toolkit train plot runs/c4 -o c4.svg")
def plot(folder: Path, output: Path | None) -> None:
    """Draw losses, strength, games and speed of the run in DIR as an SVG picture."""
    from rl_toolkit.cli.commands._training import plot as draw

    draw(folder, output or folder / "curves.svg")


@train.command(short_help="Look for what goes wrong in a run.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@examples("rl-toolkit train check runs/c4", "rl-toolkit train check runs/c4 --json")
def check(folder: Path, as_json: bool) -> None:
    """Say in plain words what goes wrong in the run in DIR, with the figures that show it.

    Looked for are policy collapse, missing noise, duplicate games, games that are all drawn, a
    value head that is stuck, a learning rate that is too high, a stale buffer, and progress smaller
    than the error of measuring it. The exit code is 1 if anything is found.
    """
    from rl_toolkit.cli.commands._checkup import check as run

    raise click.exceptions.Exit(run(folder, as_json=as_json))
