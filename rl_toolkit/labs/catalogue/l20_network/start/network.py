"""A network and its search: what it sees, how the search chooses, what the network learns from.

A board is a list of nine marks, " ", "X" or "O"; cell 0 is a1 (top left), cell 8 is c3.
"""

import math

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# ---------------------------------------------------------------- Task 1


def planes(board, player):
    """What the network sees when player is to move: three lists of nine numbers, 0 or 1.

    plane 0: 1 where player has a mark
    plane 1: 1 where the other side has a mark
    plane 2: 1 everywhere if player opened the game, else 0 everywhere
    """
    return None  # TODO 1


# ---------------------------------------------------------------- Task 2


def puct_score(prior, value_sum, visits, parent_visits, c=1.5):
    """How much the search wants to visit a move next.

    Q + c * prior * sqrt(parent_visits) / (1 + visits), where Q is the mean value of the visits,
    and 0 if there are none.
    """
    return None  # TODO 2


# ---------------------------------------------------------------- Task 3


def targets(visits, player, winner):
    """What the network should have said about a position of a finished game: (policy, value).

    visits: nine numbers, how often the search visited each move
    player: who was to move, "X" or "O"
    winner: who won that game in the end, "X" or "O"; " " for a draw
    policy: nine numbers that add up to 1. value: 1, 0 or -1 for player
    """
    return None  # TODO 3


# ---------------------------------------------------------------- given: the network, the search


def other(player):
    return "O" if player == "X" else "X"


def result(board):
    """The winner, " " for a draw, None while the game runs."""
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None if " " in board else " "


_network = None


def look(board, player):
    """The network's opinion: a prior for each free cell, and the value for player."""
    import numpy as np

    from rl_toolkit.learning.alphazero.inference import evaluate, make_network
    from rl_toolkit.learning.alphazero.weights import load_weights, shipped_weights

    global _network
    if _network is None:
        # To look through your own network: load_weights("run/network.npz")
        _network = make_network(shipped_weights("tictactoe"))
    seen = np.array(planes(board, player), dtype=np.float32).reshape(3, 3, 3)
    free = np.array([mark == " " for mark in board])
    said = evaluate(_network, seen.transpose(1, 2, 0)[None], free[None])
    return {int(c): float(said.priors[0, c]) for c in np.flatnonzero(free)}, float(said.values[0])


class Node:
    """A position; value_sum is in the view of the side that moved into it."""

    def __init__(self, board, player, prior=1.0):
        self.board, self.player, self.prior = board, player, prior
        self.visits, self.value_sum, self.children = 0, 0.0, {}


def search(board, player, simulations=100):
    """The tree after so many simulations, without a single random playout."""
    root = Node(list(board), player)
    for _ in range(simulations):
        node, path = root, [root]
        while node.children:
            parent = node
            node = max(
                parent.children.values(),
                key=lambda child: puct_score(
                    child.prior, child.value_sum, child.visits, parent.visits
                ),
            )
            path.append(node)
        ended = result(node.board)
        if ended is None:
            priors, value = look(node.board, node.player)
            for cell, prior in priors.items():
                board = node.board.copy()
                board[cell] = node.player
                node.children[cell] = Node(board, other(node.player), prior)
        else:
            value = 0 if ended == " " else 1 if ended == node.player else -1
        for node in reversed(path):
            value = -value  # the side that moved in here is not the side to move
            node.visits += 1
            node.value_sum += value
    return root


def choose(board, player):
    """The most visited move of a short search."""
    children = search(board, player, 50).children
    return max(children, key=lambda cell: children[cell].visits)


def main():
    board = ["X", "X", " ", "O", "O", " ", " ", " ", " "]
    if planes(board, "X") is None:
        print("Task 1 is not written yet: planes answers None.")
        return
    for number, plane in enumerate(planes(board, "X")):
        print("plane", number, plane)
    if puct_score(0.5, 3, 5, 10) is None:
        print("Task 2 is not written yet: puct_score answers None.")
        return
    for prior, value_sum, visits in ((0.5, 3, 5), (0.3, 1, 2), (0.2, 0, 0)):
        print(f"{puct_score(prior, value_sum, visits, 10):.3f}")
    if targets([1, 0, 3, 0, 0, 0, 0, 0, 0], "O", "X") is None:
        print("Task 3 is not written yet: targets answers None.")
        return
    print(targets([1, 0, 3, 0, 0, 0, 0, 0, 0], "O", "X"))
    root = search(["X", " ", "O", " ", " ", " ", " ", " ", " "], "X", 100)
    print("move  prior  visits")
    for cell, child in sorted(root.children.items(), key=lambda item: -item[1].visits):
        print(f"{cell:4} {100 * child.prior:5.1f}% {child.visits:7}")


if __name__ == "__main__":
    main()
