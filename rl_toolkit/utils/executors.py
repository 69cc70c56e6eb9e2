"""Work spread over processes or machines, behind one small interface.

An `Executor` maps a function over tasks and hands back results as they are finished::

    for number, result in executor.map(grade_some, tasks):      # tasks[number] gave result
        …

What can go wrong is told apart. A function that *raises* would raise again, so what it raised comes
out of ``map``. A worker that *dies* (killed, out of memory, machine gone) says nothing about the
task: another worker takes it over, and only a task whose workers died `RETRIES` times more is given
up with `LostTaskError`. A killed worker therefore never ends a run.

Functions and tasks travel to other processes, so both must be picklable: a function at the top of a
module, plain data as tasks. Workers load the plugins of this process (`utils.plugins`) before their
first task, so they know the same games and engines.

Here are `InProcess` (no other process at all) and `LocalProcesses`; the machines of a Ray cluster
are in `utils.ray_executor`.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar

from rl_toolkit.utils.plugins import Plugin, load_plugins, loaded_plugins

T = TypeVar("T")
R = TypeVar("R")

#: How often a task is given to another worker after one that died on it.
RETRIES = 2


class LostTaskError(RuntimeError):
    """A task whose workers died each time it was tried."""


class Executor(Protocol):
    """Maps a function over tasks."""

    @property
    def workers(self) -> int:
        """How many tasks are worked on at once."""

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """The number of each task and what the function makes of it, in the order of finishing.

        Leaving the loop early, by an exception or otherwise, ends the workers.
        """


class InProcess:
    """Does everything itself, one task after the other."""

    workers = 1

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        for number, task in enumerate(tasks):
            yield number, function(task)


class LocalProcesses:
    """Processes on this machine, each with a pipe of its own.

    ::

        map ──┬── pipe ── worker 0: task 7          a pipe that closes before its answer came
              ├── pipe ── worker 1: task 3          belongs to a worker that died: its task goes
              └── pipe ── worker 2: idle            back to the queue, a new worker takes its place

    They are started afresh rather than forked: a fork copies locks that threads of this process
    may hold. If this process itself is killed, their pipes close and they end.
    """

    def __init__(self, workers: int, retries: int = RETRIES) -> None:
        if workers < 1:
            raise ValueError(f"there is at least one worker, not {workers}")
        self.workers, self.retries = workers, retries

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`."""
        waiting = deque(range(len(tasks)))
        losses = dict.fromkeys(waiting, 0)
        workers = [_Worker(function) for _ in range(min(self.workers, len(tasks)))]
        try:
            while waiting or any(worker.task is not None for worker in workers):
                for worker in workers:
                    if worker.task is None and waiting:
                        worker.give(waiting.popleft(), tasks)
                ready = wait([worker.pipe for worker in workers if worker.task is not None])
                for place, worker in enumerate(workers):
                    number = worker.task
                    if number is None or worker.pipe not in ready:
                        continue
                    try:
                        succeeded, result = worker.answer()
                    except (EOFError, OSError):
                        losses[number] += 1
                        if losses[number] > self.retries:
                            raise worker.lost(losses[number]) from None
                        waiting.appendleft(number)
                        worker.end()
                        workers[place] = _Worker(function)
                        continue
                    if not succeeded:
                        raise result
                    yield number, result
        finally:
            for worker in workers:
                worker.end()


class _Worker:
    """One process, its pipe, and the number of the task it is at."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_work, args=(theirs, function, loaded_plugins()), daemon=True
        )
        self.process.start()
        theirs.close()  # or it would stay open when the worker dies
        self.task: int | None = None

    def give(self, number: int, tasks: Sequence[Any]) -> None:
        """Hand over a task; if the worker is dead already, `answer` will tell."""
        self.task = number
        with suppress(BrokenPipeError):
            self.pipe.send(tasks[number])

    def answer(self) -> tuple[bool, Any]:
        """Whether the task succeeded, and its result or what it raised; ``EOFError`` if dead."""
        answer: tuple[bool, Any] = self.pipe.recv()
        self.task = None
        return answer

    def lost(self, times: int) -> LostTaskError:
        """What to say when no worker survives the task."""
        self.process.join()
        code = self.process.exitcode
        how = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return LostTaskError(
            f"task {self.task} was given up: {times} workers ended while working on it ({how})"
        )

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _work(
    pipe: Connection, function: Callable[[Any], Any], plugins: tuple[Plugin, ...] = ()
) -> None:
    """Answer tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started the work
    with suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                load_plugins(plugins)
                answer = (True, function(task))
            except Exception as problem:
                answer = (False, _sendable(problem))
            pipe.send(answer)


def _sendable(problem: Exception) -> Exception:
    """``problem``, or its words where it cannot travel."""
    try:
        pickle.loads(pickle.dumps(problem))
    except Exception:
        return RuntimeError(f"{type(problem).__name__}: {problem}")
    return problem


def local_executor(workers: int) -> InProcess | LocalProcesses:
    """This process itself for one worker, else ``workers`` processes."""
    return InProcess() if workers == 1 else LocalProcesses(workers)
