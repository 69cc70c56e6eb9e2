"""Work spread over processes: all of it is done, once, whatever happens to a worker."""

from __future__ import annotations

import itertools
import os
import signal
import time
from pathlib import Path

import pytest
from stopping import PATIENCE

from rl_toolkit.utils.executors import (
    InProcess,
    LocalProcesses,
    LostTaskError,
    keeping_workers,
    local_executor,
)
from rl_toolkit.utils.executors.account import WorkAccount


def square(number):
    return number * number


def die_once(task):
    """Kills its own process the first time that it is tried."""
    number, mark = task
    if number == 2 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die_always(number):
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number):
    raise ValueError(f"{number} will not do")


class UnsendableError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def refuse_strangely(number):
    raise UnsendableError(number, number)


def check_everything(executor, tmp_path):
    """What every executor must do; ``tmp_path`` is on the machine of its workers."""
    assert sorted(executor.map(square, range(7))) == [(n, n * n) for n in range(7)]
    assert list(executor.map(square, [])) == []
    tasks = [(number, str(tmp_path / "killed")) for number in range(5)]
    assert sorted(executor.map(die_once, tasks)) == [(n, n * n) for n in range(5)]
    assert (tmp_path / "killed").exists()  # so it did happen
    account = executor.account
    assert (account.tasks, account.losses) == (12, 1)
    assert sum(each.tasks for each in account.workers) == 12
    assert 0 < account.seconds < 2 * account.elapsed
    with pytest.raises(LostTaskError, match=f"{executor.retries + 1} workers died") as lost:
        list(executor.map(die_always, [1]))
    assert lost.value.task == 0  # so that a caller can do the other tasks
    assert (account.tasks, account.losses) == (12, 2 + executor.retries)
    with pytest.raises(ValueError, match="1 will not do"):
        list(executor.map(refuse, [1]))


def test_processes_share_the_work_and_survive_a_kill(tmp_path):
    check_everything(LocalProcesses(2, retries=1), tmp_path)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:Tip:FutureWarning")  # by Ray, about its next versions
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # by Ray
def test_ray_shares_the_work_and_survives_a_kill(tmp_path):
    ray = pytest.importorskip("ray")
    from rl_toolkit.utils.executors import RayExecutor

    here = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}  # for the functions above
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=here)
    try:
        executor = RayExecutor(2, retries=1)
        assert executor.workers == 2
        check_everything(executor, tmp_path)
    finally:
        ray.shutdown()


def test_the_same_in_one_process():
    executor = InProcess()
    assert list(executor.map(square, range(3))) == [(0, 0), (1, 1), (2, 4)]
    (alone,) = executor.account.workers
    assert (alone.worker, alone.tasks, alone.lost) == ("this process", 3, 0)
    with pytest.raises(ValueError, match="7 will not do"):
        list(InProcess().map(refuse, [7]))


def process_of(task):
    """The worker's process, as soon as ``count`` workers have a task of this folder."""
    folder, count = task
    (folder / str(os.getpid())).touch()
    ends = time.monotonic() + PATIENCE
    while len(list(folder.iterdir())) < count:
        assert time.monotonic() < ends, "a worker has nothing to do"
        time.sleep(0.01)
    return os.getpid()


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def processes_of(tmp_path):
    """The processes of the workers of an executor, or of the one that does a single task."""
    folders = itertools.count()

    def processes(executor, tasks=4):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        found = executor.map(process_of, [(folder, min(2, tasks))] * tasks)
        return {process for _, process in found}

    return processes


def test_workers_are_kept_only_where_one_asks_for_it(processes_of):
    executor = LocalProcesses(2)
    with executor.keeping():
        kept = processes_of(executor)
        assert processes_of(executor) == kept
        assert processes_of(executor, 1) < kept
        with executor.keeping():
            assert processes_of(executor) == kept
        assert all(map(is_running, kept))
    assert not any(map(is_running, kept))
    alone = processes_of(executor)
    assert not alone & kept
    assert not any(map(is_running, alone))
    with keeping_workers(InProcess()):
        pass


def test_a_kept_worker_that_died_is_replaced_and_a_broken_loop_keeps_none(processes_of, tmp_path):
    executor = LocalProcesses(2)
    with executor.keeping():
        first, second = processes_of(executor)
        os.kill(first, signal.SIGKILL)
        now = processes_of(executor)
        assert len(now) == 2
        assert second in now
        for _ in executor.map(process_of, [(tmp_path, 1)] * 4):
            break
        assert not any(map(is_running, now))
    assert executor.account.losses == 1


def doze(seconds):
    time.sleep(seconds)


def test_the_account_has_the_seconds_of_each_worker():
    executor = LocalProcesses(2)
    list(executor.map(doze, [0.3, 0.1, 0.1]))
    list(executor.map(doze, [0.2]))
    account = executor.account
    assert account.workers[0].worker == "worker 1"
    assert account.seconds >= 0.7
    assert account.elapsed >= 0.3 + 0.2  # the longest tasks of both calls
    told = account.to_dict()
    assert sum(each["tasks"] for each in told["workers"]) == told["tasks"] == 4
    account.clear()
    assert account.to_dict() == {
        "tasks": 0, "seconds": 0, "elapsed": 0, "lost": 0, "workers": []
    }  # fmt: skip


def test_many_workers_are_summed_up_by_machine():
    account = WorkAccount()
    for number in range(1, 12):
        account.did(f"worker {number}", "north" if number < 11 else "south", 2.0)
    account.lost("worker 3", "north")
    assert [each.worker for each in account.workers[8:10]] == ["worker 9", "worker 10"]
    north, south = account.by_machine()
    assert (north.machine, north.worker, north.tasks, north.seconds, north.lost) == (
        "north", "10 workers", 10, 20.0, 1
    )  # fmt: skip
    assert (south.machine, south.tasks) == ("south", 1)


def test_an_error_that_cannot_travel_comes_as_words():
    with pytest.raises(RuntimeError, match="UnsendableError: 1 and 1"):
        list(LocalProcesses(1).map(refuse_strangely, [1]))


def test_leaving_the_loop_ends_the_workers():
    results = LocalProcesses(1).map(os_getpid, range(1000))
    _, pid = next(results)
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def os_getpid(_):
    return os.getpid()


def test_one_worker_is_this_process_and_none_is_refused():
    assert isinstance(local_executor(1), InProcess)
    assert local_executor(3).workers == 3
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        local_executor(0)


def test_a_cluster_that_does_not_answer_is_a_sentence(monkeypatch):
    from types import SimpleNamespace

    from rl_toolkit.utils.executors import pools

    def init(**_):
        raise Exception("The node timed out. See the logs.")  # as Ray does

    ray = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setattr(pools, "_ray", lambda: ray)
    with pytest.raises(ConnectionError, match=r"no Ray cluster to use: The node timed out$"):
        pools.RayExecutor()


def test_without_ray_one_is_told_what_to_install(monkeypatch):
    import sys

    from rl_toolkit.utils.executors import RayExecutor, RayMissingError

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RayMissingError, match=r"pip install 'ray>="):
        RayExecutor()
