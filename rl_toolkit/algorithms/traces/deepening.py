"""Trace iterative deepening: searches to depth 1, 2, 3 …, each with what the last one learned."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import SearchStopped
from rl_toolkit.algorithms.search_control import SearchClock
from rl_toolkit.algorithms.traces import events
from rl_toolkit.algorithms.traces.minimax import document
from rl_toolkit.algorithms.traces.negamax_recorder import RecordedNegamax
from rl_toolkit.algorithms.traces.trace import Trace, TraceBounds, TraceError
from rl_toolkit.analysis import StopSignal
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class Deepening:
    """Iterative deepening.

    Attributes:
        searches: a trace for each depth, from 1.
        at_once: the positions that a search of the last depth visits with an empty table.
    """

    searches: tuple[Trace, ...]
    at_once: int


def trace_deepening(
    env: BaseGameEnv,
    solver: MinimaxSolver,
    depth: int,
    bounds: TraceBounds | None = None,
    stop: StopSignal | None = None,
) -> Deepening:
    """Record searches to depth 1, 2, … ``depth`` with one table, and the last one on its own.

    The table, killers and history go from each search to the next: with ``use_ordering`` it begins
    with the best moves of the one before. It ends earlier at the depth that reaches the end of
    every line, and before the depth whose events exceed ``bounds``. `TraceError` if not even depth
    1 fits.
    """
    env, bounds = as_game(env), bounds or TraceBounds()
    if env.traits.free_results:
        raise TraceError("a tree that was typed is searched to its leaves at once")
    ends = None if bounds.seconds is None else time.monotonic() + bounds.seconds
    found: list[Trace] = []
    before: RecordedNegamax | None = None
    for horizon in range(1, depth + 1):
        recorder = _recorder(env, solver, bounds)
        if before is not None:
            recorder.table = before.table
            recorder._killers, recorder._history = before._killers, before._history
        trace = _searched(env, solver, recorder, horizon, ends, stop)
        if trace is None:
            break
        found.append(trace)
        before = recorder
        if events.ESTIMATE not in trace.data["events"]["kind"]:
            break
    if not found:
        raise TraceError("even a search one ply deep is too large to be shown")
    alone = _recorder(env, solver, bounds)
    alone.most_events = 0  # only its positions are counted
    _searched(env, solver, alone, len(found), ends, stop)
    return Deepening(tuple(found), alone.nodes)


def _recorder(env: BaseGameEnv, solver: MinimaxSolver, bounds: TraceBounds) -> RecordedNegamax:
    recorder = RecordedNegamax(
        env, solver.options, solver.max_memory_mb, solver.worth, most_events=bounds.events
    )
    recorder.node_limit = bounds.nodes
    return recorder


def _searched(
    env: BaseGameEnv,
    solver: MinimaxSolver,
    recorder: RecordedNegamax,
    depth: int,
    ends: float | None,
    stop: StopSignal | None,
) -> Trace | None:
    """The trace of one search; ``None`` if it is too large or too long."""
    left = None if ends is None else max(1e-3, ends - time.monotonic())
    with SearchClock(left, stop) as clock:
        recorder.flag = clock.flag
        try:
            result = recorder.search(env, depth)
        except SearchStopped:
            return None
    if recorder.overflowed:
        return None
    return Trace(document(env, solver, depth, recorder, result))
