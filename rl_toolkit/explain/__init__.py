"""One sentence about each move, made of facts on the board and of what the search found."""

from rl_toolkit.explain.facts import Fact, facts_of
from rl_toolkit.explain.sentences import explain, explain_move
from rl_toolkit.explain.verdicts import Verdict, verdict_of
from rl_toolkit.utils.course_phrases import assessment, exploration, format_outcome

__all__ = [
    "Fact",
    "Verdict",
    "assessment",
    "explain",
    "explain_move",
    "exploration",
    "facts_of",
    "format_outcome",
    "verdict_of",
]
