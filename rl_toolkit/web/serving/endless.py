"""Searches without an end: one for each client, in rounds, by an engine that keeps its tables.

A round is four times as long as the one before::

    2 s   8 s        32 s                 128 s …

An engine plans for the time it has: one that expected ten minutes would begin with a proof that
takes ten minutes. In rounds there is a good answer after two seconds and a better one after ten,
and the engine's tables, or its tree, make up for having begun anew.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from rl_toolkit.analysis import Analysis, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import position_key
from rl_toolkit.explain import explain
from rl_toolkit.players import Player, Spec
from rl_toolkit.players.advisers import as_keeper
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.job_pool import YieldingTask

#: Seconds of the first round, and how much longer each next one is. A search that is begun again
#: starts with a round as long as all that was spent before, up to the third number.
_FIRST, _GROWTH, _LONGEST_FIRST = 2.0, 4.0, 128.0
#: A round that ended before this part of its time, and knows no more than the one before, has
#: nothing more to find. One such end alone says nothing: an engine also ends early if it expects
#: that its next step would take longer than the time it has left.
_ENDED_EARLY = 0.5
#: Positions of which a client's answers are kept.
_POSITIONS = 200

Report = Callable[[Analysis], None]
Task = YieldingTask[Analysis, Analysis]


@dataclass(slots=True)
class Kept:
    """What is kept for one client: the engine with its tables, and what it found so far.

    ``lock`` is held by the search that uses the engine.
    """

    game: str
    spec: Spec
    player: Player
    lock: threading.Lock = field(default_factory=threading.Lock)
    found: OrderedDict[Hashable, Analysis] = field(default_factory=OrderedDict)
    task: Task | None = None

    def search(
        self, player: Player, env: BaseGameEnv, report: Report, stop: StopSignal
    ) -> Analysis:
        """Search within ``player``'s limit, from what is known; each answer is at least as good."""
        with self.lock:
            return self._rounds(replace(self.player, limit=player.limit), env, report, stop)

    def _rounds(
        self, player: Player, env: BaseGameEnv, report: Report, stop: StopSignal
    ) -> Analysis:
        key = position_key(env)
        known = self.found.get(key)
        if known is not None:
            report(known)
            if _settled(known):
                return known
        left = player.limit.time or _FIRST
        seconds = _FIRST if known is None else min(max(_FIRST, known.elapsed), _LONGEST_FIRST)
        while True:
            seconds = min(seconds, left)
            before, begun = known, time.monotonic()

            def better(found: Analysis, before: Analysis | None = before) -> None:
                report(_continued(before, found))

            found = player.analyse(env, replace(player.limit, time=seconds), better, stop)
            spent = time.monotonic() - begun
            known = _continued(before, explain(env, replace(found, tree_source=None)))
            self._remember(key, known)
            left -= seconds
            early = spent < _ENDED_EARLY * seconds
            exhausted = early and before is not None and _reach(found) <= _reach(before)
            if stop.is_set() or exhausted or left <= 0 or _settled(known):
                return known
            report(known)
            seconds *= _GROWTH

    def _remember(self, key: Hashable, known: Analysis) -> None:
        self.found[key] = known
        self.found.move_to_end(key)
        while len(self.found) > _POSITIONS:
            self.found.popitem(last=False)


class Keeper:
    """The kept engines of the clients that searched last; at most ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Client, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self, client: Client, game: str, player: Player, submit: Callable[[Kept], Task]
    ) -> Task:
        """The task that ``submit`` makes of what is kept for ``client``.

        A search that the client has already ends first. An engine that the client has not asked
        about this game before knows nothing.
        """
        with self._lock:
            kept = self._kept.pop(client, None)
            if kept is not None and kept.task is not None:
                kept.task.preempt()
            if kept is None or (kept.game, kept.spec) != (game, player.spec):
                kept = Kept(game, player.spec, as_keeper(player).on_all_cores())
            self._kept[client] = kept
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            kept.task = submit(kept)
            return kept.task


def _settled(analysis: Analysis) -> bool:
    """Whether no search can add to it: every move is proven."""
    return all(candidate.proven for candidate in analysis.candidates)


def _reach(analysis: Analysis) -> tuple[bool, int, int]:
    """How far a search has come; the larger, the more it knows."""
    proven = sum(candidate.proven for candidate in analysis.candidates)
    visits = sum(candidate.visits or 0 for candidate in analysis.candidates)
    return analysis.proven, proven, visits or analysis.depth or 0


def _continued(before: Analysis | None, found: Analysis) -> Analysis:
    """What is known after both searches of a position, with the work of both."""
    if before is None:
        return found
    best = found if _reach(found) >= _reach(before) else before
    work = {
        part: done + (getattr(before, part) or 0)
        for part in ("elapsed", "nodes", "simulations")
        if (done := getattr(found, part)) is not None
    }
    return replace(best, **work)
