"""Openings of matches and tournaments: drawn at random, balanced, from files, and shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.arena.runs.openings.balancing import NODES, Balance, balance
    from rl_toolkit.arena.runs.openings.choice import chosen_openings, fair_openings, with_openings
    from rl_toolkit.arena.runs.openings.drawing import draw_balanced
    from rl_toolkit.arena.runs.openings.files import opening_text, openings_text

__all__ = [
    "NODES",  # Positions that an engine searches at first, and again if that looks balanced
    "Balance",  # What an engine says about an opening
    "balance",  # Whether an unfinished position is balanced, by the best engine for it
    # The openings that ``text`` names; raises ``ValueError`` or ``OSError`` if there are
    # none
    "chosen_openings",
    "draw_balanced",  # Distinct balanced openings, at most ``count``
    # Openings from which neither side has the better of it, for those who choose none
    "fair_openings",
    "opening_text",  # An opening as moves; as rows if it does not begin with the usual position
    "openings_text",  # Openings as text
    # The plan with openings: its own, or those of the run in ``save``, or `fair_openings`
    "with_openings",
]
__getattr__, __dir__ = front_door(__name__)
