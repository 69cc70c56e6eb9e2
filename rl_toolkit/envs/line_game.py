"""`LineGame`: k in a row wins. Tic-Tac-Toe, Connect Four and Gomoku are three line games."""

from __future__ import annotations

import numpy as np

from rl_toolkit.envs import lines
from rl_toolkit.envs.checks import Board, as_player, as_win_length
from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.grid_game import DRAWN, RUNNING, GridGame, Verdict
from rl_toolkit.envs.symmetry import Symmetry, board_symmetries
from rl_toolkit.kernels.spec import LineSpec


class LineGame(GridGame):
    """Place a piece on any empty cell; ``win_length`` in a row wins, a full board is a draw.

    With ``exactly`` a longer row does not win.
    """

    def __init__(
        self, board_size: int | tuple[int, int], win_length: int, *, exactly: bool = False
    ) -> None:
        self.win_length = win_length
        self.exactly = exactly
        super().__init__(board_size)

    def _start(self) -> Board:
        return np.zeros(self.rows * self.cols, dtype=np.int8)

    def _legal(self) -> list[int]:
        empty: list[int] = np.flatnonzero(self._board == 0).tolist()
        return empty

    def _landing(self, move: int) -> tuple[int | None, list[int]]:
        self._check_free(move)
        return move, []

    def _wins(self, run: list[int]) -> bool:
        return len(run) == self.win_length if self.exactly else len(run) >= self.win_length

    def _verdict(self, cell: int | None = None) -> Verdict:
        cells = self._board.tobytes()
        if cell is None:
            runs = lines.all_runs(cells, self.rows, self.cols)
        else:
            runs = lines.runs_through(cells, cell, self.rows, self.cols)
        won = [run for run in runs if self._wins(run)]
        if won:
            owners = {int(self._board[run[0]]) for run in won}
            # Only a board put in place by hand can show two winners: the last mover counts.
            winner = owners.pop() if len(owners) == 1 else -self._player
            return Verdict(winner, [run for run in won if self._board[run[0]] == winner])
        return RUNNING if 0 in cells else DRAWN

    def check_win(self, player: int) -> bool:
        """Whether ``player`` has a winning line on the board as it stands."""
        player = as_player(player)
        if self.winner in (None, 0):
            return False
        runs = lines.all_runs(self._board.tobytes(), self.rows, self.cols)
        return any(self._wins(run) for run in runs if self._board[run[0]] == player)

    def _check_reachable(self, cells: Board) -> None:
        super()._check_reachable(cells)
        runs = lines.all_runs(cells.tobytes(), self.rows, self.cols)
        owners = {int(cells[run[0]]) for run in runs if self._wins(run)}
        if len(owners) == 2:
            raise InvalidPositionError("both players have won on this board")
        if owners and int(cells.sum(dtype=np.int64)) == -next(iter(owners)):
            winner, other = ("X", "O") if owners == {1} else ("O", "X")
            raise InvalidPositionError(f"{winner} has won, yet {other} has moved since")

    # -------------------------------------------------------------------- extras

    def symmetries(self) -> list[Symmetry]:
        """The 8 symmetries of a square board, or the 4 of a rectangle."""
        return board_symmetries(self.rows, self.cols)

    def kernel_spec(self) -> LineSpec:
        """The rules as the compiled twin needs them."""
        return LineSpec(self.rows, self.cols, self.win_length, exactly=self.exactly)

    def evaluate_heuristic(self, player: int) -> float:
        """Windows still open to one side only, weighed by how full they are.

        A window of ``win_length`` cells that lacks one piece counts 100, one that lacks two
        counts 10; the sum is divided by 100 × cells and clipped to [−1, 1].
        """
        player = as_player(player)
        if self.is_terminal():
            return self.get_result(player)
        return self._scaled(self._window_score(player, 100))

    def _window_score(self, player: int, enemy_threat: int) -> int:
        """Own windows lacking one piece × 100 and lacking two × 10, less the enemy's.

        ``enemy_threat`` replaces the 100 on the enemy's side.
        """
        k = self.win_length
        cells = self._board[lines.windows(self.rows, self.cols, k)] * player
        own, enemy = (cells == 1).sum(axis=1), (cells == -1).sum(axis=1)
        mine, theirs = own[enemy == 0], enemy[own == 0]
        return int(
            100 * np.count_nonzero(mine == k - 1)
            + 10 * np.count_nonzero(mine == k - 2)
            - enemy_threat * np.count_nonzero(theirs == k - 1)
            - 10 * np.count_nonzero(theirs == k - 2)
        )

    def _scaled(self, score: int) -> float:
        return max(-1.0, min(1.0, score / (100 * self.rows * self.cols)))


def checked_win_length(win_length: object, rows: int, cols: int) -> int:
    """``win_length``, or the shorter side (at least 3) where it is ``None``."""
    default = max(3, min(rows, cols))
    return as_win_length(default if win_length is None else win_length, rows, cols)
