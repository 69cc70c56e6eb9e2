"""Executors: the same tasks in this process, in worker processes or on a Ray cluster.

An `Executor` maps a function over tasks and yields the results as they finish::

    for number, result in executor.map(grade_some, tasks):      # the result of tasks[number]
        …

A function that *raises* would raise again, so ``map`` raises the same exception. If a worker *dies*
(killed, out of memory, machine lost), another worker takes over its task; after `RETRIES` more
deaths on the same task ``map`` raises `LostTaskError`. So one killed worker never ends a run.

Functions and tasks must be picklable: a function at the top level of a module, plain data as tasks.
Workers load the plugins of this process (`utils.plugins`) before their first task, so that they
know the same games and engines.

Every executor of the toolkit keeps an account of who did what (`utils.executors.account`).

`InProcess` and `LocalProcesses` need nothing more; `RayExecutor` imports Ray when it is made. Ray
uses the cluster at ``RAY_ADDRESS`` or one already running on this machine, and otherwise starts one
here. Every machine needs rl_toolkit installed.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import platform
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol, TypeVar

from rl_toolkit.utils.executors.account import WorkAccount
from rl_toolkit.utils.installation import QUIET_VARIABLE, install_command
from rl_toolkit.utils.messages import one_line
from rl_toolkit.utils.plugins import Plugin, load_plugins, loaded_plugins

T = TypeVar("T")
R = TypeVar("R")

#: How often a task is retried after its worker died.
RETRIES = 2


class LostTaskError(RuntimeError):
    """A task was given up because its workers died; ``task`` is its number."""

    def __init__(self, message: str, task: int | None = None) -> None:
        super().__init__(message)
        self.task = task


class Executor(Protocol):
    """Maps a function over tasks."""

    @property
    def workers(self) -> int:
        """The number of tasks that run at the same time."""

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Yield the number and the result of each task, in the order in which they finish.

        Leaving the loop early, by an exception or otherwise, stops the workers.
        """


class AccountingExecutor(Executor, Protocol):
    """An executor that says who did what."""

    @property
    def account(self) -> WorkAccount:
        """What the workers have done so far, in all calls of `map`."""


class InProcess:
    """Runs the tasks in this process, one after the other."""

    workers = 1

    def __init__(self) -> None:
        self.account = WorkAccount()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        here = platform.node()
        with self.account.running():
            for number, task in enumerate(tasks):
                begun = time.perf_counter()
                result = function(task)
                self.account.did("this process", here, time.perf_counter() - begun)
                yield number, result


class LocalProcesses:
    """Runs the tasks in processes on this machine, each with its own pipe.

    ::

        map ──┬── pipe ── worker 0: task 7          a pipe that closes before the answer means
              ├── pipe ── worker 1: task 3          that the worker died: its task is queued
              └── pipe ── worker 2: idle            again, and a new worker takes its place

    Processes are spawned, not forked: a fork copies locks that threads of this process may hold. If
    this process is killed, the pipes close and the workers end.

    A worker needs a second to start, import and load what it needs. It ends with its call of `map`,
    so that the next one sees files that have changed, unless `keeping` says otherwise. Raises
    ``ValueError`` for fewer than one worker.
    """

    def __init__(self, workers: int, retries: int = RETRIES) -> None:
        if workers < 1:
            raise ValueError(f"there must be at least one worker, not {workers}")
        self.workers, self.retries = workers, retries
        self.account = WorkAccount()
        self._keeping, self._kept = False, list[_Worker]()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Context manager: the workers of one call of `map` inside work for the next one, too."""
        before, self._keeping = self._keeping, True
        try:
            yield
        finally:
            self._keeping = before
            while self._kept and not before:
                self._kept.pop().end()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        with self.account.running():
            yield from self._map(function, tasks)

    def _map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        here, plugins = platform.node(), loaded_plugins()
        waiting = deque(range(len(tasks)))
        losses = dict.fromkeys(waiting, 0)
        workers = [
            self._kept.pop(0) if self._kept else _Worker()
            for _ in range(min(self.workers, len(tasks)))
        ]

        def give(worker: _Worker) -> None:
            number = waiting.popleft()
            worker.give(number, (function, plugins, tasks[number]))

        try:
            while waiting or any(worker.task is not None for worker in workers):
                for worker in workers:
                    if worker.task is None and waiting:
                        give(worker)
                ready = wait([worker.pipe for worker in workers if worker.task is not None])
                for place, worker in enumerate(workers):
                    number = worker.task
                    if number is None or worker.pipe not in ready:
                        continue
                    try:
                        succeeded, result, seconds = worker.answer()
                    except (EOFError, OSError):
                        losses[number] += 1
                        self.account.lost(f"worker {place + 1}", here)
                        if losses[number] > self.retries:
                            raise worker.lost(losses[number]) from None
                        waiting.appendleft(number)
                        worker.end()
                        workers[place] = _Worker()
                        continue
                    if not succeeded:
                        raise result
                    self.account.did(f"worker {place + 1}", here, seconds)
                    if waiting:  # it works while the caller looks at its result
                        give(worker)
                    yield number, result
            if self._keeping:
                self._kept, workers = [*workers, *self._kept], []
        finally:
            for worker in workers:
                worker.end()


#: What a worker is told: the function, the plugins that it may need, and the task.
_Order = tuple[Callable[[Any], Any], tuple[Plugin, ...], Any]


class _Worker:
    """One process, its pipe, and the number of its current task."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # or it would stay open when the worker dies
        self.task: int | None = None

    def give(self, number: int, order: _Order) -> None:
        """Send a task; if the worker is already dead, `answer` raises."""
        self.task = number
        with suppress(ConnectionError):
            self.pipe.send(order)

    def answer(self) -> tuple[bool, Any, float]:
        """Whether the task succeeded, its result or exception, and its seconds.

        Raises ``EOFError`` if the worker is dead.
        """
        answer: tuple[bool, Any, float] = self.pipe.recv()
        self.task = None
        return answer

    def lost(self, times: int) -> LostTaskError:
        """The error for a task that no worker survives."""
        self.process.join()
        code = self.process.exitcode
        how = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return LostTaskError(
            f"task {self.task} was given up after {times} workers died on it ({how})", self.task
        )

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _work(pipe: Connection) -> None:
    """Answer tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    os.environ[QUIET_VARIABLE] = "1"  # it speaks for its workers, too
    with suppress(EOFError, OSError):
        while True:
            order: _Order = pipe.recv()
            function, plugins, task = order
            begun = time.perf_counter()
            try:
                load_plugins(plugins)
                answer = (True, function(task))
            except Exception as problem:
                answer = (False, _sendable(problem))
            pipe.send((*answer, time.perf_counter() - begun))


def _sendable(problem: Exception) -> Exception:
    """``problem``, or its message in a ``RuntimeError`` if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(problem))
    except Exception:
        return RuntimeError(f"{type(problem).__name__}: {problem}")
    return problem


def keeping_workers(executor: Executor) -> AbstractContextManager[None]:
    """`LocalProcesses.keeping`; nothing for executors whose workers stay anyway."""
    return executor.keeping() if isinstance(executor, LocalProcesses) else nullcontext()


def local_executor(workers: int) -> InProcess | LocalProcesses:
    """`InProcess` for one worker, else `LocalProcesses`."""
    return InProcess() if workers == 1 else LocalProcesses(workers)


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
    the account knows of it. Raises ``ConnectionError`` if there is no cluster and none can be
    started, and ``ValueError`` for fewer than one worker.
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
