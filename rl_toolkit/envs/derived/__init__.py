"""The parts that `BaseGameEnv` is made of, one topic each.

* `core`: what the parts know of each other
* `hints`: what a game may tell engines
* `move_names`: moves as people write them
* `pictures`: a game as text and as SVG
* `completing`: what the base fills in for a class with fewer than the eight methods
* `own_form`: objects that keep board, moves or players in their own way
* `state`: winner, end and line of games in which they follow from the board
* `recording`: every move is recorded, and restored where a class refuses it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.envs.derived.completing import LISTS, MANDATORY
    from rl_toolkit.envs.derived.core import Core, StepResult
    from rl_toolkit.envs.derived.recording import Recorded
    from rl_toolkit.envs.derived.state import FollowedState

__all__ = [
    "LISTS",  # The methods of which a class needs one to list its moves
    "MANDATORY",  # The methods that every game has in the end
    "Core",  # What the parts of a game know of each other
    "FollowedState",  # A game whose state follows from board and side to move
    "Recorded",  # A game that records its moves
    "StepResult",  # What `step` returns
]
__getattr__, __dir__ = front_door(__name__)
