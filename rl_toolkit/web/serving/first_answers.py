"""First answers: a page waits for no compiler, another engine answers until its own is compiled.

As on a terminal (`cli.ui.first_answer`): a search that would have to compile ends at once, a
process prepares its engine, and a stand-in answers. A move is the stand-in's. A search without an
end waits for its engine and replaces the first answer.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from contextlib import suppress

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import explain
from rl_toolkit.kernels.compiling.compiled_only import NotCompiledError, compiled_only_here
from rl_toolkit.kernels.compiling.warm_up import WarmUp
from rl_toolkit.players import Player, Spec
from rl_toolkit.players.preparing import preparation, stand_in, was_prepared
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.exchange.requests import Question

#: Processes that prepare engines at the same time; each has helpers on the other cores.
_MOST = 3
#: Seconds between two looks at a preparation.
_LOOK = 0.1

Task = BackgroundTask[Analysis, Analysis]


class FirstAnswers:
    """The preparations of a server, and who has answered a task in its engine's place.

    ``prepare`` makes the process for an engine and a position.
    """

    def __init__(self, prepare: Callable[[Player, BaseGameEnv], WarmUp] = preparation) -> None:
        self._prepare = prepare
        self._lock = threading.Lock()
        self._begun: dict[tuple[Spec, str], WarmUp] = {}
        self._is_closed = False
        self._given: weakref.WeakKeyDictionary[Task, Analysis] = weakref.WeakKeyDictionary()
        self._waiting: weakref.WeakKeyDictionary[Task, WarmUp] = weakref.WeakKeyDictionary()

    def close(self) -> None:
        """Stop all preparations."""
        with self._lock:
            self._is_closed = True
            for process in self._begun.values():
                process.stop()

    def begin(self, player: Player, env: BaseGameEnv) -> None:
        """Begin to prepare ``player``, unless that seems to have been done."""
        if not was_prepared(player, env.name):
            self._running(player, env)

    def answer(self, question: Question, task: Task, search: Callable[[], Analysis]) -> Analysis:
        """What ``search`` finds, or a stand-in if the search would have to compile first.

        If nothing can prepare the engine, or if its preparation has ended and something is missing
        all the same, the search compiles in this process.
        """
        if not question.stand_in:
            return search()
        try:
            with compiled_only_here():
                return search()
        except NotCompiledError:
            process = self._running(question.player, question.env)
        if process is None and _key(question.player, question.env) in self._begun:
            return search()
        if task.latest is None:
            other = stand_in(question.player)
            found = explain(question.env, other.analyse(question.env, None, None, task.stop))
            self._given[task] = found
            if not question.endless:
                return found
            task.report(found)
        if process is not None:
            self._waiting[task] = process
            while process.is_running and not task.stop.wait(_LOOK):
                pass
            del self._waiting[task]
        return search()

    def is_stand_ins(self, task: Task, found: Analysis) -> bool:
        """Whether a stand-in has found this for the task."""
        return self._given.get(task) is found

    def left(self, task: Task) -> str:
        """The time until the engine of a waiting task is prepared, in words; else empty."""
        process = self._waiting.get(task)
        return "" if process is None else process.left

    def _running(self, player: Player, env: BaseGameEnv) -> WarmUp | None:
        """The preparation of ``player``, begun if there is room; ``None`` if it is not running."""
        key = _key(player, env)
        with self._lock:
            running = sum(process.is_running for process in self._begun.values())
            if key not in self._begun and running < _MOST and not self._is_closed:
                self._begun[key] = WarmUp()  # stays if this fails
                with suppress(ValueError, OSError):  # unknown elsewhere; no more processes
                    self._begun[key] = process = self._prepare(player, env)
                    process.start()
            found = self._begun.get(key)
            return found if found is not None and found.is_running else None


def _key(player: Player, env: BaseGameEnv) -> tuple[Spec, str]:
    return player.spec, env.name
