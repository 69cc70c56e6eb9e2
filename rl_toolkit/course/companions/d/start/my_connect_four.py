"""Handout D, part 4. board[r][c] is " ", "X" or "O"; row 0 is the top row, columns count 0 to 6."""


def create_board():
    raise NotImplementedError


def available_columns(board):
    """The columns whose top cell is empty."""
    raise NotImplementedError


def drop(board, column, player):
    """A new board with the player's disc in the lowest free cell of the column."""
    raise NotImplementedError


def winner(board):
    """ "X", "O" or None."""
    raise NotImplementedError


def is_draw(board):
    raise NotImplementedError


def window_score(window):
    """The score of four cells for X."""
    raise NotImplementedError


def evaluate(board):
    """The sum over all windows, for X."""
    raise NotImplementedError


def minimax(state, depth, player):
    """The value for X after so many plies; wins are large and finite."""
    raise NotImplementedError


def best_column(state, depth, player):
    raise NotImplementedError
