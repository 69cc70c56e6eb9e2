"""Searches on behalf of clients: put into the pool, watched, ended when nobody waits any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rl_toolkit.analysis import Analysis
from rl_toolkit.explain import explain
from rl_toolkit.kernels.compile_progress import CompileProgress
from rl_toolkit.web.fair_queue import Client
from rl_toolkit.web.job_pool import Job, PoolFullError, SearchPool
from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.limits import ServerLimits
from rl_toolkit.web.requests import Question
from rl_toolkit.web.responses import Json, analysis_answer

#: Seconds between two looks at a search; a client who leaves is noticed within one.
_TICK = 0.04
#: Seconds between two signs of life in a stream that has nothing to say.
_HEARTBEAT = 1.0

Gone = Callable[[], bool]


class ClientGoneError(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a stream; an empty name is a sign of life."""

    name: str = ""
    data: Json | None = None


class _Thought:
    """A question at work: the newest partial analysis, kept where the watcher can see it."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self.newest: Analysis | None = None

    def __call__(self, stop: threading.Event) -> Analysis:
        env = self._question.env
        try:
            analysis = self._question.player.analyse(env, None, self._hear, stop)
        except ValueError as refused:  # an engine that does not play this game says so
            raise BadRequestError(str(refused)) from refused
        return explain(env, analysis)

    def _hear(self, analysis: Analysis) -> None:
        self.newest = analysis


class Searches:
    """All searches of one server."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self.pool = SearchPool(limits.slots, limits.queue)
        self._news = CompileProgress()

    def answer(self, client: Client, question: Question, gone: Gone) -> Analysis:
        """The finished analysis; `PoolFullError` without room, `ClientGoneError` with no client."""
        job = self.pool.submit(client, _Thought(question))
        self.wait(job, gone)
        return job.result()

    def wait(self, job: Job[Any], gone: Gone) -> None:
        """Wait for the end of ``job``; stops it when the client leaves or the queue is too slow."""
        asked = time.monotonic()
        while not job.wait(_TICK):
            self._check(job, gone, asked)

    def events(self, client: Client, question: Question, gone: Gone) -> Iterator[Event]:
        """The search as it goes on: ``queued``, ``compiling``, ``progress``, and ``done``.

        The job is in the pool when this returns, so that a full pool is known before the stream
        begins; closing the iterator stops the search.
        """
        thought = _Thought(question)
        job = self.pool.submit(client, thought)
        return self._watch(job, thought, question, gone)

    def _watch(
        self, job: Job[Analysis], thought: _Thought, question: Question, gone: Gone
    ) -> Iterator[Event]:
        asked = spoken = time.monotonic()
        told: Analysis | None = None
        compiled, _ = self._news.latest()
        place = -1
        try:
            while not job.wait(_TICK):
                self._check(job, gone, asked)
                event = None
                now_compiled, kernel = self._news.latest()
                newest = thought.newest
                if not job.started.is_set():
                    ahead = self.pool.place_in_line(job)
                    if ahead != place:
                        place, event = ahead, Event("queued", {"ahead": ahead})
                elif newest is not None and newest is not told:
                    told = newest
                    event = Event("progress", analysis_answer(question.env, newest))
                elif newest is None and now_compiled != compiled:
                    compiled, event = now_compiled, Event("compiling", {"kernel": kernel})
                elif time.monotonic() - spoken > _HEARTBEAT:
                    event = Event()
                if event is not None:
                    spoken = time.monotonic()
                    yield event
            yield Event("done", analysis_answer(question.env, job.result()))
        except PoolFullError as full:
            yield Event("error", {"error": str(full), "retry_after": full.retry_after})
        except BadRequestError as refused:
            yield Event("error", {"error": str(refused)})
        except ClientGoneError:
            return
        finally:
            job.stop.set()

    def _check(self, job: Job[Any], gone: Gone, asked: float) -> None:
        if gone():
            job.stop.set()
            raise ClientGoneError
        if not job.started.is_set() and time.monotonic() - asked > self.limits.patience:
            job.stop.set()
            raise PoolFullError(self.pool.retry_after())
