"""Measure engines: against exact scores where they are known, against each other elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.arena.arbiter.clocks import GameClock
    from rl_toolkit.arena.arbiter.play_game import EngineFailedError, checked_answer
    from rl_toolkit.arena.arbiter.rules import NO_LIMIT, Rules, limit_from_text
    from rl_toolkit.arena.arbiter.worker_engines import new_engine, prepare
    from rl_toolkit.arena.calibration.plan import Calibration
    from rl_toolkit.arena.calibration.results import CalibrationResult
    from rl_toolkit.arena.calibration.running import calibrate
    from rl_toolkit.arena.exact_scores import scores_of
    from rl_toolkit.arena.grading import Grade, Marks, Rate, grade
    from rl_toolkit.arena.labelled_samples import label, save_arrays
    from rl_toolkit.arena.matches import play_match
    from rl_toolkit.arena.ratings.sprt import Sprt
    from rl_toolkit.arena.runs.match_results import Match, MatchResult
    from rl_toolkit.arena.samples import SEED, Sample
    from rl_toolkit.arena.sprt_match import SprtResult, play_sprt

__all__ = [
    "NO_LIMIT",  # No limit on the work of a move
    "SEED",  # The seed of the sample used for published figures
    "Calibration",  # The plan of a calibration; raises ``ValueError`` if it cannot be played
    "CalibrationResult",  # The games of a calibration, by pairing and number of the opening
    "EngineFailedError",  # An engine raised an error, or gave an answer that is not a legal move
    "GameClock",  # The time of each side for a whole game
    "Grade",  # The answers of an engine to a labelled sample
    "Marks",  # The results of an engine on some positions
    "Match",  # The plan of a match
    "MatchResult",  # The games of a match, and the score of its first engine
    "Rate",  # Right answers out of all
    "Rules",  # The rules of a match; without any, engines have only the limits of their own specs
    "Sample",  # The description of a sample
    "Sprt",  # The two hypotheses, and the chances of the two mistakes
    "SprtResult",  # The pairs that count, and what the test says of them
    "calibrate",  # Play until every interval is within ``plan.target``, or for about ``seconds``
    "checked_answer",  # The analysis of an engine, which must have at least one candidate
    "grade",  # Have an engine answer every position of a sample
    "label",  # The positions of a sample with their exact scores
    "limit_from_text",  # The limit of ``nodes=5000`` or ``time=0.5,depth=6``; raises ``ValueError``
    "new_engine",  # A player as if it were new, set up for thousands of searches
    "play_match",  # Play a match, resumably
    "play_sprt",  # Play a match until the test decides, with at most ``match.pairs`` pairs
    "prepare",  # Load the network of a player, or start its process
    "save_arrays",  # Write a sample as the arrays that training reads
    "scores_of",  # The exact score of every legal move of an unfinished game, for the side to move
]
__getattr__, __dir__ = front_door(__name__)
