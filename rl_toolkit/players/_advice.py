"""Whom to ask about a position: an engine that knows, else the strongest there is."""

from __future__ import annotations

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.players import Player, levels_for, make_engine

#: How long an engine that does not know may think about its advice.
ADVICE_SECONDS = 3.0
#: How long about each move of a game that it looks back on.
REVIEW_SECONDS = 0.2

#: Reversi with so few squares empty is solved while one waits, on boards of all sizes.
_LATE = 18


def perfect_player(env: BaseGameEnv) -> Player | None:
    """Who plays this game perfectly, ``None`` where nobody does."""
    spec = levels_for(env.name).get("perfect")
    return None if spec is None else make_engine(spec)


def exact_engine(env: BaseGameEnv) -> Player | None:
    """Who soon knows the truth about every move of this position, ``None`` where nobody does."""
    if isinstance(env, Reversi):  # a perfect player may know it of the best move alone
        return make_engine("exact") if int((env.board == 0).sum()) <= _LATE else None
    return perfect_player(env)


def adviser(env: BaseGameEnv) -> Player:
    """Who knows the truth, or the best estimates of every move there are."""
    estimates = "reversi:every=on" if isinstance(env, Reversi) else "minimax"
    return exact_engine(env) or make_engine(estimates)


def reviewer(env: BaseGameEnv) -> Player | None:
    """Who can look back on a whole game: who plays it perfectly, in Reversi who counts discs."""
    if isinstance(env, Reversi) and env.rows > 4:
        return make_engine(f"reversi:every=on,time={REVIEW_SECONDS}")
    return perfect_player(env)


def usual_limit(player: Player, seconds: float = ADVICE_SECONDS) -> Limit:
    """The limit where nobody names one: a clock, unless the player has limits or needs none."""
    if player.limit != Limit() or player.name == "exact":
        return Limit()
    return Limit(time=seconds)
