"""News of the compiler for pages that wait: the first search on a machine may have to compile.

Numba takes half a second to import, so nobody here imports it: the news begin as soon as a search
has done so.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

_JIT = "rl_toolkit.kernels.jit"


class CompilerNews:
    """Remembers which kernel was announced last, and how many have been so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listening = False
        self._announced: tuple[int, str] = (0, "")

    def latest(self) -> tuple[int, str]:
        """How many kernels were compiled since listening began, and the name of the last one."""
        with self._lock:
            jit: Any = sys.modules.get(_JIT)
            # A module that another thread is importing is there before its functions are.
            if not self._listening and hasattr(jit, "compile_all"):
                jit.on_compile(self._hear)
                self._listening = True
        return self._announced

    def _hear(self, name: str) -> None:
        self._announced = (self._announced[0] + 1, name)
