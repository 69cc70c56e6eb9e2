"""`Hints`: what a game may tell engines about itself; every default is true of any game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.derived.core import Core
from rl_toolkit.envs.derived.own_form import standard
from rl_toolkit.envs.symmetry import Symmetry, identity
from rl_toolkit.envs.validation import as_player

if TYPE_CHECKING:
    from rl_toolkit.kernels.spec import KernelSpec


class Hints(Core):
    """Optional methods of a game, overridden for strength or speed."""

    #: Whether completing a line wins. If so, a move that would complete one is a threat, which
    #: searches answer before anything else.
    wins_by_lines: ClassVar[bool] = False

    @standard
    def landing_cell(self, move: int) -> int | None:
        """The cell where a legal ``move`` places a piece, ``None`` if it places none.

        By default this plays the move on a copy; a game may override it for speed.
        """
        after = self.copy()
        after.step(move)
        placed = np.flatnonzero((self.board == 0) & (after.board != 0))
        return int(placed[0]) if placed.size else None

    def evaluate_heuristic(self, player: int) -> float:
        """An estimate of the value for ``player``, in [−1, 1]; the result if the game is over."""
        return self.get_result(player) if self.is_terminal() else 0.0

    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the rules, identity first."""
        return [identity(len(self.board), self.num_moves)]

    def move_priorities(self) -> NDArray[np.int64]:
        """A static priority for each move, larger is better; by default nearer the centre."""
        row, col = np.indices((self.rows, self.cols))
        off_centre = (2 * row - self.rows + 1) ** 2 + (2 * col - self.cols + 1) ** 2
        extra_moves = np.zeros(max(0, self.num_moves - off_centre.size), dtype=np.int64)
        priorities = np.append(off_centre.max() - off_centre.ravel(), extra_moves)
        return priorities[: self.num_moves].astype(np.int64)

    @standard
    def winning_moves(self, player: int) -> list[int]:
        """The legal moves that would win immediately for ``player``, if it were their turn."""
        game, player = self.copy(), as_player(player)
        if game.current_player != player:
            game.current_player = player
        winning = []
        for move in game.get_legal_moves():
            try:
                _, _, done, _ = game.step(move)
            except ValueError:  # the move may be illegal for the side not on turn
                continue
            if done and game.get_result(player) > 0:
                winning.append(move)
            game.undo()
        return winning

    def forced_moves(self) -> list[int]:
        """Legal moves that include a best one, so that no others need be searched.

        By default all legal moves.
        """
        return self.get_legal_moves()

    def can_still_win(self, player: int) -> bool:
        """``False`` only if ``player`` cannot win any more, however both sides play."""
        return True

    def kernel_spec(self) -> KernelSpec | None:
        """The parameters of the compiled rules for this game, ``None`` if there are none."""
        return None

    @standard
    def must_pass(self) -> bool:
        """Whether passing is the only legal move."""
        return self.pass_move is not None and self.get_legal_moves() == [self.pass_move]
