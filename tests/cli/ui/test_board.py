"""Boards in the terminal: labels, marks, every width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.envs import ConnectFour, Gomoku, TicTacToe, make_game
from rl_toolkit.records import position_from_text


def test_a_board_has_labels_marks_and_its_winning_line():
    env = TicTacToe()
    for name in ("a1", "a2", "b1", "b2"):
        env.step(env.parse_move(name))
    assert draw_board(env).plain.splitlines() == [
        "    a   b   c",
        "  +---+---+---+",
        "1 | X | X |   |",
        "  +---+---+---+",
        "2 | O |(O)|   |",
        "  +---+---+---+",
        "3 |   |   |   |",
        "  +---+---+---+",
    ]
    env.step(2)
    assert draw_board(env).plain.splitlines()[2] == "1 |[X]|[X]|[X]|"


def test_row_one_is_where_the_game_has_it_and_turns_with_the_board():
    env = ConnectFour()
    env.step(0)
    upright = draw_board(env).plain.splitlines()
    assert upright[0].split() == list("abcdefg")
    assert upright[-1].rstrip() == "1 (X). . . . . ."
    turned = draw_board(env, flipped=True).plain.splitlines()
    assert turned[0].split() == list("gfedcba")
    assert turned[1].rstrip() == "1  . . . . . .(X)"


def test_a_line_in_a_row_is_bracketed_once():
    env = position_from_text("connect-four", "7/7/7/7/ooo4/xxxx3 x")
    assert draw_board(env).plain.splitlines()[-1].rstrip() == "1 [X X X X]. . ."


def test_reversi_shows_where_one_can_play():
    text = draw_board(make_game("reversi")).plain
    assert text.count("+") == 4


@pytest.mark.parametrize("side", [9, 13, 15, 19, 20])
def test_a_board_fits_forty_columns(side):
    text = draw_board(Gomoku(side), 40).plain
    assert max(map(len, text.splitlines())) <= 40
    assert len(text.splitlines()) == side + 1


@given(st.lists(st.integers(0, 6), max_size=30))
def test_every_piece_is_drawn_once(columns):
    env = ConnectFour()
    for column in columns:
        if column in env.get_legal_moves():
            env.step(column)
    text = draw_board(env).plain.partition("\n")[2]
    assert text.count("X") == (env.board == 1).sum()
    assert text.count("O") == (env.board == -1).sum()
