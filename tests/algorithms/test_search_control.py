"""Stopping: the flag that kernels poll."""

from __future__ import annotations

import threading
import time

from rl_toolkit.algorithms.search_control import SearchClock, report
from rl_toolkit.analysis import Analysis


def wait_for(clock: SearchClock, seconds: float = 10) -> bool:
    deadline = time.perf_counter() + seconds
    while not clock.expired and time.perf_counter() < deadline:
        time.sleep(0.001)
    return clock.expired


def test_time_runs_out() -> None:
    with SearchClock(0.03, None) as clock:
        assert not clock.expired
        assert wait_for(clock)
        assert clock.elapsed >= 0.03


def test_a_stop_signal_is_seen() -> None:
    stop = threading.Event()
    with SearchClock(None, stop) as clock:
        assert not clock.expired
        stop.set()
        assert wait_for(clock)


def test_a_signal_that_is_set_already_counts_at_once() -> None:
    stop = threading.Event()
    stop.set()
    with SearchClock(60, stop) as clock:
        assert clock.expired


def test_without_limits_no_thread_is_started() -> None:
    before = threading.active_count()
    with SearchClock(None, None) as clock:
        assert threading.active_count() == before
        assert not clock.expired


def test_the_thread_ends_with_the_search() -> None:
    before = threading.active_count()
    with SearchClock(60, threading.Event()):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_a_listener_cannot_break_anything() -> None:
    analysis = Analysis("g", "", 1, "e")

    def broken(_: Analysis) -> None:
        raise RuntimeError("oops")

    report(None, analysis)
    report(broken, analysis)
    seen: list[Analysis] = []
    report(seen.append, analysis)
    assert seen == [analysis]
