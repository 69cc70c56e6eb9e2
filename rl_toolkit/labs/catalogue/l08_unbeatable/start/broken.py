"""A perfect player of Tic-Tac-Toe, they say. Do not change this file: it is the evidence.

A board is a list of nine marks: "X", "O" or " ". X wants a high value, O a low one.
"""

X, O, EMPTY = "X", "O", " "
INFINITY = float("inf")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# given: tictactoe_rules


def utility(board):
    """What an ended game is worth to X: 1, 0 or -1."""
    return {X: 1, O: -1, None: 0}[winner(board)]


def search(board, player, alpha, beta, memo=None):
    """The value for X by alpha-beta. memo remembers positions; without it nothing is remembered."""
    if is_over(board):
        return utility(board)
    here = (tuple(board), player)
    if memo is not None and here in memo:
        return memo[here]
    best = -INFINITY if player == X else INFINITY
    for cell in available_moves(board):
        value = search(apply_move(board, cell, player), other(player), alpha, beta, memo)
        if player == X:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    if memo is not None:
        memo[here] = best
    return best


def move_values(board, player):
    """The value after each free cell, for X. All moves share one memo."""
    memo = {}
    values = {}
    for cell in available_moves(board):
        after = apply_move(board, cell, player)
        values[cell] = search(after, other(player), -INFINITY, INFINITY, memo)
    return values


def best_move(board, player):
    """The first move with the best value for player."""
    values = move_values(board, player)
    best = max(values.values()) if player == X else min(values.values())
    return next(cell for cell in values if values[cell] == best)


def show(board):
    """Print the board; free cells show their numbers."""
    for row in (0, 3, 6):
        marks = [str(row + i) if board[row + i] == EMPTY else board[row + i] for i in range(3)]
        print("   " + " | ".join(marks))


def play(moves, quiet=False):
    """Play X's moves against the solver, which is O. Prints the game and returns the last board."""
    board = create_board()
    for move in moves:
        for player in (X, O):
            cell = move if player == X else best_move(board, O)
            if board[cell] != EMPTY:
                raise ValueError(f"cell {cell} is taken")
            board = apply_move(board, cell, player)
            if not quiet:
                print(f"{player} plays {cell}")
            if is_over(board):
                break
        if is_over(board):
            break
    if not quiet:
        show(board)
    return board
