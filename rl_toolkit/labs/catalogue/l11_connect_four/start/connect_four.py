"""Connect Four: a disc falls to the lowest empty cell of its column; four in a row win.

A board is a list of six rows of seven cells. Row 0 is the bottom row: board[0][3] is d1.
A cell is "X", "O" or "." (empty).
"""

ROWS, COLS = 6, 7
EMPTY = "."


def new_board():
    """A board without discs."""
    return [[EMPTY] * COLS for _ in range(ROWS)]


def show(board):
    """Print the board. The last row of the list is printed first, because it is the top row."""
    for row in reversed(range(ROWS)):
        print(row + 1, " ".join(board[row]))
    print(" ", " ".join("abcdefg"))


# ---------------------------------------------------------------- Task 1


def lowest_row(board, column):
    """The row in which a disc dropped into this column lands; None if the column is full."""
    return None  # TODO 1: look at the cells of the column, from the bottom up


def legal(board):
    """The columns that are not full, from left to right."""
    return None  # TODO 1: one cell of each column tells whether it is full


# ---------------------------------------------------------------- Task 2


def wins_at(board, row, column):
    """True if the disc on this cell is part of four or more in a row; False for an empty cell."""
    return None  # TODO 2: count equal discs in both directions of each of the four lines


# ---------------------------------------------------------------- Task 3


def is_won(board):
    """True if somebody has four in a row (given).

    The last disc lies on top of its column, so it is enough to look at the seven top discs.
    """
    for column in range(COLS):
        row = lowest_row(board, column)
        top = (ROWS if row is None else row) - 1
        if top >= 0 and wins_at(board, top, column):
            return True
    return False


def step(board, column, player):
    """The board after the player's move, as a new board.

    Raises ValueError, and changes nothing, if somebody has won already, if there is no such
    column, or if the column is full.
    """
    return None  # TODO 3: first refuse, then copy, then drop the disc


# ---------------------------------------------------------------- Task 4


def windows():
    """All groups of four cells in a row: a list of lists of four pairs (row, column)."""
    return None  # TODO 4: four directions, and only windows that fit on the board


# ---------------------------------------------------------------- given, to try it out


def count_games(board, player, moves):
    """In how many ways the next so many moves can be made."""
    if moves == 0:
        return 1
    if is_won(board):
        return 0
    other = "O" if player == "X" else "X"
    return sum(count_games(step(board, c, player), other, moves - 1) for c in legal(board))


def main():
    board, player = new_board(), "X"
    for column in (3, 4, 3, 4, 3, 4, 3):
        board = step(board, column, player)
        if board is None:
            print("Task 3 is not written yet: step answers None.")
            break
        player = "O" if player == "X" else "X"
    else:
        show(board)
        print("won:", is_won(board))
        for moves in range(1, 6):
            print(f"depth {moves}: {count_games(new_board(), 'X', moves)}")
    found = windows()
    if found is None:
        print("Task 4 is not written yet: windows answers None.")
    else:
        print("windows:", len(found))
        print("windows through d4:", sum((3, 3) in window for window in found))


if __name__ == "__main__":
    main()
