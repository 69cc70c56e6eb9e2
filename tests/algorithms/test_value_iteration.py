"""Value iteration: the counts of the literature, minimax in every state, and games that repeat."""

import pytest
from brute_force import BruteForce, all_positions

from rl_toolkit.algorithms.value_iteration import (
    State,
    StateSpace,
    backed_up,
    backward_pass,
    best_moves,
    first_values,
    solve,
    state_space,
    sweep_states,
    value_iteration,
)
from rl_toolkit.envs import TicTacToe, make_game
from rl_toolkit.records import position_from_text


@pytest.fixture(scope="module")
def space():
    return state_space(TicTacToe())


@pytest.fixture(scope="module")
def positions():
    return all_positions("tictactoe")


@pytest.fixture(scope="module")
def sweeps(space):
    return list(value_iteration(space))


def test_the_states_of_tic_tac_toe(space):
    assert (len(space), space.final) == (5_478, 958)
    assert space.start == TicTacToe().get_state_hash()
    assert len(space[TicTacToe()].moves) == 9
    results = [state.result for state in space.states.values() if state.result is not None]
    assert [results.count(result) for result in (1, -1, 0)] == [626, 316, 16]


def test_the_sweeps_change_fewer_and_fewer_states(sweeps):
    assert [sweep.changed for sweep in sweeps] == [2358, 508, 356, 124, 122, 0]
    assert [sweep.number for sweep in sweeps] == [1, 2, 3, 4, 5, 6]


def test_the_first_sweep_finds_the_wins_in_one(space, sweeps, positions):
    changed = {
        backup.state.key
        for backup in sweep_states(space, first_values(space))
        if backup.after != backup.before
    }
    wins = {env.get_state_hash() for env in positions if env.winning_moves(env.current_player)}
    assert changed == wins
    assert len(wins) == sweeps[0].changed


def test_both_ways_equal_minimax_in_every_state(space, sweeps, positions):
    """A discount of a half halves the value with every ply to the end."""
    minimax = BruteForce()
    values, halved = sweeps[-1].values, solve(space, discount=0.5)
    assert solve(space) == values
    assert len(positions) == 4_520 == len(space) - space.final
    for env in positions:
        value, plies = minimax.verdict(env)
        key = env.get_state_hash()
        assert values[key] == value * env.current_player
        assert halved[key] == value * env.current_player * 0.5**plies
    for key, state in space.states.items():
        assert state.result in (None, values[key])


def test_the_backward_pass_visits_each_state_once_after_the_next_ones(space):
    done = set()
    for backup in backward_pass(space):
        assert backup.state.key not in done
        assert done.issuperset(backup.state.moves.values())
        done.add(backup.state.key)
    assert len(done) == len(space)


def test_the_best_moves_keep_the_value(space):
    values = solve(space)
    state = space[position_from_text("tictactoe", "3/1x1/3 o")]
    assert best_moves(state, values) == [0, 2, 6, 8]  # edges lose
    win = space[position_from_text("tictactoe", "xx1/oo1/3 x")]
    assert 2 in best_moves(win, values)
    assert best_moves(State("end", 1, 1.0, {}), values) == []


def test_a_discount_prefers_the_faster_win(space):
    values = solve(space, discount=0.5)
    *_, last = value_iteration(space, discount=0.5)
    assert last.values == values
    state = space[position_from_text("tictactoe", "x2/3/oox x")]
    assert len(best_moves(state, solve(space))) > 1
    (quick,) = best_moves(state, values)
    env = position_from_text("tictactoe", "x2/3/oox x")
    env.step(quick)
    assert env.winner == 1
    assert values[state.key] == 0.5


def test_another_game():
    space = state_space(make_game("connect-four-3x4x3"))
    assert (len(space), solve(space)[space.start]) == (7_157, 1.0)


def test_a_pass_is_a_move_like_any_other():
    env = make_game("reversi-4")
    for name in ("a2", "a3", "b4", "c1", "a4"):
        env.step(name)
    space = state_space(env)
    assert env.pass_move in {move for state in space.states.values() for move in state.moves}
    *_, last = value_iteration(space)
    assert last.values == solve(space)
    assert last.values[space.start] == BruteForce().verdict(env)[0] * env.current_player


def test_begin_late_or_be_told(space):
    env = position_from_text("tictactoe", "x2/1o1/2x o")
    late = state_space(env)
    assert env.move_count == 3
    assert set(late.states) < set(space.states)
    with pytest.raises(ValueError, match=r"^tictactoe-4x4x4 has more than 50 positions from here"):
        state_space(make_game("tictactoe-4"), most=50)
    assert len(state_space(env, most=len(late))) == len(late)
    with pytest.raises(ValueError, match="positions from here"):
        state_space(env, most=len(late) - 1)


def test_positions_that_repeat_are_refused():
    loop = {
        "a": State("a", 1, None, {0: "b"}),
        "b": State("b", -1, None, {0: "a", 1: "c"}),
        "c": State("c", 1, 1.0, {}),
    }
    with pytest.raises(ValueError, match="can be reached from itself"):
        list(backward_pass(StateSpace("a", loop)))
    turning = {
        key: State(key, 1, None, {0: other}) for key, other in (("x", "y"), ("y", "z"), ("z", "x"))
    }
    with pytest.raises(ValueError, match="can be reached from itself"):
        solve(StateSpace("x", turning))


def test_values_that_never_settle_are_reported(monkeypatch):
    pair = {key: State(key, 1, None, {0: other}) for key, other in (("x", "y"), ("y", "x"))}
    monkeypatch.setattr(
        "rl_toolkit.algorithms.value_iteration.first_values", lambda space: {"x": 1.0, "y": 0.0}
    )
    with pytest.raises(ValueError, match="positions of this game repeat"):
        list(value_iteration(StateSpace("x", pair)))


def test_max_for_one_player_and_min_for_the_other():
    values = {"good": 1.0, "bad": -1.0}
    moves = {0: "good", 1: "bad"}
    assert backed_up(State("s", 1, None, moves), values) == 1.0
    assert backed_up(State("s", -1, None, moves), values) == -1.0
    assert backed_up(State("s", -1, None, moves), values, discount=0.9) == -0.9
    assert backed_up(State("s", 1, 0.0, {}), values) == 0.0
