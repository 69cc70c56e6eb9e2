"""Whom to ask about a position: an engine that knows, else the strongest there is."""

from __future__ import annotations

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player, levels_for, make_engine

#: How long advice may take.
ADVICE_SECONDS = 3.0


def adviser(env: BaseGameEnv) -> Player:
    """The engine of level ``perfect`` where the game has one, else minimax with every idea."""
    levels = levels_for(env.name)
    return make_engine(levels.get("perfect", "minimax"))
