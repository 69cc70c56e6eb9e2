"""Stop a search on time: one flag that Python loops and compiled kernels both poll.

A kernel cannot read a clock or a ``threading.Event``, but it can read one number in memory. A small
thread watches the clock and the stop signal and sets that number. Kernels run without the GIL, so
the thread is on time however busy they are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.analysis import Analysis, ProgressCallback, StopSignal
from rl_toolkit.kernels.compiling.compile_news import preparation_seconds

T = TypeVar("T")

_INTERRUPT_EVERY = 0.05  # seconds
_POLL_EVERY = 0.004  # seconds; well below the 20 ms within which a stop must take effect


class SearchClock:
    """Context manager of one search: ``flag[0]`` becomes 1 when time is up or ``stop`` is set.

    The clock starts on entry, so compilation before that does not count.
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
            self._thread = threading.Thread(target=self._watch, name="search clock", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
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

    def _watch(self) -> None:
        wait = _POLL_EVERY
        while not self._finished.wait(wait):
            if self._seconds is not None:
                left = self._seconds - self.elapsed
                wait = min(_POLL_EVERY, max(left, 0.0))
                if left <= 0:
                    break
            if self._stop is not None and _is_set(self._stop):
                break
        self.flag[0] = 1


class Stopwatch:
    """Measures work from its creation on, without the time for compiling and loading kernels.

    A kernel is loaded in the middle of the first search that needs it, which takes seconds on a
    busy machine: time that the toolkit uses, not the search.
    """

    def __init__(self) -> None:
        self._started, self._prepared = time.perf_counter(), preparation_seconds()

    @property
    def seconds(self) -> float:
        """Seconds of work so far."""
        loading = preparation_seconds() - self._prepared
        return max(0.0, time.perf_counter() - self._started - loading)


def _is_set(stop: StopSignal) -> bool:
    try:
        return stop.is_set()
    except Exception:  # stop rather than run for ever on a broken signal
        return True


def interruptible(work: Callable[[], T], flag: NDArray[np.int64]) -> T:
    """Return the result of ``work``; on Ctrl-C set ``flag`` and raise the interrupt.

    Python handles signals only between its own instructions, so a kernel that runs for a minute
    would block Ctrl-C. Called in the main thread, this therefore runs the work in another thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(work)
        try:
            while True:
                try:
                    return answer.result(_INTERRUPT_EVERY)
                except TimeoutError:
                    if answer.done():
                        raise
        except BaseException:
            flag[0] = 1
            raise


def report(on_progress: ProgressCallback | None, analysis: Analysis) -> None:
    """Pass a partial analysis to ``on_progress``; an exception there does not end the search."""
    if on_progress is None:
        return
    try:
        on_progress(analysis)
    except Exception:  # a broken listener must not break the search
        return
