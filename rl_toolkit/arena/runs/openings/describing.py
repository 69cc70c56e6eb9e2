"""What a result says about its openings: their number and kind, and how many were decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.arena.runs.match_results import PlayedGame
    from rl_toolkit.arena.runs.openings.drawing import OpeningsPlan

#: The most openings of a result that are asked about.
_MOST_JUDGED = 200


def openings_played(games: Iterable[PlayedGame]) -> list[Opening]:
    """The different openings of some games, in the order in which they were played."""
    return list(dict.fromkeys(Opening(game.opening, game.start) for game in games))


def openings_in_words(plan: OpeningsPlan, played: Sequence[Opening]) -> str:
    """``20 balanced openings, each from both sides``."""
    if not played:
        return "no opening has been played"
    if not any(opening.moves or opening.start for opening in played):
        return "all from the starting position"
    if plan.swap2:
        return f"{counted(len(played), 'opening')} by swap2, each player placing first in turn"
    if _are_balanced(plan):
        kind = counted(len(played), "balanced opening")
    elif plan.openings is not None:
        kind = f"{counted(len(played), 'opening')} of {plan.openings.name}"
    else:
        moves = counted(plan.random_plies or 0, "move")
        kind = f"{counted(len(played), 'random opening')} of {moves}"
    return f"{kind}, each from both sides"


def openings_remark(plan: OpeningsPlan, played: Sequence[Opening]) -> str:
    """What a reader must know about openings that may favour a side; empty if none does."""
    judged = [opening for opening in played if opening.moves or opening.start][:_MOST_JUDGED]
    if _are_balanced(plan) or not judged:
        return ""
    verdicts = [
        found for opening in judged if (found := is_decided(plan.game, opening)) is not None
    ]
    if count := sum(verdicts):
        some = f"{count} of {counted(len(verdicts), 'opening')} that an engine checked"
        return (
            f"{some} {'was' if count == 1 else 'were'} decided before the players moved: "
            "with best play one side wins. Each was played from both sides."
        )
    if len(verdicts) < len(judged) and plan.openings is None:
        return "No engine has checked whether these openings favour a side."
    return ""


@lru_cache(maxsize=4096)
def is_decided(game: str, opening: Opening) -> bool | None:
    """Whether one side wins after an opening with best play; ``None`` where that is not known."""
    from rl_toolkit.arena.exact_scores import NotSolvedError, scores_of
    from rl_toolkit.players.advisers import exact_spec

    env = opening.position(game)
    if exact_spec(env) is None:
        return None
    try:
        return max(scores_of(env).values()) != 0
    except NotSolvedError:
        return None


def _are_balanced(plan: OpeningsPlan) -> bool:
    """Whether the openings were made so that they favour no side."""
    return plan.balanced or plan.swap2 or (plan.openings is not None and plan.openings.balanced)
