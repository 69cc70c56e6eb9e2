"""What an engine can do, in every game it plays, on one card.

::

    card.py        the card as data
    subject.py     who is measured: engines, levels, bots, files of weights; which games it plays
    tactics.py     positions with a forced win, by its length
    rating.py      a few games against levels of the ladder
    positions.py   where it was strongest and weakest
    measuring.py   all of it together
    card_html.py   the card as one HTML file
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.arena.scorecard.card import GameCard, Scorecard
    from rl_toolkit.arena.scorecard.measuring import FULL, QUICK, measure
    from rl_toolkit.arena.scorecard.positions import ShownPosition
    from rl_toolkit.arena.scorecard.subject import check_plays, games_of, spec_of
    from rl_toolkit.arena.scorecard.words import interval_text, length_text, rating_text, scale_text

__all__ = [
    "FULL",  # The effort of a full card
    "QUICK",  # The effort of a quick card
    "GameCard",  # What an engine can do in one game
    "Scorecard",  # What an engine can do in all games that were measured
    "ShownPosition",  # A position with the move that the engine played
    "check_plays",  # Raise ``ValueError`` if the engine does not play a game
    "games_of",  # The games that an engine plays, each on a board that it plays
    "interval_text",  # ``1200 to 1350``, with ``?`` for an end without a bound
    "length_text",  # How long a forced win is
    "measure",  # The card of an engine in a game
    "rating_text",  # The rating, or the bound that all games won or lost leave
    "scale_text",  # What the rating is relative to, in one sentence or two
    "spec_of",  # The spec that ``text`` stands for
]
__getattr__, __dir__ = front_door(__name__)
