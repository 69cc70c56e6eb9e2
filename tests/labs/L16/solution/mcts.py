"""Monte Carlo tree search: grow a tree where it looks promising, judge leaves by random games."""

import math
import random

from game import ConnectFour, TicTacToe


class Node:
    """A position in the tree (given).

    total is the sum of all results that came through this node. It is kept in the view of the
    player who moved INTO the node: high is good for whoever chose this move.
    """

    def __init__(self, game, parent=None, move=None):
        self.game = game
        self.parent = parent  # None at the root
        self.move = move  # the move that led here; None at the root
        self.children = []
        self.untried = game.moves()  # moves that have no child yet
        self.visits = 0
        self.total = 0.0


# ---------------------------------------------------------------- Task 1


def uct(node, c=1.41):
    """Mean result + c * sqrt(ln(visits of the parent) / own visits); math.inf without visits."""
    if node.visits == 0:
        return math.inf
    mean = node.total / node.visits
    return mean + c * math.sqrt(math.log(node.parent.visits) / node.visits)


# ---------------------------------------------------------------- Task 2: phase 1, select


def select(root, c=1.41):
    """Walk down from the root and return the node where the walk ends.

    It ends at the first node that has untried moves, or at a node where the game is over.
    From every other node it goes to the child with the highest uct score.
    """
    node = root
    while not node.untried and node.children:
        node = max(node.children, key=lambda child: uct(child, c))
    return node


# ---------------------------------------------------------------- Task 3: phase 2, expand


def expand(node):
    """Take one random move out of node.untried, add a child for it, return the child."""
    move = random.choice(node.untried)
    node.untried.remove(move)
    child = Node(node.game.play(move), node, move)
    node.children.append(child)
    return child


# ---------------------------------------------------------------- Task 4: phase 3, play out


def playout(game):
    """Play random moves until the game is over. Return X's result: 1, 0 or -1."""
    while game.winner is None:
        game = game.play(random.choice(game.moves()))
    return game.winner


# ---------------------------------------------------------------- Task 5: phase 4, back up


def backup(node, result):
    """Add one visit and the result to the node and to all its ancestors.

    result is X's. Each node keeps its total in the view of the player who moved into it.
    """
    while node is not None:
        moved_in = -node.game.player
        node.visits += 1
        node.total += result * moved_in
        node = node.parent


# ---------------------------------------------------------------- Task 6


def best(root):
    """The move of the child with the most visits."""
    return max(root.children, key=lambda child: child.visits).move


# ---------------------------------------------------------------- given


def search(game, simulations=1000, c=1.41):
    """The tree after so many simulations."""
    root = Node(game)
    for _ in range(simulations):
        node = select(root, c)
        if node.untried:
            node = expand(node)
        result = playout(node.game)
        backup(node, result)
    return root


def choose(board, player):
    """A move for a board of nine cells, " ", "X" or "O"; player is "X" or "O"."""
    value = {" ": 0, "X": 1, "O": -1}
    game = TicTacToe([value[mark] for mark in board], value[player])
    return best(search(game, 1000))


def main():
    random.seed(1)
    game = TicTacToe().play(0).play(2)  # X on a1, O on c1, X to move
    if select(Node(game)) is None:
        print("Task 2 is not written yet: select answers None.")
        return
    root = search(game, 1000)
    print("move  visits   mean")
    for child in sorted(root.children, key=lambda child: -child.visits)[:9]:
        print(f"{child.move:4} {child.visits:7} {child.total / child.visits:+6.2f}")
    print("best:", best(root))
    root = search(ConnectFour(), 1000)
    print("Connect Four opens with column", best(root))


if __name__ == "__main__":
    main()
