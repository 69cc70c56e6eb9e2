"""Games as ratings see them: who met whom, with the results of each unit of dependent games."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Ints = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One game.

    Attributes:
        first, second: the players; ``first`` moved first.
        result: +1, 0 or −1 for ``first``.
        unit: games of the same two players with the same unit depend on each other, as the two
            games from one opening do; ``None`` for a game on its own.
    """

    first: str
    second: str
    result: int
    unit: Hashable = None


@dataclass(frozen=True, slots=True)
class Units:
    """The units of all games, as arrays; each has a lower and a higher player by number.

    The last axis of ``games``, ``points`` and ``draws`` is 0 for games in which the lower player
    moved first, and 1 for the others. Points are those of the lower player.
    """

    low: Ints
    high: Ints
    games: Floats
    points: Floats
    draws: Floats


def gathered(games: Iterable[RatedGame], players: Sequence[str]) -> Units:
    """The games by unit; raises ``ValueError`` for a game of other players, or of one alone."""
    number = {name: at for at, name in enumerate(players)}
    if len(number) < len(players):
        raise ValueError("two players have the same name")
    rows: dict[tuple[int, int, Hashable], list[float]] = {}
    for at, game in enumerate(games):
        if game.first not in number or game.second not in number:
            stranger = game.first if game.first not in number else game.second
            raise ValueError(f"{stranger!r} is not one of the players")
        if game.first == game.second:
            raise ValueError(f"{game.first!r} cannot play against itself")
        if game.result not in (-1, 0, 1):
            raise ValueError(f"a result is 1, 0 or -1, not {game.result!r}")
        first, second = number[game.first], number[game.second]
        side = int(first > second)
        # A game on its own is a unit that no other game can join.
        unit = ("game", at) if game.unit is None else ("unit", game.unit)
        row = rows.setdefault((min(first, second), max(first, second), unit), [0.0] * 6)
        row[side] += 1
        row[2 + side] += ((-game.result if side else game.result) + 1) / 2
        row[4 + side] += game.result == 0
    numbers = np.array(list(rows.values()), float).reshape(-1, 3, 2)
    return Units(
        np.array([low for low, _, _ in rows], np.int64),
        np.array([high for _, high, _ in rows], np.int64),
        numbers[:, 0],
        numbers[:, 1],
        numbers[:, 2],
    )
