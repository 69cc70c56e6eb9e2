"""Balanced openings: positions from which neither side has the better of it.

A position is balanced if

* its result with best play is a draw, by the engine that proves every move; where there is none,
  the best engine of the game values it near 0, after a search of a fixed number of nodes;
* at least two moves keep that: an opening in which one side has to find an only move at once is a
  puzzle, and is lost early.
"""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.worker_engines import new_engine
from rl_toolkit.arena.exact_scores import scores_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, Spec
from rl_toolkit.players.advisers import adviser_spec, exact_spec

#: Positions that an engine searches at first, and again if that looks balanced.
FIRST_NODES, NODES = 2_000, 20_000
#: How far from 0 the value of a balanced position may be, where it is an estimate, and how far
#: those of its moves and of the first search, which are rough.
MARGIN, ROUGH = 0.15, 0.3
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
        moves: how many moves keep the balance; 0 where none was looked at.
    """

    balanced: bool
    proven: bool
    by: str
    value: float | None
    moves: int


def balance(env: BaseGameEnv) -> Balance:
    """Whether an unfinished position is balanced, by the best engine for it."""
    exact = exact_spec(env)
    return _estimated(env) if exact is None else _proven(env, exact.kind)


def _proven(env: BaseGameEnv, by: str) -> Balance:
    scores = list(scores_of(env).values())
    best, draws = max(scores), scores.count(0)
    value = env.current_player * float((best > 0) - (best < 0))
    return Balance(best == 0 and draws >= _MOVES, True, by, value + 0.0, draws)


def _estimated(env: BaseGameEnv) -> Balance:
    spec = adviser_spec(env)
    plain = Spec(spec.kind)
    value, moves, is_even = _value(plain, env, FIRST_NODES), 0, False
    if value is not None and abs(value) <= ROUGH:
        value = _value(plain, env, NODES)
        is_even = value is not None and abs(value) <= MARGIN
    if is_even:  # every move has a part of the nodes: enough to see which ones lose
        analysis = _fresh(spec, env).analyse(env.copy(), Limit(nodes=NODES))
        moves = sum(c.value is not None and abs(c.value) <= ROUGH for c in analysis.candidates)
    for_x = None if value is None else value * env.current_player
    return Balance(is_even and moves >= _MOVES, False, spec.kind, for_x, moves)


def _value(spec: Spec, env: BaseGameEnv, nodes: int) -> float | None:
    return _fresh(spec, env).analyse(env.copy(), Limit(nodes=nodes)).value


def _fresh(spec: Spec, env: BaseGameEnv) -> Player:
    """An engine that remembers nothing: what it says depends on the position alone."""
    return new_engine(env.name, spec, seed=0)
