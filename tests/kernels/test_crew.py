"""Several threads on one search: results, errors, and no thread left behind."""

import threading
import time

import pytest

from rl_toolkit.kernels.threads.crew import checked, cores, together


def test_every_thread_gives_its_result_and_the_caller_is_the_first():
    before = set(threading.enumerate())
    names = together(lambda number: (number, threading.current_thread().name), 4, lambda: None)
    assert [number for number, _ in names] == [0, 1, 2, 3]
    assert names[0][1] == threading.current_thread().name
    assert len({name for _, name in names}) == 4
    assert set(threading.enumerate()) == before


@pytest.mark.parametrize("failing", [0, 1, 2])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_reaches_the_caller_and_ends_the_others(failing, error):
    ended, before = threading.Event(), set(threading.enumerate())

    def work(number):
        if number == failing:
            time.sleep(0.01)
            raise error("no")
        assert ended.wait(20)

    with pytest.raises(error):
        together(work, 3, ended.set)
    assert set(threading.enumerate()) == before


def test_a_thread_that_starts_after_the_call_was_interrupted_does_no_work(monkeypatch):
    late, worked, start = list[threading.Thread](), list[int](), threading.Thread.start

    def interrupted(thread):
        late.append(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        together(worked.append, 2, lambda: None)
    for thread in late:
        start(thread)
        thread.join()
    assert late
    assert worked == []


def test_one_thread_starts_none():
    before = threading.active_count()
    assert together(lambda _: threading.active_count(), 1, lambda: None) == [before]


def test_numbers_of_threads():
    assert cores() >= 1
    assert checked(3) == 3
    for wrong in (0, -1, True, 1.5, "2", None):
        with pytest.raises(ValueError, match="threads must be a whole number"):
            checked(wrong)
