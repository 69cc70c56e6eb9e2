"""Experiments that play: every game accounted for, results against games played by hand."""

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import make_game
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.playing.games import play_out
from rl_toolkit.experiments.playing.leagues import heuristics_of, openings
from rl_toolkit.experiments.playing.never_loses import _choice
from rl_toolkit.experiments.running import run_experiment
from rl_toolkit.experiments.settings import read_settings
from rl_toolkit.utils.statistics import wilson_interval


def result_of(name, **given):
    experiment = EXPERIMENTS[name]
    return run_experiment(experiment, read_settings(experiment.settings, given))


def first_free_cell_against_all(side):
    """Won, drawn, lost by a player who takes the first free cell, counted without the toolkit."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    score = [0, 0, 0]

    def play(board, mover):
        won = next((board[a] for a, b, c in lines if board[a] == board[b] == board[c] != 0), 0)
        if won or 0 not in board:
            score[0 if won == side else 1 if won == 0 else 2] += 1
            return
        cells = [cell for cell in range(9) if board[cell] == 0]
        for cell in cells[:1] if mover == side else cells:
            play([*board[:cell], mover, *board[cell + 1 :]], -mover)

    play([0] * 9, 1)
    return score


def test_every_opponent_is_met():
    data = result_of("never-loses", engine="first").data
    for order, side in (("first", 1), ("second", -1)):
        assert list(data[order].values()) == first_free_cell_against_all(side)


def test_of_equal_proven_moves_the_first_on_the_board_is_taken_unless_asked_otherwise():
    env = make_game("tictactoe")
    for move in (0, 4):
        env.step(move)
    quick, slow, draw = (
        Candidate(8, "c3", 1.0, "win", proven=True, distance=3),
        Candidate(2, "c1", 1.0, "win", proven=True, distance=5),
        Candidate(1, "b1", 0.0, "draw", proven=True),
    )
    analysis = Analysis.of(env, "minimax", [quick, slow, draw])
    assert [_choice(analysis, ties) for ties in ("first", "engine")] == [2, 8]
    guess = Analysis.of(env, "greedy", [Candidate(8, "c3", 0.5), Candidate(2, "c1", 0.5)])
    assert _choice(guess, "first") == 8
    with pytest.raises(ValueError, match="ties is first or engine, not 'last'"):
        result_of("never-loses", ties="last")


@pytest.mark.full
def test_the_perfect_level_takes_the_first_of_equal_moves_unless_asked_otherwise():
    first = result_of("never-loses")
    assert first.cells == [["first", 101, 99, 2, 0], ["second", 681, 498, 183, 0]]
    assert "the player takes the first on the board" in first.remarks[1]
    engine = result_of("never-loses", ties="engine")
    assert engine.data["ties"] == "engine"
    assert engine.cells != first.cells
    assert [row[-1] for row in engine.cells] == [0, 0]


@pytest.mark.parametrize(("game", "count"), [("connect-four", 49), ("tictactoe", 72)])
def test_openings_are_all_first_two_moves(game, count):
    assert len(openings(game)) == len(set(openings(game))) == count
    some = openings(game, 5)
    assert len(some) == 5
    assert set(some) < set(openings(game))


def test_a_league_plays_every_opening_from_both_sides():
    result = result_of("depths", game="tictactoe", depths="1,9", openings=6)
    ((name, won, drawn, lost, share, interval),) = result.cells
    assert (name, won + drawn + lost) == ("depth 1 – depth 9", 12)
    assert share == (won + drawn / 2) / 12
    assert interval == wilson_interval(share, 12)
    # The same games by hand.
    results = []
    for opening in openings("tictactoe", 6):
        for side in (1, -1):
            env = make_game("tictactoe")
            for move in opening:
                env.step(move)
            while not env.is_terminal():
                depth = 1 if env.current_player == side else 9
                env.step(MinimaxSolver(depth).get_best_action(env))
            results.append(env.get_result(side))
    assert [won, drawn, lost] == [results.count(result) for result in (1.0, 0.0, -1.0)]


def test_heuristics_differ_in_what_they_count():
    env = make_game("connect-four")
    for move in (3, 0, 3, 0, 3):  # three of X above each other in the middle
        env.step(move)
    values = {}
    for name, weights in heuristics_of("connect-four").items():
        env.heuristic_weights = weights
        values[name] = (env.evaluate_heuristic(1), env.evaluate_heuristic(-1))
    assert values["none"] == (0.0, 0.0)
    assert values["centre"] == pytest.approx((9 / 4200, -9 / 4200))
    assert values["windows"][0] == -values["windows"][1] > values["centre"][0]
    assert -values["fearful"][1] > values["fearful"][0]  # O fears X's three more than X enjoys it
    with pytest.raises(ValueError, match="does not count windows"):
        heuristics_of("reversi")


def test_a_heuristic_is_better_than_none():
    result = result_of("heuristics", depth=2, openings=2)
    assert len(result.cells) == 6  # pairings of four
    assert all(sum(row[1:4]) == 4 for row in result.cells)
    won, _, lost = result.data["pairings"]["windows – none"]
    assert won > lost


def test_one_number_is_varied_and_the_games_are_those_of_play_out():
    result = result_of(
        "strength-by-c", game="tictactoe", opponent="greedy", c="0.5,2", simulations=5, games=4
    )
    assert [row[0] for row in result.rows] == ["0.5", "2"]
    for c in ("0.5", "2"):
        spec = f"mcts:simulations=5,c={c}"
        played = [play_out("tictactoe", spec, "greedy", [1, -1][n % 2], n) for n in range(4)]
        assert result.data["points"][c] == sum((r + 1) / 2 for r in played) / 4


def test_simulations_that_a_proof_saved_are_not_counted():
    result = result_of(
        "strength-by-simulations",
        game="tictactoe",
        opponent="random",
        simulations="4,2000",
        games=2,
    )
    few, many = (row[-1] for row in result.cells)
    assert 0 < few <= 4
    assert 4 < many < 1500  # the last positions of a game are solved after a few
    assert result.data["ran_per_move"] == {"4": few, "2000": many}


def test_a_league_of_one_is_refused():
    with pytest.raises(ValueError, match="two different depths"):
        result_of("depths", depths="2,2")
