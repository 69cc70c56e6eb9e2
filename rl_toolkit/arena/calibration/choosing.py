"""Which games a calibration plays next: those that make the wide intervals narrower soonest.

A pair of games tells most about two players of about the same strength, but two players further
apart bridge more of the ladder. And the strong ones take longer. So for each pairing the fall of
the variances that one more pair would bring is computed from the model, over the seconds that a
pair takes, and the best pairing is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rl_toolkit.arena.calibration.plan import Pairing
from rl_toolkit.arena.ratings.elo_model import ELO_UNIT, expected_points
from rl_toolkit.arena.ratings.rated_games import Floats

#: Pairs that every pairing of near players plays before anything is computed.
FIRST = 2
#: How far apart on the ladder near players are, at most.
NEAR = 2
#: The most Elo between two players who are not near and meet: further apart, a game tells more
#: about the model than about its players.
FARTHEST = 600.0
#: Seconds that a game takes besides thinking.
OVERHEAD = 0.004
#: Pairs that are chosen at a time, at most.
_MOST = 1_000


def next_pairs(
    ratings: Sequence[float],
    wide: Sequence[bool],
    played: Mapping[Pairing, int],
    seconds: Mapping[Pairing, float],
    budget: float,
) -> list[Pairing]:
    """The pairings that play a pair next, in this order, for about ``budget`` seconds.

    As long as some pairing of near players has played fewer than `FIRST` pairs, only such pairings
    are chosen. Players who are not near are at most `FARTHEST` apart.

    Args:
        ratings: the ratings so far, in Elo; the first player's is 0 by definition.
        wide: which intervals are still too wide.
        played: the pairs that each pairing has played.
        seconds: the seconds that a pair takes.
        budget: the seconds that all of them may take; at least one pair is chosen.
    """
    near = {pairing: done for pairing, done in played.items() if is_near(pairing)}
    fewest = min(near.values())
    if fewest < FIRST:
        return [pairing for pairing, done in near.items() if done == fewest]
    known = np.zeros((len(ratings), len(ratings)))
    for pairing, done in played.items():
        known += done * _told(ratings, pairing)
    variances = _inverse(known[1:, 1:])
    matters = np.array(wide[1:], float)
    allowed = [
        pairing
        for pairing in played
        if is_near(pairing) or abs(ratings[pairing[0]] - ratings[pairing[1]]) <= FARTHEST
    ]
    chosen: list[Pairing] = []
    while budget > 0 and len(chosen) < _MOST:
        gains = {
            pairing: _gain(variances, matters, ratings, pairing) / (seconds[pairing] + OVERHEAD)
            for pairing in allowed
        }
        best = max(gains, key=lambda pairing: gains[pairing])
        chosen.append(best)
        budget -= seconds[best] + OVERHEAD
        known += _told(ratings, best)
        variances = _inverse(known[1:, 1:])
    return chosen


def is_near(pairing: Pairing) -> bool:
    """Whether two players are neighbours on the ladder, or have one between them."""
    return pairing[1] - pairing[0] <= NEAR


def _difference(size: int, pairing: Pairing) -> Floats:
    row = np.zeros(size)
    row[pairing[0]], row[pairing[1]] = 1, -1
    return row


def _weight(ratings: Sequence[float], pairing: Pairing) -> float:
    """What a pair of games tells about the difference of its players: 2 · p · (1 − p)."""
    mean = float(expected_points(ratings[pairing[0]] - ratings[pairing[1]]))
    return 2 * mean * (1 - mean) / ELO_UNIT**2


def _told(ratings: Sequence[float], pairing: Pairing) -> Floats:
    row = _difference(len(ratings), pairing)
    return _weight(ratings, pairing) * np.outer(row, row)


def _gain(
    variances: Floats,
    matters: Floats,
    ratings: Sequence[float],
    pairing: Pairing,
) -> float:
    """By how much the variances that matter fall with one more pair."""
    row = _difference(len(ratings), pairing)[1:]
    weight, along = _weight(ratings, pairing), variances @ row
    return float(matters @ along**2 * weight / (1 + weight * row @ along))


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), np.float64)
