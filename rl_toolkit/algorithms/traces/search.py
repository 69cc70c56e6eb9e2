"""`trace_search`: record the search of an engine."""

from __future__ import annotations

from rl_toolkit.adapting import as_game
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import events  # noqa: F401 - registers its check
from rl_toolkit.algorithms.traces.mcts import trace_mcts
from rl_toolkit.algorithms.traces.minimax import trace_minimax
from rl_toolkit.algorithms.traces.trace import Trace, TraceBounds, TraceError
from rl_toolkit.analysis import Engine, Limit, StopSignal, Traces
from rl_toolkit.envs import BaseGameEnv


def trace_search(
    env: BaseGameEnv,
    engine: object,
    limit: Limit | None = None,
    *,
    bounds: TraceBounds | None = None,
    stop: StopSignal | None = None,
) -> Trace:
    """Search the position with ``engine`` within ``limit``, and record what it does.

    The engine is a `MinimaxSolver`, an `MCTSSolver`, or has a method ``trace`` with the same
    arguments, as `AlphaZeroEngine`. The search runs in Python, whatever the engine would use, and
    has the same answer. `TraceError` with a sentence if it is too large; `TypeError` for an engine
    without a readable search.
    """
    env = as_game(env)
    if env.is_terminal():
        raise TraceError("the game is over here, so there is nothing to search")
    if isinstance(engine, MinimaxSolver):
        return trace_minimax(env, engine, limit, bounds, stop)
    if env.traits.free_results:
        raise TraceError("only minimax searches a tree whose leaves are any numbers")
    if isinstance(engine, MCTSSolver):
        return trace_mcts(env, engine, limit, bounds, stop)
    if isinstance(engine, Traces):
        traced: Trace = engine.trace(env, limit, bounds, stop)
        return traced
    name = engine.name if isinstance(engine, Engine) else type(engine).__name__
    raise TypeError(f"{name} has no search that can be traced; minimax, mcts and alphazero do")
