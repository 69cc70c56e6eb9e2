"""What a move of a reviewed game lost, and which move was better: the same words everywhere."""

from __future__ import annotations

from rl_toolkit.algorithms import MoveReview
from rl_toolkit.analysis import words_for
from rl_toolkit.envs import GameTraits
from rl_toolkit.utils import counted, listed

#: So many equally good moves are named, the others counted.
_NAMED = 6

#: A result with best play, as what a game was and what it became.
_WAS = {"win": "a won game", "draw": "a drawn game", "loss": "a lost game"}
_BECAME = {"win": "won", "draw": "a draw", "loss": "lost"}


def discs_lost(move: MoveReview, traits: GameTraits) -> int | None:
    """The whole pieces that a move lost; ``None`` where they are not known or do not count."""
    if not traits.score_unit or move.score_lost is None:
        return None
    return round(move.score_lost)


def cost_of(move: MoveReview, traits: GameTraits) -> str | None:
    """What a move lost: ``a drawn game became lost``, ``≈ 7 discs lost``; ``None`` if nothing."""
    if move.is_best:
        return None
    costs, lost = [], discs_lost(move, traits)
    if lost:
        about = "" if move.score_proven else "≈ "
        costs.append(f"{about}{counted(lost, traits.score_unit)} lost")
    before, after = move.before, move.after
    if move.threw_away and before is not None and after is not None:
        costs.append(f"{_WAS[before]} became {_BECAME[after]}")
    if costs:
        return ", ".join(costs)
    best, played = _results(move, traits)
    if not move.value_lost or lost is not None or best == played:
        return None
    return f"{best} became {played}"


def better_than(move: MoveReview, traits: GameTraits) -> str | None:
    """Which moves were better, as a sentence; ``None`` if the move lost nothing.

    ``a1 and c1 were better: a draw instead of a loss in 3 moves.``
    """
    if not move.best or cost_of(move, traits) is None:
        return None
    named = list(move.best)
    if len(named) > _NAMED:
        named = [*named[: _NAMED - 1], f"{len(named) - _NAMED + 1} more"]
    text = f"{listed(named)} {'was' if len(named) == 1 else 'were'} better"
    best, played = _results(move, traits)
    return f"{text}: {best} instead of {played}." if best != played else f"{text}."


def _results(move: MoveReview, traits: GameTraits) -> tuple[str, str]:
    """The results of the best move and of the one played; empty where they were not kept."""
    if move.best_candidate is None or move.played_candidate is None:
        return "", ""
    words = words_for(traits)
    return words.noun(move.best_candidate), words.noun(move.played_candidate)
