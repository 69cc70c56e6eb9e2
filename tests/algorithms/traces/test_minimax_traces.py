"""A trace of minimax is what the search did: its answer, its nodes, its bounds, its limits."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace

import pytest
from brute_force import random_positions
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_game import TreeGame, random_bush

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import UNLIMITED, Options, PythonNegamax
from rl_toolkit.algorithms.traces import (
    Trace,
    TraceBounds,
    TraceError,
    negamax_recorder,
    trace_search,
)
from rl_toolkit.algorithms.traces.events import replay, steps_of
from rl_toolkit.algorithms.traces.minimax import score_text
from rl_toolkit.algorithms.traces.plain_size import PlainSize
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, Gomoku, TicTacToe, make_game
from rl_toolkit.records import read_position

POSITIONS = [
    *random_positions("tictactoe", 6, 30, seed=1),
    *random_positions("tictactoe-4x3x3", 6, 15, seed=2),
    *random_positions("connect-four-4x4x3", 6, 15, seed=3),
    *random_positions("reversi-4", 6, 15, seed=4),
]


def solver_for(options: Options, depth: int | None = None) -> MinimaxSolver:
    return MinimaxSolver(depth, **{f"use_{name}": on for name, on in asdict(options).items()})


def untraced(env: BaseGameEnv, options: Options, depth: int | None) -> tuple[float, int, int]:
    """The score for player +1, the nodes and the table hits of the search without a trace."""
    search = PythonNegamax(env, options, 64)
    score = search.search(env, depth or UNLIMITED).score
    return score * env.current_player + 0.0, search.nodes, search.hits


@settings(examples(80), derandomize=True)
@given(
    env=st.sampled_from(POSITIONS),
    options=st.builds(Options, *[st.booleans()] * 8),
    depth=st.sampled_from([None, None, 1, 2, 3, 5]),
    events=st.sampled_from([100_000, 100_000, 300]),
)
def test_a_trace_replays_to_the_answer_and_the_nodes_of_the_untraced_search(
    env: BaseGameEnv, options: Options, depth: int | None, events: int
) -> None:
    if not (options.pruning or options.memoization) and int((env.board == 0).sum()) > 6:
        options = replace(options, pruning=True)
    before = env.copy()
    trace = trace_search(env, solver_for(options, depth), bounds=TraceBounds(events=events))
    score, nodes, hits = untraced(env, options, depth)
    assert (trace.answer["score"], trace.answer["nodes"]) == (score, nodes)
    assert trace.answer["hits"] == hits
    assert replay(trace.data) == (score, nodes)
    assert len(trace.data["events"]["kind"]) <= events
    again = Trace.from_json(trace.to_json())
    assert again.data == json.loads(trace.to_json())
    assert env.get_state_hash() == before.get_state_hash()


@pytest.mark.parametrize("seed", range(8))
def test_random_trees_replay_too(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        env = TreeGame(random_bush(rng, 5), rng.choice((1, -1)))
        if env.is_terminal():
            continue
        options = Options(rng.random() < 0.8, False, rng.random() < 0.2, pvs=rng.random() < 0.5)
        trace = trace_search(env, solver_for(options))
        score, nodes, _ = untraced(env, options, None)
        assert replay(trace.data) == (score, nodes)


def test_the_nodes_of_a_trace_are_the_positions_that_were_visited() -> None:
    """Every node's moves can be played, end where it says, and take the cells that it names."""
    for env in POSITIONS[::6]:
        trace = trace_search(env, solver_for(Options(ordering=True)))
        nodes = trace.data["nodes"]
        cells = nodes.get("cells", nodes["move"])
        parents = parents_of(trace)
        for node in range(1, len(parents)):
            after = env.copy()
            for move in path_to(node, parents, nodes["move"]):
                board, mover = after.board.copy(), after.current_player
                after.step(move)
            if not after.is_terminal():
                assert nodes["side"][node] == ("X" if after.current_player == 1 else "O")
            changed = [int(cell) for cell in (after.board != board).nonzero()[0]]
            named = cells[node]
            assert changed == ([] if named == -1 else named if isinstance(named, list) else [named])
            assert all(after.board[cell] == mover for cell in changed)


def parents_of(trace: Trace) -> list[int]:
    parents: list[int] = []
    path: list[int] = []
    for step in steps_of(trace.data):
        if step.node == len(parents):
            path = path[: step.ply]
            parents.append(path[-1] if path else -1)
            path.append(step.node)
    return parents


def path_to(node: int, parents: list[int], moves: list[int]) -> list[int]:
    path = []
    while node > 0:
        path.append(moves[node])
        node = parents[node]
    return path[::-1]


@pytest.mark.parametrize(
    ("text", "nodes", "plain"),
    [
        ("3/1x1/3 o", 2_316, 55_505),
        pytest.param("3/3/3 x", 18_297, 549_946, marks=pytest.mark.full),
    ],
)
def test_the_textbook_counts_stay(text: str, nodes: int, plain: int) -> None:
    room = TraceBounds(events=100_000, bytes=10_000_000)
    env = read_position("tictactoe", text)
    trace = trace_search(env, MinimaxSolver(use_memoization=False), bounds=room)
    assert (trace.answer["nodes"], trace.answer["plain"]) == (nodes, plain)
    assert replay(trace.data) == (0.0, nodes)
    assert not trace.notes


def test_a_long_trace_is_folded_with_a_sentence() -> None:
    env = read_position("tictactoe", "x2/1o1/3 x")
    trace = trace_search(env, MinimaxSolver(use_memoization=False), bounds=TraceBounds(events=500))
    visited, told = trace.answer["nodes"], len(trace.data["nodes"]["move"])
    assert len(trace.data["events"]["kind"]) <= 500
    assert trace.notes == (
        f"The search visited {visited:,} positions; only the first 3 plies are told, "
        f"{visited - told:,} positions below are folded",
    )


def counted(trace: Trace) -> tuple[int, int, int]:
    """The cuts, what they save and the table hits: those told, and those in folded parts."""
    data = trace.data
    below = list(zip(*data["below"].values(), strict=True)) or [[], [], []]
    saved = [size for cut in data["cuts"].values() for size in cut["saved"]]
    return (
        len(data["cuts"]) + sum(below[0]),
        sum(saved) + sum(below[1]),
        data["events"]["kind"].count("H") + sum(below[2]),
    )


@pytest.mark.parametrize(
    "options", [{"use_memoization": False}, {}, {"use_pvs": True, "use_ordering": True}]
)
@pytest.mark.parametrize("depth", [None, 4])
def test_folding_changes_no_count(options: dict[str, bool], depth: int | None) -> None:
    env = read_position("tictactoe", "x2/1o1/3 x" if depth is None else "3/1x1/o2 x")
    solver = MinimaxSolver(depth, **options)  # type: ignore[arg-type]
    whole = trace_search(env, solver)
    assert not whole.notes
    for events in (60, 500):
        part = trace_search(env, solver, bounds=TraceBounds(events=events))
        assert part.notes
        assert part.answer == whole.answer
        assert counted(part) == counted(whole)
    cuts, saved, hits = counted(whole)
    assert (cuts, hits) == (whole.answer["cuts"], whole.answer["hits"])
    if not solver.options.memoization:
        assert saved == whole.answer["plain"] - whole.answer["nodes"]


@pytest.mark.full
def test_the_counts_of_a_folded_search_of_the_empty_board() -> None:
    trace = trace_search(TicTacToe(), MinimaxSolver(use_memoization=False))
    assert trace.notes
    assert counted(trace) == (trace.answer["cuts"], 549_946 - 18_297, 0)
    assert len(trace.data["cuts"]) < trace.answer["cuts"]


def test_what_is_too_much_to_count_below_a_fold_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(negamax_recorder, "PlainSize", lambda: PlainSize(5))
    env = make_game("connect-four")
    trace = trace_search(env, MinimaxSolver(5), bounds=TraceBounds(events=60))
    assert trace.answer["plain"] is None
    assert any(saved is None for _, saved, _ in trace.data["below"].values())
    told = len(trace.data["cuts"]) + sum(cuts for cuts, _, _ in trace.data["below"].values())
    assert told == trace.answer["cuts"]


@pytest.mark.parametrize("distance", [False, True])
def test_a_bound_at_the_best_result_of_a_side_is_that_result(distance: bool) -> None:
    """Where a side has won or lost, nothing that was left out can be better or worse."""
    sharpened = 0
    for env in [*POSITIONS, read_position("tictactoe", "x2/1o1/3 x")]:
        trace = trace_search(env, solver_for(Options(distance=distance)))
        data, plies = trace.data, {step.node: step.ply for step in steps_of(trace.data)}
        cut = {step.node for step in steps_of(data) if step.kind == "C"}
        scores = [float(value) for value in data["values"]]
        for node, ply in plies.items():
            low, high = scores[data["nodes"]["lo"][node]], scores[data["nodes"]["hi"][node]]
            most = 1000 - ply - 1 if distance else 1000
            assert low == high or (low < most and high > -most)
            sharpened += low == high and node in cut
    assert sharpened > 20


def test_a_search_that_is_too_large_is_refused_with_a_sentence() -> None:
    plain = MinimaxSolver(use_pruning=False, use_memoization=False)
    with pytest.raises(TraceError, match="visits more than 2,000 positions, so there is no trace"):
        trace_search(TicTacToe(), plain, bounds=TraceBounds(nodes=2_000))
    with pytest.raises(TraceError, match="at most 80 plies deep; limit the depth"):
        trace_search(Gomoku(), MinimaxSolver())
    with pytest.raises(TraceError, match="even if only one ply"):
        trace_search(TicTacToe(), MinimaxSolver(3), bounds=TraceBounds(events=10))
    with pytest.raises(TraceError, match="more than 10 events or 500 bytes"):
        trace_search(TicTacToe(), MinimaxSolver(3), bounds=TraceBounds(events=10, bytes=500))


def test_the_bytes_are_bounded_by_folding_too() -> None:
    env = read_position("tictactoe", "x2/1o1/3 x")
    whole = trace_search(env, MinimaxSolver())
    most = len(whole.to_json().encode()) // 2
    less = trace_search(env, MinimaxSolver(), bounds=TraceBounds(bytes=most))
    assert len(less.to_json().encode()) <= most
    assert less.answer["nodes"] == whole.answer["nodes"]
    assert less.notes
    assert not whole.notes


def test_a_clock_and_a_node_limit_stop_the_search() -> None:
    class Now:
        def is_set(self) -> bool:
            return True

    with pytest.raises(TraceError, match="was stopped after"):
        trace_search(make_game("connect-four"), MinimaxSolver(), stop=Now())
    late, far = Limit(time=0.01), TraceBounds(nodes=10**9)
    with pytest.raises(TraceError, match=r"takes more than 0\.01 seconds \([\d,]+ positions"):
        trace_search(make_game("connect-four"), MinimaxSolver(), late, bounds=far)
    with pytest.raises(TraceError, match="more than 50 positions"):
        trace_search(TicTacToe(), MinimaxSolver(), Limit(nodes=50))


@pytest.mark.parametrize(
    ("pruning", "memoization", "advice"),
    [
        (True, True, "begin later in the game or limit the depth$"),
        (True, False, "limit the depth, or use memoization$"),
        (False, True, "limit the depth, or use pruning$"),
        (False, False, "limit the depth, or use pruning and memoization$"),
    ],
)
def test_only_what_is_off_is_advised(pruning: bool, memoization: bool, advice: str) -> None:
    solver = MinimaxSolver(use_pruning=pruning, use_memoization=memoization)
    with pytest.raises(TraceError, match=advice):
        trace_search(TicTacToe(), solver, Limit(nodes=50))


def test_a_depth_limit_comes_from_the_limit_or_the_solver() -> None:
    env = make_game("connect-four")
    by_limit = trace_search(env, MinimaxSolver(), Limit(depth=2))
    assert by_limit.data["engine"]["options"]["depth"] == 2
    assert by_limit.to_json() == trace_search(env, MinimaxSolver(2)).to_json()


def test_other_engines_and_finished_games_are_refused() -> None:
    with pytest.raises(TypeError, match="has no search that can be traced"):
        trace_search(TicTacToe(), object())
    with pytest.raises(TraceError, match="the game is over"):
        trace_search(read_position("tictactoe", "xxx/oo1/3 o"), MinimaxSolver())


def damaged(change: str) -> dict[str, object]:
    env = read_position("tictactoe", "xo1/1x1/1o1 x")
    data = json.loads(trace_search(env, MinimaxSolver()).to_json())
    events, args = data["events"]["kind"], data["events"]["args"]
    match change:
        case "answer":
            data["answer"]["nodes"] += 1
        case "value":
            args[events.index("V") + 2] -= 1
        case "kind":
            data["events"]["kind"] = events.replace("B", "b", 1)
        case "cut":
            data["cuts"].pop(str(events.index("C")))
        case "end":
            data["events"]["kind"] = events[:-1]
        case "place":
            args[0] = 99
        case "name":
            data["names"].clear()
        case "notes":
            data["notes"] = "none"
        case "nodes":
            data["nodes"]["lo"].pop()
        case "missing":
            del data["values"]
        case "version":
            data["version"] = 2
        case "letter":
            data["events"]["kind"] = "N?" + events[2:]
    return data


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("answer", "the events lead to"),
        ("value", "another value|does not fit"),
        ("kind", "does not fit"),
        ("cut", "without a reason"),
        ("end", "ends before"),
        ("place", "no value at place 99"),
        ("name", "a move has no name"),
        ("notes", "notes of a trace are sentences"),
        ("nodes", "differ in length"),
        ("missing", "damaged"),
        ("version", "version 2"),
        ("letter", "not an event"),
    ],
)
def test_a_damaged_trace_is_refused_with_a_sentence(change: str, sentence: str) -> None:
    with pytest.raises(TraceError, match=sentence):
        Trace.from_json(json.dumps(damaged(change)))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": true}', '{"version":1,"kind":"x"}'])
def test_what_is_not_a_trace_is_refused(text: str) -> None:
    with pytest.raises(TraceError):
        Trace.from_json(text)


def test_scores_are_written_so_that_they_can_be_told_apart() -> None:
    trace = trace_search(make_game("connect-four"), MinimaxSolver(2))
    texts = trace.data["texts"]
    assert len(set(texts)) == len(texts)
    assert score_text(1.0, distance=False) == "1.00"  # an estimate, not a won game
    assert score_text(-1000.0, distance=False) == "−1"


def test_what_is_visited_cut_and_spared_by_the_table_adds_up_to_plain_minimax() -> None:
    env = read_position("tictactoe", "x1o/1x1/2o x")
    for options in ({}, {"use_symmetry": True}, {"use_ordering": True}, {"use_pruning": False}):
        data = trace_search(env, MinimaxSolver(**options)).data  # type: ignore[arg-type]
        assert data["hits"]
        cut = sum(sum(cut["saved"]) for cut in data["cuts"].values())
        spared = sum(hit["saved"] for hit in data["hits"].values())
        assert data["answer"]["nodes"] + cut + spared == data["answer"]["plain"]
