"""Minimax with alpha-beta pruning and a transposition table, in Python and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.minimax.evaluation import Evaluation
    from rl_toolkit.algorithms.minimax.negamax import UNLIMITED, WIN, Options, PythonNegamax
    from rl_toolkit.algorithms.minimax.solver import MinimaxSolver

__all__ = [
    # A remaining depth that no game uses up; also the depth of results that met no horizon
    "UNLIMITED",
    "WIN",  # The score of a win, before its distance is taken away
    "Evaluation",  # A function of a game and a player: what the position is worth, from −1 to 1
    "MinimaxSolver",  # Minimax over any `BaseGameEnv`, compiled for games with kernels
    "Options",  # The search techniques, one switch each; all off is plain minimax in index order
    # One search over any `BaseGameEnv`; table, killers and history live as long as the
    # object
    "PythonNegamax",
]
__getattr__, __dir__ = front_door(__name__)
