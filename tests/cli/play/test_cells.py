"""How cells are numbered: from 0, from 1, like a numpad."""

from __future__ import annotations

import pytest

from rl_toolkit.cli.play.cells import Cells, form_of_moves
from rl_toolkit.envs import Gomoku, TicTacToe, make_game


@pytest.mark.parametrize(
    ("text", "kind"),
    [("0-8", "0"), ("0", "0"), ("1-9", "1"), (" 1 - 16", "1"), ("1", "1"), ("NumPad", "numpad")],
)
def test_a_numbering_is_named_by_its_range(text, kind):
    assert Cells.named(text).kind == kind


@pytest.mark.parametrize("text", ["", "2-10", "one", "1-", "-1", "0-99999"])
def test_other_names_are_refused_with_those_that_exist(text):
    with pytest.raises(ValueError, match="0-8, 1-9 or numpad"):
        Cells.named(text)


@pytest.mark.parametrize("kind", ["0", "1", "numpad"])
@pytest.mark.parametrize("game", ["tictactoe", "tictactoe-4x5x4", "reversi-4", "gomoku-9"])
def test_every_cell_has_one_number_which_is_read_back(kind, game):
    env, cells = make_game(game), Cells(kind)
    size = env.rows * env.cols
    if kind == "numpad" and size != 9:
        with pytest.raises(ValueError, match="3×3 keys"):
            cells.check(env)
        return
    cells.check(env)
    numbers = [cells.number(env, cell) for cell in range(size)]
    assert sorted(numbers) == list(range(kind != "0", size + (kind != "0")))
    assert [cells.read(env, str(number)) for number in numbers] == list(range(size))


def test_a_numpad_has_its_seven_at_the_top_left():
    env, numpad = make_game("tictactoe"), Cells("numpad")
    assert [numpad.read(env, key) for key in "789456123"] == list(range(9))
    assert numpad.grid(env) == ["   a  b  c", "1  7  8  9", "2  4  5  6", "3  1  2  3"]


def test_the_grid_has_axis_labels_where_the_board_has_them():
    top = Cells("1").grid(make_game("connect-four-4x5x4"))  # row 1 is at the bottom
    assert [line.split()[0] for line in top] == ["a", "4", "3", "2", "1"]


@pytest.mark.parametrize("kind", ["0", "1", "numpad"])
def test_names_and_row_and_column_mean_the_same_in_every_numbering(kind):
    env, cells = make_game("tictactoe"), Cells(kind)
    for text in ("b2", "B2", "2,2", "2 2", " 2 , 2 "):
        assert cells.read(env, text) == 4


def test_numbers_of_columns_always_begin_with_one():
    env = make_game("connect-four")
    assert Cells("0").read(env, "4") == 3
    with pytest.raises(ValueError, match="columns, a-g or 1-7"):
        Cells("1").check(env)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("0", "9", "'9' is not a move here; use a1-c3 or 0-8, or row col; type cells 1-9 to count"),
        ("0", "12", "'12' is not a move here; use a1-c3 or 0-8, or row col$"),
        ("1", "0", "'0' is not a move here; use a1-c3 or 1-9, or row col$"),
        ("1", "x9", "'x9' is not a move here; use a1-c3 or 1-9, or row col$"),
        ("numpad", "10", "use a1-c3 or numpad, or row col$"),
    ],
)
def test_what_is_no_cell_is_refused_with_what_is(kind, text, said):
    with pytest.raises(ValueError, match=said):
        Cells(kind).read(make_game("tictactoe"), text)


def test_a_pass_has_the_number_after_the_last_cell():
    env = make_game("reversi-4")
    assert Cells().read(env, "16") == env.pass_move
    assert Cells("1").read(env, "pass") == env.pass_move


@pytest.mark.parametrize(
    ("game", "kind", "form"),
    [
        ("tictactoe", "0", "a1-c3 or 0-8"),
        ("tictactoe", "1", "a1-c3 or 1-9"),
        ("tictactoe", "numpad", "a1-c3 or numpad"),
        ("connect-four", "0", "a-g or 1-7"),
        ("gomoku", "1", "a1-o15 or 1-225"),
    ],
)
def test_the_prompt_says_what_can_be_typed(game, kind, form):
    assert form_of_moves(make_game(game), Cells(kind)) == form


def test_a_range_that_is_not_the_boards_is_refused():
    for text in ("0-8", "1-9", "0", "1"):
        Cells.named(text).check(TicTacToe())
        Cells.named(text).check(Gomoku(9))
    Cells.named("1-81").check(Gomoku(9))
    for text, right in (("1-8", "1-9"), ("0-9", "0-8"), ("1-81", "1-9")):
        with pytest.raises(ValueError, match=f"the cells of tictactoe are {right}, not {text}"):
            Cells.named(text).check(TicTacToe())
