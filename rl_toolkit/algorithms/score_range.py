"""Scores: what is known of one on the way to it, and the one that a finished game has."""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """A score lies from ``low`` to ``high``.

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
        """1, 0 or −1 where it is known who wins, else ``None``."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.exact else None


def final_margin(env: BaseGameEnv) -> int:
    """The difference in pieces of a finished game for the side to move.

    Empty cells go to the winner, as Reversi tournaments count.
    """
    player = env.current_player
    ahead = env.piece_count(player) - env.piece_count(-player)
    if ahead == 0:
        return 0
    empty = len(env.board) - env.piece_count(player) - env.piece_count(-player)
    return ahead + empty if ahead > 0 else ahead - empty
