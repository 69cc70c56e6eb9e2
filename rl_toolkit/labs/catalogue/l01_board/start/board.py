"""A board of Tic-Tac-Toe as data.

A board is a list of nine marks: "X", "O" or " " for an empty cell.

    0 | 1 | 2        row 1
    ---+---+---
    3 | 4 | 5        row 2
    ---+---+---
    6 | 7 | 8        row 3
"""

X, O, EMPTY = "X", "O", " "


def create_board():
    """A new empty board: a list of nine EMPTY."""
    return None  # TODO 1: make the list


def available_moves(board):
    """The numbers of the free cells as a list, smallest first."""
    return None  # TODO 2: look at each of the nine cells


def apply_move(board, cell, player):
    """A new board on which player (X or O) has taken the cell.

    The old board stays as it was. A cell that is not on the board or is taken raises ValueError.
    """
    return None  # TODO 3: refuse bad cells, copy, then write the mark into the copy


def to_text(board, player):
    """The board and the side to move as one line, for example "xx1/oo1/3 x"."""
    return None  # TODO 4: row by row, then join the rows with "/"


def from_text(text):
    """The board that the line describes. The side to move is not part of the board."""
    return None  # TODO 5: drop the side to move, then read the rows character by character


if __name__ == "__main__":
    board = create_board()
    if board is None:
        print("create_board is not written yet. Begin with TODO 1.")
    else:
        print("free cells:", available_moves(board))
        later = apply_move(board, 4, X) or board  # until TODO 3 is done: the old board
        print("after X takes 4:", available_moves(later))
        print("the old board:", available_moves(board))
        print("as text:", to_text(later, O))
        print("and back:", from_text("xx1/oo1/3 x"))
