"""The exact score of every legal move of a position.

A score is positive if the move wins, 0 if it draws, negative if it loses, and a better move has a
higher score. Where a game has scores of its own they are used (Connect Four: faster wins score
more; Reversi: discs); elsewhere faster wins and slower losses score more.

Scores come from an engine that proves every answer; an unproven answer is an error, never a guess.
"""

from __future__ import annotations

from functools import lru_cache

from rl_toolkit.algorithms import exact_engine
from rl_toolkit.analysis import Candidate, Engine, ScoresMoves
from rl_toolkit.arena.arbiter.worker_engines import new_engine
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Spec
from rl_toolkit.players.advisers import NO_SOLVER, exact_spec, solves_from
from rl_toolkit.records import position_to_text

Scores = dict[int, int]


class NotSolvedError(ValueError):
    """The exact scores of a game or position cannot be found."""


def solver_spec(game: str) -> Spec:
    """The engine that finds exact scores of a game; `NotSolvedError` if there is none.

    >>> solver_spec("connect-four")
    Spec('exact')
    """
    env = make_game(game)
    stage = solves_from(env)
    if stage is None:
        raise NotSolvedError(NO_SOLVER.format(env.name))
    return exact_spec(env) or Spec("exact")  # the latter where samples hold late positions only


def scores_of(env: BaseGameEnv) -> Scores:
    """The exact score of every legal move of an unfinished game, for the side to move.

    `NotSolvedError` if a move cannot be proven.
    """
    if env.is_terminal():
        raise NotSolvedError(f"{position_to_text(env)}: the game is over")
    solver = _solver(env.name)
    if isinstance(solver, ScoresMoves):
        return solver.score_moves(env)
    analysis = solver.analyse(env)
    return {c.move: _score(c, env) for c in sorted(analysis.candidates, key=lambda c: c.move)}


@lru_cache(maxsize=2)
def _solver(game: str) -> Engine:
    spec = solver_spec(game)
    return exact_engine(game) if spec == Spec("exact") else new_engine(game, spec)


def _score(candidate: Candidate, env: BaseGameEnv) -> int:
    if not candidate.proven:
        raise NotSolvedError(f"{candidate.name} could not be proven on {env.name}")
    if candidate.exact_score is not None:
        return int(candidate.exact_score)
    if candidate.outcome == "draw":
        return 0
    if candidate.distance is None:
        raise NotSolvedError(f"the distance of {candidate.name} could not be proven on {env.name}")
    soon = 2 * env.rows * env.cols - candidate.distance  # always positive, even with passes
    return soon if candidate.outcome == "win" else -soon


def results(scores: Scores) -> dict[int, int]:
    """The result of each move with best play: +1, 0 or −1.

    >>> results({0: 18, 1: 0, 2: -3})
    {0: 1, 1: 0, 2: -1}
    """
    return {move: sign(score) for move, score in scores.items()}


def keeping(scores: Scores) -> set[int]:
    """The moves that keep the result: the winning moves, else the drawing ones, else all."""
    outcomes = results(scores)
    return {move for move, result in outcomes.items() if result == max(outcomes.values())}


def exactly_best(scores: Scores) -> set[int]:
    """The moves with the highest score."""
    best = max(scores.values())
    return {move for move, score in scores.items() if score == best}


def sign(score: int) -> int:
    """+1 for a win, 0 for a draw, −1 for a loss."""
    return (score > 0) - (score < 0)
