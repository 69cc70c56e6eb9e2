"""Simulations of somebody else's tree search that cannot be right."""

import pytest

from rl_toolkit.algorithms.traces import OwnSimulation, TraceError, trace_simulations
from rl_toolkit.explain.traces import tell_faults
from rl_toolkit.records import read_position

#: X wins with c3, O with c2; X to move.
POSITION = "xo1/oo1/xx1 x"
WON = OwnSimulation([8], [], 1.0, [1, 1], [1.0, 1.0], [])


def traced(*simulations, best=8):
    env = read_position("tictactoe", POSITION)
    return trace_simulations(env, simulations, "mine", c=1.41, best=best)


def test_a_right_simulation():
    trace = traced(WON)
    assert trace.data["faults"] == []
    assert trace.data["simulations"][0][3] == 1.0


def test_a_move_that_is_not_legal_ends_the_trace():
    trace = traced(WON, OwnSimulation([2, 0], [], 1.0, [1] * 3, [1.0] * 3, []), WON)
    assert trace.answer["simulations"] == 1
    assert "Simulation 2 makes a move that is not legal" in tell_faults(trace)[0]
    with pytest.raises(TraceError, match="the first simulation is not legal"):
        traced(OwnSimulation([0], [], 1.0, [1, 1], [1.0, 1.0], []))


def test_a_node_that_is_counted_twice():
    (text,) = tell_faults(traced(WON._replace(visits=[1, 2])))
    assert text == "Simulation 1 goes through c3; its visits change by 2, not by 1."


def test_another_amount_than_the_result():
    (text,) = tell_faults(traced(WON._replace(totals=[0.0, 0.25])))
    assert text == (
        "Wrong amount: simulation 1 ends with a win for X, so c3 must get +1; your code adds +0.25."
    )


def test_the_result_is_the_games_and_not_what_the_search_says():
    """It calls O's win at c2 a win of X."""
    lost = OwnSimulation([2, 5], [], 1.0, [1] * 3, [0.0, 1.0, -1.0], [])
    trace = traced(lost)
    assert trace.data["simulations"][0][3] == -1.0
    kinds = [(fault["kind"], fault["line"]) for fault in trace.data["faults"]]
    assert kinds == [("sign", [2]), ("sign", [2, 5])]
