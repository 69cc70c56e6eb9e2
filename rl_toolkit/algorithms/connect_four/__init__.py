"""Connect Four solved exactly: the engine, its scorer and its opening book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.connect_four.position import (
        Bitboards,
        after,
        completes_four,
        distance_of,
        position_of,
    )
    from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver

__all__ = [
    # The stones of the side to move and all stones, as bits; see
    # `kernels.connect_four.board`
    "Bitboards",
    "ConnectFourSolver",  # The exact engine
    "after",  # The position after a legal move, with the other side to move
    "completes_four",  # Whether the move completes four
    "distance_of",  # Plies to the end with best play, by the score of a position
    "position_of",  # The bitboards of an unfinished game
]
__getattr__, __dir__ = front_door(__name__)
