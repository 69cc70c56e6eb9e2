"""Tic-Tac-Toe on a list of nine, which the searches beside this file share."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def won(board, player):
    return any(all(board[cell] == player for cell in line) for line in LINES)


def free(board):
    return [cell for cell in range(9) if board[cell] == " "]


def other(player):
    return "O" if player == "X" else "X"
