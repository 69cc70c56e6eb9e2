"""Traces: what a search did, event by event, as data.

>>> from rl_toolkit.algorithms.minimax import MinimaxSolver
>>> from rl_toolkit.records import read_position
>>> env = read_position("tictactoe", "xx1/oo1/3 x")
>>> trace = trace_search(env, MinimaxSolver(use_memoization=False))
>>> trace.answer["value"], trace.answer["nodes"]
(1.0, 36)

A recorder is a subclass of the search that it records, so a search without a trace runs none of
this code.
"""

from rl_toolkit.algorithms.traces.pulls import trace_bandit
from rl_toolkit.algorithms.traces.search import trace_search
from rl_toolkit.algorithms.traces.sweeps import trace_value_iteration
from rl_toolkit.algorithms.traces.trace import Trace, TraceBounds, TraceError

__all__ = [
    "Trace",
    "TraceBounds",
    "TraceError",
    "trace_bandit",
    "trace_search",
    "trace_value_iteration",
]
