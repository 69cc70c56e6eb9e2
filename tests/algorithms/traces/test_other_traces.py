"""Traces of MCTS, value iteration and bandits: what they add up to is what the search found."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from brute_force import random_positions
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    Thompson,
    play_bandit,
)
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.mcts.tree import MCTSNode
from rl_toolkit.algorithms.traces import (
    Trace,
    TraceBounds,
    TraceError,
    trace_bandit,
    trace_search,
    trace_value_iteration,
)
from rl_toolkit.algorithms.traces.mcts import Simulation, tallies
from rl_toolkit.algorithms.value_iteration import state_space, value_iteration
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, TicTacToe, make_game
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position

POSITIONS = [
    *random_positions("tictactoe", 9, 12, seed=1),
    *random_positions("reversi-4", 9, 4, seed=2),
    *random_positions("connect-four-4x4x3", 12, 4, seed=3),
]


def grown(env: BaseGameEnv, solver: MCTSSolver) -> MCTSNode:
    """The root of the tree without a trace."""
    solver.analyse(env)
    assert solver._last is not None
    root = solver._last.tree.root
    assert isinstance(root, MCTSNode)
    return root


@settings(examples(40), derandomize=True)
@given(
    env=st.sampled_from(POSITIONS),
    seed=st.integers(0, 99),
    c=st.sampled_from([0.0, 0.7, 1.41]),
    tactics=st.booleans(),
    simulations=st.sampled_from([1, 10, 60]),
    depth=st.sampled_from([None, 2]),
)
def test_the_simulations_add_up_to_the_tree_of_the_untraced_search(
    env: BaseGameEnv, seed: int, c: float, tactics: bool, simulations: int, depth: int | None
) -> None:
    def solver() -> MCTSSolver:
        return MCTSSolver(simulations, c, depth, tactics=tactics, seed=seed, compiled=False)

    trace = trace_search(env, solver())
    root, analysis = grown(env, solver()), solver().analyse(env)
    assert trace.answer["move"] == analysis.best_move
    assert trace.answer["simulations"] == analysis.simulations
    assert trace.answer["nodes"] == analysis.nodes
    found, nodes = tallies(trace.data), [root]
    for parent, move in list(
        zip(trace.data["nodes"]["parent"], trace.data["nodes"]["move"], strict=True)
    )[1:]:
        nodes.append(nodes[parent].children[move])
    for node, tally in zip(nodes, found, strict=True):
        assert tally.visits == node.visit_count
        assert tally.total * node.mover == pytest.approx(node.total_value)
    assert Trace.from_json(trace.to_json()).to_json() == trace.to_json()
    _check_choices(trace)


def _check_choices(trace: Trace) -> None:
    """The child that was taken has the highest sum, apart from proven losses."""
    proven: dict[int, float] = {}
    for fields in trace.data["simulations"]:
        one = Simulation(*fields)
        assert one.terms is not None
        for above, below, terms in zip(one.path, one.path[1:], one.terms, strict=False):
            sign = 1 if trace.data["nodes"]["side"][above] == "X" else -1
            sums = {
                int(child): (proven.get(int(child)) != -sign, sign * mean + bonus)
                for child, _, mean, bonus in terms
            }
            most = max(sums.values())
            assert sums[below][0] == most[0]
            assert sums[below][1] >= most[1] - 2e-4  # terms are rounded
        proven.update((int(node), result) for node, result in one.proven)


def test_playouts_are_played_and_end_as_told() -> None:
    trace = trace_search(TicTacToe(), MCTSSolver(40, seed=3, tactics=False))
    moves = trace.data["nodes"]["move"]
    for fields in trace.data["simulations"]:
        one, env = Simulation(*fields), TicTacToe()
        for move in [*(moves[node] for node in one.path[1:]), *one.moves]:
            env.step(move)
        assert env.is_terminal()
        assert env.get_result(1) == one.result


def test_a_solver_with_its_own_playout_is_traced_as_it_is() -> None:
    class Centre(MCTSSolver):
        def _simulate(self, env: BaseGameEnv) -> float:
            return float(env.board[4])

    trace = trace_search(TicTacToe(), Centre(100, seed=1))
    assert trace.answer["move"] == Centre(100, seed=1).search(TicTacToe()) == 4
    assert all(Simulation(*fields).playout == [] for fields in trace.data["simulations"])


def test_many_simulations_are_folded_and_too_many_refused() -> None:
    env = make_game("connect-four")
    folded = trace_search(env, MCTSSolver(60, seed=1), bounds=TraceBounds(events=300))
    assert folded.notes[0].startswith("The first ")
    assert "of 60 simulations are told in full" in folded.notes[0]
    small = trace_search(env, MCTSSolver(60, seed=1), bounds=TraceBounds(bytes=9_000))
    assert len(small.to_json().encode()) <= 9_000
    whole = trace_search(env, MCTSSolver(60, seed=1))
    assert tallies(small.data) == tallies(whole.data) == tallies(folded.data)
    assert any("Simulation 60: " in line.text for line in tell(small))
    with pytest.raises(TraceError, match="more than 2,000 bytes; run fewer simulations"):
        trace_search(env, MCTSSolver(60, seed=1), bounds=TraceBounds(bytes=2_000))
    with pytest.raises(TraceError, match="500 simulations are too many for a trace"):
        trace_search(env, MCTSSolver(), Limit(simulations=500), bounds=TraceBounds(nodes=100))


def test_value_iteration_is_told_sweep_by_sweep() -> None:
    env = read_position("tictactoe", "x2/1o1/2x o")
    trace = trace_value_iteration(env)
    space = state_space(env)
    sweeps = list(value_iteration(space))
    assert [sweep["changed"] for sweep in trace.data["sweeps"]] == [s.changed for s in sweeps]
    values = {place: state.result or 0.0 for place, state in enumerate(space.states.values())}
    for told, sweep in zip(trace.data["sweeps"], sweeps, strict=True):
        for state, before, after in told["backups"]:
            assert values[state] == before
            values[state] = after
        assert list(values.values()) == list(sweep.values.values())
    again = Trace.from_json(trace.to_json())
    lines = [line.text for line in tell(again)]
    assert lines[1].startswith("Sweep 1: ")
    assert lines[-1] == "Nothing changes any more: the start is worth 0 for X."
    less = trace_value_iteration(env, bounds=TraceBounds(events=5))
    assert less.notes
    assert less.answer["value"] == trace.answer["value"]
    assert Trace.from_json(less.to_json()).answer == less.answer
    with pytest.raises(TraceError, match="more than 100 positions"):
        trace_value_iteration(env, bounds=TraceBounds(nodes=100))


@pytest.mark.parametrize("policy", [UCB1(), Greedy(), EpsilonGreedy(0.2), Thompson()])
def test_pulls_are_those_of_the_bandit(policy: UCB1 | Greedy | EpsilonGreedy | Thompson) -> None:
    arms = BernoulliArms((0.2, 0.5, 0.8))
    trace = trace_bandit(arms, policy, 60, seed=4)
    pulls = list(islice(play_bandit(arms, policy, seed=4), 60))
    assert [(arm, paid) for arm, paid, _, _ in trace.data["pulls"]] == [
        (pull.arm, pull.reward) for pull in pulls
    ]
    assert trace.answer["regret"] == pytest.approx(pulls[-1].regret)
    explored = trace.data["explored"]
    assert bool(explored) == isinstance(policy, EpsilonGreedy)
    for number, (arm, _, _, scores) in enumerate(trace.data["pulls"]):
        if number not in explored:
            assert arm == max(range(3), key=lambda a: 99 if scores[a] is None else scores[a])
    lines = list(tell(Trace.from_json(trace.to_json())))
    assert len(lines) == 62
    data = json.loads(trace.to_json())
    data["pulls"].pop()
    with pytest.raises(TraceError, match="do not lead to the answer"):
        Trace.from_json(json.dumps(data))
    with pytest.raises(TraceError, match="from 1 to 50 pulls"):
        trace_bandit(arms, policy, 60, bounds=TraceBounds(events=50))


def test_simulations_that_contradict_the_answer_are_refused() -> None:
    data = json.loads(trace_search(TicTacToe(), MCTSSolver(20, seed=1)).to_json())
    data["simulations"].pop()
    with pytest.raises(TraceError, match="do not lead to the visits"):
        Trace.from_json(json.dumps(data))
    data["nodes"]["parent"][1] = 5
    with pytest.raises(TraceError):
        Trace.from_json(json.dumps(data))


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "reversi-4", "gomoku-9"])
def test_cells_lead_from_the_board_to_every_position_without_rules(game: str) -> None:
    env = make_game(game)
    trace = trace_search(env, MCTSSolver(30, seed=2, tactics=False))
    nodes = trace.data["nodes"]

    def changed(board: list[int], cells: list[int]) -> list[int]:
        after = list(board)
        for cell, piece in zip(cells[::2], cells[1::2], strict=True):
            after[cell] = piece
        return after

    for fields in trace.data["simulations"]:
        one, board, played = Simulation(*fields), trace.data["board"], env.copy()
        assert one.cells is not None
        moves = [nodes["move"][node] for node in one.path[1:]] + one.moves
        steps = [nodes["cells"][node] for node in one.path[1:]] + one.cells
        for move, cells in zip(moves, steps, strict=True):
            played.step(move)
            board = changed(board, cells)
            assert board == played.board.tolist()


def test_a_window_of_simulations_is_told_in_full() -> None:
    env = make_game("tictactoe")
    whole = trace_search(env, MCTSSolver(90, seed=4, tactics=False)).data
    bounds = TraceBounds(first=40, events=200)
    trace = trace_search(env, MCTSSolver(90, seed=4, tactics=False), bounds=bounds)
    told = [n for n, one in enumerate(trace.data["simulations"]) if one[4] is not None]
    assert told == list(range(40, told[-1] + 1))
    assert 50 < told[-1] < 80
    assert trace.notes[0].startswith(f"Numbers 41 to {told[-1] + 1} of 90 simulations are told")
    for number, (bare, full) in enumerate(
        zip(trace.data["simulations"], whole["simulations"], strict=True)
    ):
        if number in told:
            assert bare == full
        else:
            assert bare == [*full[:2], len(full[2]), full[3], None, full[5], None]
    assert Trace.from_json(trace.to_json()).to_json() == trace.to_json()
    with pytest.raises(ValueError, match="first must be a whole number"):
        TraceBounds(first=-1)


def test_arms_of_the_same_score_are_called_a_tie() -> None:
    trace = trace_bandit(BernoulliArms((0.5, 0.5, 0.5)), UCB1(), 40, seed=1)
    named = 0
    lines = [line for line in tell(trace) if line.event >= 0]
    for (arm, _, _, scores), line in zip(trace.data["pulls"], lines, strict=True):
        known = [score for score in scores or () if score is not None]
        ties = [k + 1 for k, score in enumerate(scores or ()) if score == scores[arm] and k != arm]
        if len(known) == 3 and ties:
            named += 1
            some = "arm" if len(ties) == 1 else "arms"
            assert f"a tie with {some} {' and '.join(map(str, ties))})" in line.text
        else:
            assert "tie" not in line.text
    assert named
