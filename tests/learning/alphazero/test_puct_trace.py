"""A trace of AlphaZero adds up to the tree of the search without a trace."""

from __future__ import annotations

from functools import partial

import pytest
from brute_force import random_positions

from rl_toolkit.algorithms.traces import Trace, TraceBounds, TraceError, trace_search
from rl_toolkit.algorithms.traces.mcts import Simulation, tallies
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, TicTacToe
from rl_toolkit.explain.traces import tell
from rl_toolkit.explain.traces.trees import tell_steps
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.learning.alphazero.inference import evaluate
from rl_toolkit.learning.alphazero.puct_tree import PuctNode, PythonPuctTree

POSITIONS = [TicTacToe(), *random_positions("tictactoe", 9, 3, seed=1)]


def make(batch: int, seed: int) -> AlphaZeroEngine:
    return AlphaZeroEngine(
        num_simulations=40, batch=batch, seed=seed, compiled=False, backend="numpy"
    )


def grown(env: BaseGameEnv, engine: AlphaZeroEngine, simulations: int, seed: int) -> PuctNode:
    """The root of the tree without a trace."""
    ask = partial(evaluate, engine._network(env)[1])
    tree = PythonPuctTree(env, engine.settings, ask, seed)
    tree.run(simulations, simulations)
    return tree.root


@pytest.mark.parametrize("batch", [1, 4])
def test_the_simulations_add_up_to_the_tree_of_the_untraced_search(batch: int) -> None:
    for seed, env in enumerate(POSITIONS):
        trace = trace_search(env, make(batch, seed))
        analysis = make(batch, seed).analyse(env)
        assert trace.answer["move"] == analysis.best_move
        assert trace.answer["simulations"] == analysis.simulations
        assert trace.answer["nodes"] == analysis.nodes
        nodes = [grown(env, make(batch, seed), 40, seed)]
        columns = trace.data["nodes"]
        for parent, move in list(zip(columns["parent"], columns["move"], strict=True))[1:]:
            nodes.append(nodes[parent].children[move])
        for node, tally in zip(nodes, tallies(trace.data), strict=True):
            assert tally.visits == node.visit_count
            assert tally.total * node.mover == pytest.approx(node.total_value, abs=1e-9)
        assert Trace.from_json(trace.to_json()).to_json() == trace.to_json()


def test_the_child_with_the_highest_sum_is_taken_and_priors_are_told() -> None:
    trace = trace_search(TicTacToe(), make(1, 3))
    choices = 0
    for fields in trace.data["simulations"]:
        one = Simulation(*fields)
        for above, below, terms in zip(one.path, one.path[1:], one.terms or (), strict=False):
            sign = 1 if trace.data["nodes"]["side"][above] == "X" else -1
            sums = {child: sign * mean + bonus for child, _, mean, bonus, _ in terms}
            assert sums[below] >= max(sums.values()) - 3e-4  # terms are rounded
            if len(terms) > 1:  # an only move is followed before the network is asked
                assert 0.9 < sum(prior for *_, prior in terms) < 1.1
            choices += 1
    assert choices > 20
    assert any("the network expects" in line.text for line in tell(trace))
    first = tell_steps(trace, 0, 1)[0]
    assert first[0] == "Expand: at the start: every move (9) gets a prior."


def test_what_cannot_be_traced_gets_a_sentence() -> None:
    with pytest.raises(TraceError, match="plays without a search"):
        trace_search(TicTacToe(), AlphaZeroEngine(policy_only=True))
    with pytest.raises(TraceError, match="too many for a trace"):
        trace_search(TicTacToe(), make(1, 1), Limit(simulations=99), bounds=TraceBounds(nodes=50))
