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
    for row in range(ROWS):
        if board[row][column] == EMPTY:
            return row
    return None


def legal(board):
    """The columns that are not full, from left to right."""
    return [column for column in range(COLS) if board[ROWS - 1][column] == EMPTY]


# ---------------------------------------------------------------- Task 2


def wins_at(board, row, column):
    """True if the disc on this cell is part of four or more in a row; False for an empty cell."""
    disc = board[row][column]
    if disc == EMPTY:
        return False
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * up, column + sign * right
            while 0 <= r < ROWS and 0 <= c < COLS and board[r][c] == disc:
                length += 1
                r, c = r + sign * up, c + sign * right
        if length >= 4:
            return True
    return False


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
    if is_won(board):
        raise ValueError("the game is over")
    if not 0 <= column < COLS:
        raise ValueError(f"there is no column {column}")
    row = lowest_row(board, column)
    if row is None:
        raise ValueError(f"column {column} is full")
    after = [list(cells) for cells in board]
    after[row][column] = player
    return after


# ---------------------------------------------------------------- Task 4


def windows():
    """All groups of four cells in a row: a list of lists of four pairs (row, column)."""
    found = []
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(ROWS):
            for column in range(COLS):
                last_row, last_column = row + 3 * up, column + 3 * right
                if last_row < ROWS and 0 <= last_column < COLS:
                    found.append([(row + i * up, column + i * right) for i in range(4)])
    return found


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
