"""``train GAME | plot | check | generations | evaluation``: learning by self-play."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import click

from rl_toolkit.cli.arguments import check_installed, failure, report_errors
from rl_toolkit.cli.commands.train.evaluation import evaluation
from rl_toolkit.cli.options import examples, json_option, seed_option
from rl_toolkit.cli.param_types import COUNT, EXISTING, FILE, FOLDER, GAME, DecimalNumber
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.learning import Doctor, examine
from rl_toolkit.learning.training import (
    CheckpointError,
    Entry,
    Settings,
    curves_svg,
    described,
    load_checkpoint,
    preset_settings,
    read_log,
    settings_of,
)
from rl_toolkit.utils import counted, write_text_atomically

_NEEDED = ("jax", "mctx", "optax")

_MINUTES = DecimalNumber(above=0)


class TrainGroup(click.Group):
    """A group in which a game may take the place of a command: ``train tictactoe``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read anything that is neither a command nor ``--help`` as ``start …``."""
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
    "rl-toolkit train evaluation reversi",
    "rl-toolkit train evaluation gomoku --hours 2",
)
def train() -> None:
    """Train a network, or an evaluation for Reversi or Gomoku, by self-play.

    `rl-toolkit train GAME` is short for `rl-toolkit train start GAME`; see `rl-toolkit train start
    --help` for its options.
    """


train.add_command(evaluation)


@train.command(short_help="Train a network; the word start may be omitted.")
@click.argument("game", type=GAME, required=False)
@click.option("--preset", help="laptop (default), lite, gpu, gpu-wide or tiny: size and length.")
@click.option("--minutes", type=_MINUTES, help="Length of the whole run, without compiling.")
@click.option(
    "--iterations",
    type=COUNT,
    help="Length of the run in place of minutes: such a run can be repeated exactly.",
)
@click.option(
    "--stop-after", type=_MINUTES, help="Minutes until this session ends, compiling included."
)
@click.option("--out", type=FOLDER, help="Folder of the run. Default: runs/GAME.")
@click.option("--resume", type=FOLDER, metavar="DIR", help="Resume the run in this folder.")
@seed_option
@click.option(
    "--judge",
    type=EXISTING,
    help="Solved positions (`accuracy --export`) to test the network on during training.",
)
@click.option(
    "--teacher",
    type=EXISTING,
    help="A network (.npz) that plays in place of the one that learns: distillation.",
)
@click.option(
    "--from-games",
    "games",
    type=EXISTING,
    multiple=True,
    metavar="FILE",
    help="Learn from games in this file, made by `self-play`, instead of playing; may be repeated.",
)
@click.option(
    "--devices",
    type=COUNT,
    help="Number of GPUs of this machine. Default: all that can share the work evenly.",
)
@examples(
    "rl-toolkit train start tictactoe --minutes 4",
    "rl-toolkit train start connect-four --preset gpu --out runs/c4 --judge judge.npz",
    "rl-toolkit train start connect-four --teacher runs/wide/network.npz --out runs/small",
    "rl-toolkit train start connect-four --from-games games.jsonl --out runs/c4",
    "rl-toolkit train start --resume runs/c4 --minutes 90",
)
def start(
    game: str | None,
    preset: str | None,
    minutes: float | None,
    iterations: int | None,
    stop_after: float | None,
    out: Path | None,
    resume: Path | None,
    seed: int,
    judge: Path | None,
    teacher: Path | None,
    games: tuple[Path, ...],
    devices: int | None,
) -> None:
    """Train a network for GAME by self-play, or from games in files.

    Training writes a checkpoint every minute, with network.npz, the weights to play with. Ctrl-C
    lets the current round finish. After Ctrl-C or a crash, --resume continues from the last
    checkpoint; with other --minutes the run becomes shorter or longer. The minutes begin when the
    programs of the run are compiled; compiling takes from seconds to minutes more.
    """
    check_installed("training", *_NEEDED)
    screen = Screen()
    with report_errors(RuntimeError):  # of training, or of JAX: out of memory, for example
        if minutes is not None and iterations is not None:
            raise ValueError("use either --minutes or --iterations")
        if resume is not None:
            if out not in (None, resume):
                raise ValueError("a resumed run stays in its folder: omit --out")
            if teacher is not None:
                raise ValueError("a resumed run keeps its teacher: omit --teacher")
            settings = _saved_settings(resume, game, preset).with_budget(minutes, iterations)
        elif game is not None:
            settings = preset_settings(
                game, preset or "laptop", minutes=minutes, iterations=iterations, seed=seed
            )
        else:
            raise ValueError("which game? `rl-toolkit games` lists them")
        folder = resume or out or Path("runs") / settings.game
        from rl_toolkit.learning.training import Trainer

        with ProgressReporter(screen, percent=True) as progress:
            reporter = _TrainingReporter(screen, progress, read_log(folder) if resume else [])
            trainer = Trainer(
                settings,
                folder,
                resume=resume is not None,
                judge=judge,
                teacher=teacher,
                games=games,
                stop_after=stop_after,
                devices=devices,
                on_event=reporter.update,
                should_stop=lambda: reporter.stopping,
            )
            with finish_round_on_first_interrupt(reporter):
                trainer.run()
    more = " --from-games FILE" if games else ""
    if little := _little_learned(read_log(folder)):
        usual = preset_settings(settings.game, settings.preset).minutes
        shorter = usual and settings.minutes and settings.minutes < usual
        hint = f"; the preset {settings.preset} takes {usual:g} minutes" if shorter else ""
        screen.tell(f"{little} Train it with more --minutes{hint}.", "yellow")
    screen.tell(f"To resume: rl-toolkit train --resume {folder}{more}")
    screen.tell(f"To draw its curves: rl-toolkit train plot {folder}")
    screen.say(str(folder / "network.npz"))
    if reporter.stopping:
        raise KeyboardInterrupt  # everything is saved, but the run did not reach its end


@train.command(short_help="Train, and keep what the network says of every position.")
@click.argument("game", type=GAME)
@click.option(
    "--at",
    "numbers",
    default="0,1,3,10,30,100",
    show_default=True,
    help="After which iterations the network is asked; 0 is before the first.",
)
@click.option("--preset", default="laptop", show_default=True, help="As of `train start`.")
@click.option("--out", type=FILE, required=True, metavar="FILE", help="The record, a JSON file.")
@seed_option
@examples(
    "rl-toolkit train generations tictactoe --out generations.json",
    "rl-toolkit train generations tictactoe --at 0,1,2 --preset tiny --out trial.json",
)
def generations(game: str, numbers: str, preset: str, out: Path, seed: int) -> None:
    """Train a network for GAME, and write what it says of every position after some iterations.

    The run has as many iterations as the last number says, so it can be repeated: on the same
    machine the record is the same. GAME must be small enough to list its positions. The record of
    Tic-Tac-Toe that the chapter on self-play shows was made like this.
    """
    check_installed("training", *_NEEDED)
    screen = Screen()
    with report_errors(RuntimeError), TemporaryDirectory() as folder:
        try:
            at = sorted({int(number) for number in numbers.split(",")})
        except ValueError:
            raise ValueError(f"--at is numbers with commas between them, not {numbers!r}") from None
        settings = preset_settings(game, preset, iterations=max(1, *at), seed=seed)
        from rl_toolkit.learning.training import record_generations

        with ProgressReporter(screen, percent=True) as progress:
            reporter = _TrainingReporter(screen, progress, [])
            record = record_generations(settings, at, Path(folder) / "run", reporter.update)
        write_text_atomically(out, record.as_json())
    screen.tell(f"Saved to {out}", "dim")


#: A policy loss above this share of the first one is next to nothing learned.
_LEARNED = 0.9


def _little_learned(log: list[Entry]) -> str:
    """A sentence that says so if the network knows little more than at its start."""
    losses = [entry["policy_loss"] for entry in log if entry.get("kind") == "iteration"]
    if not losses or losses[-1] < _LEARNED * losses[0]:
        return ""
    after = counted(len(losses), "iteration")
    if len(losses) == 1:
        return f"The network has learned next to nothing in {after}."
    return (
        f"The network has learned next to nothing: its policy loss was {losses[0]:.2f} at first "
        f"and is {losses[-1]:.2f} after {after}."
    )


def _saved_settings(folder: Path, game: str | None, preset: str | None) -> Settings:
    """The settings of the run in ``folder``, whose game and preset cannot be changed."""
    settings = settings_of(load_checkpoint(folder))
    for what, asked in (("game", game), ("preset", preset)):
        if asked not in (None, saved := getattr(settings, what)):
            raise CheckpointError(f"the run in {folder} has the {what} {saved}, not {asked}")
    return settings


class _TrainingReporter:
    """Shows the events of a run as a bar and lines, with the findings of the doctor."""

    def __init__(self, screen: Screen, progress: ProgressReporter, log: list[Entry]) -> None:
        self._screen, self._progress = screen, progress
        self._doctor = Doctor(log)
        self.stopping = False

    def update(self, entry: Entry, share: float) -> None:
        """Show one entry of the log."""
        if entry["kind"] == "iteration" and self._progress.live:
            left = entry["seconds"] * (1 - share) / share if share else None
            self._progress.update("", share, 1.0, _losses_and_speed(entry), seconds_left=left)
        else:
            self._screen.tell(f"{share:4.0%} {described(entry)}")
        for finding in self._doctor.update(entry):
            self._screen.tell(f"Doctor: {finding}")

    def stop(self) -> None:
        """Stop after the current round."""
        self.stopping = True
        self._screen.tell("Stopping after this round; press Ctrl-C again to leave at once.")


def _losses_and_speed(entry: Entry) -> str:
    losses = f"loss {entry['policy_loss']:.2f} + {entry['value_loss']:.2f}"
    if not entry["simulations"]:
        return f"{losses}, games from files"
    return (
        f"{losses}, {_short(entry['positions_per_second'])} positions/s, "
        f"{_short(entry['simulations_per_second'])} sims/s"
    )


def _short(number: float) -> str:
    """A number with two or three digits: ``7.1M``, ``33k``, ``512``.

    >>> _short(7_086_000), _short(33_100), _short(512)
    ('7.1M', '33k', '512')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.{1 if number < 10 * size else 0}f}{letter}"
    return f"{number:.0f}"


@contextmanager
def finish_round_on_first_interrupt(reporter: _TrainingReporter) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM finish and save the round; the second leaves as usual."""

    def stop(number: int, frame: FrameType | None) -> None:
        restore()
        reporter.stop()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        restore()


@train.command(short_help="Draw the curves of a run.")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--output", "-o", type=FILE, help="The picture. Default: curves.svg in the folder.")
@examples("rl-toolkit train plot runs/c4", "rl-toolkit train plot runs/c4 -o c4.svg")
def plot(folder: Path, output: Path | None) -> None:
    """Draw losses, strength, games and speed of the run in DIR as an SVG picture."""
    output = output or folder / "curves.svg"
    with report_errors():
        write_text_atomically(output, curves_svg(_log_of(folder, "draw")))
    Screen().say(str(output))


@train.command(short_help="Look for problems in a run.")
@click.argument("folder", metavar="DIR", type=FOLDER)
@json_option()
@examples("rl-toolkit train check runs/c4", "rl-toolkit train check runs/c4 --json")
def check(folder: Path, as_json: bool) -> None:
    """Say what goes wrong in the run in DIR, with the figures that show it.

    The problems are policy collapse, missing noise, duplicate games, games that are all drawn, a
    value head that is stuck, a learning rate that is too high, a stale buffer, and progress smaller
    than the error of measurement. The exit code is 1 if the run has a problem.
    """
    screen, entries = Screen(), _log_of(folder, "check")
    findings = examine(entries)
    if as_json:
        screen.json([finding.to_dict() for finding in findings])
    elif not findings:
        iterations = sum(entry.get("kind") == "iteration" for entry in entries)
        screen.say(f"{iterations:,} iterations, and nothing is wrong that the log can show.")
    else:
        for finding in findings:
            where, _, sentences = str(finding).partition(": ")
            screen.say(f"{where[0].upper()}{where[1:]}", "bold yellow")
            screen.say(f"  {sentences}")
    if findings:
        raise click.exceptions.Exit(1)


def _log_of(folder: Path, what: str) -> list[Entry]:
    """The log of the run in ``folder``; a failure if there is nothing to ``what`` in it."""
    with report_errors():
        entries = read_log(folder)
    if not any(entry.get("kind") == "iteration" for entry in entries):
        raise failure(f"there is no training to {what} in {folder}")
    return entries
