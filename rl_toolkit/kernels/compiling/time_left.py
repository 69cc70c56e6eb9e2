"""The time left until an engine is prepared, in a player's words."""

from __future__ import annotations

import time
from typing import NamedTuple

#: The first kernels say little: an estimate needs this many seconds and this part of the work.
_EARLY, _FEW = 2.0, 0.04


class Progress(NamedTuple):
    """How much of the compiler's work is done, in bytes of code (`kernels.jit.work`)."""

    done: int
    total: int


class TimeLeft:
    """How far a preparation is, from its progress; the time runs from the making of the object."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._seen: Progress | None = None
        self._first: tuple[float, float] | None = None  # seconds and part at the first progress
        self._total = 0.0  # seconds, estimated
        self._part = 0.0

    def after(self, progress: Progress | None) -> tuple[float, float | None]:
        """The part that is done, and the seconds left, ``None`` if that is not known yet.

        The part never gets smaller, although an estimate of the whole may have been too low.
        """
        elapsed = time.monotonic() - self._started
        if progress is not None and progress != self._seen:
            self._seen = progress
            part = progress.done / progress.total
            if self._first is None:  # until now the compiler was being loaded
                self._first = elapsed, part
            begun, before = self._first
            if elapsed - begun > _EARLY and part - before > _FEW:
                self._total = begun + (elapsed - begun) * (1 - before) / (part - before)
        if not self._total:
            return 0.0, None
        self._part = max(self._part, min(elapsed / self._total, 0.99))
        return self._part, max(0.0, self._total - elapsed)


def in_words(seconds: float | None) -> str:
    """Words such as ``about 7 s left``."""
    if seconds is None:
        return "some seconds left"
    if seconds < 1.5:
        return "nearly ready"
    if seconds >= 99.5:
        return f"about {seconds / 60:.0f} min left"
    return f"about {seconds:.0f} s left"
