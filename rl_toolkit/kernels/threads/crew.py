"""Several threads on one search: started for it, and joined before it returns.

Kernels run without the GIL, so threads of one process use several cores. There is no pool: nothing
lives between searches, so a forked process has nothing to repair. Starting a thread takes 50 µs; a
search is therefore left to the calling thread until it has lasted about a millisecond.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Word = TypeVar("Word", np.uint64, np.int64)

_LINE = 8  # words


def cores() -> int:
    """The number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked(threads: object) -> int:
    """``threads``; `ValueError` unless it is a whole number of at least 1."""
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads must be a whole number of at least 1, not {threads!r}")
    return threads


def own_lines(count: int, kind: type[Word]) -> npt.NDArray[Word]:
    """An array of zeros that shares no cache line with other memory.

    A thread that writes often to a line slows down every thread that uses the same line.
    """
    memory = np.zeros(count + 2 * _LINE, dtype=kind)
    start = (-memory.ctypes.data // 8) % _LINE
    return memory[start : start + count]


_local = threading.local()


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Context manager: searches that begin inside, in this thread, use at most ``threads``."""
    before = getattr(_local, "most", None)
    _local.most = checked(threads)
    try:
        yield
    finally:
        _local.most = before


def allowed(threads: int) -> int:
    """``threads``, or fewer if `at_most` says so."""
    most = getattr(_local, "most", None)
    return threads if most is None else min(threads, most)


def together(work: Callable[[int], T], threads: int, end: Callable[[], object]) -> list[T]:
    """The results of ``work(0)``, in the calling thread, and of ``work(1)`` … in other threads.

    Returns when all have ended. ``end`` must make them end soon: it is called when one of them
    fails, and the first exception is then raised here.
    """
    results: dict[int, T] = {}
    errors: list[BaseException] = []

    def run(number: int) -> None:
        if errors:  # Ctrl-C while this thread was started: the caller may not wait for it
            return
        try:
            results[number] = work(number)
        except BaseException as error:  # Ctrl-C in the calling thread, too
            errors.append(error)
            end()

    helpers = [
        threading.Thread(target=run, args=(number,), name=f"search {number}", daemon=True)
        for number in range(1, threads)
    ]
    try:
        for helper in helpers:
            helper.start()
        run(0)
    except BaseException as error:  # Ctrl-C between two threads, or too many of them
        errors.append(error)
        end()
    for helper in helpers:
        while helper.is_alive():
            try:
                helper.join()
            except BaseException as error:  # Ctrl-C while waiting: the others must end, too
                errors.append(error)
                end()
    if errors:
        raise errors[0]
    return [results[number] for number in range(threads)]
