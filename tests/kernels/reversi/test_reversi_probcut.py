"""Selective search in Reversi: what is spared, and that it stays what it is, likely."""

import numpy as np
import pytest
from reversi_positions import position, words

from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.probcut import ERRORS, FIRST_DEPTH, measured_reaches
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.analysis import Limit
from rl_toolkit.kernels.reversi.midgame import STEP, Thinker
from rl_toolkit.kernels.reversi.patterns import STAGES
from rl_toolkit.kernels.reversi.probcut import DEPTHS, REACHES_SHAPE, shallow_for


def thinker(reaches=None):
    return Thinker(8, 4, shipped_weights(), reaches)


def everywhere(reach):
    return np.full(REACHES_SHAPE, reach, dtype=np.uint64)


def test_the_shallow_look_is_shorter_and_ends_with_the_same_player():
    for depth in range(FIRST_DEPTH, DEPTHS):
        assert 0 <= shallow_for(depth) < depth
        assert (depth - shallow_for(depth)) % 2 == 0


def test_every_stage_and_depth_has_been_measured():
    assert len(ERRORS) == STAGES
    assert len({len(row) for row in ERRORS}) == 1
    reaches = measured_reaches(2.0)
    assert not reaches[:, :FIRST_DEPTH].any()
    assert (reaches[:, FIRST_DEPTH:] > 0).all()
    assert reaches[3, FIRST_DEPTH + 2] == round(2.0 * 16 * ERRORS[3][2])
    assert (measured_reaches(1.0) <= reaches).all()


@pytest.mark.parametrize("empties", [20, 44])
def test_out_of_reach_nothing_is_cut(empties):
    plain, wide = thinker(), thinker(everywhere(20_000))
    for seed in range(3):
        board = words(position(empties, seed))
        assert wide.think(*board, 6) == plain.think(*board, 6)


@pytest.mark.parametrize("empties", [20, 32, 44])
def test_questions_with_a_clear_answer_are_answered_rightly_and_sooner(empties):
    plain, selective = thinker(), thinker(measured_reaches())
    for seed in range(4):
        board = words(position(empties, seed))
        score = plain.think(*board, 7)
        for beta in (score - 16, score + 16):
            plain.forget()
            selective.forget()
            before = plain.nodes, selective.nodes
            plain.think(*board, 7, beta, beta - STEP)
            answer = selective.think(*board, 7, beta, beta - STEP)
            assert (answer >= beta) == (score >= beta)
            assert selective.nodes - before[1] < plain.nodes - before[0]


def test_a_cut_that_found_no_move_leaves_none_to_remember():
    board = words(position(40, 1))
    score = thinker().think(*board, 3)
    quick = thinker(everywhere(1))
    assert quick.think(*board, 3, score - 16, score - 16 - STEP) == score - 16
    assert quick.nodes == 2  # the question itself, and the shallow look that answered it
    assert quick.remembered(*board) == 0


@pytest.mark.parametrize("empties", [20, 32, 44])
def test_two_plies_are_cut_where_the_position_is_far_outside_the_window(empties):
    """Within reach of the window, and where the side to move must pass, two plies are searched."""
    reach, plain = 48, thinker()
    selective = thinker(everywhere(reach))
    for seed in range(4):
        board = words(position(empties, seed))
        static, score = plain.think(*board, 0), plain.think(*board, 2)
        for beta in np.arange(static - 8, static + 8, 1.25):
            clear = not -reach / 16 < beta - STEP - static < reach / 16
            answer = selective.think(*board, 2, beta, beta - STEP)
            expected = static if clear else score
            assert (answer >= beta) == (expected >= beta)


def test_a_finished_game_is_counted_not_cut():
    selective, theirs = thinker(everywhere(1)), 0xFF << 24
    estimate = thinker().think(0, theirs, 0)
    assert estimate != -64
    for beta in (-63, -32, 0, 32):
        assert selective.think(0, theirs, 2, beta, beta - STEP) == -64
        assert selective.think(theirs, 0, 2, beta, beta - STEP) == 64


def test_the_engine_looks_as_deep_with_fewer_nodes():
    games = [position(36, seed) for seed in range(4)]
    wide, narrow = (
        sum(ReversiEngine(selective=s).analyse(env, Limit(depth=9)).nodes for env in games)
        for s in (False, True)
    )
    assert narrow < wide / 2


def test_smaller_boards_are_not_cut():
    env = position(20, 3, size=6)
    wide, narrow = (ReversiEngine(selective=s).analyse(env, Limit(depth=6)) for s in (False, True))
    assert (narrow.candidates, narrow.nodes) == (wide.candidates, wide.nodes)


def test_what_is_cut_is_never_called_proven():
    """At the end of the look the game is over, and yet it was not searched to the end."""
    env = position(11, 4)
    for seen in (Limit(depth=10), Limit(nodes=300)):
        analysis = ReversiEngine().analyse(env, seen)
        assert not any(c.proven or c.outcome for c in analysis.candidates)
