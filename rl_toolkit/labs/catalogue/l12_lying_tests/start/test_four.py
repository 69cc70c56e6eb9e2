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
    game = play([3, 4, 3, 4, 3, 4, 3])
    assert game.winner == 1


# ---------------------------------------------------------------- Task 2


def test_diagonals():
    """Four on a rising diagonal win, and so do four on a falling one."""
    game = play([0, 1, 1, 2, 2, 3, 2, 3, 3, 4, 3])
    assert game.winner is not None


# ---------------------------------------------------------------- Task 3


def test_full_board():
    """A full board without a four is a draw, but four with the very last piece win."""
    column_by_column = [column for column in range(7) for _ in range(6)]
    game = play(column_by_column)
    assert game.winner is not None


# ---------------------------------------------------------------- Task 4


def test_edge():
    """Four pieces in a row that go over the edge of the board (f1 g1 a2 b2) do not win."""
    game = play([5, 0, 6, 1, 0, 3, 1])
    assert game.winner is None or "four over the edge"


# ---------------------------------------------------------------- Task 5


def test_refusals():
    """A full column and a finished game refuse a move with ValueError, and nothing changes."""
    game = play([0, 0, 0, 0, 0, 0])
    try:
        game.play(0)
    except ValueError:
        pass


if __name__ == "__main__":
    for test in (test_row, test_diagonals, test_full_board, test_edge, test_refusals):
        test()
        print(test.__name__, "passes")
