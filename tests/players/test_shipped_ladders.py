"""The shipped ratings: they belong to the levels, and every stored game is played again the same.

A level whose engine changes plays other moves. Then its ladder has to be calibrated again.
"""

from itertools import pairwise

import pytest

from rl_toolkit.arena.calibration.results import replay
from rl_toolkit.envs import make_game
from rl_toolkit.players import levels_for
from rl_toolkit.players.levels import ratings_for
from rl_toolkit.players.levels.ladders import opening_plies
from rl_toolkit.players.levels.ratings import TARGET, rated_games, rated_ladder

#: Seconds of thinking that a stored game may take in a quick test.
QUICK = 0.25


def stored_games():
    for game in rated_games():
        ladder = rated_ladder(game)
        speed = {each.spec: each.milliseconds / 1000 for each in ladder.ratings}
        chosen = 0
        for number, stored in enumerate(ladder.stored):
            seconds = max(speed[spec] for spec in stored.players) * len(stored.moves)
            is_quick = seconds < QUICK and chosen < 6
            chosen += is_quick
            marks = () if is_quick else pytest.mark.full
            yield pytest.param(game, number, id=f"{game}-{number}", marks=marks)


@pytest.mark.parametrize(("game", "number"), list(stored_games()))
def test_every_move_of_a_stored_game_is_played_again(game, number):
    ladder = rated_ladder(game)
    assert replay(ladder, ladder.stored[number]) == ladder.stored[number]


@pytest.mark.parametrize("game", rated_games())
def test_ratings_belong_to_the_levels_and_rise(game):
    ladder, levels = rated_ladder(game), levels_for(game)
    assert ladder.game == game == make_game(game).name
    assert ladder.random_plies == opening_plies(make_game(game))
    assert [each.spec for each in ladder.ratings] == ["random", *dict.fromkeys(levels.values())]
    ratings = [each.rating for each in ladder.ratings]
    assert ratings == sorted(ratings)
    assert ratings[0] == 0
    assert set(ratings_for(game)) == set(levels)
    for each in ladder.ratings[1:]:
        assert each.interval[0] < each.rating < each.interval[1]
        assert each.games > 0
    assert sum(each.games for each in ladder.ratings) == 2 * ladder.games


@pytest.mark.parametrize("game", rated_games())
def test_every_level_is_known_to_the_target(game):
    assert all(rating.error <= TARGET for rating in ratings_for(game).values())


@pytest.mark.parametrize("game", rated_games())
def test_every_two_neighbours_have_stored_games(game):
    ladder = rated_ladder(game)
    specs = [each.spec for each in ladder.ratings]
    met = {frozenset(stored.players) for stored in ladder.stored}
    assert met == set(map(frozenset, pairwise(specs)))
