"""Stopping a search in a test and knowing that it was heard, and a clock that the test moves."""

from __future__ import annotations

import threading
from typing import Any

from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.players import EngineKind, register_engine

#: Seconds after which something that should have happened has not, on the busiest of machines.
PATIENCE = 300.0


class HeardStop:
    """A stop signal; `set` returns when the search has seen it.

    What a search does after that does not depend on how fast the machine is.
    """

    def __init__(self) -> None:
        self._wanted, self._heard = threading.Event(), threading.Event()
        self._listener: threading.Thread | None = None

    def is_set(self) -> bool:
        """Whether the search should end; called by the search."""
        if self._wanted.is_set():
            self._listener = threading.current_thread()
            self._heard.set()
        return self._wanted.is_set()

    def set(self) -> None:
        """Ask the search to end; a thread of its own that listens has ended when this returns."""
        self._wanted.set()
        assert self._heard.wait(PATIENCE), "the search never looked at its stop signal"
        if self._listener is not threading.current_thread():
            assert self._listener is not None
            self._listener.join(PATIENCE)


class HandClock:
    """Takes the place of the module ``time``: it stands still until the test moves it."""

    def __init__(self) -> None:
        self.now, self._looks = 1000.0, threading.Semaphore(0)

    def perf_counter(self) -> float:
        """The time; also noted as a look at the clock."""
        now = self.now
        self._looks.release()
        return now

    monotonic = perf_counter

    def wait_for_looks(self, count: int) -> None:
        """Return after somebody has looked at the clock so many times from now on."""
        while self._looks.acquire(blocking=False):
            pass
        for _ in range(count):
            assert self._looks.acquire(timeout=PATIENCE), "nobody looks at the clock"


class StopAfterProgress:
    """Listens to the progress of a build, and is set once more is solved than at the start."""

    def __init__(self) -> None:
        self.solved: list[int] = []
        self.heard = threading.Event()

    def __call__(self, progress: Any) -> None:
        """Hear how far the build is."""
        self.solved.append(progress.solved)

    def is_set(self) -> bool:
        """Whether the build should end; called by the build."""
        if self.solved and self.solved[-1] > self.solved[0]:
            self.heard.set()
        return self.heard.is_set()


def register_tired() -> None:
    """Register the engine ``tired``: it plays at random, Ctrl-C is pressed in its 30th move."""
    moves = iter(range(1_000_000))

    class Tired(RandomEngine):
        name = "tired"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            if next(moves) == 30:
                raise KeyboardInterrupt
            return super().analyse(env)

    register_engine(EngineKind("tired", "gets interrupted", lambda: Tired(seed=1)))
