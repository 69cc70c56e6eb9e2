"""Game trees typed by hand: a small notation, and the tree as a game for the readable searches.

>>> from rl_toolkit.envs.hand_trees import HandTreeGame
>>> env = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
>>> [env.move_name(move) for move in env.get_legal_moves()]
['A', 'B', 'C']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.envs.hand_trees.game import HandTreeGame
    from rl_toolkit.envs.hand_trees.notation import (
        MOST_TEXT,
        HandNode,
        HandTree,
        TreeNotationError,
        number_text,
        read_tree,
        size_of,
        tree_of,
    )

__all__ = [
    "MOST_TEXT",  # The longest text, and the largest tree: nodes, plies, children of one node
    "HandNode",  # A node of a tree; it is never changed
    "HandTree",  # A tree read from text; ``nodes`` lists its nodes by number
    # MAX and MIN move down a tree in turns; the leaf that they reach is the result for MAX
    "HandTreeGame",
    # Text that is not a tree; ``at`` is the place in it, counted from 0, −1 for all of it
    "TreeNotationError",
    "number_text",  # A leaf as it is written
    # The tree that ``text`` describes; `TreeNotationError` with the place of the mistake
    "read_tree",
    "size_of",  # ``13 nodes, 9 leaves, 2 plies``
    "tree_of",  # The tree of nested lists of numbers, as courses write it
]
__getattr__, __dir__ = front_door(__name__)
