"""Ratings of levels, and numbers as players."""

import json
from dataclasses import replace

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, levels_for, make_player
from rl_toolkit.players.kinds.mixing import Mix
from rl_toolkit.players.levels import is_rating, rating_range, ratings, ratings_for, spec_of_rating
from rl_toolkit.players.levels.describe import level_card, overlooked_by, overlooked_by_level
from rl_toolkit.players.levels.ratings import RatedLadder, Rating
from rl_toolkit.players.spec import Spec

GAME = "tictactoe"


@pytest.fixture
def ladder(monkeypatch, tmp_path):
    """A folder with ratings of Tic-Tac-Toe: easy 300, medium 500, perfect 700, the rest unknown."""
    monkeypatch.setattr(ratings, "FOLDER", tmp_path)
    ratings.rated_ladder.cache_clear()
    specs, measured = levels_for(GAME), {"easy": 300, "medium": 500, "perfect": 700}
    found = tuple(
        Rating(specs[level], float(elo), (elo - 30.0, elo + 20.0), 90, 1.0)
        for level, elo in measured.items()
    )
    data = RatedLadder(
        GAME, "2026-01-01", 1, 0, 270, 50.0, (Rating("random", 0.0, (0.0, 0.0), 90, 0.1), *found)
    )
    (tmp_path / f"{GAME}.json").write_text(json.dumps(data.to_dict()))
    yield data
    ratings.rated_ladder.cache_clear()


def test_levels_have_the_ratings_of_their_engines(ladder):
    rated = ratings_for(GAME)
    assert {level: each.rating for level, each in rated.items()} == {
        "easy": 300,
        "medium": 500,
        "hard": 700,
        "expert": 700,
        "perfect": 700,
    }
    assert rated["easy"].error == 30
    assert rating_range(GAME) == (0, 700)
    assert RatedLadder.from_dict(ladder.to_dict()) == ladder


def test_a_rating_between_two_levels_is_a_mix_of_them(ladder):
    specs = {level: Spec.read(text) for level, text in levels_for(GAME).items()}
    assert Mix.of(spec_of_rating(GAME, 350)) == Mix(specs["medium"], specs["easy"], 0.75)
    assert Mix.of(spec_of_rating(GAME, 90)) == Mix(specs["easy"], Spec("random"), 0.7)
    assert spec_of_rating(GAME, 0) == Spec("random")
    assert spec_of_rating(GAME, 500) == specs["medium"]
    assert spec_of_rating(GAME, 700) == specs["perfect"]


def test_a_number_is_a_player(ladder):
    player = make_player(GAME, " 600 ", seed=5)
    assert Mix.of(player.spec).slips == 0.5
    assert player.spec.text.endswith("seed=5")
    assert player.analyse(make_game(GAME)).best_move in range(9)
    assert make_player(make_game(GAME), "700").spec.text == levels_for(GAME)["perfect"]


@pytest.mark.parametrize("text", ["701", "99999"])
def test_a_rating_above_the_strongest_level_is_refused(ladder, text):
    with pytest.raises(SpecError, match=f"ratings of tictactoe go from 0 to 700, not {text}"):
        make_player(GAME, text)


def test_a_game_without_ratings_has_no_numbers(ladder):
    with pytest.raises(
        SpecError, match="the levels of connect-four-5x5x4 have no ratings; they are"
    ):
        make_player("connect-four-5x5x4", "800")


def test_what_is_a_rating():
    assert all(map(is_rating, ("0", "1200", "850.5", " 7 ")))
    assert not any(map(is_rating, ("", "-5", "1e3", "12a", "hard", "1234567", "١٢٠٠")))


def test_a_card_says_what_a_level_overlooks_and_its_rating(ladder):
    assert level_card(GAME, "easy") == (
        "overlooks threats in 85 % of its moves. Rating 300 ± 30 Elo above random play."
    )
    assert level_card(GAME, "perfect") == (
        "never gives away a win or a draw. Overlooks nothing. "
        "Rating 700 ± 30 Elo above random play."
    )
    known = replace(ladder.ratings[1], accuracy=0.625)
    rated = replace(ladder, ratings=(ladder.ratings[0], known, *ladder.ratings[2:]))
    (ratings.FOLDER / f"{GAME}.json").write_text(json.dumps(rated.to_dict()))
    ratings.rated_ladder.cache_clear()
    assert "Right in 62 % of the moves that matter. Rating 300" in level_card(GAME, "easy")
    assert level_card("connect-four-5x5x4", "medium") == (
        "looks 4 plies ahead. Overlooks what takes more than 4 plies."
    )


def test_where_pieces_are_counted_replies_are_overlooked_and_not_threats():
    for game in ("reversi", "reversi-6"):
        for level in levels_for(game):
            assert "threat" not in level_card(game, level)
    card = level_card("reversi", "beginner")
    assert card.startswith("overlooks replies in 70 % of its moves.")
    assert overlooked_by_level("reversi", "beginner") == (
        "the opponent's replies, in 70 % of its moves"
    )


def test_every_level_below_perfect_overlooks_something():
    for game in ("tictactoe", "connect-four", "gomoku", "gomoku-9", "reversi", "reversi-6"):
        for level, spec in levels_for(game).items():
            assert overlooked_by(spec) or spec == levels_for(game).get("perfect"), (game, level)


def test_data_of_another_format_is_refused(ladder):
    with pytest.raises(ValueError, match="not an rl_toolkit ladder of version 1"):
        RatedLadder.from_dict({**ladder.to_dict(), "version": 2})
