"""Monte Carlo tree search on Connect Four. Something in it is in the wrong view.

It has passed its test: with 200 simulations it beats a copy of itself with 10 simulations. In that
test the strong side was X.
"""

import math
import random

from connect_four import ConnectFour


class Node:
    """A position in the tree. total is kept in the view of the player who moved INTO the node."""

    def __init__(self, game, parent=None, move=None):
        self.game = game
        self.parent = parent
        self.move = move
        self.children = []
        self.untried = game.moves()
        self.visits = 0
        self.total = 0.0


def uct(node, c=1.41):
    """How much the player who chooses between nodes wants to look at this one."""
    mean = node.total / node.visits
    return mean + c * math.sqrt(math.log(node.parent.visits) / node.visits)


def select(node):
    """Walk down to a node with untried moves, or to the end of a game."""
    while not node.untried and node.children:
        node = max(node.children, key=uct)
    return node


def expand(node):
    """Add a child for one untried move."""
    move = node.untried.pop(random.randrange(len(node.untried)))
    child = Node(node.game.play(move), node, move)
    node.children.append(child)
    return child


def playout(game):
    """Random moves to the end. Returns X's result: 1, 0 or -1."""
    while game.winner is None:
        game = game.play(random.choice(game.moves()))
    return game.winner


def backup(node, result):
    """Add a visit and the result to the node and everything above it."""
    while node is not None:
        node.visits += 1
        node.total += result
        result = -result  # what is good for one side is bad for the other
        node = node.parent


def search(game, simulations=1000):
    """The tree after so many simulations."""
    root = Node(game)
    for _ in range(simulations):
        node = select(root)
        if node.untried:
            node = expand(node)
        backup(node, playout(node.game))
    return root


def choose(game, simulations=100):
    """The column with the most visits."""
    return max(search(game, simulations).children, key=lambda child: child.visits).move


def wins_against_random(seat, games, simulations=100):
    """How many games the search wins as seat (1 or -1) against random moves."""
    won = 0
    for _ in range(games):
        game = ConnectFour()
        while game.winner is None:
            mine = game.player == seat
            game = game.play(choose(game, simulations) if mine else random.choice(game.moves()))
        won += game.winner == seat
    return won


if __name__ == "__main__":
    random.seed(1)
    game = ConnectFour()
    for column in (3, 4, 3, 4, 3, 4, 0):
        game = game.play(column)
    print("O is to move. d1, d2, d3 are X's; e1, e2, e3 are O's: column 4 wins at once.")
    for child in sorted(search(game).children, key=lambda child: child.move):
        mean = child.total / child.visits
        print(f"column {child.move}: {child.visits:4} visits, mean {mean:+.2f}")
    for name, seat in (("X", 1), ("O", -1)):
        print(f"as {name} against random: {wins_against_random(seat, 10)} of 10 won")
