"""Handout D, part 1: two people play."""

import builtins
import contextlib
import io

from companion import LINES, equal, open_positions, over, require, take, winner


def own(name):
    return take("my_tictactoe.py", name, 1)


def marks(cells):
    return [" XO"[cell] for cell in cells]


def test_moves():
    """available_moves: the free cells, counted from 0"""
    equal(own("create_board")(), [" "] * 9, "create_board()")
    equal(own("available_moves")(list("X O X    ")), [1, 3, 5, 6, 7, 8], "available_moves")


def test_apply_move():
    """apply_move returns a new board"""
    before = own("create_board")()
    after = own("apply_move")(before, 4, "X")
    equal(after, [" "] * 4 + ["X"] + [" "] * 4, "apply_move(board, 4, 'X')")
    equal(before, [" "] * 9, "the board that was passed in: apply_move must copy it")


def test_winner():
    """winner: all eight lines, both players"""
    for line in LINES:
        for player in "XO":
            board = [player if cell in line else " " for cell in range(9)]
            equal(own("winner")(board), player, f"winner with {player} on cells {line}")
    equal(own("winner")([" "] * 9), None, "winner of the empty board: three blanks are no line")


def test_draw():
    """is_draw: a full board without a line; a win with the last cell is not one"""
    equal(bool(own("is_draw")(list("XOXXOOOXX"))), True, "is_draw(XOX XOO OXX)")
    equal(bool(own("is_draw")(list("XXOOOXXXX"))), False, "is_draw(XXO OOX XXX): X has a row")
    equal(bool(own("is_draw")(list("XO       "))), False, "is_draw while cells are free")


def test_game_over():
    """game_over in 200 positions"""
    for cells, _ in open_positions()[::23]:
        equal(bool(own("game_over")(marks(cells))), over(cells), f"game_over({marks(cells)})")
    require(winner((1, 1, 1, -1, -1, 0, 0, 0, 0)) == 1, "")
    equal(bool(own("game_over")(list("XXXOO    "))), True, "game_over after X has won")


def session(lines):
    """What play prints for these inputs."""
    given, printed = iter(lines), io.StringIO()
    play = own("play")
    before = builtins.input

    def scripted(prompt=""):
        printed.write(str(prompt))
        try:
            return next(given)
        except StopIteration:
            require(False, "play asks for another move although the game is over")

    builtins.input = scripted
    try:
        with contextlib.redirect_stdout(printed):
            play()
    finally:
        builtins.input = before
    return printed.getvalue()


def test_play_to_a_win():
    """play: cells 1 4 2 5 3 end with "Winner: X", said once"""
    said = session(["1", "4", "2", "5", "3"])
    equal(said.count("Winner"), 1, "how often play says Winner")
    require("Winner: X" in said, 'play must say "Winner: X" after 1, 4, 2, 5, 3')
    equal(said.count("Draw"), 0, "how often play says Draw in a won game (erratum R38)")


def test_play_to_a_draw():
    """play: a draw is said once, after the loop (erratum R38)"""
    said = session(["1", "2", "3", "5", "4", "6", "8", "7", "9"])
    equal(said.count("Draw"), 1, "how often play says Draw")


def test_play_refuses():
    """play: a taken cell, 0, 10 and a word are refused, and the same player is asked again"""
    said = session(["1", "1", "0", "10", "x", "4", "2", "5", "3"])
    require("Winner: X" in said, "after the refusals X still wins with 1, 2, 3")
