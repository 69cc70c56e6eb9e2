"""OpenSpiel both ways: its games as games of ours (`game`), our engines as its bots (`bot`)."""

from rl_toolkit.adapters.openspiel.game import OpenSpielGame
from rl_toolkit.adapters.openspiel.library import playable_games

__all__ = ["OpenSpielGame", "playable_games"]
