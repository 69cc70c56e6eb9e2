"""Gomoku: five in a row on a large board.

Row 1 is at the bottom, ``a1`` is bottom left and ``h8`` the centre of the 15×15 board. In the
freestyle game five or more win; in the standard game exactly five.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rl_toolkit.envs import lines
from rl_toolkit.envs.checks import as_player, as_sides, shown
from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.line_game import LineGame, checked_win_length

Rule = Literal["freestyle", "standard"]

SIZES = (9, 13, 15, 19, 20)

# What a pattern is worth to `evaluate_heuristic`, by the number of stones it lacks to be complete.
# A window is ``win_length`` cells without an enemy stone. An open window is one cell longer, both
# its end cells are empty, and it lacks what its inner cells lack: complete, it wins on either end.
WINDOW_WEIGHTS = {1: 40, 2: 5, 3: 1}
OPEN_WEIGHTS = {0: 400, 1: 30, 2: 4}
SCALE = 1000


class Gomoku(LineGame):
    """``win_length`` in a row on ``board_size`` × ``board_size`` crossings; +1 is black.

    >>> env = Gomoku(15)
    >>> _ = env.step(env.parse_move("h8"))
    >>> env.last_move, env.name
    (112, 'gomoku-15')
    """

    row_one_at = "bottom"
    svg_style = "stones"

    def __init__(self, board_size: int = 15, win_length: int = 5, rule: Rule = "freestyle") -> None:
        side, cols = as_sides(board_size)
        if side != cols or side not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise InvalidPositionError(
                f"Gomoku is played on a square board of {sizes}, not {shown(board_size)}"
            )
        if rule not in ("freestyle", "standard"):
            raise InvalidPositionError(f"rule is 'freestyle' or 'standard', not {shown(rule)}")
        super().__init__(
            side, checked_win_length(win_length, side, side), exactly=rule == "standard"
        )
        self.board_size = side
        self.rule = rule

    @property
    def name(self) -> str:
        """``gomoku-15``; ``gomoku-15x15x4`` for another length; ``-standard`` for that rule."""
        side = str(self.rows)
        shape = side if self.win_length == 5 else f"{side}x{side}x{self.win_length}"
        return f"gomoku-{shape}" + ("-standard" if self.exactly else "")

    def evaluate_heuristic(self, player: int) -> float:
        """Open and closed patterns, own less enemy's, scaled and clipped to [−1, 1]."""
        player = as_player(player)
        if self.is_terminal():
            return self.get_result(player)
        score = self._pattern_score(player) - self._pattern_score(-player)
        return max(-1.0, min(1.0, score / SCALE))

    def _pattern_score(self, player: int) -> int:
        k = self.win_length
        score = 0
        cells = self._board[lines.windows(self.rows, self.cols, k)] * player
        lacking = np.where((cells == -1).any(axis=1), -1, (cells == 0).sum(axis=1))
        for lack, weight in WINDOW_WEIGHTS.items():
            score += weight * int(np.count_nonzero(lacking == lack))
        cells = self._board[lines.windows(self.rows, self.cols, k + 1)] * player
        open_ends = (cells[:, 0] == 0) & (cells[:, -1] == 0)
        free = open_ends & ~(cells == -1).any(axis=1)
        lacking = np.where(free, (cells[:, 1:-1] == 0).sum(axis=1), -1)
        for lack, weight in OPEN_WEIGHTS.items():
            score += weight * int(np.count_nonzero(lacking == lack))
        return score
