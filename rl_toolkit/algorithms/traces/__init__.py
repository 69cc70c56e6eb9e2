"""Traces: what a search did, event by event, as data.

>>> from rl_toolkit.algorithms.minimax import MinimaxSolver
>>> from rl_toolkit.algorithms.traces import trace_search
>>> from rl_toolkit.records import read_position
>>> env = read_position("tictactoe", "xx1/oo1/3 x")
>>> trace = trace_search(env, MinimaxSolver(use_memoization=False))
>>> trace.answer["value"], trace.answer["nodes"]
(1.0, 36)

A recorder is a subclass of the search that it records, so a search without a trace runs none of
this code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.traces.blind_games import without_heuristic
    from rl_toolkit.algorithms.traces.deepening import Deepening, trace_deepening
    from rl_toolkit.algorithms.traces.events import ESTIMATE, Step, steps_of
    from rl_toolkit.algorithms.traces.mcts import (
        DIGITS,
        NodeColumns,
        RecordedNode,
        Simulation,
        check_simulations,
        tree_document,
    )
    from rl_toolkit.algorithms.traces.own.calls import OwnCall
    from rl_toolkit.algorithms.traces.own.mcts import OwnChild, OwnSimulation, trace_simulations
    from rl_toolkit.algorithms.traces.own.minimax import is_small, trace_calls
    from rl_toolkit.algorithms.traces.pulls import trace_bandit
    from rl_toolkit.algorithms.traces.search import trace_search
    from rl_toolkit.algorithms.traces.sweeps import trace_value_iteration
    from rl_toolkit.algorithms.traces.trace import Trace, TraceBounds, TraceError, opening

__all__ = [
    "DIGITS",  # Terms are rounded to this many digits
    "ESTIMATE",  # The event of a leaf that was estimated at the depth limit
    "Deepening",  # Iterative deepening
    "NodeColumns",  # The nodes of a tree as columns, in the order of their creation
    "OwnCall",  # One call of somebody else's minimax
    "OwnChild",  # A child that somebody else's selection could take
    "OwnSimulation",  # One simulation of somebody else's tree search
    "RecordedNode",  # A node that tells its tree of its children and of its results
    "Simulation",  # One simulation as it is written; see the module
    "Step",  # One event with all its numbers; alpha and beta are those of its node, after the event
    "Trace",  # A recorded search; ``data`` is its JSON document, which must not be changed
    "TraceBounds",  # How large a trace may become
    "TraceError",  # A search that is too large to trace, or data that is not a trace
    "check_simulations",  # Refuse more simulations than a trace can hold
    "is_small",  # Whether all true values are known, so that sentences can be checked
    "opening",  # The first fields of a trace of a game, with its board for those who draw it
    # The events of a minimax trace in order; `TraceError` where they contradict themselves
    "steps_of",
    "trace_bandit",  # Record the first ``pulls`` of `play_bandit`; `TraceError` if that is too many
    "trace_calls",  # The trace of somebody else's minimax, from its calls, with its faults
    # Record searches to depth 1, 2, … ``depth`` with one table, and the last one on its own
    "trace_deepening",
    "trace_search",  # Search the position with ``engine`` within ``limit``, and record what it does
    "trace_simulations",  # The trace of somebody else's tree search, with its faults
    # Record `value_iteration` on all positions that can be reached from ``env``
    "trace_value_iteration",
    # The document of a tree search, with as many simulations in full as there is room for
    "tree_document",
    # A copy of the position in a game of the same rules whose heuristic is 0 everywhere
    "without_heuristic",
]
__getattr__, __dir__ = front_door(__name__)
