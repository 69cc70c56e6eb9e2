"""Handout C: a list of nine marks, ' ', 'X' and 'O'. X is the AI, moves first, maximises."""

WIN_LINES = []

node_count = 0


def create_board():
    raise NotImplementedError


def print_board(board):
    raise NotImplementedError


def check_winner(board):
    """'X', 'O' or None."""
    raise NotImplementedError


def get_available_moves(board):
    raise NotImplementedError


def is_terminal(board):
    raise NotImplementedError


def make_move(board, position, player):
    """A new board."""
    raise NotImplementedError


def utility(board):
    """+1 if X has won, -1 if O has, else 0."""
    raise NotImplementedError


def minimax(board, is_maximizing):
    raise NotImplementedError


def find_best_move(board):
    """The first best move of X."""
    raise NotImplementedError


def alpha_beta(board, alpha, beta, is_maximizing):
    raise NotImplementedError


def find_best_move_ab(board):
    raise NotImplementedError


def minimax_counted(board, is_maximizing):
    """As minimax; adds 1 to node_count in each call."""
    raise NotImplementedError


def alpha_beta_counted(board, alpha, beta, is_maximizing):
    raise NotImplementedError


def play_game():
    raise NotImplementedError


if __name__ == "__main__":
    play_game()
