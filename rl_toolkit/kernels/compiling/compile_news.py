"""News for people who wait: the first search on a machine compiles, and says so on stderr.

::

    rl_toolkit: preparing its engines for this computer, once (RL_TOOLKIT_QUIET=1 hides this)
    rl_toolkit: about 7 s left

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
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any, Self

from rl_toolkit.kernels.compiling.time_left import Progress, TimeLeft, in_words
from rl_toolkit.utils import QUIET_VARIABLE

#: Seconds of compiling before anything is said: a single kernel is not worth a sentence.
_PATIENCE = 0.5
#: Seconds between two lines where nothing can be rewritten.
_EVERY = 5.0

_SENTENCE = f"preparing its engines for this computer, once ({QUIET_VARIABLE}=1 hides this)"


class CompileNews:
    """What has been said so far; `show` receives the lines, ``None`` for stderr."""

    def __init__(self, show: Callable[[str], object] | None = None) -> None:
        self._show = show
        self._quiet = False
        self._begun = self._said = 0.0
        self._clock: TimeLeft | None = None
        self._width = 0  # of the line that will be rewritten

    def send_to(self, show: Callable[[str], object] | None) -> None:
        """Send lines to ``show`` from now on, or nowhere."""
        self._show, self._quiet = show, show is None

    @property
    def wanted(self) -> bool:
        """Whether anyone wants to know."""
        return not self._quiet and os.environ.get(QUIET_VARIABLE, "0") in ("", "0")

    def compiling(self, progress: Progress) -> None:
        """Say, if it is time to, how long the compiler will still take."""
        now = time.perf_counter()
        self._begun = self._begun or now
        self._clock = self._clock or TimeLeft()
        _, left = self._clock.after(progress)
        if now - self._begun < _PATIENCE:
            return
        if not self._said:
            self._line(_SENTENCE)
            self._said = now
        rewritten = self._show is None and _is_terminal()
        if rewritten or now - self._said >= _EVERY:
            self._said = now
            self._line(in_words(left), rewritten=rewritten)

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


class Needed:
    """The kernels that have turned out to be needed, as one after the other is compiled."""

    def __init__(self) -> None:
        self._work: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        """The names of the kernels."""
        return sorted(self._work)

    def add(self, names: Iterable[str]) -> None:
        """Add kernels by their names."""
        jit: Any = sys.modules[_JIT]
        self._work |= {name: jit.work(name) for name in names if name not in self._work}

    def before(self, name: str) -> Progress:
        """How much of the work is done before the kernel ``name`` is compiled, which is needed."""
        jit: Any = sys.modules[_JIT]
        missing = set(jit.pending(imported_only=True))
        if name not in self._work:  # none of those before calls it
            self.add({name} | (jit.below([name]) & missing))
        return self.progress(missing)

    def progress(self, missing: Collection[str]) -> Progress:
        """How much of the work is done if the kernels ``missing`` are still to be compiled."""
        done = sum(work for name, work in self._work.items() if name not in missing)
        return Progress(done, sum(self._work.values()))


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
        self._needed = Needed()
        self._progress: Progress | None = None
        self._clock: TimeLeft | None = None
        self._made = 0
        self._name = ""
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

    def left(self) -> str:
        """The time until the engine is compiled, in words; empty if nothing is being compiled."""
        self._join()
        if not self._name or self._clock is None:
            return ""
        _, seconds = self._clock.after(self._progress)
        return in_words(seconds)

    def sentence(self) -> str:
        """That an engine is being compiled, and the time left; empty if none is."""
        left = self.left()
        return f"Preparing the engine for this computer, once: {left}" if left else ""

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
        self._clock = self._clock or TimeLeft()
        self._progress = self._needed.before(name)
        self._made += 1
        self._name = name
