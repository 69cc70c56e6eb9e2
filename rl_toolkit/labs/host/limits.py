"""Limits inside the student's process: processor time of one call, and what it prints and reads."""

from __future__ import annotations

import builtins
import io
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

#: The characters of a call's prints that are kept.
KEPT_PRINTS = 20_000
#: The characters that a call may print.
MOST_PRINTS = 2_000_000
_CAUGHT = 71
#: The exit codes of a process whose code did not end with its time.
TOO_SLOW = (_CAUGHT, -signal.SIGPROF)
#: Seconds between two signals, for code that catches everything, and how many it may catch.
_AGAIN, _MOST_RINGS = 0.05, 10
#: Processor seconds beyond the limit after which the process is ended.
_BEYOND = 1.0
#: Seconds between two looks at the processor time; so many looks without any are idleness.
_LOOK, _IDLE_LOOKS, _NOTHING = 1.0, 3, 0.005


class OutOfTimeError(BaseException):
    """A call has used up its time; not an ``Exception``, which student code may catch."""


class IdleError(OutOfTimeError):
    """A call does nothing: it sleeps, or waits for something that does not come."""


class TooMuchPrintedError(BaseException):
    """A call prints without end; not an ``Exception``, which student code may catch."""


class EndOfInputError(EOFError):
    """The program asked for more input than the check gives."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` after this much processor time, wherever the code is then.

    Processor time, because a busy machine must not make right code wrong. Code that uses none for
    a few seconds is idle. Code that catches everything, and one endless step outside Python (a
    huge power, a regular expression), end with their process.
    """
    rings = 0
    used = [time.process_time()]

    def ring(error: type[OutOfTimeError]) -> NoReturn:
        nonlocal rings
        rings += 1
        if rings > _MOST_RINGS:
            os._exit(_CAUGHT)
        raise error

    def look(number: int, frame: FrameType | None) -> None:
        used.append(time.process_time())
        if len(used) > _IDLE_LOOKS and used[-1] - used[-1 - _IDLE_LOOKS] < _NOTHING:
            ring(IdleError)

    def alarm(number: int, frame: FrameType | None) -> None:
        ring(OutOfTimeError)

    before = signal.signal(signal.SIGVTALRM, alarm), signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    signal.setitimer(signal.ITIMER_PROF, seconds + _BEYOND)  # nothing handles it: it ends us
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGVTALRM, before[0])
        signal.signal(signal.SIGALRM, before[1])


class Prints(io.TextIOBase):
    """Keeps the beginning of what is printed."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room, self._left = KEPT_PRINTS, MOST_PRINTS

    def writable(self) -> bool:
        """As the prints expect."""
        return True

    def write(self, text: str) -> int:
        """Keep what there is room for; raises `TooMuchPrintedError` when it is too much."""
        self._left -= len(text)
        if self._left < 0:
            raise TooMuchPrintedError
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
    """Keep prints, and answer ``input()`` with the given lines in turn.

    After the last line ``input()`` raises `EndOfInputError`.
    """
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
