"""Three simple engines: the first move, a random one, and one that looks a single move ahead.

They are opponents for a first game, baselines for better engines, and the shortest examples of an
engine. Beside them stands what the board shows without a search, which every engine uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.simple.baselines import FirstMoveEngine, RandomEngine
    from rl_toolkit.algorithms.simple.greedy import GreedyEngine

__all__ = [
    "FirstMoveEngine",  # Plays the first legal move
    "GreedyEngine",  # Looks a single move ahead
    "RandomEngine",  # Plays any legal move
]
__getattr__, __dir__ = front_door(__name__)
