"""The bases of games, from the most to the least that they supply.

* `line_game`: a line of pieces wins; `lines` has the geometry
* `board_game`: a board and a side to move, from which everything else follows
* `text_game`: functions of a state that is never changed, drawn as text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.envs.bases.board_game import DRAWN, RUNNING, BoardGame, Verdict
    from rl_toolkit.envs.bases.line_game import LineGame
    from rl_toolkit.envs.bases.lines import DIRECTIONS, Axis, axes, runs_through, windows
    from rl_toolkit.envs.bases.text_game import TextGame

__all__ = [
    "DIRECTIONS",  # Steps (row, col) along the four directions of a line
    "DRAWN",  # The verdict that a game is drawn
    "RUNNING",  # The verdict that a game is not over
    "Axis",  # The cells before and after one cell along one direction, nearest first
    "BoardGame",  # A game whose position is a board and a side to move
    "LineGame",  # A game won by a line of pieces
    "TextGame",  # A game given by functions of a state that is never changed
    "Verdict",  # The state of a game: running, won or drawn
    "axes",  # The four axes of each cell, in the order of `DIRECTIONS`
    "runs_through",  # The four runs of a piece's colour through its cell
    "windows",  # Every straight window of some cells, one per row of the result
]
__getattr__, __dir__ = front_door(__name__)
