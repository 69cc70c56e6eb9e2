"""What kind of mistake a move was."""

import pytest

from rl_toolkit.explain import lesson_of
from rl_toolkit.records import position_from_text


@pytest.mark.parametrize(
    ("game", "position", "move", "lesson"),
    [
        ("tictactoe", "xx1/oo1/3 x", "c3", "Missed a win in one move"),
        ("tictactoe", "xx1/1o1/3 o", "c3", "Let the other side win at once"),
        ("tictactoe", "x2/1o1/2x o", "a3", "Let a double threat happen"),
        ("connect-four", "7/7/7/7/7/2xx2o o", "a", "Let a double threat happen"),
        ("tictactoe", "xo1/2o/1x1 x", "c1", "Missed a double threat"),
        ("tictactoe", "xo1/2o/1x1 x", "a3", None),  # the double threat itself
        ("connect-four", "7/7/7/7/2o4/2xx2o x", "a", "Missed a double threat"),
        ("reversi", "8/8/2o1x3/2oxx3/1xxoo3/4oo2/6o1/8 x", "b2", "Gave a corner"),
        ("reversi", "8/8/2o1x3/2oxx3/1xxxo3/5o2/6o1/8 o", "e2", "Left a corner to the other side"),
        ("tictactoe", "3/1x1/3 o", "a1", None),
    ],
)
def test_kinds_of_mistakes(game, position, move, lesson):
    env = position_from_text(game, position)
    assert lesson_of(env, env.parse_move(move)) == lesson
