"""The verdict of a search on a move: what it proved, or what it only estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rl_toolkit.analysis import Candidate, Outcome, moves_to_end
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class Proven:
    """Search proved the outcome for the player of the move.

    ``moves`` counts the winner's moves to the end, where known; ``line`` is the expected line,
    this move first, checked to be legal; ``ends`` is whether it runs to the end of the game.
    ``margin`` is the difference in pieces in games that count them, empty squares going to the
    winner.
    """

    outcome: Outcome
    moves: int | None = None
    line: tuple[int, ...] = ()
    ends: bool = False
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Search estimates this value for the player of the move, and proved nothing."""

    value: float


@dataclass(frozen=True, slots=True)
class Unknown:
    """The engine has no value for the move; a network may have given it a ``prior``.

    ``searched`` says that it looked further and saw no result within its limit.
    """

    prior: float | None = None
    searched: bool = False


Verdict: TypeAlias = Proven | Estimate | Unknown


def verdict_of(env: BaseGameEnv, candidate: Candidate) -> Verdict:
    """The verdict that ``candidate`` gives on its move in the position of ``env``."""
    if candidate.proven and candidate.outcome is not None:
        line, ends = _checked_line(env, candidate)
        moves, margin = moves_to_end(candidate), margin_of(env, candidate)
        if not env.traits.alternates and candidate.distance != 1:
            moves = None  # plies do not say whose moves they are
        return Proven(candidate.outcome, moves, line, ends, margin)
    if candidate.value is None:
        return Unknown(candidate.prior, searched=len(candidate.line) > 1)
    return Estimate(candidate.value)


def margin_of(env: BaseGameEnv, candidate: Candidate) -> int | None:
    """By how many pieces the move wins or loses with best play, ``None`` where not proven."""
    if not (env.traits.score_unit and candidate.proven) or candidate.exact_score is None:
        return None
    return round(candidate.exact_score)


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
