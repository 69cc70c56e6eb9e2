"""Progress of long work: a bar with the time left, or lines where nothing can be redrawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
)
from rich.table import Column
from rich.text import Text

from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.kernels.compiling.compile_news import CompileProgress
from rl_toolkit.utils import duration

#: Seconds between two lines where there is no bar.
_LINE_EVERY = 10.0

Lines = Iterable[RenderableType]


class ProgressReporter:
    """Shows how far work is, step by step; use it in a ``with`` block.

    ``above`` gives what stands above the bar, as long as there is one: a table of results so far.

    Attributes:
        live: whether there is a bar, not lines.
    """

    def __init__(
        self, screen: Screen, *, percent: bool = False, above: Callable[[], Lines] | None = None
    ) -> None:
        self._screen = screen
        self._news = CompileProgress()
        count = TaskProgressColumn() if percent else MofNCompleteColumn()
        words = _Words(self._news)
        self._bar = _Bar(BarColumn(20), count, words, console=screen.err, transient=True)
        self._bar.above = above
        self.live = screen.err.is_terminal and not screen.err.is_dumb_terminal
        self._bar.disable = not self.live
        self._task = self._bar.add_task("starting", total=None)
        self._step = ""
        self._started = self._last_line = time.monotonic()
        self._first = 0.0

    def __enter__(self) -> Self:
        self._news.__enter__()
        self._bar.start()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._bar.stop()
        self._news.__exit__(*raised)

    def update(
        self,
        step: str,
        done: float,
        total: float,
        detail: str = "",
        *,
        seconds_left: float | None = None,
    ) -> None:
        """Show that ``done`` of ``total`` is done of a step, and ``detail`` beside it.

        The time left is estimated from the speed of this step unless it is given.
        """
        now = time.monotonic()
        if step != self._step:
            self._step, self._started, self._first = step, now, done
        if seconds_left is None and done > self._first and now - self._started >= 1:
            seconds_left = (total - done) * (now - self._started) / (done - self._first)
        time_left = "" if seconds_left is None else f"{duration(seconds_left)} left"
        words = ", ".join(filter(None, (step, time_left, detail)))
        if self.live:
            self._news.search_has_begun()
            shown = self._screen.fit(words)
            self._bar.update(self._task, completed=done, total=total, description=shown)
        elif done == total or now - self._last_line >= _LINE_EVERY:
            self._last_line = now
            self._screen.tell(f"{done:,} of {total:,} {words}")


class _Bar(Progress):
    """A bar with something above it."""

    above: Callable[[], Lines] | None = None

    def get_renderables(self) -> Lines:
        """What is above, and the bar."""
        if self.above is not None:
            yield from self.above()
        yield from super().get_renderables()


class _Words(ProgressColumn):
    """The description of the task, or what is being compiled."""

    def __init__(self, news: CompileProgress) -> None:
        super().__init__(Column(no_wrap=True, overflow="crop"))
        self._news = news

    def render(self, task: Task) -> Text:
        return Text(self._news.sentence() or task.description)


@contextmanager
def resumable(screen: Screen, kept: str | Sequence[str] | None) -> Iterator[None]:
    """After Ctrl-C say what is ``kept``, if anything is, and that the same command resumes.

    ``kept`` gets a capital letter, so it must not begin with the name of a file. A list may change
    until then.
    """
    try:
        yield
    except KeyboardInterrupt:
        sentence = kept if isinstance(kept, str) else ", ".join(kept or ())
        if sentence:
            sentence = sentence[0].upper() + sentence[1:]
            screen.tell(f"Stopped. {sentence}; run the same command to resume.")
        raise
