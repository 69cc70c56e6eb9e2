"""What traces cost a search that is not traced, and one that is.

A recorder is a subclass, so a search without one runs no code of it. The one trace it leaves in
`PythonNegamax` is the method ``_moves``, in which the moves of a position are made; *before* is the
same class compiled with the body of that method where it is called, as it was before there were
traces. `PythonTree` is unchanged, so its two figures show how far two equal measurements differ.
*Before*, *now* and *traced* alternate within one run, in processor time; the fastest round counts.
"""

from __future__ import annotations

import inspect
import time
import types
from collections.abc import Callable
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import negamax
from rl_toolkit.algorithms.minimax.negamax import UNLIMITED, Options, PythonNegamax
from rl_toolkit.algorithms.traces.mcts import RecordedTree
from rl_toolkit.algorithms.traces.negamax_recorder import RecordedNegamax
from rl_toolkit.envs import TicTacToe

ROUNDS = 20
CALL = "moves = self._moves(ply, table_move)"
INLINE = """moves = env.forced_moves() if self._uses_threats else env.get_legal_moves()
        if options.ordering:
            moves = self._ordered(moves, ply, table_move)"""


def negamax_before() -> Any:
    """`PythonNegamax` without the method ``_moves``."""
    source = inspect.getsource(negamax)
    assert source.count(CALL) == 1
    module = types.ModuleType("rl_toolkit.algorithms.minimax.negamax")
    exec(compile(source.replace(CALL, INLINE), negamax.__file__, "exec"), module.__dict__)
    return module.PythonNegamax


def alpha_beta(make: Callable[..., Any]) -> float:
    """Nodes a second of the textbook's alpha-beta."""
    env = TicTacToe()
    env.step(4)
    search = make(env, Options(memoization=False), 64)
    begin = time.process_time()
    search.search(env, UNLIMITED)
    return float(search.nodes) / (time.process_time() - begin)


def simulations(tree_class: Any) -> float:
    """Simulations a second in Python."""
    tree = tree_class(TicTacToe(), MCTSSolver(tactics=False)._settings(), 1)
    begin = time.process_time()
    tree.run(300)
    return float(tree.simulations) / (time.process_time() - begin)


def recorded_negamax(*arguments: Any) -> RecordedNegamax:
    return RecordedNegamax(*arguments, most_events=1_000_000)


class RecordedInFull(RecordedTree):
    """A recorder with room for everything."""

    most_events = 1_000_000


def row(name: str, rate: Callable[[Any], float], before: Any, now: Any, traced: Any) -> Row:
    rates: list[list[float]] = [[], [], []]
    for number in range(ROUNDS):
        order = (0, 1, 2) if number % 2 else (2, 1, 0)
        for which in order:
            rates[which].append(rate((before, now, traced)[which]))
    before_rate, now_rate, traced_rate = map(max, rates)
    return {
        "search": name,
        "before, a second": before_rate,
        "now, a second": now_rate,
        "now / before": now_rate / before_rate,
        "traced, a second": traced_rate,
    }


def run() -> list[Row]:
    from rl_toolkit.algorithms.mcts.tree import PythonTree

    return [
        row("alpha-beta, nodes", alpha_beta, negamax_before(), PythonNegamax, recorded_negamax),
        row("mcts, simulations", simulations, PythonTree, PythonTree, RecordedInFull),
    ]
