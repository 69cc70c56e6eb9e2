"""What a search has to say of a move, taken down to what it proved and what it only estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rl_toolkit.analysis import Candidate, Outcome, moves_to_end
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class Proven:
    """Search proved the outcome for who plays the move.

    ``moves`` counts the winner's moves to the end, where known; ``line`` is the play expected,
    this move first, checked to be legal; ``ends`` tells whether it runs to the end of the game.
    ``margin`` is the difference in pieces where these are counted, empty squares going to the
    winner, ``bound`` what is known of it in words where it is not known itself.
    """

    outcome: Outcome
    moves: int | None = None
    line: tuple[int, ...] = ()
    ends: bool = False
    margin: int | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Search believes in this value for who plays the move, and proved nothing.

    ``discs`` is by how many pieces it believes the game will be won, where these are counted;
    ``bound`` stands for it, in words, where only a bound is believed in.
    """

    value: float
    discs: float | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class NoOpinion:
    """The engine did not value the move."""


@dataclass(frozen=True, slots=True)
class PriorOnly:
    """Search never looked into the move: all there is to say is how much the network likes it.

    Its value, in such an analysis, is that of the position and not the move's.
    """

    prior: float


Verdict: TypeAlias = Proven | Estimate | PriorOnly | NoOpinion


def verdict_of(env: BaseGameEnv, candidate: Candidate) -> Verdict:
    """What ``candidate`` says of its move in the position of ``env``."""
    if candidate.proven and candidate.outcome is not None:
        moves = moves_to_end(candidate)
        line, ends = _checked_line(env, candidate)
        margin, bound = margin_of(env, candidate), _bound_of(env, candidate)
        return Proven(candidate.outcome, moves, line, ends, margin, bound)
    if not _says_something(candidate):
        return NoOpinion()
    if candidate.visits == 0 and candidate.prior is not None:
        return PriorOnly(candidate.prior)
    discs = candidate.exact_score if env.traits.score_unit else None
    return Estimate(candidate.value, discs, _bound_of(env, candidate))


def margin_of(env: BaseGameEnv, candidate: Candidate) -> int | None:
    """By how many pieces the move wins or loses with best play, where counted and proven."""
    if not (env.traits.score_unit and candidate.proven) or candidate.exact_score is None:
        return None
    return round(candidate.exact_score)


def _bound_of(env: BaseGameEnv, candidate: Candidate) -> str | None:
    """A score of which only a bound is known, in words: ``at most -4 discs``."""
    if not env.traits.score_unit or candidate.score is None or candidate.score_bound == "exact":
        return None
    side = "at most" if candidate.score_bound == "upper" else "at least"
    number = f"{candidate.score:+.0f}" if candidate.proven else f"{candidate.score:+.1f}"
    return f"{side} {number} {env.traits.score_unit}s"


def _says_something(candidate: Candidate) -> bool:
    """Whether a value of 0 was arrived at, or merely stands for "nothing to say"."""
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
    """The candidate's line and whether it ends the game; no line where it is not what it claims.

    A line must begin with the candidate's move, be legal, and not end in another outcome or
    later than the proof says.
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
