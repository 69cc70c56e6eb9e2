"""News for people who wait: the first search on a machine compiles, and says so on stderr.

::

    rl_toolkit: compiling its engines for this machine, once (RL_TOOLKIT_QUIET=1 hides this)
    rl_toolkit: 24 of at most 60 kernels compiled, 5 s

On a terminal the second line is rewritten and removed at the end; elsewhere it appears every few
seconds. Nothing is said if everything is on disk already, or if a front end shows the progress
itself (`CompileProgress`). `set_compile_news` sends the news elsewhere, or nowhere.

Numba takes half a second to import, so it is not imported here: `CompileProgress` starts to listen
as soon as a search has imported it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

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


# ------------------------------------------------ for front ends that show the progress themselves


_JIT = "rl_toolkit.kernels.jit"

_watching: weakref.WeakSet[CompileProgress] = weakref.WeakSet()


def is_watched() -> bool:
    """Whether a front end shows the progress itself."""
    return bool(_watching)


def preparation_seconds() -> float:
    """The seconds that this process spent on importing the compiler, compiling and loading code.

    A clock that starts before a search subtracts what was added during it.
    """
    return float(getattr(sys.modules.get(_JIT), "preparation_seconds", 0.0))


class CompileProgress:
    """Listens to the compiler, from any thread; call `latest` or `sentence` from time to time.

    As a context manager it stops listening at the end; otherwise it listens as long as the process
    lives.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leave: Callable[[], None] | None = None
        self._total = 0
        self._made = 0
        self._name = ""
        self._since = 0.0
        _watching.add(self)

    def __enter__(self) -> Self:
        self._join()
        return self

    def __exit__(self, *error: object) -> None:
        _watching.discard(self)
        if self._leave is not None:
            self._leave()

    def latest(self) -> tuple[int, str]:
        """The number of kernels compiled since listening began, and the name of the last one."""
        self._join()
        return self._made, self._name

    def sentence(self) -> str:
        """What is being compiled, with its progress; empty if nothing is.

        The total counts the imported kernels that are not on disk yet; a search need not use all of
        them, so the end may come sooner.
        """
        self._join()
        if not self._name:
            return ""
        jit: Any = sys.modules[_JIT]
        self._total = max(self._total, self._made + len(jit.pending(imported_only=True)))
        seconds = time.perf_counter() - self._since
        return (
            f"First run on this machine: compiling {self._name} "
            f"({self._made} of at most {max(self._total, self._made)}, {seconds:.0f} s)"
        )

    def search_has_begun(self) -> None:
        """Note that the search has reported, so nothing is being compiled at the moment."""
        self._name = ""

    def _join(self) -> None:
        with self._lock:
            jit: Any = sys.modules.get(_JIT)
            # While another thread imports the module, it exists before its functions do.
            if self._leave is None and hasattr(jit, "compile_all"):
                self._leave = jit.on_compile(self._on_compile)

    def _on_compile(self, name: str) -> None:
        if not self._since:
            self._since = time.perf_counter()
        self._made += 1
        self._name = name
