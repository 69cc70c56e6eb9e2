"""What is known of a score on the way to the score itself: the exact engines' shared notion."""

from __future__ import annotations

from dataclasses import dataclass


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
