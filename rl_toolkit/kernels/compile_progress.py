"""The progress of compilation, for people who wait: the first search on a machine compiles kernels.

Numba takes half a second to import, so it is not imported here: `CompileProgress` starts to listen
as soon as a search has imported it.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Self

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
