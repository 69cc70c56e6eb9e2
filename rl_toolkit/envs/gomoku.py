"""Gomoku: five in a row on a large board.

Row 1 is at the bottom, ``a1`` is bottom left and ``h8`` the centre of the 15×15 board. In the
freestyle game five or more win; in the standard game exactly five.
"""

from __future__ import annotations

from typing import Literal

from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.line_game import LineGame, checked_win_length
from rl_toolkit.envs.validation import as_sides, shown
from rl_toolkit.kernels.spec import LineWeights

Rule = Literal["freestyle", "standard"]

SIZES = (9, 13, 15, 19, 20)

#: Closed and open patterns: an open four is as good as won, an open three must be answered. Single
#: stones count a little by the lines they can still be part of, which draws play to the centre.
WEIGHTS = LineWeights(windows=(400, 50, 10, 8), open_windows=(4000, 300, 40), scale=10_000)


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
        self.heuristic_weights = WEIGHTS

    @property
    def name(self) -> str:
        """``gomoku-15``; ``gomoku-15x15x4`` for another length; ``-standard`` for that rule."""
        side = str(self.rows)
        shape = side if self.win_length == 5 else f"{side}x{side}x{self.win_length}"
        return f"gomoku-{shape}" + ("-standard" if self.exactly else "")
