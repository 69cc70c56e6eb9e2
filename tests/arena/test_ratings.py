"""Ratings fitted together: known strengths come back, and intervals hold what they promise."""

from math import erf, inf, sqrt

import numpy as np
import pytest

from rl_toolkit.arena.ratings.elo_model import chances, expected_points
from rl_toolkit.arena.ratings.fitting import fit_ratings
from rl_toolkit.arena.ratings.rated_games import RatedGame
from rl_toolkit.utils.statistics import elo


def simulated(rng, truth, pairs, advantage=60.0, nu=1.0, correlation=0.0):
    """A round robin of pairs of games; the two games of a pair are correlated as said."""
    names = list(truth)
    mixing = np.array([[1.0, 0.0], [correlation, sqrt(1 - correlation**2)]])
    for at, low in enumerate(names):
        for high in names[at + 1 :]:
            drawn = rng.standard_normal((pairs, 2)) @ mixing.T
            for side, (first, second) in enumerate(((low, high), (high, low))):
                mean = expected_points(truth[first] - truth[second] + advantage)
                win, draw, _ = chances(mean, nu)
                # Sorted normal numbers have the ranks that decide: the smallest win.
                ranks = np.array([_phi(each) for each in drawn[:, side]])
                for pair, rank in enumerate(ranks):
                    result = 1 if rank < win else 0 if rank < win + draw else -1
                    yield RatedGame(first, second, result, pair)


def _phi(z):
    return 0.5 * (1 + erf(z / sqrt(2)))


def strengths(rng, players=6, spread=150.0):
    drawn = rng.normal(0, spread, players)
    return dict(zip("abcdefgh"[:players], drawn - drawn.mean(), strict=False))


def covered(tournaments, seed, pairs=10, **how):
    """How many of all 95 % intervals hold the truth, and how many there are."""
    rng = np.random.default_rng(seed)
    hits = total = 0
    for _ in range(tournaments):
        truth = strengths(rng)
        found = fit_ratings(simulated(rng, truth, pairs, **how), list(truth))
        for name, strength in truth.items():
            low, high = found.interval(name)
            hits += low <= strength <= high
            total += 1
    return hits, total


def is_fair(hits, total):
    """Whether 95 % lies within a 99.9 % band; one rating in six is given by the other five."""
    return abs(hits / total - 0.95) < 3.3 * sqrt(0.95 * 0.05 / (total * 5 / 6))


@pytest.mark.parametrize(
    "how",
    [{"nu": 0.0}, {"nu": 1.0, "correlation": 0.7}, {"nu": 3.0, "correlation": -0.8}],
    ids=["no draws", "colour decides pairs", "many draws, strength decides pairs"],
)
def test_intervals_cover_the_truth_in_95_percent_of_50_tournaments(how):
    assert is_fair(*covered(50, seed=17, **how))


@pytest.mark.full
@pytest.mark.parametrize("pairs", [2, 10, 40])
@pytest.mark.parametrize("nu", [0.0, 1.0, 10.0])
@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.8])
def test_intervals_cover_the_truth_in_many_tournaments(pairs, nu, correlation):
    """Measured: 94 to 97 %. With two pairs a pairing the intervals are a little too wide."""
    hits, total = covered(400, seed=5, pairs=pairs, nu=nu, correlation=correlation)
    assert 0.93 < hits / total < 0.98


def test_errors_that_ignored_pairs_would_not_cover_the_truth():
    """Pairs mostly won or lost twice, but each game as a unit: intervals are too narrow."""
    rng = np.random.default_rng(3)
    hits = total = 0
    for _ in range(50):
        truth = strengths(rng)
        games = [
            RatedGame(game.first, game.second, game.result)
            for game in simulated(rng, truth, 20, advantage=0.0, nu=0.0, correlation=-0.99)
        ]
        found = fit_ratings(games, list(truth))
        hits += sum(
            low <= truth[p] <= high for p, (low, high) in zip(truth, found.intervals, strict=True)
        )
        total += len(truth)
    assert not is_fair(hits, total)


def test_equal_players_draw_as_often_as_they_did():
    won, drawn = RatedGame("a", "b", 1), RatedGame("a", "b", 0)
    back = [RatedGame("b", "a", game.result) for game in (won, drawn)]
    found = fit_ratings([won, won, won, won, drawn] * 8 + [back[0]] * 32 + [back[1]] * 8)
    assert found.advantage > 200  # the first move decides
    assert found.draw_rate == pytest.approx(0.2, abs=0.02)


def test_known_strengths_and_the_first_move_come_back_from_many_games():
    truth = {"a": 300.0, "b": 50.0, "c": -100.0, "d": -250.0}
    rng = np.random.default_rng(1)
    found = fit_ratings(simulated(rng, truth, 3000, advantage=80.0, nu=1.5))
    for name, strength in truth.items():
        assert found.rating(name) == pytest.approx(strength, abs=15)
        assert found.interval(name)[1] - found.interval(name)[0] < 20
    assert found.advantage == pytest.approx(80, abs=10)
    assert found.nu == pytest.approx(1.5, abs=0.1)
    equal = chances(expected_points(80.0), 1.5)[1]
    assert found.draw_rate == pytest.approx(equal, abs=0.02)
    win, draw, loss = found.chances("a", "b")
    assert win + draw / 2 == pytest.approx(expected_points(330.0), abs=0.02)
    assert win + draw + loss == pytest.approx(1)


@pytest.mark.parametrize("nu", [0.0, 0.5, 2.0, 100.0])
def test_chances_have_the_expected_points_and_davidsons_draws(nu):
    for difference in (-900.0, -60.0, 0.0, 200.0, 2000.0):
        mean = expected_points(difference)
        win, draw, loss = chances(mean, nu)
        assert win + draw + loss == pytest.approx(1)
        assert win + draw / 2 == pytest.approx(mean)
        assert draw == pytest.approx(nu * sqrt(win * loss))


def colours_swapped(a, b, results):
    """Games with these results for ``a``, each with the same result after a change of colours."""
    for unit, result in enumerate(results):
        yield RatedGame(a, b, result, unit)
        yield RatedGame(b, a, -result, unit)


def test_two_players_are_as_far_apart_as_in_a_match():
    games = list(colours_swapped("a", "b", [1] * 60 + [0] * 30 + [-1] * 10))
    found = fit_ratings(games, prior=1e-6)
    assert found.rating("a") - found.rating("b") == pytest.approx(elo(0.75), abs=0.01)
    assert found.advantage == pytest.approx(0, abs=1e-3)
    low, high = fit_ratings(games, anchor="b").interval("a")
    # The standard error of the mean of 100 units, through the slope of the logistic curve.
    error = sqrt((60 * 1 + 30 * 0.25) / 100 - 0.75**2) / 10
    reach = 1.96 * error * 400 / np.log(10) / (0.75 * 0.25)
    assert high - low == pytest.approx(2 * reach, rel=0.06)


def test_a_player_who_never_lost_has_a_finite_rating_from_its_draws():
    """As the perfect player of Tic-Tac-Toe: 95 % of the points, and not one loss."""
    found = fit_ratings(colours_swapped("perfect", "random", [1] * 90 + [0] * 10), anchor="random")
    assert found.rating("perfect") == pytest.approx(elo(0.95), rel=0.02)
    assert found.interval("random") == (0.0, 0.0)


@pytest.mark.parametrize("pairs", [1, 5, 50])
def test_a_clean_sweep_has_a_wide_interval_by_likelihood(pairs):
    found = fit_ratings(colours_swapped("a", "b", [1] * pairs), anchor="b")
    low, high = found.interval("a")
    assert low < found.rating("a") < high < 5000
    assert high - found.rating("a") > found.rating("a") - low
    strong = fit_ratings(colours_swapped("a", "b", [1] * 2 * pairs), anchor="b")
    assert strong.interval("a")[0] > low
    # At the lower end a sweep is unlikely, but no miracle; the imagined draw is in it, too.
    chance = float(expected_points(low)) ** (2 * pairs)
    assert 0.025 < chance < 0.25


def test_a_long_ladder_of_sweeps_is_rated():
    names = [f"p{number}" for number in range(12)]
    games = [
        game
        for at, low in enumerate(names)
        for high in names[at + 1 :]
        for game in colours_swapped(high, low, [1] * 5)
    ]
    found = fit_ratings(games, names, anchor="p0")
    assert list(found.ratings) == sorted(found.ratings)
    for rating, (low, high) in zip(found.ratings, found.intervals, strict=True):
        assert low <= rating <= high
    assert found.superiority("p11", "p0") > 0.999


def test_superiority_is_even_for_equals_and_symmetric():
    games = list(colours_swapped("a", "b", [1, -1, 0, 0] * 5))
    games += colours_swapped("a", "c", [1, 1, 1, -1] * 5)
    found = fit_ratings(games)
    assert found.superiority("a", "b") == pytest.approx(0.5, abs=0.05)
    assert found.superiority("a", "c") > 0.95
    assert found.superiority("a", "c") + found.superiority("c", "a") == pytest.approx(1)
    assert found.superiority("a", "a") == 0.5


def test_the_order_of_players_and_games_does_not_matter():
    rng = np.random.default_rng(4)
    games = list(simulated(rng, strengths(rng), 5))
    one, two = fit_ratings(games, list("abcdef")), fit_ratings(games[::-1], list("fbdace"))
    for name in "abcdef":
        assert one.rating(name) == pytest.approx(two.rating(name), abs=1e-4)
        assert one.interval(name) == pytest.approx(two.interval(name), abs=1e-3)


def test_players_who_have_not_met_are_not_compared():
    games = [*colours_swapped("a", "b", [1, 0]), *colours_swapped("c", "d", [1, 1, -1])]
    found = fit_ratings(games, list("abcde"))
    assert not found.connected
    assert set(found.intervals) == {(-inf, inf)}
    assert found.rating("a") > found.rating("b")
    assert found.superiority("a", "c") == 0.5
    nobody = fit_ratings([], ["a", "b"])
    assert (nobody.ratings, nobody.connected) == ((0.0, 0.0), False)


@pytest.mark.parametrize(
    ("games", "options", "message"),
    [
        ([], {"players": ["a"]}, "at least two players, not 1"),
        ([], {"players": ["a", "a"]}, "two players have the same name"),
        ([RatedGame("a", "b", 1)], {"players": ["a", "c"]}, "'b' is not one of the players"),
        ([RatedGame("a", "a", 1)], {"players": ["a", "c"]}, "cannot play against itself"),
        ([RatedGame("a", "b", 2)], {}, "a result is 1, 0 or -1, not 2"),
        ([RatedGame("a", "b", 1)], {"prior": 0}, "prior must be above 0, not 0"),
        ([RatedGame("a", "b", 1)], {"anchor": "z"}, "the anchor 'z' is not one of the players"),
    ],
)
def test_bad_input_is_refused(games, options, message):
    with pytest.raises(ValueError, match=message):
        fit_ratings(games, **options)
