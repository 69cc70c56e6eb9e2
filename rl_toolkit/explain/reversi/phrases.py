"""Facts about a Reversi move in words: first those in its favour, then those against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rl_toolkit.analysis import words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.places import squares
from rl_toolkit.explain.reversi.facts import (
    DeniesCorner,
    GivesCorner,
    LeavesCorner,
    LeavesNoMove,
    Mobility,
    MustPass,
    NextToCorner,
    Parity,
    ReversiFact,
    Secures,
    TakesCorner,
)
from rl_toolkit.utils import counted, listed

#: The most clauses in one sentence.
_MOST_CLAUSES = 3
#: The smallest change of mobility worth mentioning.
_LEAST_CHANGE = 3

Tone = Literal["for", "against", "neither"]


def reversi_phrase(env: BaseGameEnv, facts: Sequence[ReversiFact]) -> str:
    """The most important facts as words that continue "this move …"; empty if there are none.

    Facts that count neither for nor against the move are mentioned only if there is little else.
    """
    clauses: dict[Tone, list[str]] = {"for": [], "against": [], "neither": []}
    opponent = words_for(env).side(-env.current_player)
    gives = any(isinstance(fact, GivesCorner) for fact in facts)
    for fact in facts:
        tone, words = _clause(env, fact, opponent, gives)
        full = sum(map(len, clauses.values())) == _MOST_CLAUSES
        if words and not full and not _is_implied(fact, facts):
            clauses[tone].append(words)
    if not clauses["against"] and len(clauses["for"]) < 2:
        clauses["for"] += clauses["neither"]
    return ", but ".join(map(listed, filter(None, (clauses["for"], clauses["against"]))))


def _is_implied(fact: ReversiFact, facts: Iterable[ReversiFact]) -> bool:
    """Whether another of the facts already says this."""
    match fact:
        case NextToCorner(_, corner):
            open_ones = [fact for fact in facts if isinstance(fact, GivesCorner | LeavesCorner)]
            return any(corner in other.cells for other in open_ones)
        case Secures(cells):
            return any(isinstance(other, TakesCorner) and cells == (other.cell,) for other in facts)
        case _:
            return False


def _clause(env: BaseGameEnv, fact: ReversiFact, opponent: str, gives: bool) -> tuple[Tone, str]:
    """Whether a fact counts for the move, and the fact in words; no words if it is minor.

    ``gives`` is whether the move also gives the opponent a corner.
    """
    match fact:
        case MustPass():
            return "for", "must pass"
        case TakesCorner(cell):
            return "for", f"takes the corner {squares(env, [cell])}"
        case GivesCorner(cells):
            return "against", f"gives {opponent} {_corners(env, cells)}"
        case LeavesCorner(cells):
            still = "still " if gives else ""
            return "against", f"{still}leaves {_corners(env, cells)} open"
        case DeniesCorner(cells):
            return "for", f"denies {opponent} {_corners(env, cells)}"
        case NextToCorner(cell, corner, kind):
            place = f"the {kind}-square {squares(env, [cell])}"
            return "against", f"plays {place} next to the empty corner {squares(env, [corner])}"
        case LeavesNoMove():
            return "for", f"forces {opponent} to pass"
        case Mobility(cells, before):
            return _mobility(env, cells, before, opponent)
        case Secures(cells):
            return "for", f"secures {counted(len(cells), 'disc')} for good"
        case Parity():
            return _parity(fact, opponent)


def _mobility(
    env: BaseGameEnv, cells: tuple[int, ...], before: int, opponent: str
) -> tuple[Tone, str]:
    now = len(cells)
    if now == 1:
        return "for", f"leaves {opponent} only {squares(env, cells)}"
    if before - now >= _LEAST_CHANGE:
        return "for", f"cuts {opponent}'s moves from {before} to {now}"
    if now - before >= _LEAST_CHANGE:
        return "against", f"raises {opponent}'s moves from {before} to {now}"
    return "neither", f"leaves {opponent} {counted(now)}"


def _parity(fact: Parity, opponent: str) -> tuple[Tone, str]:
    left = sum(fact.regions)
    if len(fact.regions) == 1:
        tone: Tone = "for" if fact.mine else "against"
        who = "stays" if fact.mine else f"leaves {opponent}"
        return tone, f"{who} in line for the last square ({left} left)"
    if fact.opponent_passes:  # then the player may enter any region
        return "neither", ""
    if not any(size % 2 for size in fact.regions):
        return "for", f"leaves only even regions ({listed(map(str, fact.regions))})"
    if fact.entered and fact.entered % 2 == 0:
        return "against", f"opens an even region of {fact.entered}"
    return "neither", ""


def _corners(env: BaseGameEnv, cells: tuple[int, ...]) -> str:
    return f"the {'corner' if len(cells) == 1 else 'corners'} {squares(env, cells)}"
