"""`Form`: boards, players and moves as a student writes them, in both directions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rl_toolkit.adapting import BoardFormatError, Form
from rl_toolkit.adapting.learning import learn

CELLS = [1, -1, 0, 0, 1, -1]
LETTERS = {"X": 1, "O": -1}
BOARDS = {
    "list": ([" "] * 6, list("XO  XO")),
    "rows": ([[" "] * 3, [" "] * 3], [["X", "O", " "], [" ", "X", "O"]]),
    "tuple": ((" ",) * 6, tuple("XO  XO")),
    "text": (" " * 6, "XO  XO"),
    "lines": ("   \n   ", "XO \n XO"),
    "rows of text": (["   ", "   "], ["XO ", " XO"]),
    "dictionary": (dict.fromkeys(range(6), " "), dict(enumerate("XO  XO"))),
}


@pytest.mark.parametrize(("like", "board"), BOARDS.values(), ids=BOARDS)
def test_what_is_written_is_read_back(like, board):
    is_rows = isinstance(like, list) and like[0] == "   "
    form = Form(2, 3, like, " ", LETTERS, texts_are_rows=is_rows)
    assert form.write(CELLS) == board
    assert form.read(board).tolist() == CELLS


def test_arrays_columns_and_boards_upside_down():
    form = Form(2, 3, np.zeros((2, 3), dtype=int), 0, {1: 1, 2: -1})
    assert form.write(CELLS).tolist() == [[1, 2, 0], [0, 1, 2]]
    columns = replace(form, like=[[0, 0]] * 3, is_transposed=True)
    assert columns.write(CELLS) == [[1, 0], [2, 1], [0, 2]]
    assert columns.read([[1, 0], [2, 1], [0, 2]]).tolist() == CELLS
    flipped = replace(form, is_flipped=True)
    assert flipped.write(CELLS).tolist() == [[0, 1, 2], [1, 2, 0]]
    assert flipped.read([0, 1, 2, 1, 2, 0]).tolist() == CELLS


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (["X"] * 5, "has 5 cells now, and 6 at the start"),
        ([["X"] * 2] * 3, "has 3 rows of 2 cells"),
        (["X", "Q", " ", " ", " ", " "], "holds 'Q', which is neither an empty cell"),
        (["XO ", " XO"], "has 2 cells"),
        (dict(enumerate("XO  XO")), "is a dictionary"),
        ("XO \n XO", "has several lines"),
        (None, "is None, not a list"),
    ],
)
def test_what_is_not_such_a_board_is_refused(board, words):
    with pytest.raises(BoardFormatError, match=words):
        Form(2, 3, [" "] * 6, " ", LETTERS).read(board)


def test_true_is_not_one():
    form = Form(1, 3, [0] * 3, 0, {1: 1, -1: -1})
    with pytest.raises(BoardFormatError, match="holds True"):
        form.read([True, 0, 0])
    assert replace(form, empty=None, marks={True: 1, False: -1}).read(
        [True, False, None]
    ).tolist() == [1, -1, 0]


def test_marks_of_two_letters_are_cells():
    form = Form(1, 3, ["  "] * 3, "  ", {"X ": 1, "O ": -1})
    assert form.write([1, -1, 0]) == ["X ", "O ", "  "]
    assert form.read(["X ", "O ", "  "]).tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("changes", "own"),
    [
        ({}, 4),
        ({"first": 1}, 5),
        ({"moves": "pair"}, (1, 1)),
        ({"moves": "pair", "first": 1, "is_flipped": True}, (1, 2)),
        ({"moves": "name"}, "b2"),
        ({"is_flipped": True}, 1),
    ],
)
def test_moves_in_both_directions(changes, own):
    form = replace(Form(2, 3, [0] * 6, 0), **changes)
    assert form.own_move(4) == own
    assert form.number(own) == 4


def test_columns():
    form = Form(2, 3, [0] * 6, 0, moves="column", first=1)
    assert (form.own_move(2), form.number(3), replace(form, moves="letter").number("C")) == (
        3,
        2,
        2,
    )
    assert replace(form, moves="other").number("anything") is None


class Strip:
    """Rows of text and players by name; moves count from 1."""

    def __init__(self):
        self.board, self.turn, self.winner = ["...."] * 2, "X", None

    def legal_moves(self):
        return [k + 1 for k in range(8) if "".join(self.board)[k] == "."]

    def play(self, cell):
        cells = "".join(self.board)
        cells = cells[: cell - 1] + self.turn + cells[cell:]
        self.board = [cells[:4], cells[4:]]
        if cells.count(self.turn) == 3:
            self.winner = self.turn
        self.turn = "O" if self.turn == "X" else "X"


def test_a_form_is_guessed_by_play():
    form = learn("Strip", Strip()).form
    assert (form.rows, form.cols, form.empty, form.first) == (2, 4, ".", 1)
    assert (form.marks, form.symbols) == (LETTERS, LETTERS)
    assert (form.texts_are_rows, form.write([1] + [0] * 7)) == (True, ["X...", "...."])
