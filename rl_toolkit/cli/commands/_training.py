"""Training where one can watch, and leave, and come back."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.learning.doctor import Doctor
from rl_toolkit.learning.training.checkpoint import (
    CheckpointError,
    load_checkpoint,
    settings_of,
)
from rl_toolkit.learning.training.curves import curves_svg
from rl_toolkit.learning.training.log import Entry, described, read_log
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.settings import Settings
from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.messages import duration

if TYPE_CHECKING:
    from rl_toolkit.learning.training.trainer import Trainer

_NEEDED = ("jax", "mctx", "optax")


@dataclass(frozen=True, slots=True)
class Wish:
    """A run as it was asked for on the command line; ``None`` where nothing was said."""

    game: str | None
    preset: str | None
    minutes: float | None
    iterations: int | None
    out: Path | None
    resume: Path | None
    seed: int
    judge: Path | None
    teacher: Path | None


def train(wish: Wish) -> None:
    """Start a run or go on with one, and show it."""
    screen = Screen()
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise failure(
            f"training needs {', '.join(missing)}: pip install 'rl_toolkit[train]' "
            "(playing with trained networks does not)"
        )
    face = _Face(screen)
    try:
        settings, folder = _settings(wish)
        face.doctor = Doctor(read_log(folder) if wish.resume else ())
        trainer = _trainer(wish, settings, folder, face)
        with face.bar, finish_round_on_first_interrupt(face):
            trainer.run()
    except RuntimeError as error:  # of training, or of JAX: out of memory, say
        raise failure(error) from error
    except ValueError as error:
        raise refuse(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    screen.tell(f"rl-toolkit train --resume {folder} goes on; rl-toolkit train plot {folder} draws")
    screen.say(str(folder / "network.npz"))
    if face.stopping:
        raise KeyboardInterrupt  # all is saved, yet the run did not come to its end


def plot(folder: Path, output: Path) -> None:
    """Draw the curves of the run in ``folder``."""
    entries = read_log(folder)
    if not any(entry.get("kind") == "iteration" for entry in entries):
        raise refuse(f"there is no training to draw in {folder}")
    try:
        write_text_atomically(output, curves_svg(entries))
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    Screen().say(str(output))


def _settings(wish: Wish) -> tuple[Settings, Path]:
    """What is to be trained, and where."""
    if wish.minutes is not None and wish.iterations is not None:
        raise ValueError("a run lasts some minutes or some iterations: say one of them")
    if wish.resume is None:
        if wish.game is None:
            raise ValueError("which game? rl-toolkit games lists them")
        settings = preset_settings(
            wish.game,
            wish.preset or "laptop",
            minutes=wish.minutes,
            iterations=wish.iterations,
            seed=wish.seed,
        )
        return settings, wish.out or Path("runs") / settings.game
    if wish.out not in (None, wish.resume):
        raise ValueError("a run that goes on stays in its folder: leave --out away")
    if wish.teacher is not None:
        raise ValueError("a run that goes on keeps its teacher: leave --teacher away")
    settings = settings_of(load_checkpoint(wish.resume))
    for what, asked, saved in (
        ("game", wish.game, settings.game),
        ("preset", wish.preset, settings.preset),
    ):
        if asked not in (None, saved):
            raise CheckpointError(f"the run in {wish.resume} has the {what} {saved}, not {asked}")
    return settings.with_budget(wish.minutes, wish.iterations), wish.resume


def _trainer(wish: Wish, settings: Settings, folder: Path, face: _Face) -> Trainer:
    from rl_toolkit.learning.training.trainer import Trainer

    return Trainer(
        settings,
        folder,
        resume=wish.resume is not None,
        judge=wish.judge,
        teacher=wish.teacher,
        on_event=face.hear,
        should_stop=lambda: face.stopping,
    )


class _Face:
    """Turns what a run tells into a bar and lines; in a pipe, into lines alone."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        columns = (BarColumn(8), TaskProgressColumn(), TextColumn("{task.description}"))
        self.bar = Progress(*columns, console=screen.err)
        self.bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
        self._task = self.bar.add_task("compiling", total=1.0)
        self.doctor = Doctor()
        self.stopping = False

    def hear(self, entry: Entry, share: float) -> None:
        """One entry of the log, or a note."""
        if entry["kind"] == "iteration" and not self.bar.disable:
            self.bar.update(self._task, completed=share, description=self._words(entry, share))
        else:
            self._screen.tell(f"{share:4.0%} {described(entry)}")
        for finding in self.doctor.hear(entry):
            self._screen.tell(f"Doctor: {finding}")

    def _words(self, entry: Entry, share: float) -> str:
        left = entry["seconds"] * (1 - share) / share if share else 0.0
        return self._screen.fit(
            f"{duration(left)} left, "
            f"loss {entry['policy_loss']:.2f} + {entry['value_loss']:.2f}, "
            f"{_short(entry['positions_per_second'])} positions, "
            f"{_short(entry['simulations_per_second'])} sims/s"
        )

    def stop(self) -> None:
        """Somebody wants to leave."""
        self.stopping = True
        self._screen.tell("Stopping after this round; once more leaves at once.")


def _short(number: float) -> str:
    """``7.1M``, ``33k``, ``512``: three figures are enough to watch.

    >>> _short(7_086_000), _short(33_100), _short(512)
    ('7.1M', '33k', '512')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.{1 if number < 10 * size else 0}f}{letter}"
    return f"{number:.0f}"


@contextmanager
def finish_round_on_first_interrupt(face: _Face) -> Iterator[None]:
    """The first Ctrl-C lets the round finish and be saved, the second is as always."""

    def ask(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        face.stop()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
