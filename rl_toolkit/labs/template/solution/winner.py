"""Who has won?"""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """ "X" or "O" if that side has three in a row, else None."""
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


if __name__ == "__main__":
    print(winner(["X", "O", "O", " ", "X", " ", " ", " ", "X"]))
