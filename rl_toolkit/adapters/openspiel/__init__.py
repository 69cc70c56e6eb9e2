"""OpenSpiel both ways: its games as games of ours, our engines as its bots."""

from rl_toolkit.adapters.openspiel.game import OpenSpielGame
from rl_toolkit.adapters.openspiel.library import playable_games

__all__ = ["EngineBot", "OpenSpielGame", "playable_games"]
