"""Alpha-beta: the value of minimax with far fewer positions.

A board is a list of nine marks: "X", "O" or " ". X wants a high value, O a low one.
"""

X, O, EMPTY = "X", "O", " "
INFINITY = float("inf")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

# MAX moves at the root, MIN below it, and so on. A list is a node, a number is a leaf.
SMALL_TREE = [[3, 5], [2, 9]]
BIG_TREE = [
    [[[1, 0], [-1, 0]], [[-1, 1], [-1, 0]]],
    [[[1, 0], [-1, 0]], [[1, 1], [1, 1]]],
]

nodes = 0  # how often alpha_beta was called


# The rules are ready. Use them.


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


def utility(board):
    """What an ended game is worth to X: 1, 0 or -1."""
    return {X: 1, O: -1, None: 0}[winner(board)]


def leaves_seen(tree):
    """The leaves that alpha-beta looks at, in order. MAX moves at the root."""
    seen = []
    tree_value(tree, -INFINITY, INFINITY, True, seen)
    return seen


# These are yours.


def tree_value(node, alpha, beta, maximizing, seen):
    if not isinstance(node, list):
        seen.append(node)
        return node
    best = -INFINITY if maximizing else INFINITY
    for child in node:
        value = tree_value(child, alpha, beta, not maximizing, seen)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def alpha_beta(board, alpha, beta, player, ordered=False):
    global nodes
    nodes += 1
    if is_over(board):
        return utility(board)
    best = -INFINITY if player == X else INFINITY
    moves = available_moves(board)
    for move in order_moves(moves) if ordered else moves:
        found = alpha_beta(apply_move(board, move, player), alpha, beta, other(player), ordered)
        if player == X:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def order_moves(moves):
    return [move for move in (4, 0, 2, 6, 8, 1, 3, 5, 7) if move in moves]


def best_move(board, player):
    alpha, beta, chosen = -INFINITY, INFINITY, None
    for move in available_moves(board):
        reached = alpha_beta(apply_move(board, move, player), alpha, beta, other(player))
        if player == X and reached > alpha:
            alpha, chosen = reached, move
        if player == O and reached < beta:
            beta, chosen = reached, move
    return chosen


def main():
    global nodes
    print("leaves seen:", leaves_seen(SMALL_TREE), len(leaves_seen(BIG_TREE)), "of 16")
    value = alpha_beta(create_board(), -INFINITY, INFINITY, X)
    if value is None:
        print("alpha_beta is not written yet. Begin with tree_value, TODO 1.")
        return
    print("value", value, "after", f"{nodes:,} positions")
    nodes = 0
    value = alpha_beta(create_board(), -INFINITY, INFINITY, X, ordered=True)
    print("centre first: value", value, "after", f"{nodes:,} positions")
    nodes = 0
    print("best move:", best_move(create_board(), X), "after", f"{nodes:,} positions")


if __name__ == "__main__":
    main()
