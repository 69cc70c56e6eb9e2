"""The one currency: a position goes in, an `Analysis` comes out, for every engine and front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.analysis.engine import (
        AmericanSpelling,
        ChecksFiles,
        EndsIfLate,
        Engine,
        EngineError,
        HasFiles,
        HasNetwork,
        HasOwnLimit,
        HasVersion,
        MakesClaims,
        ProgressCallback,
        Reseeds,
        ScoresMoves,
        StopSignal,
        Traces,
        evaluated_by,
        games_of,
        paused_seconds,
        prepare,
        use_machine_code,
    )
    from rl_toolkit.analysis.reading import Outcome, ScoreBound
    from rl_toolkit.analysis.results import (
        Analysis,
        Candidate,
        Limit,
        TreeView,
        headline,
        moves_to_end,
        outcome_of,
        unknown,
    )
    from rl_toolkit.analysis.words import (
        UNKNOWN,
        Words,
        estimate,
        judgement,
        words_for,
    )

if TYPE_CHECKING:  # older names: they still work, the door no longer offers them
    from rl_toolkit.analysis.reading import OUTCOMES as OUTCOMES
    from rl_toolkit.analysis.results import analysis_of as analysis_of
    from rl_toolkit.analysis.results import traits_of as traits_of
    from rl_toolkit.analysis.words import Evaluated as Evaluated
    from rl_toolkit.analysis.words import percent as percent

__all__ = [
    "UNKNOWN",  # How a value is shown that no search looked at
    "AmericanSpelling",  # Gives an engine ``analyze`` as another name of ``analyse``
    "Analysis",  # An engine's evaluation of a position
    "Candidate",  # One legal move and its evaluation; ``None`` where the engine knows nothing
    "ChecksFiles",  # Has files of its own that may be for another game or rule
    "EndsIfLate",  # An engine in a process that is ended if it is late
    "Engine",  # Anything that analyses positions
    "EngineError",  # Why an engine from outside could not answer
    "HasFiles",  # Is made of files outside the package, such as a program
    "HasNetwork",  # Plays with trained weights
    "HasOwnLimit",  # Has a limit of its own, which a clock may only tighten, as a `Player` has
    "HasVersion",  # Belongs to another version of the package
    "Limit",  # How long an engine may search; the first limit reached stops it
    "MakesClaims",  # May say more about a position than which move it plays
    "Outcome",  # Win, draw or loss
    "ProgressCallback",  # What receives partial analyses
    "Reseeds",  # Keeps nothing from one search to the next, so that one engine can play every game
    "ScoreBound",  # Whether a score is exact, a lower or an upper bound
    "ScoresMoves",  # Solves positions, and knows scores without lines, which take longer
    "StopSignal",  # Anything that can ask a search to stop, such as a ``threading.Event``
    "Traces",  # Can record its search event by event; see `algorithms.traces`
    "TreeView",  # One node of a search tree as a front end shows it, with the first of its children
    "Words",  # Results and estimates of one game in words
    "estimate",  # ``≈ 46 %``, with its uncertainty after few visits
    "evaluated_by",  # The name of a caller's own function that evaluates positions
    "games_of",  # The games that an engine says it plays; empty for all
    "headline",  # The position in one phrase
    "judgement",  # An estimate in a few words
    "moves_to_end",  # The number of moves the winner makes, ``None`` if that is not known
    "outcome_of",  # The outcome for a final result of +1, 0 or −1
    "paused_seconds",  # The seconds that an engine has waited, which are on neither player's clock
    "prepare",  # Let an engine load or start what it needs for a game
    "unknown",  # A candidate without a value
    "use_machine_code",  # Let an engine use its compiled code for every search
    "words_for",  # The words in which a game is described
]
__getattr__, __dir__ = front_door(__name__)
