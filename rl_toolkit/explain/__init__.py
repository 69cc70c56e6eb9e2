"""One sentence about each move, made of facts on the board and of what the search found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.explain.claims import claim_notes
    from rl_toolkit.explain.facts import Fact, facts_of
    from rl_toolkit.explain.lessons import lesson_of
    from rl_toolkit.explain.places import Area, area_of
    from rl_toolkit.explain.reviews import (
        Course,
        Moment,
        Pace,
        better_than,
        cost_of,
        course_of,
        discs_lost,
        is_slip,
        moves_lost,
        over_at,
        pace_of,
        seen_after,
        turned_on,
    )
    from rl_toolkit.explain.sentences import explain, explain_move
    from rl_toolkit.explain.verdicts import Verdict, verdict_of
    from rl_toolkit.utils import assessment, exploration, format_outcome

__all__ = [
    "Area",  # The part of the board to look at for a move
    "Course",  # Where a reviewed game was decided
    "Fact",  # Something true about a move, with its numbers
    "Moment",  # A move on which much depended, with a sentence
    "Pace",  # How a move that kept the result changed the length of the game
    "Verdict",  # What an analysis says of a move: proven, estimated or unknown
    "area_of",  # The part of the board where a move is, for a first hint
    "assessment",  # The courses' assessment of a move; ``value`` is from the mover's view
    "better_than",  # Which moves were better, as a sentence; ``None`` if the move lost nothing
    "claim_notes",  # How the claims of a bot were read, and what is wrong with them
    "cost_of",  # What a move lost
    "course_of",  # Where a reviewed game turned, and where it was over
    "discs_lost",  # The whole pieces that a move lost, where they count
    "explain",  # A sentence for each candidate of an analysis
    "explain_move",  # The sentence about one move
    "exploration",  # The courses' words for a move in tree search
    "facts_of",  # The facts about ``move`` in the position of ``env``, which is not changed
    "format_outcome",  # The courses' outcome words for a value
    "is_slip",  # Whether a move kept the result and lost many moves
    "lesson_of",  # What kind of mistake a move was, in words that can be counted
    "moves_lost",  # By how many moves a win came later or a loss sooner
    "over_at",  # The move after which the end was near
    "pace_of",  # By how much a loss came sooner or a win later
    "seen_after",  # A move's evaluation once it has been played, for the other side
    "turned_on",  # The move on which a game turned
    "verdict_of",  # What an analysis says of a move, in one value
]
__getattr__, __dir__ = front_door(__name__)
