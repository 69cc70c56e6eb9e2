"""Turn the results of searches into candidates, best first."""

from __future__ import annotations

import random
from dataclasses import replace

from rl_toolkit.algorithms.minimax.negamax import WIN, Options, Result, is_decisive, plies_to_end
from rl_toolkit.algorithms.simple.tactics import PlainResult
from rl_toolkit.analysis import Candidate, outcome_of
from rl_toolkit.envs import BaseGameEnv


def candidate_of(
    env: BaseGameEnv,
    move: int,
    result: Result | None,
    options: Options,
    *,
    estimates: bool = True,
) -> Candidate:
    """The move with what its search found; unknown if it was not searched.

    ``estimates`` is whether positions at the horizon were evaluated.
    """
    candidate = Candidate(move, env.move_name(move), line=(move,))
    if result is None:
        return candidate
    decisive, value = is_decisive(result.score), value_of(result.score)
    proven = decisive or result.settled
    if not proven and not estimates:  # the horizon told nothing
        return replace(candidate, line=result.line)
    known = decisive and options.distance and result.settled
    return replace(
        candidate,
        value=value,
        outcome=outcome_of(value) if proven else None,
        proven=proven,
        distance=plies_to_end(result.score) if known else None,
        line=result.line,
    )


def ranked(
    env: BaseGameEnv, results: dict[int, Result], options: Options, seed: int | None
) -> list[int]:
    """The legal moves, best first; equal ones in search order, or shuffled by the seed."""
    moves = legal_moves(env)
    if options.ordering:
        priorities = env.move_priorities()
        moves.sort(key=lambda move: -priorities[move])
    if seed is not None:
        random.Random(seed).shuffle(moves)

    def strength(move: int) -> tuple[float, bool]:
        if move not in results:  # unknown
            return -WIN / 2, False
        score = results[move].score
        return score, score > WIN / 2 and wins_at_once(env, move)

    return sorted(moves, key=strength, reverse=True)


def of_plain_result(plain: PlainResult, options: Options) -> Result:
    """What the board shows, as the result of a search."""
    size = WIN - len(plain.line) if options.distance else WIN
    return Result(plain.result * size + 0.0, True, plain.line)


def is_won(results: dict[int, Result]) -> bool:
    """Whether a move is proven to win."""
    best = max(results.values(), key=lambda result: result.score)
    return best.settled and is_decisive(best.score) and best.score > 0


def value_of(score: float) -> float:
    """A score as an expected result in [−1, 1]."""
    return (1.0 if score > 0 else -1.0) if is_decisive(score) else score


def wins_at_once(env: BaseGameEnv, move: int) -> bool:
    """Whether the move wins the game."""
    after = env.copy()
    after.step(move)
    return after.check_win(env.current_player)


def legal_moves(env: BaseGameEnv) -> list[int]:
    """The legal moves as plain ints, whatever integers a game uses."""
    return [int(move) for move in env.get_legal_moves()]
