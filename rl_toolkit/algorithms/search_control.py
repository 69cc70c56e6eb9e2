"""Ending a search on time: one flag that Python loops and compiled kernels both poll.

A kernel cannot look at a clock or at a ``threading.Event``; it can look at one number in memory.
A small thread watches the clock and the stop signal and sets that number. Kernels run without the
GIL, so the thread is on time however hard they work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.analysis import Analysis, ProgressCallback, StopSignal

T = TypeVar("T")

_LISTEN_EVERY = 0.05
_LOOK_EVERY = 0.004  # seconds; well below the 20 ms within which a stop must be felt


class SearchClock:
    """Context of one search: ``flag[0]`` turns 1 when time is up or ``stop`` is set.

    The clock starts on entering, so whatever is compiled before does not count.
    """

    def __init__(self, seconds: float | None, stop: StopSignal | None) -> None:
        self.flag = np.zeros(1, dtype=np.int64)
        self._seconds, self._stop = seconds, stop
        self._finished = threading.Event()
        self._started = 0.0
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        if self._stop is not None and self._stop.is_set():
            self.flag[0] = 1
        elif self._seconds is not None or self._stop is not None:
            self._thread = threading.Thread(target=self._look, name="search watch", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._finished.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._started

    @property
    def expired(self) -> bool:
        """Whether the search must end now."""
        return bool(self.flag[0])

    def _look(self) -> None:
        wait = _LOOK_EVERY
        while not self._finished.wait(wait):
            if self._seconds is not None:
                left = self._seconds - self.elapsed
                wait = min(_LOOK_EVERY, max(left, 0.0))
                if left <= 0:
                    break
            if self._stop is not None and _says_stop(self._stop):
                break
        self.flag[0] = 1


def _says_stop(stop: StopSignal) -> bool:
    try:
        return stop.is_set()
    except Exception:  # a signal that cannot answer is no reason to go on for ever
        return True


def interruptible(work: Callable[[], T], flag: NDArray[np.int64]) -> T:
    """What ``work`` gives, with an ear for Ctrl-C: then ``flag`` is set, and the interrupt raised.

    Python looks at signals between its own instructions only, so a kernel that runs for a minute
    would keep Ctrl-C waiting. In the main thread the work is therefore done by another one.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(work)
        try:
            while True:
                try:
                    return answer.result(_LISTEN_EVERY)
                except TimeoutError:
                    if answer.done():
                        raise
        except BaseException:
            flag[0] = 1
            raise


def report(on_progress: ProgressCallback | None, analysis: Analysis) -> None:
    """Hand a partial analysis to a listener, which can never break the search by raising."""
    if on_progress is None:
        return
    try:
        on_progress(analysis)
    except Exception:  # the listener's problem, not the search's
        return
