"""News for people who wait: the first search on a machine compiles, and says so on stderr.

::

    rl_toolkit: compiling its engines for this machine, once (RL_TOOLKIT_QUIET=1 hides this)
    rl_toolkit: 24 of at most 60 kernels compiled, 5 s

On a terminal the second line is rewritten and removed at the end; elsewhere it appears every few
seconds. Nothing is said if everything is on disk already, or if a front end shows the progress
itself (`kernels.compile_progress`). `set_compile_news` sends the news elsewhere, or nowhere.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from rl_toolkit.utils import QUIET_VARIABLE

#: Seconds of compiling before anything is said: a single kernel is not worth a sentence.
_PATIENCE = 0.5
#: Seconds between two lines where nothing can be rewritten.
_EVERY = 5.0

_SENTENCE = f"compiling its engines for this machine, once ({QUIET_VARIABLE}=1 hides this)"


class CompileNews:
    """What has been said so far; `show` receives the lines, ``None`` for stderr."""

    def __init__(self, show: Callable[[str], object] | None = None) -> None:
        self._show = show
        self._quiet = False
        self._begun = self._said = 0.0
        self._width = 0  # of the line that will be rewritten

    def send_to(self, show: Callable[[str], object] | None) -> None:
        """Send lines to ``show`` from now on, or nowhere."""
        self._show, self._quiet = show, show is None

    @property
    def wanted(self) -> bool:
        """Whether anyone wants to know."""
        return not self._quiet and os.environ.get(QUIET_VARIABLE, "0") in ("", "0")

    def compiling(self, made: int, total: int) -> None:
        """Say, if it is time to, that ``made`` of at most ``total`` kernels are compiled."""
        now = time.perf_counter()
        self._begun = self._begun or now
        if now - self._begun < _PATIENCE:
            return
        if not self._said:
            self._line(_SENTENCE)
            self._said = now
        rewritten = self._show is None and _is_terminal()
        if rewritten or now - self._said >= _EVERY:
            self._said = now
            text = f"{made} of at most {total} kernels compiled, {now - self._begun:.0f} s"
            self._line(text, rewritten=rewritten)

    def pause(self) -> None:
        """Remove the line that would be rewritten: something else may be printed now."""
        if self._width:
            self._write(f"\r{' ' * self._width}\r")
            self._width = 0

    def _line(self, text: str, *, rewritten: bool = False) -> None:
        text = f"rl_toolkit: {text}"
        if self._show is not None:
            self._show(text)
        elif rewritten:
            self._write(f"\r{text.ljust(self._width)}")
            self._width = max(self._width, len(text))
        else:
            self.pause()
            self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        # News must never stop a search: stderr may be closed, full, or missing.
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # missing or closed
        return False


#: The news of this process.
NEWS = CompileNews()


def set_compile_news(show: Callable[[str], object] | None) -> None:
    """Send news about compiling to ``show``, line by line, or nowhere with ``None``.

    By default they go to stderr, unless the environment variable ``RL_TOOLKIT_QUIET`` is 1. To use
    a log: ``set_compile_news(logging.getLogger("rl_toolkit").info)``.
    """
    NEWS.send_to(show)
