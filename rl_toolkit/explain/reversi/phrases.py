"""Facts about a move of Reversi in words, what speaks for it first, then what speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.phrases import listed, squares
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
from rl_toolkit.utils.messages import counted

#: So many clauses, the most telling ones, make a sentence that is still read.
_MOST = 3
#: A change of mobility by so many moves is worth telling.
_TELLING = 3

Tone = Literal["for", "against", "neither"]


def seen_on_the_board(env: BaseGameEnv, facts: Sequence[ReversiFact]) -> str:
    """The most telling facts as words that continue "this move …"; empty if there are none.

    What speaks neither for a move nor against it is told where there is little else to tell.
    """
    told: dict[Tone, list[str]] = {"for": [], "against": [], "neither": []}
    for fact in facts:
        tone, words = _clause(env, fact)
        if words and not _is_implied(fact, facts) and sum(map(len, told.values())) < _MOST:
            told[tone].append(words)
    if not told["against"] and len(told["for"]) < 2:
        told["for"] += told["neither"]
    return ", but ".join(map(listed, filter(None, (told["for"], told["against"]))))


def _is_implied(fact: ReversiFact, facts: Iterable[ReversiFact]) -> bool:
    """Whether another of the facts says as much."""
    match fact:
        case NextToCorner(_, corner):
            open_ones = [fact for fact in facts if isinstance(fact, GivesCorner | LeavesCorner)]
            return any(corner in other.cells for other in open_ones)
        case Secures(cells):
            return any(isinstance(other, TakesCorner) and cells == (other.cell,) for other in facts)
        case _:
            return False


def _clause(env: BaseGameEnv, fact: ReversiFact) -> tuple[Tone, str]:
    """Whether a fact speaks for the move, and the fact in words, if it is worth telling."""
    match fact:
        case MustPass():
            return "for", "must pass"
        case TakesCorner(cell):
            return "for", f"takes the corner {squares(env, [cell])}"
        case GivesCorner(cells):
            return "against", f"gives the opponent {_corners(env, cells)}"
        case LeavesCorner(cells):
            return "against", f"leaves the opponent {_corners(env, cells)}"
        case DeniesCorner(cells):
            return "for", f"denies the opponent {_corners(env, cells)}"
        case NextToCorner(cell, corner, kind):
            place = f"the {kind}-square {squares(env, [cell])}"
            return "against", f"enters {place} beside the empty corner {squares(env, [corner])}"
        case LeavesNoMove():
            return "for", "forces the opponent to pass"
        case Mobility(cells, before):
            return _mobility(env, cells, before)
        case Secures(cells):
            return "for", f"secures {counted(len(cells), 'disc')} for good"
        case Parity():
            return _parity(fact)


def _mobility(env: BaseGameEnv, cells: tuple[int, ...], before: int) -> tuple[Tone, str]:
    now = len(cells)
    if now == 1:
        return "for", f"leaves the opponent only {squares(env, cells)}"
    if before - now >= _TELLING:
        return "for", f"cuts the opponent's moves from {before} to {now}"
    if now - before >= _TELLING:
        return "against", f"raises the opponent's moves from {before} to {now}"
    return "neither", f"leaves the opponent {counted(now)}"


def _parity(fact: Parity) -> tuple[Tone, str]:
    left = sum(fact.regions)
    if len(fact.regions) == 1:
        tone: Tone = "for" if fact.mine else "against"
        who = "stays" if fact.mine else "leaves the opponent"
        return tone, f"{who} in line for the last square ({left} left)"
    if fact.opponent_passes:  # then the regions are one's own to enter
        return "neither", ""
    if not any(size % 2 for size in fact.regions):
        return "for", f"leaves only even regions ({listed(map(str, fact.regions))})"
    if fact.entered and fact.entered % 2 == 0:
        return "against", f"opens an even region of {fact.entered}"
    return "neither", ""


def _corners(env: BaseGameEnv, cells: tuple[int, ...]) -> str:
    return f"the {'corner' if len(cells) == 1 else 'corners'} {squares(env, cells)}"
