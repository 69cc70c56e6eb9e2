"""Stopping: the flag that kernels poll."""

from __future__ import annotations

import threading

import pytest
from stopping import PATIENCE, HandClock, HeardStop

from rl_toolkit.algorithms import search_control
from rl_toolkit.algorithms.search_control import SearchClock, Stopwatch, report
from rl_toolkit.analysis import Analysis


def test_time_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    time, before = HandClock(), threading.enumerate()
    monkeypatch.setattr(search_control, "time", time)
    with SearchClock(30, None) as clock:
        time.now += 29.9
        time.wait_for_looks(3)
        assert not clock.expired
        assert clock.elapsed == pytest.approx(29.9)
        time.now += 0.1
        wait_for_threads_since(before)
        assert clock.expired


def test_a_stopwatch_does_not_count_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    time, loading = HandClock(), [7.0]
    monkeypatch.setattr(search_control, "time", time)
    monkeypatch.setattr(search_control, "preparation_seconds", lambda: loading[0])
    watch = Stopwatch()
    assert watch.seconds == 0
    time.now += 2
    assert watch.seconds == 2
    time.now += 60
    loading[0] += 59.5
    assert watch.seconds == 2.5
    loading[0] += 5  # another thread loads too
    assert watch.seconds == 0


def wait_for_threads_since(before: list[threading.Thread]) -> None:
    """Return when the thread of the clock has ended."""
    for thread in threads_since(before):
        thread.join(PATIENCE)


def test_a_stop_signal_is_seen() -> None:
    stop = HeardStop()
    with SearchClock(None, stop) as clock:
        assert not clock.expired
        stop.set()
        assert clock.expired


def test_a_signal_that_cannot_answer_ends_the_search() -> None:
    class Broken:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            if self.asked > 1:  # the first question is asked before the search begins
                raise RuntimeError("no idea")
            return False

    before = threading.enumerate()
    with SearchClock(None, Broken()) as clock:
        wait_for_threads_since(before)
        assert clock.expired


def test_a_signal_that_is_set_already_counts_at_once() -> None:
    stop = threading.Event()
    stop.set()
    with SearchClock(60, stop) as clock:
        assert clock.expired


def threads_since(before: list[threading.Thread]) -> list[threading.Thread]:
    """The threads that are new; those of other tests may end at any time."""
    return [thread for thread in threading.enumerate() if thread not in before]


def test_without_limits_no_thread_is_started() -> None:
    before = threading.enumerate()
    with SearchClock(None, None) as clock:
        assert threads_since(before) == []
        assert not clock.expired


def test_the_thread_ends_with_the_search() -> None:
    before = threading.enumerate()
    with SearchClock(60, threading.Event()):
        assert len(threads_since(before)) == 1
    assert threads_since(before) == []


def test_a_listener_cannot_break_anything() -> None:
    analysis = Analysis("g", "", 1, "e")

    def broken(_: Analysis) -> None:
        raise RuntimeError("oops")

    report(None, analysis)
    report(broken, analysis)
    seen: list[Analysis] = []
    report(seen.append, analysis)
    assert seen == [analysis]
