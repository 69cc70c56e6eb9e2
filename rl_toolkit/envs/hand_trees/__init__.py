"""Game trees typed by hand: a small notation, and the tree as a game for the readable searches.

>>> from rl_toolkit.envs.hand_trees import HandTreeGame
>>> env = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
>>> [env.move_name(move) for move in env.get_legal_moves()]
['A', 'B', 'C']
"""

from rl_toolkit.envs.hand_trees.game import HandTreeGame
from rl_toolkit.envs.hand_trees.notation import (
    HandNode,
    HandTree,
    TreeNotationError,
    number_text,
    read_tree,
    tree_of,
)

__all__ = [
    "HandNode",
    "HandTree",
    "HandTreeGame",
    "TreeNotationError",
    "number_text",
    "read_tree",
    "tree_of",
]
