"""Connect Four with a depth limit: look a few moves ahead, then judge by counting windows.

A board is a list of six rows of seven cells, "X", "O" or "."; row 0 is the bottom row.
All values are X's: high is good for X, low is good for O.
"""

ROWS, COLS = 6, 7
EMPTY = "."
TWO, THREE, CENTRE = 10, 100, 3
WIN = 100_000

# ---------------------------------------------------------------- given: the rules


def new_board():
    """A board without discs."""
    return [[EMPTY] * COLS for _ in range(ROWS)]


def show(board):
    """Print the board, top row first."""
    for row in reversed(range(ROWS)):
        print(row + 1, " ".join(board[row]))
    print(" ", " ".join("abcdefg"))


def other(player):
    """The other player."""
    return "O" if player == "X" else "X"


def legal(board):
    """The columns that are not full."""
    return [column for column in range(COLS) if board[ROWS - 1][column] == EMPTY]


def step(board, column, player):
    """A new board in which the player's disc has fallen into the column."""
    after = [list(row) for row in board]
    for row in after:
        if row[column] == EMPTY:
            row[column] = player
            return after
    raise ValueError(f"column {column} is full")


def windows():
    """All 69 groups of four cells in a row, as lists of pairs (row, column)."""
    found = []
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(ROWS):
            for column in range(COLS):
                if row + 3 * up < ROWS and 0 <= column + 3 * right < COLS:
                    found.append([(row + i * up, column + i * right) for i in range(4)])
    return found


WINDOWS = windows()


def winner(board):
    """ "X" or "O" if that player has four in a row, else None."""
    for (r, c), (r2, c2), (r3, c3), (r4, c4) in WINDOWS:
        disc = board[r][c]
        if disc != EMPTY and disc == board[r2][c2] == board[r3][c3] == board[r4][c4]:
            return disc
    return None


# ---------------------------------------------------------------- Task 1


def window_score(window):
    """X's points for the four cells of a window, given as a list such as ["X", ".", "X", "X"]."""
    return None  # TODO 1: three and one empty, two and two empty; the same with minus for O


# ---------------------------------------------------------------- Task 2


def evaluate(board):
    """X's points for a board: all windows, and CENTRE for each disc in the middle column."""
    return None  # TODO 2


# ---------------------------------------------------------------- Task 3


def minimax_depth(board, player, depth):
    """X's value of a board with player to move, looking depth moves ahead.

    X has won: WIN + depth. O has won: -(WIN + depth). Full board: 0. No depth left: evaluate.
    """
    return None  # TODO 3


# ---------------------------------------------------------------- Task 4


def choose(board, player, depth=3):
    """The best column for the player, who looks depth moves ahead; of equals the first."""
    return None  # TODO 4


# ---------------------------------------------------------------- given, to try it out


def play_moves(letters):
    """The board after moves such as "dad", X first."""
    board, player = new_board(), "X"
    for letter in letters:
        board = step(board, "abcdefg".index(letter), player)
        player = other(player)
    return board


def main():
    if evaluate(new_board()) is None:
        print("Task 2 is not written yet: evaluate answers None.")
        return
    for letters in ("d", "dad", "dada", "dadad", "cadae"):
        print(f"{letters:6}", evaluate(play_moves(letters)))
    board = play_moves("cadae")
    if minimax_depth(board, "O", 2) is None:
        print("Task 3 is not written yet: minimax_depth answers None.")
        return
    show(board)
    for depth in (0, 1, 2):
        print("depth", depth, "value", minimax_depth(board, "O", depth))
    print("O chooses column", choose(board, "O", 2))
    print("X would choose column", choose(board, "X", 3))


if __name__ == "__main__":
    main()
