"""Long work on show: a bar with the time that is left, or lines where nothing can be redrawn."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.kernels import jit
from rl_toolkit.utils.messages import duration

#: Seconds between two lines where there is no bar.
_EVERY = 10.0


class WorkBar:
    """Tells how far work is, step by step; to be used in a ``with`` block."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self._bar = Progress(*columns, console=screen.err, transient=True)
        self._bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
        self._task = self._bar.add_task("", total=None)
        self._what = ""
        self._started = self._told = time.monotonic()
        self._first = 0

    def __enter__(self) -> Self:
        self._leave = jit.on_compile(self._compiling)
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
        self._leave()

    def hear(self, what: str, done: int, total: int, more: str = "") -> None:
        """So much of a step is done; ``more`` is news to stand beside it."""
        now = time.monotonic()
        if what != self._what:
            self._what, self._started, self._first = what, now, done
            self._told = now - _EVERY
        left = self._seconds_left(now, done, total)
        time_left = "" if left is None else f"{duration(left)} left"
        words = ", ".join(part for part in (what, more, time_left) if part)
        if not self._bar.disable:
            self._bar.update(
                self._task, completed=done, total=total, description=self._screen.fit(words)
            )
        elif now - self._told >= _EVERY:
            self._told = now
            self._screen.tell(f"{done:,} of {total:,} {words}")

    def _seconds_left(self, now: float, done: int, total: int) -> float | None:
        """A guess from the speed of this step so far."""
        if done <= self._first or now - self._started < 1:
            return None
        return (total - done) * (now - self._started) / (done - self._first)

    def _compiling(self, name: str) -> None:
        if not self._bar.disable:
            self._bar.update(self._task, description=f"compiling {name}")
