"""Stopping: the flag that kernels poll."""

from __future__ import annotations

import threading
import time

from rl_toolkit.algorithms.search_control import Watch, report
from rl_toolkit.analysis import Analysis


def wait_for(watch: Watch, seconds: float = 10) -> bool:
    deadline = time.perf_counter() + seconds
    while not watch.expired and time.perf_counter() < deadline:
        time.sleep(0.001)
    return watch.expired


def test_time_runs_out() -> None:
    with Watch(0.03, None) as watch:
        assert not watch.expired
        assert wait_for(watch)
        assert watch.elapsed >= 0.03


def test_a_stop_signal_is_seen() -> None:
    stop = threading.Event()
    with Watch(None, stop) as watch:
        assert not watch.expired
        stop.set()
        assert wait_for(watch)


def test_a_signal_that_is_set_already_counts_at_once() -> None:
    stop = threading.Event()
    stop.set()
    with Watch(60, stop) as watch:
        assert watch.expired


def test_without_limits_no_thread_is_started() -> None:
    before = threading.active_count()
    with Watch(None, None) as watch:
        assert threading.active_count() == before
        assert not watch.expired


def test_the_thread_ends_with_the_search() -> None:
    before = threading.active_count()
    with Watch(60, threading.Event()):
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
