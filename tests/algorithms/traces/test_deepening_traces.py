"""Iterative deepening is recorded as it runs: the same values, and the order that was learned."""

from __future__ import annotations

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import TraceBounds, TraceError, trace_deepening, trace_search
from rl_toolkit.analysis import Limit
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import tell_deepening
from rl_toolkit.records import read_position
from rl_toolkit.web.app import create_app


def test_each_depth_finds_what_a_search_of_that_depth_finds() -> None:
    env = read_position("connect-four", "4453")
    for ordering in (True, False):
        solver = MinimaxSolver(use_ordering=ordering)
        found = trace_deepening(env, solver, 4)
        assert len(found.searches) == 4
        for depth, trace in enumerate(found.searches, 1):
            alone = trace_search(env, solver, Limit(depth=depth))
            assert trace.answer["score"] == alone.answer["score"]
        assert found.at_once == alone.answer["nodes"]
        for before, trace in zip(found.searches, found.searches[1:], strict=False):
            begun = trace.data["nodes"]["move"][1]
            if ordering:  # the best move of the last search comes first
                assert begun == before.answer["line"][0]
            else:
                assert begun == min(env.get_legal_moves())


def test_it_is_told_with_its_price_and_ends_where_every_line_ends() -> None:
    env = read_position("tictactoe", "x1o/1x1/2o x")
    found = trace_deepening(env, MinimaxSolver(use_ordering=True), 9)
    assert len(found.searches) == 5  # five cells are empty
    told = tell_deepening(found)
    assert len(told) == 6
    total = sum(trace.answer["nodes"] for trace in found.searches)
    assert f"All depths together took {total:,} positions; depth 5 at once" in told[-1]
    names = [trace.name(trace.answer["line"][0]) for trace in found.searches]
    for depth, text in enumerate(told[1:-1], 2):
        changed = names[depth - 1] != names[depth - 2]
        assert ("at depth" in text) == changed
        assert names[depth - 1] in text


def test_what_is_too_large_is_left_out_or_refused() -> None:
    env = read_position("connect-four", "4453")
    some = trace_deepening(env, MinimaxSolver(), 6, TraceBounds(events=400))
    assert 1 <= len(some.searches) < 6
    with pytest.raises(TraceError, match="one ply"):
        trace_deepening(env, MinimaxSolver(), 3, TraceBounds(events=3))
    with pytest.raises(TraceError, match="at once"):
        trace_deepening(HandTreeGame("(3 5) (2 9)"), MinimaxSolver(), 3)
    client = create_app().test_client()
    asked = {"game": "tictactoe", "position": "x1o/1x1/2o x", "depth": 3, "ordering": False}
    got = client.post("/api/deepening", json=asked).get_json()
    assert [trace["engine"]["options"]["depth"] for trace in got["searches"]] == [1, 2, 3]
    assert len(got["told"]) == 4
    refused = client.post("/api/deepening", json={**asked, "depth": 99})
    assert refused.status_code == 400
