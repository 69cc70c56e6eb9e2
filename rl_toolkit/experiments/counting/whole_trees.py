"""What the experiments on whole game trees have in common: their settings, and how deep they go."""

from __future__ import annotations

from math import log

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.experiments import settings

#: Positions that plain minimax may visit where no depth is given.
_PATIENCE = 2_000_000
#: Cells of a board whose whole tree is searched where no depth is given.
SMALL_BOARD = 9

SETTINGS = (
    settings.game("tictactoe", "connect-four", "reversi-6", "reversi"),
    settings.depth(page_most=8),
)


def depth_for(env: BaseGameEnv, depth: int | None) -> int | None:
    """The depth where none is asked for: the end on a small board, else what is affordable."""
    if depth is not None or len(env.board) <= SMALL_BOARD:
        return depth
    return max(1, int(log(_PATIENCE) / log(max(2, len(env.get_legal_moves())))))
