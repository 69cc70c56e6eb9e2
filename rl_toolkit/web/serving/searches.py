"""Searches for clients: queued in the pool, watched, stopped when the client has left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rl_toolkit.analysis import Analysis, EngineError, Limit
from rl_toolkit.explain import explain
from rl_toolkit.kernels.compiling.compile_news import CompileProgress
from rl_toolkit.players.claims import with_claims
from rl_toolkit.utils.executors import AnyTask, BackgroundTask
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.exchange.responses import analysis_answer
from rl_toolkit.web.serving.endless import Keeper, Kept
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.first_answers import FirstAnswers
from rl_toolkit.web.serving.helper_threads import HelperThreads
from rl_toolkit.web.serving.job_pool import PoolFullError, SearchPool, YieldingTask
from rl_toolkit.web.serving.limits import ServerLimits
from rl_toolkit.web.serving.streams import ClientGoneError, Event, Gone, TaskStream, tick

#: A search is expected to be quick if the same player last took less than this many seconds in the
#: same game; and how many of these times are remembered.
_QUICK, _REMEMBERED = 0.5, 1000
#: Seconds for a bot's claims after a search that took all the time there is.
_LEAST = 0.5

SearchTask = BackgroundTask[Analysis, Analysis]


class Searches:
    """All searches of one server."""

    def __init__(self, limits: ServerLimits) -> None:
        self.limits = limits
        self.pool = SearchPool(limits.slots, limits.queue)
        self.helpers = HelperThreads()
        self._keeper = Keeper(limits.kept_tables)
        self.first_answers = FirstAnswers()
        self._news = CompileProgress()
        self._took: dict[tuple[str, str, Limit], float] = {}  # seconds of the last one of a kind

    def answer(self, client: Client, question: Question, gone: Gone) -> Analysis:
        """The finished analysis; `PoolFullError`, `ClientGoneError` or `EngineError` if none."""
        task = self._submit(client, question)
        self.wait(task, gone)
        return task.result()

    def wait(self, task: AnyTask, gone: Gone) -> None:
        """Wait for the end of ``task``; stop it if the client leaves or the queue is too slow."""
        while not task.wait(tick(task, self.pool)):
            self.check(task, gone)

    def events(self, client: Client, question: Question, gone: Gone) -> Iterator[Event]:
        """The search while it runs: ``queued``, ``compiling``, ``progress``, and ``done``.

        ``first`` is the answer of a stand-in, where the question allows one. An endless search may
        end with ``preempted`` instead. The search is in the pool when this returns, so that a full
        pool is known before the stream begins; closing the iterator stops the search.
        """
        submit = self._submit_endless if question.endless else self._submit
        return self._watch(submit(client, question), question, gone)

    def _submit(self, client: Client, question: Question) -> SearchTask:
        kind = (question.env.name, question.player.text, question.player.limit)

        def work(task: SearchTask) -> Analysis:
            begun = time.monotonic()
            player = question.player.on_all_cores()

            def search() -> Analysis:
                with self.helpers.for_search(client):
                    return player.analyse(question.env, None, task.report, task.stop)

            with _refusing():
                analysis = self.first_answers.answer(question, task, search)
            if self.first_answers.is_stand_ins(task, analysis):
                return analysis
            if len(self._took) >= _REMEMBERED:
                self._took.clear()
            self._took[kind] = time.monotonic() - begun
            if question.claims:
                left = max(_LEAST, self.limits.time - self._took[kind])  # both searches together
                analysis = with_claims(question.player, question.env, analysis, task.stop, left)
            return explain(question.env, analysis)

        return self.pool.submit(client, work, quick=self._took.get(kind, _QUICK) < _QUICK)

    def _submit_endless(self, client: Client, question: Question) -> SearchTask:
        """A search that ends the one without an end that this client has, and knows what it found.

        It is ended by the pool if others need its place.
        """
        env, player = question.env, question.player

        def submit(kept: Kept) -> YieldingTask[Analysis, Analysis]:
            def work(task: SearchTask) -> Analysis:
                def search() -> Analysis:
                    with self.helpers.for_search(client, is_endless=True):
                        return kept.search(player, env, task.report, task.stop)

                with _refusing():
                    return self.first_answers.answer(question, task, search)

            return self.pool.submit_yielding(client, work)

        return self._keeper.start(client, env.name, player, submit)

    def _watch(self, task: SearchTask, question: Question, gone: Gone) -> Iterator[Event]:
        sent: Analysis | None = None
        compiled, _ = self._news.latest()
        waited = ""

        def news() -> Event | None:
            nonlocal sent, compiled, waited
            if not task.started.is_set():
                if question.endless:
                    self.pool.take_turns()
                return None
            latest = task.latest
            now_compiled, kernel = self._news.latest()
            if latest is not None and latest is not sent:
                sent = latest
                answer = analysis_answer(question.env, latest, top=question.top)
                if self.first_answers.is_stand_ins(task, latest):
                    return Event("first", {**answer, "stand_in": True})
                return Event("progress", answer)
            if (left := self.first_answers.left(task)) and left != waited:
                waited = left
                return Event("compiling", {"kernel": None, "left": left})
            if latest is None and now_compiled != compiled:
                compiled = now_compiled
                return Event("compiling", {"kernel": kernel, "left": self._news.left()})
            return None

        def end() -> Event:
            analysis, play, top = task.result(), question.play, question.top
            name = "preempted" if isinstance(task, YieldingTask) and task.preempted else "done"
            answer = analysis_answer(question.env, analysis, play=play, top=top)
            if question.stand_in:
                answer["stand_in"] = self.first_answers.is_stand_ins(task, analysis)
            return Event(name, answer)

        return TaskStream(task, self.pool, check=lambda: self.check(task, gone), news=news, end=end)

    def check(self, task: AnyTask, gone: Gone) -> None:
        """Stop a task whose client has left, or that has waited too long for its turn.

        Raises `ClientGoneError` or `PoolFullError`.
        """
        if gone():
            task.stop.set()
            raise ClientGoneError
        patience = self.limits.patience
        if isinstance(task, YieldingTask):  # it waits for as long as it would search
            patience = self.limits.endless_time
        if not task.started.is_set() and task.elapsed > patience:
            task.stop.set()
            raise PoolFullError(self.pool.retry_after())


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn an engine's refusal of a game into a `BadRequestError`."""
    try:
        yield
    except EngineError:  # a bot or program of this server has failed
        raise
    except ValueError as refused:  # the engine does not play this game
        raise BadRequestError(str(refused)) from refused
