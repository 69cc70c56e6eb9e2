"""The one currency: a position goes in, an `Analysis` comes out, for every engine and front end."""

from rl_toolkit.analysis.engine import Engine, EngineError, ProgressCallback, StopSignal
from rl_toolkit.analysis.reading import OUTCOMES, Outcome, ScoreBound
from rl_toolkit.analysis.results import (
    Analysis,
    Candidate,
    Limit,
    TreeView,
    analysis_of,
    headline,
    moves_to_end,
    outcome_of,
    traits_of,
    unknown,
)
from rl_toolkit.analysis.words import Words, estimate, judgement, percent, words_for

__all__ = [
    "OUTCOMES",
    "Analysis",
    "Candidate",
    "Engine",
    "EngineError",
    "Limit",
    "Outcome",
    "ProgressCallback",
    "ScoreBound",
    "StopSignal",
    "TreeView",
    "Words",
    "analysis_of",
    "estimate",
    "headline",
    "judgement",
    "moves_to_end",
    "outcome_of",
    "percent",
    "traits_of",
    "unknown",
    "words_for",
]
