"""`tell`: the sentences of a trace, whatever was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rl_toolkit.algorithms.traces import Trace
from rl_toolkit.explain.traces import minimax, others, trees
from rl_toolkit.explain.traces.line import Line
from rl_toolkit.explain.traces.minimax import tell_minimax
from rl_toolkit.explain.traces.others import tell_pulls, tell_sweeps
from rl_toolkit.explain.traces.trees import tell_tree

_TELLERS: dict[str, Callable[[Trace], Iterator[Line]]] = {
    "minimax": tell_minimax,
    "mcts": tell_tree,
    "alphazero": tell_tree,
    "value-iteration": tell_sweeps,
    "bandit": tell_pulls,
}

#: The sentences by kind of trace; a page that draws what a search does fills in the same ones.
SENTENCES: Mapping[str, Mapping[str, str]] = {
    "minimax": minimax.SENTENCES,
    "mcts": trees.SENTENCES,
    "value-iteration": others.SENTENCES,
    "bandit": others.SENTENCES,
}


def tell(trace: Trace) -> Iterator[Line]:
    """The steps of a trace in sentences, and at the end what it leaves out.

    >>> from rl_toolkit.algorithms.minimax import MinimaxSolver
    >>> from rl_toolkit.algorithms.traces import trace_search
    >>> from rl_toolkit.records import read_position
    >>> env = read_position("tictactoe", "xoo/oxx/xo1 x")
    >>> for line in tell(trace_search(env, MinimaxSolver())):
    ...     print("  " * line.depth + line.text)
    X to move. The window is α = −∞, β = +∞.
      X tries c3. The window is α = −∞, β = +∞.
      The game is over: X wins, 1 for X.
    c3 is X's best so far: 1. α rises to 1.
    At the start: 1 for X.
    The value is 1 for X, with c3: 2 positions visited.
    """
    yield from _TELLERS[trace.kind](trace)
    for note in trace.notes:
        yield Line(f"{note}.")
