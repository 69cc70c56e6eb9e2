"""`AnalysisService`: reads queries as JSON lines, and writes analyses as JSON lines.

Queries are answered by several threads at once, those with a higher priority first, so answers come
in any order; ``id`` and ``turnNumber`` say what an answer belongs to.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from typing import Any, TextIO

from rl_toolkit.analysis import Analysis, Engine
from rl_toolkit.protocols.service.queries import (
    ACTION_FIELDS,
    ACTIONS,
    QueryError,
    Task,
    check_fields,
    read_tasks,
)
from rl_toolkit.protocols.serving import NAME, LineWriter, answer_of, lines_of
from rl_toolkit.utils import listed, read_object

#: Makes the engine of a query: by the name of the game, and the spec if the query names one.
QueryEngines = Callable[[str, str | None], Engine]

#: The most positions that wait, and engines that a thread keeps.
MOST_WAITING, _MOST_ENGINES = 10_000, 8


class AnalysisService:
    """Answers queries with the engines that ``make_engine`` gives.

    Each of the ``workers`` threads has engines of its own, so engines need not be thread-safe.
    """

    def __init__(self, make_engine: QueryEngines, workers: int = 1, version: str = "") -> None:
        self._make_engine, self._version = make_engine, version
        self._workers = workers
        self._queue: PriorityQueue[tuple[float, int, Task | None]] = PriorityQueue()
        self._numbers = count()
        self._open: dict[str, list[Task]] = {}
        self._lock = threading.RLock()
        self._writer: LineWriter | None = None

    def serve(self, reader: TextIO, writer: TextIO) -> None:
        """Answer every line; at the end of the input, all that was asked is answered first.

        Raises ``OSError`` if answers cannot be written any more; all searches are then stopped.
        """
        out = self._writer = LineWriter(writer)
        threads = [
            threading.Thread(target=self._work, name=f"service {number}", daemon=True)
            for number in range(self._workers)
        ]
        for thread in threads:
            thread.start()
        try:
            for line in lines_of(reader):
                if line.strip():
                    self._hear(line)
                out.check()
        except BaseException:
            self._terminate(None)
            raise
        finally:
            for _ in threads:
                self._queue.put((float("inf"), next(self._numbers), None))
            for thread in threads:
                thread.join()
        out.check()

    # ----------------------------------------------------------------------- queries

    def _hear(self, line: str) -> None:
        """Answer an action, accept a query, or say what is wrong."""
        data: dict[str, Any] = {}
        try:
            data = read_object(line)
            if "action" in data:
                self._act(data)
            else:
                self._accept(read_tasks(data))
        except Exception as error:  # whatever a line says, the service goes on
            answer: dict[str, Any] = {"error": _text_of(error)}
            if isinstance(data.get("id"), str):
                answer = {"id": data["id"], **answer}
            if isinstance(error, QueryError) and error.field:
                answer["field"] = error.field
            self._say(answer)

    def _accept(self, tasks: list[Task]) -> None:
        with self._lock:
            name = tasks[0].query
            if name in self._open:
                raise QueryError("a query with this id is still open", "id")
            if sum(map(len, self._open.values())) + len(tasks) > MOST_WAITING:
                raise QueryError(f"more than {MOST_WAITING} positions are waiting")
            self._open[name] = list(tasks)
        for task in tasks:
            self._queue.put((-task.priority, next(self._numbers), task))

    def _act(self, data: dict[str, Any]) -> None:
        check_fields(data, ACTION_FIELDS)
        action = data["action"]
        if action not in ACTIONS:
            raise QueryError(f"the actions are {listed(ACTIONS)}", "action")
        answer = dict(data)
        if action == "query_version":
            answer["version"] = f"{NAME} {self._version}".strip()
        if action == "terminate" and not isinstance(data.get("terminateId"), str):
            raise QueryError("terminateId must be the id of a query", "terminateId")
        self._say(answer)  # before the last answers of what it ends
        if action != "query_version":
            self._terminate(data["terminateId"] if action == "terminate" else None)

    def _terminate(self, name: str | None) -> None:
        """Stop a query, or all: positions that are being searched are answered with what is known.

        Those that still wait are answered without a result.
        """
        with self._lock:
            for query in list(self._open) if name is None else [name]:
                for task in self._open.get(query, ()):
                    task.stop.set()

    # ----------------------------------------------------------------------- answers

    def _work(self) -> None:
        """Answer one position after the other."""
        engines: dict[tuple[str, str | None], Engine] = {}
        while (task := self._queue.get()[2]) is not None:
            if task.stop.is_set():
                self._say({**_head(task), "isDuringSearch": False, "noResults": True})
            else:
                self._answer(task, engines)
            with self._lock:
                waiting = self._open[task.query]
                waiting.remove(task)
                if not waiting:
                    del self._open[task.query]

    def _answer(self, task: Task, engines: dict[tuple[str, str | None], Engine]) -> None:
        reported = time.monotonic()

        def report(analysis: Analysis) -> None:
            nonlocal reported
            if task.every is not None and time.monotonic() - reported >= task.every:
                reported = time.monotonic()
                self._say(_result(task, analysis, during=True))

        try:
            engine = self._engine(task, engines)
            watch = report if task.every is not None else None
            analysis = answer_of(engine, task.env.copy(), task.limit, watch, task.stop)
            answer = _result(task, analysis, during=False)
        except Exception as error:  # an engine may raise anything, and the service must go on
            answer = {**_head(task), "error": _text_of(error)}
        self._say(answer)

    def _engine(self, task: Task, engines: dict[tuple[str, str | None], Engine]) -> Engine:
        key = task.env.name, task.engine
        if key not in engines:
            if len(engines) >= _MOST_ENGINES:
                engines.pop(next(iter(engines)))
            engines[key] = self._make_engine(*key)
        return engines[key]

    def _say(self, answer: dict[str, Any]) -> None:
        assert self._writer is not None
        self._writer.say(json.dumps(answer, allow_nan=False))
        if self._writer.lost is not None:
            self._terminate(None)


def _head(task: Task) -> dict[str, Any]:
    return {"id": task.query, "turnNumber": task.turn}


def _result(task: Task, analysis: Analysis, *, during: bool) -> dict[str, Any]:
    data = analysis.to_dict()
    if task.top is not None:
        data["candidates"] = data["candidates"][: task.top]
    return {**_head(task), "isDuringSearch": during, **data}


def _text_of(error: Exception) -> str:
    return " ".join((str(error) or type(error).__name__).split())
