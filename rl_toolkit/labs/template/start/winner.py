"""Who has won? Write the function marked TODO; sheet.md explains it."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """ "X" or "O" if that side has three in a row, else None."""
    return "not written yet"  # TODO 1


if __name__ == "__main__":
    print(winner(["X", "O", "O", " ", "X", " ", " ", " ", "X"]))
