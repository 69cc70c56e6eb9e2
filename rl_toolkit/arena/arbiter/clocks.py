"""Clocks of a game: so many seconds for each side, and some more after every move.

The arena measures time itself. An engine knows only a limit for a move, so it gets a share of what
is left on its clock: it need not use it, and may use more, as long as its clock allows it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from rl_toolkit.envs import BaseGameEnv

#: Seconds beyond a limit or a clock that are not counted: to ask and to answer takes a moment.
GRACE = 0.05
#: The fewest and the most moves for which the rest of a clock is to last.
_FEWEST, _MOST = 4, 40
#: The part of its clock that an engine is asked to use for one move, at most.
_LARGEST_SHARE = 0.5
#: The least limit for a move, when a clock has run down.
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time of each side for a whole game; raises ``ValueError`` if it cannot be played with.

    Attributes:
        seconds: on the clock at the start.
        increment: seconds that are added after every move.

    >>> str(GameClock.from_text("60+0.5")), GameClock.from_text("10")
    ('60+0.5', GameClock(seconds=10.0, increment=0.0))
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds > 0):
            raise ValueError(f"a clock needs more than 0 seconds, not {self.seconds:g}")
        if not (math.isfinite(self.increment) and self.increment >= 0):
            raise ValueError(f"the increment of a clock cannot be {self.increment:g}")

    @classmethod
    def from_text(cls, text: str) -> GameClock:
        """The clock of ``60+0.5`` (seconds and increment) or ``60``; raises ``ValueError``."""
        number = r"([+-]?[0-9]{1,9}(?:\.[0-9]{1,6})?)"
        match = re.fullmatch(rf"{number}(?:\+{number})?", text.strip())
        if match is None:
            raise ValueError(
                f"a clock is written SECONDS or SECONDS+INCREMENT, as in 60+0.5, not {text!r}"
            )
        return cls(float(match[1]), float(match[2] or 0))

    def __str__(self) -> str:
        more = f"+{self.increment:g}" if self.increment else ""
        return f"{self.seconds:g}{more}"


class RunningClock:
    """The clock of one side during a game."""

    def __init__(self, clock: GameClock) -> None:
        self._clock, self.left = clock, clock.seconds

    def share(self, env: BaseGameEnv) -> float:
        """Seconds that the next move should take: the rest, spread over the moves to come.

        How many these are is not known; the side has at most half of the empty cells to fill.
        """
        empty = int(np.count_nonzero(np.asarray(env.board) == 0)) if env.traits.has_grid else _MOST
        moves = min(_MOST, max(_FEWEST, (empty + 1) // 2))
        expected = self.left / moves + self._clock.increment
        return max(_LEAST, min(expected, _LARGEST_SHARE * self.left))

    def press(self, spent: float, grace: float) -> float:
        """Take away the time of a move and add the increment; the seconds beyond the clock.

        Less than ``grace`` seconds beyond it do not count.
        """
        beyond = spent - self.left
        self.left = max(0.0, -beyond) + self._clock.increment
        return beyond if beyond > grace else 0.0
