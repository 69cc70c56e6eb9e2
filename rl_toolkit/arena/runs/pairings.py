"""Who meets whom: round robin, gauntlet and Swiss.

A *pairing* is two players. Round robin has every pairing, a gauntlet those of its first player. In
a Swiss tournament players with about the same points meet, and no two players meet twice; so a
round is known only after the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from math import ceil, log2
from typing import Literal, get_args

ScheduleName = Literal["round-robin", "gauntlet", "swiss"]
SCHEDULES: tuple[ScheduleName, ...] = get_args(ScheduleName)

Pairing = tuple[str, str]


def round_robin(players: Sequence[str]) -> list[Pairing]:
    """Every pairing once, round after round."""
    return [pairing for pairings in round_robin_rounds(players) for pairing in pairings]


def round_robin_rounds(players: Sequence[str]) -> list[list[Pairing]]:
    """Rounds in which each player plays once, or rests if the number is odd (circle method).

    >>> round_robin_rounds("abcd")
    [[('a', 'd'), ('b', 'c')], [('a', 'c'), ('d', 'b')], [('a', 'b'), ('c', 'd')]]
    """
    circle: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    half, rounds = len(circle) // 2, []
    for _ in range(len(circle) - 1):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append([(one, two) for one, two in pairs if one is not None and two is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def gauntlet(players: Sequence[str]) -> list[Pairing]:
    """The first player against each of the others."""
    return [(players[0], other) for other in players[1:]]


def swiss_rounds(players: int) -> int:
    """The usual number of rounds: enough for one player to win them all."""
    return max(1, ceil(log2(players)))


def most_swiss_rounds(players: int) -> int:
    """The number of rounds after which everyone has met everyone."""
    return players - 1 if players % 2 == 0 else players


def swiss_round(
    players: Sequence[str],
    points: Mapping[str, float],
    met: Set[frozenset[str]],
    rounds: int = 0,
) -> list[Pairing]:
    """The pairings of the next round; no two players meet twice if that is possible.

    ``met`` holds the pairings so far, and ``frozenset([player])`` for a player who had a round off.
    If the number of players is odd, the last player who had none has a round off. Players with
    equal points keep the order of ``players``.

    ``rounds`` is how many the tournament has. Up to half as many as players there is always a round
    without rematches (Dirac's theorem). Beyond that, pairings by points alone may leave none; then
    each round is one of a round robin, of those left the one whose opponents have nearest points.
    """
    if rounds > (len(players) + 1) // 2 and (fixed := _of_round_robin(players, points, met)):
        return fixed
    table = sorted(players, key=lambda player: -points[player])
    if len(table) % 2 == 0:
        return _paired(table, met) or _exchanged(table, met) or _neighbours(table)
    had_one = [player for player in table if frozenset([player]) in met]
    had_none = [player for player in table if player not in had_one]
    for player in (*reversed(had_none), *reversed(had_one)):
        others = [name for name in table if name != player]
        if pairings := _paired(others, met):
            return pairings
    return _exchanged([*table, _OFF], met) or _neighbours(table[:-1])


def _of_round_robin(
    players: Sequence[str], points: Mapping[str, float], met: Set[frozenset[str]]
) -> list[Pairing]:
    """The round of a round robin without those who met that fits the points; empty if none."""
    rounds = round_robin_rounds(players)
    left = [
        pairings
        for pairings in rounds
        if not any(frozenset(pairing) in met for pairing in pairings)
    ]
    return min(
        left,
        key=lambda each: sum(abs(points[one] - points[other]) for one, other in each),
        default=[],
    )


def _paired(table: Sequence[str], met: Set[frozenset[str]]) -> list[Pairing] | None:
    """The best player against the next that it has not met, and so on; ``None`` if impossible."""
    budget = 10_000  # positions of the search; a few suffice unless nearly everyone has met

    def search(left: tuple[str, ...]) -> list[Pairing] | None:
        nonlocal budget
        budget -= 1
        if not left or budget < 0:
            return [] if not left else None
        for at in range(1, len(left)):
            if frozenset((left[0], left[at])) in met:
                continue
            rest = search(left[1:at] + left[at + 1 :])
            if rest is not None:
                return [(left[0], left[at]), *rest]
        return None

    return search(tuple(table))


#: Stands for the opponent of a player who has a round off.
_OFF = ""


def _exchanged(table: Sequence[str], met: Set[frozenset[str]]) -> list[Pairing]:
    """Pairings without rematches by exchanging opponents; empty if that does not succeed.

    It always succeeds where every player has not met at least half of the table: then two players
    who are left over can take a pair apart and play one of it each.
    """

    def new(one: str, other: str) -> bool:
        return frozenset(filter(None, (one, other))) not in met

    left, pairings = list(table), list[Pairing]()
    while left:
        one = left.pop(0)
        other = next((each for each in left if new(one, each)), None)
        if other is not None:
            left.remove(other)
            pairings.append((one, other))
            continue
        for at, (low, high) in enumerate(pairings):
            for a, b in ((low, high), (high, low)):
                last = next((each for each in left if new(one, a) and new(each, b)), None)
                if last is not None:
                    break
            if last is not None:
                left.remove(last)
                pairings[at : at + 1] = [(one, a), (last, b)]
                break
        else:
            return []
    return [pairing for pairing in pairings if _OFF not in pairing]


def _neighbours(table: Sequence[str]) -> list[Pairing]:
    return list(zip(table[::2], table[1::2], strict=False))
