"""The rules of Tic-Tac-Toe on a list of nine marks, as several labs give them to students.

Where a student's file begins with them, the line ``# given: tictactoe_rules`` stands for all that
follows the dashes.
"""

X, O, EMPTY = "X", "O", " "
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

# ------------------------------------------------------------------------------------------ given


def create_board():
    """A new empty board."""
    return [EMPTY] * 9


def available_moves(board):
    """The numbers of the free cells, smallest first."""
    return [cell for cell in range(9) if board[cell] == EMPTY]


def apply_move(board, cell, player):
    """A new board on which player has taken the cell."""
    return [*board[:cell], player, *board[cell + 1 :]]


def other(player):
    """The opponent."""
    return O if player == X else X


def winner(board):
    """X or O if that side has three in a line, else None."""
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None


def is_over(board):
    """Whether the game has ended."""
    return winner(board) is not None or EMPTY not in board
