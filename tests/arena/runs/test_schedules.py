"""Schedules: every pairing of a round robin, a gauntlet, and rounds of a Swiss tournament."""

import random
from itertools import combinations

import pytest

from rl_toolkit.arena.runs import pairings as schedules
from rl_toolkit.arena.runs.pairings import (
    gauntlet,
    most_swiss_rounds,
    round_robin,
    swiss_round,
    swiss_rounds,
)


@pytest.mark.parametrize("count", range(2, 12))
def test_a_round_robin_has_every_pairing_once_and_its_rounds_nobody_twice(count):
    players = "abcdefghijkl"[:count]
    pairings = round_robin(players)
    assert {frozenset(pairing) for pairing in pairings} == set(
        map(frozenset, combinations(players, 2))
    )
    assert len(pairings) == count * (count - 1) // 2
    size = count // 2
    for start in range(0, len(pairings), size):
        busy = [player for pairing in pairings[start : start + size] for player in pairing]
        assert len(set(busy)) == 2 * size


def test_a_gauntlet_is_the_first_against_the_others():
    assert gauntlet("abc") == [("a", "b"), ("a", "c")]


def swiss(count, rounds, strength, seed=0):
    """A Swiss tournament in which the stronger player mostly wins; pairings by round, points."""
    rng = random.Random(seed)
    players = [f"p{number}" for number in range(count)]
    points, met, played = dict.fromkeys(players, 0.0), set(), []
    for _ in range(rounds):
        pairings = swiss_round(players, points, met, rounds)
        off = set(players) - {player for pairing in pairings for player in pairing}
        for player in off:
            points[player] += 1
            met.add(frozenset([player]))
        for one, other in pairings:
            met.add(frozenset((one, other)))
            wins = rng.random() < 0.5 + strength * (players.index(one) < players.index(other)) / 2
            points[one if wins else other] += 1
        played.append((pairings, off))
    return played, points


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9, 16, 17])
def test_in_a_swiss_tournament_nobody_meets_twice(count):
    played, _ = swiss(count, swiss_rounds(count), strength=0.5)
    pairings = [frozenset(pairing) for pairs, _ in played for pairing in pairs]
    assert len(set(pairings)) == len(pairings) == swiss_rounds(count) * (count // 2)
    off = [player for _, players in played for player in players]
    assert len(off) == (swiss_rounds(count) if count % 2 else 0)
    assert len(set(off)) == len(off)


def test_a_swiss_tournament_of_all_rounds_is_a_round_robin_if_rematches_can_be_avoided():
    played, _ = swiss(4, most_swiss_rounds(4), strength=1.0)
    pairings = {frozenset(pairing) for pairs, _ in played for pairing in pairs}
    assert pairings == set(map(frozenset, combinations([f"p{n}" for n in range(4)], 2)))


@pytest.mark.parametrize("count", range(2, 11))
def test_with_any_number_of_rounds_nobody_meets_twice(count):
    for rounds in range(1, most_swiss_rounds(count) + 1):
        for seed in range(10):
            played, _ = swiss(count, rounds, 0.5, seed)
            pairings = [frozenset(pairing) for pairs, _ in played for pairing in pairs]
            assert len(set(pairings)) == len(pairings) == rounds * (count // 2)
            off = [player for _, players in played for player in players]
            assert len(set(off)) == len(off)


@pytest.mark.parametrize("count", [8, 9, 16, 17])
def test_exchanging_opponents_avoids_rematches_as_long_as_half_of_the_table_is_new(count):
    players = [f"p{number}" for number in range(count)]
    table = [*players, *([schedules._OFF] if count % 2 else [])]
    for seed in range(20):
        rng, met = random.Random(seed), set()
        for _ in range((count + 1) // 2):
            rng.shuffle(table)
            pairings = schedules._exchanged(table, met)
            busy = {player for pairing in pairings for player in pairing}
            now = {*map(frozenset, pairings), *(frozenset([each]) for each in {*players} - busy)}
            assert len(pairings) == count // 2
            assert len(busy) == 2 * len(pairings)
            assert not now & met
            met |= now


def test_players_with_the_same_points_meet():
    players, points = "abcdef", {"a": 0, "b": 2, "c": 0, "d": 2, "e": 1, "f": 1}
    assert swiss_round(players, points, set()) == [("b", "d"), ("e", "f"), ("a", "c")]
    # b and d have met: each gets the best of the others instead.
    met = {frozenset("bd")}
    assert swiss_round(players, points, met) == [("b", "e"), ("d", "f"), ("a", "c")]
    # The last player without a round off has it.
    assert swiss_round("abc", {"a": 1, "b": 0, "c": 0}, {frozenset("c")}) == [("a", "c")]


def test_if_everyone_has_met_everyone_neighbours_meet_again():
    met = set(map(frozenset, combinations("abcd", 2)))
    assert swiss_round("abcd", dict.fromkeys("abcd", 0), met) == [("a", "b"), ("c", "d")]
    assert len(swiss_round("abc", dict.fromkeys("abc", 0), met)) == 1
