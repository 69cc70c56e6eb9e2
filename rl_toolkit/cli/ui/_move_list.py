"""Moves as a list for people."""

from __future__ import annotations

from collections.abc import Sequence


def numbered_turns(names: Sequence[str]) -> str:
    """The moves, two to a turn.

    >>> numbered_turns(["b2", "a1", "c3"])
    '1. b2 a1 2. c3'
    """
    turns = range(0, len(names), 2)
    return " ".join(f"{n // 2 + 1}. {' '.join(names[n : n + 2])}" for n in turns)
