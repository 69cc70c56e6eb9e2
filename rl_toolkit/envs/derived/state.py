"""`FollowedState`: the common base of games whose state follows from board and side to move.

Course code sometimes assigns ``env.done = False`` or ``env.winner = None``. In these games that has
no effect: what the board shows cannot be contradicted.
"""

from __future__ import annotations

from abc import abstractmethod

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.validation import as_player


class FollowedState(BaseGameEnv):
    """A game that computes winner, end, line and number of moves from its position.

    A subclass supplies the four methods below; they are called after edits were noticed.
    """

    _keeps_own_history = True
    _player: int

    @abstractmethod
    def _winner_now(self) -> int | None:
        """``None`` while the game is in progress, 0 for a draw, else the player who won."""

    @abstractmethod
    def _line_now(self) -> list[int] | None:
        """A new list of the cells that won, or ``None``."""

    @abstractmethod
    def _count_now(self) -> int:
        """Plies played so far, including those that led to a board that was set up."""

    @abstractmethod
    def _last_now(self) -> int | None:
        """The cell index of the last piece placed, or ``None``."""

    @abstractmethod
    def get_legal_moves(self) -> list[int]:
        """Every legal move in increasing order; empty when the game is over."""

    # ------------------------------------------------------------------ attributes

    @property
    def current_player(self) -> int:
        """The side to move; at the end, the side that made the last move."""
        return self._player

    @current_player.setter
    def current_player(self, player: int) -> None:
        self._player = as_player(player)

    @property
    def winner(self) -> int | None:
        """``None`` while the game is in progress, 0 for a draw, else the player who won."""
        self._notice_edits()
        return self._winner_now()

    @winner.setter
    def winner(self, value: int | None) -> None:
        pass

    @property
    def done(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    @done.setter
    def done(self, value: bool) -> None:
        pass

    @property
    def winning_line(self) -> list[int] | None:
        """The cells that won, or ``None``; the first of several lines."""
        self._notice_edits()
        return self._line_now()

    @winning_line.setter
    def winning_line(self, value: list[int] | None) -> None:
        pass

    @property
    def move_count(self) -> int:
        """Plies played so far, including those that led to a board that was set up."""
        self._notice_edits()
        return self._count_now()

    @move_count.setter
    def move_count(self, value: int) -> None:
        pass

    @property
    def last_move(self) -> int | None:
        """The cell index of the last piece placed, or ``None``."""
        self._notice_edits()
        return self._last_now()

    @last_move.setter
    def last_move(self, value: int | None) -> None:
        pass

    # ------------------------------------------------------------------- questions

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    def check_win(self, player: int) -> bool:
        """Whether ``player`` has won."""
        return self.winner == as_player(player)

    def get_result(self, player: int) -> float:
        """``+1.0 / −1.0 / 0.0`` for ``player``; raises ``ValueError`` if the game is not over."""
        player, winner = as_player(player), self.winner
        if winner is None:
            raise ValueError("the game is not over, so it has no result yet")
        return float(winner * player)

    def get_state_hash(self) -> bytes:
        """Board and side to move as bytes, equal exactly if the positions are equal."""
        return self._board.tobytes() + (b"X" if self._player == 1 else b"O")
