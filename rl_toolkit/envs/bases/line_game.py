"""`LineGame`: k in a row wins, as in Tic-Tac-Toe, Connect Four and Gomoku."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.bases import lines
from rl_toolkit.envs.bases.board_game import DRAWN, RUNNING, BoardGame, Verdict
from rl_toolkit.envs.errors import InvalidPositionError
from rl_toolkit.envs.symmetry import Symmetry, board_symmetries
from rl_toolkit.envs.traits import FormField
from rl_toolkit.envs.validation import Board, as_player, as_win_length
from rl_toolkit.kernels.spec import FREESTYLE, LineRule, LineSpec, LineWeights
from rl_toolkit.utils import refuse_unused

#: Methods of the courses' classes that these games do without; see `refuse_unused`.
_UNUSED = {
    ("_check_winner", "_is_winning_segment", "_check_win_from_position"): (
        "verdict(self, cell=None)",
        ("verdict", "step", "check_win", "is_terminal"),
    ),
    ("_evaluate_window",): ("evaluate_heuristic(self, player)", ("evaluate_heuristic",)),
}


class LineGame(BoardGame):
    """Place a piece on any empty cell; ``win_length`` in a row wins, a full board is a draw.

    ``win_rule`` decides about longer rows; the readable rules below ask it, and nothing else.
    """

    wins_by_lines = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_unused(cls, LineGame, _UNUSED)

    def __init__(
        self,
        board_size: int | tuple[int, int],
        win_length: int,
        *,
        win_rule: LineRule = FREESTYLE,
    ) -> None:
        self.win_length = win_length
        self.win_rule = win_rule
        super().__init__(board_size)
        self.heuristic_weights = LineWeights(windows=(100, 10), scale=100 * self.rows * self.cols)

    def _wins(self, run: list[int]) -> bool:
        return bool(self.win_rule.wins(len(run), self.win_length))

    @property
    def _shortest_row(self) -> int:
        """The fewest stones in a row that win."""
        return self.win_length + self.win_rule.least

    def verdict(self, cell: int | None = None) -> Verdict:
        """A win for a row that is long enough, a draw when the board is full."""
        cells = self._board.tobytes()
        if cell is None:
            runs = lines.all_runs(cells, self.rows, self.cols)
        else:
            runs = lines.runs_through(cells, cell, self.rows, self.cols)
        won = [run for run in runs if self._wins(run)]
        if won:
            owners = {int(self._board[run[0]]) for run in won}
            # Only a board that was assigned can have two winners: the last mover counts.
            winner = owners.pop() if len(owners) == 1 else -self._player
            return Verdict(winner, [run for run in won if self._board[run[0]] == winner])
        return RUNNING if 0 in cells else DRAWN

    def check_win(self, player: int) -> bool:
        """Whether ``player`` has a winning line."""
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
            (winner,) = owners
            won, other = self.traits.side(winner), self.traits.side(-winner)
            raise InvalidPositionError(f"{won} has won, but {other} has moved since")

    # -------------------------------------------------------------------- extras

    def winning_moves(self, player: int) -> list[int]:
        """The legal moves that would complete a line for ``player``, if it were their turn.

        Such a move fills the one empty cell of a window whose other cells are the player's own, so
        only these cells are tried. In a subclass with its own `verdict` every move is played.
        """
        if type(self).verdict is not LineGame.verdict:
            return super().winning_moves(player)
        player = as_player(player)
        windows = lines.windows(self.rows, self.cols, self._shortest_row)
        pieces = self._board[windows] * player
        nearly = pieces.sum(axis=1) == self._shortest_row - 1
        last_cells = set(windows[nearly][pieces[nearly] == 0].tolist())
        if not last_cells:
            return []
        landings = ((move, self.landing(move)[0]) for move in self.get_legal_moves())
        suspects = [(move, cell) for move, cell in landings if cell in last_cells]
        return [move for move, cell in suspects if self._completes(cell, player)]

    def _completes(self, cell: int | None, player: int) -> bool:
        cells = bytearray(self._board.tobytes())
        assert cell is not None  # a window has no other cells
        cells[cell] = player % 256
        runs = lines.runs_through(bytes(cells), cell, self.rows, self.cols)
        return any(self._wins(run) for run in runs)

    def forced_moves(self) -> list[int]:
        """The immediate wins; else the blocks of the opponent's; else every legal move."""
        return (
            self.winning_moves(self._player)
            or self.winning_moves(-self._player)
            or self.get_legal_moves()
        )

    def can_still_win(self, player: int) -> bool:
        """Whether some window has no enemy piece."""
        cells = self._board[lines.windows(self.rows, self.cols, self._shortest_row)]
        return bool((cells != -as_player(player)).all(axis=1).any())

    def form_values(self) -> dict[str, int | str]:
        """Rows, columns and length; see `board_fields`."""
        return {"rows": self.rows, "cols": self.cols, "length": self.win_length}

    def symmetries(self) -> list[Symmetry]:
        """The 8 symmetries of a square board, or the 4 of a rectangle."""
        return board_symmetries(self.rows, self.cols)

    def kernel_spec(self) -> LineSpec | None:
        """The parameters of the compiled rules; ``None`` if `win_rule` is not among them."""
        terms = self.win_rule.compiled(self.win_length)
        return terms and LineSpec(self.rows, self.cols, terms[0], exactly=terms[1])

    def evaluate_heuristic(self, player: int) -> float:
        """The windows and pieces that favour ``player``, minus those that favour the opponent.

        The weights are in `heuristic_weights`, which may be replaced. The value is clipped to
        [−1, 1]; for a finished game it is the result.
        """
        player = as_player(player)
        if self.is_terminal():
            return self.get_result(player)
        weights = self.heuristic_weights
        enemy_weights = weights.windows
        if weights.enemy_threat is not None:
            enemy_weights = (weights.enemy_threat, *weights.windows[1:])
        windows, free = self._pattern_counts(player)
        own, enemy = 1, self._enemy_step
        points = _weighed(windows[::own], self.win_length - 1, weights.windows)
        points -= _weighed(windows[::enemy], self.win_length - 1, enemy_weights)
        points += _weighed(free[::own], self.win_length - 1, weights.open_windows)
        points -= _weighed(free[::enemy], self.win_length - 1, weights.open_windows)
        middle = self.board_2d[:, (self.cols - 1) // 2 : self.cols // 2 + 1]
        points += weights.centre * player * int(middle.sum())
        return max(-1.0, min(1.0, points / weights.scale))

    @property
    def _enemy_step(self) -> int:
        """What an enemy stone adds to the number of a pattern, more than all own ones can."""
        return self.win_length + 1

    def _pattern_counts(self, player: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """How many windows, and windows with an empty cell at both ends, have each number.

        An own stone adds 1 to the number of a pattern, an enemy stone `_enemy_step`. So ``[n]`` is
        for n own stones and no enemy's, ``[n * _enemy_step]`` for the reverse.
        """
        k, step = self.win_length, self._enemy_step
        numbers = np.where(self._board == 0, 0, np.where(self._board == player, 1, step))
        windows = numbers[lines.windows(self.rows, self.cols, k)].sum(axis=1)
        most = k * step + 1
        counted = np.bincount(windows, minlength=most)
        if not self.heuristic_weights.open_windows:
            return counted, np.zeros_like(counted)
        cells = numbers[lines.windows(self.rows, self.cols, k + 1)]
        free = cells.sum(axis=1)[(cells[:, 0] == 0) & (cells[:, -1] == 0)]
        return counted, np.bincount(free, minlength=most)


def _weighed(counts: NDArray[np.intp], most: int, weights: tuple[int, ...]) -> int:
    """The sum over all patterns; ``weights[0]`` is for those with ``most`` stones, and so on."""
    return sum(
        weight * int(counts[most - fewer]) for fewer, weight in enumerate(weights) if fewer <= most
    )


def board_fields(rows: int, cols: int, length: int) -> tuple[FormField, ...]:
    """The form fields of a game that takes any board and length, with their defaults."""
    return (
        FormField("rows", "Size", rows),
        FormField("cols", "Size", cols),
        FormField("length", "To win", length, least=3, suffix="in a row"),
    )


def checked_win_length(win_length: object, rows: int, cols: int) -> int:
    """``win_length``, or the shorter side (at least 3) if it is ``None``."""
    default = max(3, min(rows, cols))
    return as_win_length(default if win_length is None else win_length, rows, cols)
