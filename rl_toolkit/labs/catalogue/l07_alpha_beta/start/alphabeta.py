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


# given: tictactoe_rules


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
    """The value of a node. Appends each leaf that it looks at to the list seen.

    MAX is sure of alpha elsewhere, MIN is sure of beta elsewhere.
    """
    return None  # TODO 1: a leaf, or a loop over the children with a stop


def alpha_beta(board, alpha, beta, player, ordered=False):
    """The value of the board for X when player is to move; ordered is for TODO 3."""
    global nodes
    nodes += 1
    return None  # TODO 2: as TODO 1, with boards instead of lists


def order_moves(moves):
    """The same cells in a better order: centre, then corners, then edges."""
    return None  # TODO 3: and use it in alpha_beta if ordered


def best_move(board, player):
    """The first move with the best value for player; the window is carried from move to move."""
    return None  # TODO 4


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
