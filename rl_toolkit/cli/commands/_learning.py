"""An evaluation learned where one can watch, and leave, and come back."""

from __future__ import annotations

from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rl_toolkit.algorithms.reversi.weights import SHIPPED
from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import Reversi, make_game
from rl_toolkit.learning.reversi import pipeline as evaluation
from rl_toolkit.learning.reversi.fitting import Progress as LearningProgress


def learn(
    game: str,
    folder: Path,
    *,
    positions: int,
    rounds: int,
    passes: int,
    look_ahead: int,
    seed: int,
) -> None:
    """Learn, with a bar for each step; Ctrl-C keeps what was played."""
    screen = Screen()
    env = make_game(game)
    if not isinstance(env, Reversi) or env.rows not in SHIPPED:
        raise refuse(f"an evaluation is learned for reversi on 8×8 or 6×6, not for {game}")
    teller = ProgressReporter(screen)
    try:
        plan = evaluation.Plan(positions, rounds, passes, seed, env.rows, look_ahead)
        with teller.bar:
            evaluation.learn(folder, plan, teller.hear)
    except ValueError as error:
        raise refuse(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    except KeyboardInterrupt:
        screen.tell(f"Stopped. What was played is kept in {folder}; the same command goes on.")
        raise
    path = folder / SHIPPED[env.rows]
    screen.say(f"{path}: {path.stat().st_size:,} bytes")
    for part, discs in teller.errors.items():
        screen.say(f"{part}: {_off_by(discs)}")


def _off_by(discs: float) -> str:
    return f"held back positions are off by {discs:.2f} discs"


class ProgressReporter:
    """Turns progress into a bar for each step, or into lines where nothing can be redrawn."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self.bar = Progress(*columns, console=screen.err)
        self.bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
        self._step: tuple[str, str] | None = None
        self._task = self.bar.add_task("compiling", total=None)
        self.errors: dict[str, float] = {}

    def hear(self, progress: LearningProgress) -> None:
        words = f"{progress.part}: {progress.step}"
        if progress.held_back_error is not None:
            self.errors[progress.part] = progress.held_back_error
            words = f"{words}, {_off_by(progress.held_back_error)}"
        if self.bar.disable:
            self._screen.tell(f"{progress.done} of {progress.total} {words}")
            return
        if self._step != (progress.part, progress.step):
            self.bar.remove_task(self._task)
            self._task = self.bar.add_task(words)
            self._step = (progress.part, progress.step)
        self.bar.update(
            self._task, completed=progress.done, total=progress.total, description=words
        )
