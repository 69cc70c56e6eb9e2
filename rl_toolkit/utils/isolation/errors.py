"""What can go wrong with a supervised process.

The message of each error is the end of a sentence whose subject is the code or the program:
``did not answer within 2 s``, ``crashed (signal SIGSEGV)``.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Literal

#: What is at fault if not the code: a signal, sent by another process or by itself; the machine.
Cause = Literal["", "signal", "machine"]


class IsolationError(Exception):
    """A supervised process did not do what was asked; it has been ended.

    ``cause`` is empty if its own code is at fault.
    """

    cause: Cause = ""


class NotStartedError(IsolationError):
    """There is no process: the command cannot be executed, or the system refused."""

    cause = "machine"


class TooSlowError(IsolationError):
    """It did not answer in time."""

    def __init__(self, message: str, cause: Cause = "") -> None:
        super().__init__(message)
        self.cause = cause


class StoppedError(IsolationError):
    """It was stopped, and had no answer."""


class EndedError(IsolationError):
    """It ended by itself; ``code`` is its exit code, negative for a signal, ``None`` if unknown."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.cause = "signal" if was_killed(code) else ""


def was_killed(code: int | None) -> bool:
    """Whether a process with this exit code got a signal that no mistake of its own sends.

    >>> was_killed(-9), was_killed(-15), was_killed(-11), was_killed(1), was_killed(None)
    (True, True, False, False, False)
    """
    return code is not None and -code in (
        signal.SIGKILL,
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGSTOP,
    )


def how_it_ended(code: int | None) -> str:
    """An exit code in words.

    >>> how_it_ended(3), how_it_ended(-11), how_it_ended(None)
    ('ended (exit code 3)', 'crashed (signal SIGSEGV)', 'closed its connection')
    """
    if code is None:
        return "closed its connection"
    if code >= 0:
        return f"ended (exit code {code})"
    if code == -signal.SIGXCPU:
        return "used too much processor time"
    if code == -signal.SIGKILL:
        return "was killed (signal SIGKILL), as happens when the machine has no memory left"
    with suppress(ValueError):
        return f"crashed (signal {signal.Signals(-code).name})"
    return f"crashed (signal {-code})"


def in_seconds(seconds: float) -> str:
    """A time limit in a message, without what a clock took away from it.

    >>> in_seconds(9.99991), in_seconds(0.25), in_seconds(3600)
    ('10 s', '0.25 s', '3600 s')
    """
    return f"{seconds:.3g} s" if seconds < 999 else f"{seconds:.0f} s"
