"""The conformance suites: one line checks a game, another one an engine."""

from rl_toolkit.testing.check_engines import RULES, EngineRuleError, check_engine
from rl_toolkit.testing.conformance import LAWS, check_game
from rl_toolkit.testing.scene import ConformanceError

__all__ = [
    "LAWS",
    "RULES",
    "ConformanceError",
    "EngineRuleError",
    "check_engine",
    "check_game",
]
