"""A game as a tree that keeps everything: variations, comments, glyphs, marks, clocks, reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.records.tree.game_tree import GameTree, Node
    from rl_toolkit.records.tree.link import LONGEST_LINK, link_text, tree_from_link
    from rl_toolkit.records.tree.notes import (
        GLYPHS,
        SHAPES,
        VERDICTS,
        Mark,
        Note,
        note_from_json,
        note_to_json,
    )
    from rl_toolkit.records.tree.tree_json import tree_from_json, tree_to_json

__all__ = [
    "GLYPHS",  # The glyphs of a move: ``! ? !! ?? !? ?!``
    "LONGEST_LINK",  # The most characters of a tree in an address
    "SHAPES",  # The shapes of marks
    "VERDICTS",  # What can be said of a position: even, unclear, good for X …
    "GameTree",  # A game that is edited: nodes by path, the main line, the game as played
    "Mark",  # A shape on a cell, or an arrow or a line between two
    "Node",  # One move of a tree with all that is attached to it
    "Note",  # What is attached to one move beside its comment
    "link_text",  # A tree as short text for an address
    "note_from_json",  # The note in JSON; a record checks what depends on the game
    "note_to_json",  # A note as JSON, empty parts left out
    "tree_from_json",  # The tree in the JSON that a page sends
    "tree_from_link",  # The tree in the text of an address
    "tree_to_json",  # A tree as JSON for a page: moves are numbers
]
__getattr__, __dir__ = front_door(__name__)
