"""Answers as JSON: lines of moves, and the evaluations of the courses."""

from dataclasses import replace

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.envs import TicTacToe
from rl_toolkit.records import position_to_text
from rl_toolkit.web.exchange.responses import analysis_answer, course_evaluations


def analysis(env, *candidates):
    return analysis_of(env, position_to_text(env), "test", list(candidates))


def test_a_line_ends_before_its_first_illegal_move():
    env = TicTacToe()
    found = analysis(env, Candidate(4, "b2", 0.5, line=(4, 0, 4, 8)))
    assert [step["name"] for step in analysis_answer(env, found)["lines"]["4"]] == ["b2", "a1"]


class SeveralMoves(TicTacToe):
    """As if a side might move several times in a row."""

    traits = replace(TicTacToe.traits, alternates=False)


def reasons(env, *distances):
    """What the courses say of moves that win after so many plies."""
    moves = zip(env.get_legal_moves(), distances, strict=False)
    won = [Candidate(m, env.move_name(m), 1.0, "win", True, plies) for m, plies in moves]
    told = course_evaluations(env, analysis(env, *won))
    return [told[str(candidate.move)]["reasoning"] for candidate in won]


def test_moves_to_a_win_are_counted_where_every_second_ply_is_one():
    counted = ["Forces immediate win", "Forces a win in 2 moves", "Forces a win in 3 moves"]
    assert reasons(TicTacToe(), 1, 3, 5) == counted
    assert reasons(SeveralMoves(), 1, 3) == ["Forces immediate win", "Forces a win"]
