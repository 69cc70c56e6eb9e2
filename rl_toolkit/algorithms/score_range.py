"""Score ranges (bounds on a score that is not exact yet) and the score of a finished game."""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """Bounds on a score: it lies between ``low`` and ``high``, both included.

    >>> ScoreRange(2, 9).sign, ScoreRange(0, 9).sign, ScoreRange(0, 0).exact
    (1, None, True)
    """

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the score itself is known."""
        return self.low == self.high

    @property
    def sign(self) -> int | None:
        """1, 0 or −1 for a win, draw or loss; ``None`` if the bounds leave that open."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.exact else None


def final_margin(env: BaseGameEnv) -> int:
    """The final difference in pieces, from the side to move's point of view.

    Empty cells count for the winner, as in Reversi tournaments.
    """
    player = env.current_player
    ahead = env.piece_count(player) - env.piece_count(-player)
    if ahead == 0:
        return 0
    empty = len(env.board) - env.piece_count(player) - env.piece_count(-player)
    return ahead + empty if ahead > 0 else ahead - empty
