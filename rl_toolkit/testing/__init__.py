"""The conformance suite: one line tells whether a game keeps the laws of games."""

from rl_toolkit.testing.conformance import LAWS, check_game
from rl_toolkit.testing.scene import ConformanceError

__all__ = ["LAWS", "ConformanceError", "check_game"]
