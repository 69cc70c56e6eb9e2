"""Balanced openings: positions from which neither side has the better of it.

A position is balanced if

* its result with best play is a draw, by the engine that proves every move; where there is none,
  the best engine of the game values it near 0, after a search of a fixed number of nodes;
* at least two moves keep that: an opening in which one side has to find an only move at once is a
  puzzle, and is lost early.
"""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.analysis import Candidate, Limit
from rl_toolkit.arena.worker_engines import cached_engine
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.advisers import adviser_spec, exact_player

#: Positions that an engine searches to value a position that no engine proves.
NODES = 20_000
#: How far from 0 the values of balanced positions and of their good moves may be, where estimated.
MARGIN = 0.1
#: The moves that must keep the balance.
_MOVES = 2


@dataclass(frozen=True, slots=True)
class Balance:
    """What an engine says about an opening.

    Attributes:
        balanced: whether it is balanced.
        proven: whether that is a proof.
        by: the engine.
        value: the value of the position for X.
        moves: how many moves keep the balance.
    """

    balanced: bool
    proven: bool
    by: str
    value: float | None
    moves: int


def balance(env: BaseGameEnv) -> Balance:
    """Whether an unfinished position is balanced, by the best engine for it."""
    exact = exact_player(env)
    judge = cached_engine(env.name, adviser_spec(env) if exact is None else exact.spec)
    found = judge.analyse(env.copy(), Limit() if exact is not None else Limit(nodes=NODES))
    keep = sum(map(_proven_draw if exact is not None else _even, found.candidates))
    is_even = found.best is not None and (
        _proven_draw(found.best) if exact is not None else _even(found.best)
    )
    value = None if found.value is None else found.value * env.current_player
    return Balance(is_even and keep >= _MOVES, exact is not None, judge.name, value, keep)


def _proven_draw(candidate: Candidate) -> bool:
    return candidate.proven and candidate.outcome == "draw"


def _even(candidate: Candidate) -> bool:
    return candidate.value is not None and abs(candidate.value) <= MARGIN
