"""The conformance suite: one line checks that a game obeys the laws of all games."""

from rl_toolkit.testing.conformance import LAWS, check_game
from rl_toolkit.testing.scene import ConformanceError

__all__ = ["LAWS", "ConformanceError", "check_game"]
