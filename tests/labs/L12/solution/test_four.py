"""Five tests of Connect Four. All of them pass, and all of them lie: repair them."""

from connect_four import ConnectFour
from games import FULL_A, FULL_B, FULL_C


def play(moves):
    """The game after these moves. Moves after the end of the game are left out."""
    game = ConnectFour()
    for column in moves:
        if game.winner is not None:
            break
        game.play(column)
    return game


# ---------------------------------------------------------------- Task 1


def test_row():
    """X wins with four across; winner and line are right."""
    game = play([0, 0, 1, 1, 2, 2, 3])
    assert game.winner == 1
    assert game.line == [0, 1, 2, 3]


# ---------------------------------------------------------------- Task 2


def test_diagonals():
    """Four on a rising diagonal win, and so do four on a falling one."""
    rising = play([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3])
    assert rising.winner == 1
    assert rising.line == [0, 8, 16, 24]
    falling = play([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3])
    assert falling.winner == 1
    assert falling.line == [6, 12, 18, 24]


# ---------------------------------------------------------------- Task 3


def test_full_board():
    """A full board without a four is a draw, but four with the very last piece win."""
    drawn = play(FULL_B)
    assert 0 not in drawn.board
    assert drawn.winner == 0
    last = play(FULL_C)
    assert 0 not in last.board
    assert last.winner == -1


# ---------------------------------------------------------------- Task 4


def test_edge():
    """Four pieces in a row that go over the edge of the board (f1 g1 a2 b2) do not win."""
    game = play([5, 0, 6, 1, 0, 3, 1])
    assert game.winner is None, "four over the edge"


# ---------------------------------------------------------------- Task 5


def test_refusals():
    """A full column and a finished game refuse a move with ValueError, and nothing changes."""
    for moves in ([0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3]):
        game = play(moves)
        board, player = list(game.board), game.player
        refused = False
        try:
            game.play(0)
        except ValueError:
            refused = True
        assert refused
        assert game.board == board
        assert game.player == player


if __name__ == "__main__":
    for test in (test_row, test_diagonals, test_full_board, test_edge, test_refusals):
        test()
        print(test.__name__, "passes")
