"""Experiments that count, against counts that use nothing of the toolkit."""

import random
from itertools import pairwise
from math import exp, sqrt
from statistics import mean, stdev

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import make_game
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.counting.branching import log10_of_mean, random_game
from rl_toolkit.experiments.counting.move_order import Truth, nodes_with
from rl_toolkit.experiments.running import run_experiment
from rl_toolkit.experiments.settings import read_settings

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
TURNED = [6, 3, 0, 7, 4, 1, 8, 5, 2]
MIRRORED = [2, 1, 0, 5, 4, 3, 8, 7, 6]


def result_of(name, **given):
    experiment = EXPERIMENTS[name]
    return run_experiment(experiment, read_settings(experiment.settings, given))


def images(board):
    """The eight mirror images of a board, by turning and mirroring."""
    for _ in range(4):
        board = "".join(board[i] for i in TURNED)
        yield board
        yield "".join(board[i] for i in MIRRORED)


def positions_by_hand():
    """Positions, classes and finished games at every ply of Tic-Tac-Toe."""
    layer, rows = {" " * 9}, []
    while layer:
        ended = {
            board
            for board in layer
            if " " not in board or any(board[a] == board[b] == board[c] != " " for a, b, c in LINES)
        }
        rows.append((len(layer), len({min(images(board)) for board in layer}), len(ended)))
        mark = "X" if len(rows) % 2 else "O"
        layer = {
            board[:cell] + mark + board[cell + 1 :]
            for board in layer - ended
            for cell in range(9)
            if board[cell] == " "
        }
    return rows


def test_distinct_positions_ply_by_ply():
    result = result_of("positions")
    counted = [tuple(row[column] for column in (1, 2, 4)) for row in result.cells[:-1]]
    assert counted == positions_by_hand()
    assert result.rows[-1] == ["all", "5,478", "765", "7.2×", "958"]
    assert result.data["whole_game"]


def test_positions_of_connect_four_are_the_published_ones():
    result = result_of("positions", game="connect-four", depth=4)
    assert result.data["positions_by_ply"] == [1, 7, 49, 238, 1120]  # OEIS A212693
    assert result.data["classes_by_ply"][:2] == [1, 4]
    assert not result.data["whole_game"]
    assert "Stopped at ply 4" in result.remarks[-1]


def test_knuths_estimate_is_near_the_number_of_games():
    env = make_game("tictactoe")
    games = [random_game(env, random.Random(number)) for number in range(300)]
    products = [exp(game.log_product) for game in games]
    assert abs(mean(products) - 255_168) < 4 * stdev(products) / sqrt(len(products))
    estimate = log10_of_mean([game.log_product for game in games])
    assert 10**estimate == pytest.approx(mean(products))
    # A board with one move left has one game, whatever is drawn.
    env = make_game("tictactoe-3x3")
    for move in (0, 1, 2, 4, 3, 5, 7, 6):
        env.step(move)
    assert random_game(env, random.Random(0))[1:] == (1, 1, 0.0)


def test_every_game_is_in_the_table_of_branching():
    result = result_of("branching", games=2)
    rows = {row[0]: row for row in result.cells}
    assert {"tictactoe", "connect-four", "gomoku-15", "reversi-8"} <= set(rows)
    assert all(row[5] == 2 for row in rows.values())
    assert rows["gomoku-15"][3] > rows["connect-four"][3] > rows["tictactoe"][3]
    assert rows["connect-four"][1] <= 7


def test_sweeps_are_those_of_the_course():
    result = result_of("value-iteration")
    assert result.data["changed"] == [2358, 508, 356, 124, 122, 0]
    assert result.data["right"][-2:] == [5478, 5478]
    assert (result.data["states"], result.data["value"]) == (5478, 0.0)
    # What a sweep changes is wrong before it and right after it, as values start at 0.
    right, changed = result.data["right"], result.data["changed"]
    assert [after - before for before, after in pairwise(right)] == changed[1:]


def test_alpha_beta_by_the_order_of_moves():
    result = result_of("move-order", depth=4, runs=2)
    nodes = result.data["nodes"]
    assert nodes["no pruning"] == 1 + 9 + 72 + 504 + 3024
    solver = MinimaxSolver(4, use_memoization=False)
    solver._minimax(make_game("tictactoe"))
    assert nodes["by number"] == solver.nodes_evaluated
    assert nodes["best first"] < nodes["at random"] < nodes["worst first"] < nodes["no pruning"]
    assert result.data["root"] == pytest.approx(sqrt(nodes["no pruning"]), abs=0.05)
    assert len(result.data["values"]) == 1  # the order changes no value


def test_a_perfect_order_reaches_the_least_tree():
    """Knuth and Moore: w^⌈d/2⌉ + w^⌊d/2⌋ − 1 leaves, here of width 7 and depth 4."""
    env = make_game("connect-four")
    leaves = []
    truth = Truth()

    def watched(position, moves, depth):
        ordered = truth.best_first(position, moves, depth)
        if depth == 1:
            leaves.append(len(moves))
        return ordered

    nodes, value = nodes_with(env, watched, 4)
    plain = MinimaxSolver(4, False, False)
    assert value == plain._minimax(env)
    assert 7**2 + 7**2 - 1 <= nodes < plain.nodes_evaluated / 10


@pytest.mark.parametrize(("name", "given", "words"), [
    ("move-order", {"depth": 12}, "at most 9 plies"),
    ("value-iteration", {"game": "connect-four"}, "more than 200,000 positions"),
    ("never-loses", {"game": "connect-four"}, "too many games"),
])  # fmt: skip
def test_what_would_take_too_long_is_refused(name, given, words, monkeypatch):
    if name == "value-iteration":  # finding that many positions takes a while
        from rl_toolkit.experiments.counting import value_sweeps

        found = value_sweeps.state_space
        monkeypatch.setattr(value_sweeps, "state_space", lambda env: found(env, most=50))
        words = "more than 50 positions"
    with pytest.raises(ValueError, match=words):
        result_of(name, **given)
