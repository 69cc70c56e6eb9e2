"""Whom to ask about a position: an engine that knows, else the strongest there is."""

from __future__ import annotations

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, levels_for, make_engine

#: How long an engine that does not know may think about its advice.
ADVICE_SECONDS = 3.0


def exact_engine(env: BaseGameEnv) -> Player | None:
    """The engine that plays this game perfectly, ``None`` where there is none."""
    spec = levels_for(env.name).get("perfect")
    return None if spec is None else make_engine(spec)


def adviser(env: BaseGameEnv) -> Player:
    """The exact engine where the game has one, else minimax with every idea."""
    return exact_engine(env) or make_engine("minimax")


def usual_limit(player: Player, seconds: float = ADVICE_SECONDS) -> Limit:
    """The limit where nobody names one: a clock, unless the player has limits or needs none."""
    if player.limit != Limit() or player.name == "exact":
        return Limit()
    return Limit(time=seconds)
