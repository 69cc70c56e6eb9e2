"""Minimax: a player of Tic-Tac-Toe that cannot be beaten.

A board is a list of nine marks, "X", "O" or " ", cell 0 at the top left. Values are X's: 1 if X
wins, -1 if O wins, 0 for a draw. Write the five functions marked TODO; sheet.md explains them.
"""

LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),  # rows
    (0, 3, 6), (1, 4, 7), (2, 5, 8),  # columns
    (0, 4, 8), (2, 4, 6),  # diagonals
]  # fmt: skip


# ---------------------------------------------------------------- given


def winner(board):
    """ "X" or "O" if that side has three in a row, else None."""
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def is_over(board):
    """Whether the game is over: somebody has won, or the board is full."""
    return winner(board) is not None or " " not in board


def available_moves(board):
    """The numbers of the free cells, smallest first."""
    return [cell for cell in range(9) if board[cell] == " "]


def apply_move(board, cell, player):
    """A new board with the player's mark on a cell; the old board stays as it is."""
    return board[:cell] + [player] + board[cell + 1 :]


def other(player):
    """The player whose turn comes next."""
    return "O" if player == "X" else "X"


# ---------------------------------------------------------------- yours


def utility(board):
    """What an ended game is worth to X: 1, -1 or 0."""
    return None  # TODO 1


def children(board, player):
    """The boards after each move of the player, in the order of the free cells."""
    return None  # TODO 2


def minimax(board, player):
    """The value of the board to X, with best play of both sides; the player is to move."""
    return None  # TODO 3


def best_move(board, player):
    """The cell that is best for the player; the first one, if several are equally good."""
    return None  # TODO 4


def sure_move(board, player):
    """A cell that wins at once if there is one, else the best move."""
    return None  # TODO 5


# ---------------------------------------------------------------- try it: python minimax.py


def show(board):
    """Print the board, a dot for a free cell."""
    marks = [mark if mark != " " else "." for mark in board]
    for row in (0, 3, 6):
        print(*marks[row : row + 3])


if __name__ == "__main__":
    value = minimax([" "] * 9, "X")
    if value is None:
        print("minimax is not written yet. Begin with utility, task 1 of sheet.md.")
    else:
        result = {1: "X wins", 0: "it is a draw", -1: "O wins"}
        print(f"The empty board is worth {value}: with best play {result.get(value)}.")
        corner = apply_move([" "] * 9, 0, "X")
        show(corner)
        print("O's best answer: cell", best_move(corner, "O"))
