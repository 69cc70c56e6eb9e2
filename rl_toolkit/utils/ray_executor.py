"""An executor on a Ray cluster; needs the extra ``ray``.

Ray uses the cluster at ``RAY_ADDRESS`` or one already running on this machine, and otherwise starts
one here. Every machine needs rl_toolkit installed.
"""

from __future__ import annotations

import logging
import os
import platform
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from rl_toolkit.utils.executors import RETRIES, LostTaskError
from rl_toolkit.utils.installation import install_command
from rl_toolkit.utils.messages import one_line
from rl_toolkit.utils.plugins import Plugin, load_plugins, loaded_plugins
from rl_toolkit.utils.work_account import WorkAccount

T = TypeVar("T")
R = TypeVar("R")

#: Worker and machine of a task that was lost: Ray does not say where it ran.
_UNKNOWN = ("not known", "not known")


class RayMissingError(ImportError):
    """Ray is not installed."""


class _Done(NamedTuple):
    """The result of a task, and who did it."""

    result: Any
    machine: str
    process: int
    seconds: float


class RayExecutor:
    """Runs the tasks on a Ray cluster, each on one processor; see `executors.Executor`.

    A task whose worker or machine died is given to the cluster again from here, not by Ray, so that
    the account knows of it. ``ConnectionError`` if there is no cluster and none can be started.
    """

    def __init__(self, workers: int | None = None, retries: int = RETRIES) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"there must be at least one worker, not {workers}")
        self._ray = _ray()
        self.retries = retries
        self.account = WorkAccount()
        self._names: dict[tuple[str, int], str] = {}
        if not self._ray.is_initialized():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", FutureWarning)  # about Ray's own plans
                    self._ray.init(
                        include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
                    )
            except Exception as error:  # Ray raises plain exceptions, among others
                why = one_line(str(error)).partition(". ")[0]
                raise ConnectionError(f"there is no Ray cluster to use: {why}") from error
        self.workers = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        with self.account.running():
            yield from self._map(function, tasks)

    def _map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=0)(_with_plugins)
        plugins = loaded_plugins()
        waiting = deque(range(len(tasks)))
        losses = dict.fromkeys(waiting, 0)
        running: dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number = waiting.popleft()
                    running[remote.remote(function, plugins, tasks[number])] = number
                for finished in ray.wait(list(running), num_returns=1)[0]:
                    number = running.pop(finished)
                    try:
                        done: _Done = ray.get(finished)
                    except ray.exceptions.RayTaskError as problem:
                        raise problem.cause from None  # the original exception, not Ray's wrapper
                    except ray.exceptions.RayError as problem:
                        losses[number] += 1
                        self.account.lost(*_UNKNOWN)
                        if losses[number] > self.retries:
                            raise LostTaskError(
                                f"task {number} was given up after {losses[number]} workers died "
                                f"on it ({type(problem).__name__})",
                                number,
                            ) from problem
                        waiting.appendleft(number)
                        continue
                    self.account.did(self._name(done), done.machine, done.seconds)
                    yield number, done.result
        finally:
            for left in running:
                ray.cancel(left, force=True)

    def _name(self, done: _Done) -> str:
        """``worker 2``: the second process of its machine that finished a task."""
        key = (done.machine, done.process)
        if key not in self._names:
            before = sum(machine == done.machine for machine, _ in self._names)
            self._names[key] = f"worker {before + 1}"
        return self._names[key]


def _with_plugins(function: Callable[[T], R], plugins: tuple[Plugin, ...], task: T) -> _Done:
    begun = time.perf_counter()
    load_plugins(plugins)
    result = function(task)
    return _Done(result, platform.node(), os.getpid(), time.perf_counter() - begun)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise RayMissingError(
            f"Ray is not installed; install it with {install_command('ray')}"
        ) from error
    return ray
