"""The conformance suites: one line checks a game, another one an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.testing.check_engines import RULES, CheckedGame, EngineRuleError, check_engine
    from rl_toolkit.testing.conformance import LAWS, check_game
    from rl_toolkit.testing.scene import ConformanceError

__all__ = [
    "LAWS",  # Every law as a sentence, by its short name
    "RULES",  # Every rule for engines as a sentence, by its short name
    "CheckedGame",  # What was checked in one game
    "ConformanceError",  # A game breaks one of its laws
    "EngineRuleError",  # An engine breaks a rule
    "check_engine",  # Check an engine in positions of each game
    "check_game",  # Check the laws of a game in random games
]
__getattr__, __dir__ = front_door(__name__)
