"""The levels of every game, ``beginner`` to ``perfect``: engine specs with measured ratings.

* `ladders`: the levels of each game as data
* `lookup`: the player of a level or a rating
* `ratings`: what was measured, as files in ``data``
* `describe`: levels in the words of people who choose one
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.players.levels.describe import (
        RATING_UNIT,
        accuracy_text,
        described_levels,
        distinct_levels,
        level_card,
        named_levels,
        overlooked_by_level,
        rating_text,
        slow_levels,
    )
    from rl_toolkit.players.levels.ladders import LEVELS, STEPS, opening_plies, steps_of
    from rl_toolkit.players.levels.lookup import (
        check_player,
        is_level,
        is_rating,
        levels_for,
        make_level,
        make_player,
        rating_range,
        ratings_for,
        resolve,
        spec_of_rating,
        usual_level,
    )
    from rl_toolkit.players.levels.ratings import (
        ANCHOR,
        TARGET,
        RatedLadder,
        Rating,
        StoredGame,
        rated_ladder,
    )

__all__ = [
    "ANCHOR",  # The player whose rating is 0
    "LEVELS",  # All names of levels, weakest first. No game has all of them
    "RATING_UNIT",  # What ratings are measured in, as it is written
    "STEPS",  # The steps of each measured ladder, weakest first
    "TARGET",  # The half-width of a 95 % interval that counts as measured, in Elo
    "RatedLadder",  # The measured ratings of the levels of a game
    "Rating",  # A measured rating in Elo, relative to `ANCHOR`
    "StoredGame",  # A game of a measurement, move by move
    "accuracy_text",  # The measured accuracy of a level, as it is written
    "check_player",  # Raise ``ValueError`` if the player that ``text`` names cannot play a game
    "described_levels",  # The levels of a game, each with a sentence
    "distinct_levels",  # The levels of a game without other names for the same one
    "is_level",  # Whether ``text`` is the name of a level or a rating, in some game
    "is_rating",  # Whether ``text`` is a number, which is taken as a rating
    "level_card",  # What a person who chooses a level is told about it
    "levels_for",  # The levels of a game, weakest first, each with its engine spec
    "make_level",  # The player of a level
    "make_player",  # The player that ``text`` names; see `resolve`
    "named_levels",  # The levels of a game by the name that is shown
    "opening_plies",  # The plies of the openings with which a ladder is measured
    "overlooked_by_level",  # What a level overlooks, as the end of a sentence
    "rated_ladder",  # The measured ladder of a game, ``None`` if it has none
    "rating_range",  # The lowest and the highest rating that a game offers
    "rating_text",  # A measured rating, as it is written
    "ratings_for",  # The measured ratings of the levels of a game
    "resolve",  # The engine that ``text`` names
    "slow_levels",  # A sentence on levels that think for seconds
    "spec_of_rating",  # The spec that plays about as strong as ``rating``
    "steps_of",  # The steps of the measured ladder of a game
    "usual_level",  # The level to play against by default
]
__getattr__, __dir__ = front_door(__name__)
