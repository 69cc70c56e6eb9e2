"""Two people play Tic-Tac-Toe in the terminal.

A board is a list of nine marks: "X", "O" or " " for an empty cell. Cells are 0 to 8, row by row.
"""

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# These four are ready. Use them.


def create_board():
    """A new empty board."""
    return [EMPTY] * 9


def available_moves(board):
    """The numbers of the free cells, smallest first."""
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, player):
    """A new board on which player has taken the cell."""
    if cell not in available_moves(board):
        raise ValueError(f"cell {cell} is not free")
    return [*board[:cell], player, *board[cell + 1 :]]


def winner(board):
    """X or O if that side has three in a line, else None."""
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


# These are yours.


def other(player):
    """The opponent: O for X, and X for O."""
    return None  # TODO 1


def name(cell):
    """The name of a cell: column letter, then row number. Cell 4 is "b2"."""
    return None  # TODO 2: divmod(cell, 3) gives row and column, counted from 0


def parse(text):
    """The cell (0 to 8) that a person means by "5", "b2" or "2,2", or None if it is not a cell."""
    return None  # TODO 3: three ways to write a cell; anything else gives None


def format_board(board):
    """The board as four lines of text (see the sheet)."""
    return None  # TODO 4: a line of letters, then one line per row


def ask_move(board, player):
    """Ask with input() until the answer is a free cell, and return that cell."""
    return None  # TODO 5: loop; say what is wrong; ask again


def play():
    """Two people play one game: print the board after each move, and the result once at the end."""
    return None  # TODO 6: loop until somebody has won or the board is full


if __name__ == "__main__":
    if format_board(create_board()) is None:
        print("format_board is not written yet. Begin with TODO 1.")
    else:
        play()
