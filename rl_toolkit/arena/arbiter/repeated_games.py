"""Repeated games: engines without randomness that play the same pair of games again.

A game that is played a second time says nothing new, so intervals and tests that count it are too
sure of themselves. The result of a match counts such games; this says so while it is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class _Game(Protocol):
    @property
    def start(self) -> str: ...
    @property
    def opening(self) -> tuple[int, ...]: ...
    @property
    def moves(self) -> tuple[int, ...]: ...
    @property
    def first(self) -> int: ...


class RepeatedGames:
    """Watches the pairs of a run, and remarks on the first that repeats another one."""

    def __init__(self) -> None:
        self._seen: set[object] = set()
        self._said = False

    def remark(self, engines: Sequence[str], pair: Iterable[_Game]) -> str:
        """A sentence if these engines have played this pair before, and none did so earlier."""
        games = [(tuple(engines), g.first, g.start, g.opening, g.moves) for g in pair]
        repeated = all(game in self._seen for game in games)
        self._seen.update(games)
        if not repeated or self._said:
            return ""
        self._said = True
        return (
            f"{engines[0]} and {engines[1]} repeat their games, which adds no information; "
            "more openings make games differ."
        )
