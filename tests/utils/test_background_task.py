"""Work in the background: its progress, its end, and how it is stopped."""

import threading

import pytest
from stopping import PATIENCE

from rl_toolkit.utils.executors.background import BackgroundTask


def test_progress_can_be_seen_and_the_work_stopped():
    reported = threading.Event()

    def work(task):
        for number in range(3):
            task.report(number)
        reported.set()
        assert task.stop.wait(PATIENCE)
        return "stopped"

    task = BackgroundTask(work)
    assert not task.started.is_set()
    assert task.start() is task
    assert reported.wait(PATIENCE)
    assert task.started.is_set()
    assert task.latest == 2
    assert not task.wait(0)
    assert task.elapsed > 0
    task.stop.set()
    assert task.wait(PATIENCE)
    assert task.result() == "stopped"


def test_what_the_work_raises_is_raised_by_the_result():
    task = BackgroundTask(lambda task: 1 // 0).start()
    assert task.wait(PATIENCE)
    with pytest.raises(ZeroDivisionError):
        task.result()


def test_a_refused_task_has_ended_without_having_begun():
    task = BackgroundTask(lambda task: pytest.fail("it ran"))
    task.refuse(RuntimeError("no room"))
    assert task.wait(0)
    assert not task.started.is_set()
    with pytest.raises(RuntimeError, match="no room"):
        task.result()


def test_work_can_run_in_the_thread_of_a_pool():
    task = BackgroundTask(lambda task: threading.current_thread())
    task.run()
    assert task.wait(0)
    assert task.result() is threading.current_thread()
