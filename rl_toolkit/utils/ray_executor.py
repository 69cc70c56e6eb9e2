"""An executor on a Ray cluster; needs the extra ``ray``.

Ray uses the cluster at ``RAY_ADDRESS`` or one already running on this machine, and otherwise starts
one here. Every machine needs rl_toolkit installed.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from rl_toolkit.utils.executors import RETRIES, LostTaskError
from rl_toolkit.utils.installation import install_command
from rl_toolkit.utils.plugins import Plugin, load_plugins, loaded_plugins

T = TypeVar("T")
R = TypeVar("R")


class RayMissingError(ImportError):
    """Ray is not installed."""


class RayExecutor:
    """Runs the tasks on a Ray cluster, each on one processor; see `executors.Executor`.

    Ray itself retries a task whose worker died.
    """

    def __init__(self, workers: int | None = None, retries: int = RETRIES) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"there must be at least one worker, not {workers}")
        self._ray = _ray()
        self.retries = retries
        if not self._ray.is_initialized():
            self._ray.init(
                include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
            )
        self.workers = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=self.retries)(_with_plugins)
        plugins = loaded_plugins()
        waiting = deque(enumerate(tasks))
        running: dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number, task = waiting.popleft()
                    running[remote.remote(function, plugins, task)] = number
                for done in ray.wait(list(running), num_returns=1)[0]:
                    number = running.pop(done)
                    yield number, self._result(done, number)
        finally:
            for left in running:
                ray.cancel(left, force=True)

    def _result(self, done: Any, number: int) -> Any:
        try:
            return self._ray.get(done)
        except self._ray.exceptions.RayTaskError as problem:
            raise problem.cause from None  # the original exception, not Ray's wrapper
        except self._ray.exceptions.RayError as problem:
            raise LostTaskError(
                f"task {number} was given up after {self.retries + 1} workers died on it "
                f"({type(problem).__name__})"
            ) from problem


def _with_plugins(function: Callable[[T], R], plugins: tuple[Plugin, ...], task: T) -> R:
    load_plugins(plugins)
    return function(task)


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise RayMissingError(
            f"Ray is not installed; install it with {install_command('ray')}"
        ) from error
    return ray
