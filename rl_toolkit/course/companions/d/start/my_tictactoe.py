"""Handout D, parts 1 to 3. The board is a list of nine marks: " ", "X", "O". Cells count 0 to 8."""


def create_board():
    raise NotImplementedError


def display(board):
    """Print the board."""
    raise NotImplementedError


def available_moves(board):
    """The free cells, smallest first."""
    raise NotImplementedError


def apply_move(board, move, player):
    """A new board with the player's mark on the cell."""
    raise NotImplementedError


def winner(board):
    """ "X", "O" or None."""
    raise NotImplementedError


def is_draw(board):
    raise NotImplementedError


def game_over(board):
    raise NotImplementedError


def play():
    """Ask for cells 1 to 9 in turn until the game is over, then say "Winner: ..." or "Draw"."""
    raise NotImplementedError


def minimax(state, player_to_move):
    """The value for X: 1, 0 or -1."""
    raise NotImplementedError


def best_move_for_ai(state, player):
    raise NotImplementedError


if __name__ == "__main__":
    play()
