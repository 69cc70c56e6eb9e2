"""Searches that must start at once: a kernel that is not on disk is refused, not compiled.

The search ends with `NotCompiledError` before the compiler has begun. The caller then lets another
engine answer. Whether everything is there is so found out by the search itself, which alone knows
what it uses.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_blocks = 0
_here = threading.local()


class NotCompiledError(RuntimeError):
    """A kernel would have to be compiled."""


@contextmanager
def compiled_only() -> Iterator[None]:
    """Refuse to compile in this process, in all its threads, until the block ends.

    For programs that do one search at a time.
    """
    global _blocks
    _blocks += 1
    try:
        yield
    finally:
        _blocks -= 1


@contextmanager
def compiled_only_here() -> Iterator[None]:
    """Refuse to compile in this thread until the block ends: a server has searches beside it."""
    before = getattr(_here, "refused", False)
    _here.refused = True
    try:
        yield
    finally:
        _here.refused = before


def check_may_compile(name: str) -> None:
    """Raise `NotCompiledError` inside a block of `compiled_only` or `compiled_only_here`."""
    if _blocks or getattr(_here, "refused", False):
        raise NotCompiledError(f"{name} is not compiled yet")
