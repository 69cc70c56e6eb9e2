"""Limits inside the student's process: processor time of one call, and what it prints and reads."""

from __future__ import annotations

import builtins
import io
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

#: The characters of a call's prints that are kept.
KEPT_PRINTS = 20_000
#: Seconds between two signals, for code that catches everything.
_AGAIN = 0.05


class OutOfTimeError(BaseException):
    """A call has used up its time; not an ``Exception``, which student code may catch."""


class EndOfInputError(EOFError):
    """The program asked for more input than the check gives."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` after this much processor time, wherever the code is then.

    Processor time, because a busy machine must not make right code wrong; who sleeps is ended by
    the other process.
    """

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Prints(io.TextIOBase):
    """Keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room = KEPT_PRINTS

    def writable(self) -> bool:
        """As the prints expect."""
        return True

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        kept = str(text)[: self._room]
        if kept:
            self._parts.append(kept)
            self._room -= len(kept)
        return len(text)

    def text(self) -> str:
        """What was printed."""
        return "".join(self._parts)


@contextmanager
def redirected(inputs: list[str] | None) -> Iterator[Prints]:
    """Keep prints, and answer ``input()`` with the given lines in turn."""
    prints = Prints()
    lines = iter(inputs or [])

    def scripted(prompt: Any = "", /) -> str:
        prints.write(str(prompt))
        try:
            line = next(lines)
        except StopIteration:
            raise EndOfInputError("the program asked for more input than there was") from None
        prints.write(line + "\n")
        return line

    saved = sys.stdout, sys.stderr, builtins.input
    sys.stdout, sys.stderr, builtins.input = prints, prints, scripted
    try:
        yield prints
    finally:
        sys.stdout, sys.stderr, builtins.input = saved
