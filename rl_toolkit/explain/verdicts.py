"""The verdict of a search on a move: what it proved, or what it only estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rl_toolkit.analysis import Candidate, Outcome, moves_to_end
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils.messages import counted


@dataclass(frozen=True, slots=True)
class Proven:
    """Search proved the outcome for the player of the move.

    ``moves`` counts the winner's moves to the end, where known; ``line`` is the expected line,
    this move first, checked to be legal; ``ends`` is whether it runs to the end of the game.
    ``margin`` is the difference in pieces in games that count them, empty squares going to the
    winner; ``bound`` is a bound of it in words (``by at least 4 discs``) where only that is known.
    """

    outcome: Outcome
    moves: int | None = None
    line: tuple[int, ...] = ()
    ends: bool = False
    margin: int | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Search estimates this value for the player of the move, and proved nothing.

    ``discs`` is the estimated lead at the end, in games that count pieces; ``bound`` is a bound of
    it in words (``at least 2.4 discs behind``) where only that is known.
    """

    value: float
    discs: float | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class NoOpinion:
    """The engine did not evaluate the move."""


@dataclass(frozen=True, slots=True)
class PriorOnly:
    """Search never visited the move: only the network's prior is known.

    The candidate's value is then that of the position, not of the move.
    """

    prior: float


Verdict: TypeAlias = Proven | Estimate | PriorOnly | NoOpinion


def verdict_of(env: BaseGameEnv, candidate: Candidate) -> Verdict:
    """The verdict that ``candidate`` gives on its move in the position of ``env``."""
    if candidate.proven and candidate.outcome is not None:
        moves = moves_to_end(candidate)
        line, ends = _checked_line(env, candidate)
        margin, bound = margin_of(env, candidate), _bound_of(env, candidate)
        return Proven(candidate.outcome, moves, line, ends, margin, bound)
    if not _was_evaluated(candidate):
        return NoOpinion()
    if candidate.visits == 0 and candidate.prior is not None:
        return PriorOnly(candidate.prior)
    discs = candidate.exact_score if env.traits.score_unit else None
    return Estimate(candidate.value, discs, _bound_of(env, candidate))


def margin_of(env: BaseGameEnv, candidate: Candidate) -> int | None:
    """By how many pieces the move wins or loses with best play, ``None`` where not proven."""
    if not (env.traits.score_unit and candidate.proven) or candidate.exact_score is None:
        return None
    return round(candidate.exact_score)


def _bound_of(env: BaseGameEnv, candidate: Candidate) -> str | None:
    """A score of which only a bound is known, in words; ``None`` if it says nothing new."""
    unit, score, lower = env.traits.score_unit, candidate.score, candidate.score_bound == "lower"
    if not unit or score is None or candidate.score_bound == "exact":
        return None
    if candidate.proven:
        margin = round(score if candidate.outcome == "win" else -score)  # the winner's
        least = "at least" if lower == (candidate.outcome == "win") else "at most"
        return f"by {least} {counted(margin, unit)}" if margin > 0 else None
    number = round(abs(score), 1)
    if not number:
        return f"even at {'worst' if lower else 'best'}"
    least = "at least" if lower == (score > 0) else "at most"
    pieces = unit if number == 1 else f"{unit}s"
    return f"{least} {number:g} {pieces} {'ahead' if score > 0 else 'behind'}"


def _was_evaluated(candidate: Candidate) -> bool:
    """Whether a value of 0 is an evaluation, not the default of a move that was not searched."""
    evidence = (
        candidate.visits,
        candidate.prior,
        candidate.uct,
        candidate.outcome,
        candidate.score,
    )
    return (
        candidate.value != 0
        or any(part is not None for part in evidence)
        or len(candidate.line) > 1
    )


def _checked_line(env: BaseGameEnv, candidate: Candidate) -> tuple[tuple[int, ...], bool]:
    """The candidate's line and whether it ends the game; an empty line if it is wrong.

    A line must begin with the candidate's move, be legal, and not contradict the proven outcome
    or distance.
    """
    line = candidate.line
    nothing: tuple[tuple[int, ...], bool] = ((), False)
    if line[:1] != (candidate.move,):
        return nothing
    if candidate.distance is not None and len(line) > candidate.distance:
        return nothing
    game, player = env.copy(), env.current_player
    for move in line:
        if move not in game.get_legal_moves():
            return nothing
        game.step(move)
    if not game.is_terminal():
        return line, False
    wanted = {"win": 1.0, "draw": 0.0, "loss": -1.0}[candidate.outcome or "draw"]
    return (line, True) if game.get_result(player) == wanted else nothing
