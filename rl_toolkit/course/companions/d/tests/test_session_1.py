"""Handout D, part 1: two people play."""

from companion import (
    LINES,
    WAYS,
    drawn,
    equal,
    free,
    open_positions,
    over,
    played,
    require,
    results_in,
    take,
    typed,
    way_to_type,
)


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
    require(before == [" "] * 9, "apply_move changes the board that it is given: copy it first")


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
    """game_over in 400 positions: half of them running, then each after one more move"""
    for cells, mover in open_positions()[::23]:
        for each in (cells, played(cells, free(cells)[-1], mover)):
            equal(bool(own("game_over")(marks(each))), over(each), f"game_over of {drawn(each)}")


def session(*cells, more=()):
    """The results that play announces when these cells are typed, ``more`` after the first."""
    play = own("play")
    way, first = way_to_type(play)
    lines = [*first, *way(cells[0]), *more, *(line for cell in cells[1:] for line in way(cell))]
    said, asks = typed(play, lines)
    if asks and not results_in(said):
        require(False, "play asks for another move although the game is over, or never saw the end")
    return results_in(said)


def test_play_to_a_win():
    """play: cells 1 4 2 5 3 end with "Winner: X", said once"""
    found = session(0, 3, 1, 4, 2)
    require("X" in found, 'play must say "Winner: X" after 1, 4, 2, 5, 3')
    equal(found.count("X"), 1, "how often play says that X is the winner")
    equal(found.count("Draw"), 0, "how often play says Draw in a won game (erratum R38)")


def test_play_to_a_draw():
    """play: a draw is said once, after the loop (erratum R38)"""
    equal(session(0, 1, 2, 4, 3, 5, 7, 6, 8), ["Draw"], "what play says at the end of a draw")


def test_play_refuses():
    """play: a taken cell, 0, 10 and a word are refused, and the same player is asked again"""
    way, _ = way_to_type(own("play"))
    words = ["0", "10", "x"] if way is WAYS[0] else ["x"] if len(way(0)) == 1 else []
    found = session(0, 3, 1, 4, 2, more=[*way(0), *words])
    require("X" in found, "after a taken cell and other nonsense X still wins with 1, 2, 3")
