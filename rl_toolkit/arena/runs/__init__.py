"""Runs: pairs of games that are played once for all who need them, and never lost.

A match, a tournament, a calibration, a sequential test and the tournament of a class are schedules
over one generator, `play_pairs`. Names are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.arena.runs.growing_list import SoFar
    from rl_toolkit.arena.runs.journal import Journal, JournalError, is_journal
    from rl_toolkit.arena.runs.match_results import (
        Forfeit,
        Match,
        MatchResult,
        PlayedGame,
        UnplayedGame,
        not_played,
    )
    from rl_toolkit.arena.runs.openings.drawing import Openings
    from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
    from rl_toolkit.arena.runs.paired_game import Task, play_or_explain, play_paired_game
    from rl_toolkit.arena.runs.pairings import (
        Pairing,
        gauntlet,
        round_robin,
        round_robin_rounds,
        swiss_round,
    )
    from rl_toolkit.arena.runs.playing import LOST, Pair, Planned, Run, Schedule, play_pairs
    from rl_toolkit.arena.runs.saved_pairs import SavedPairs, short_name
    from rl_toolkit.arena.runs.stamps import ChangedCodeError, IfChanged, Stamp, code_of, stamp_of

__all__ = [
    "LOST",  # The failure of a game that ended every worker to which it was given
    # A file holds games that were played by an older version of an engine's code
    "ChangedCodeError",
    "Forfeit",  # Why a game ended that the moves leave open
    # What to do with saved games of older code: raise an error, play them again, or count
    # them
    "IfChanged",
    "Journal",  # The file of one run; ``done`` holds the lines that it had when it was opened
    "JournalError",  # A file is not a journal, is damaged, or belongs to a different run
    "Match",  # The plan of a match
    "MatchResult",  # The games of a match, and the score of its first engine
    "Opening",  # The beginning of a game; iterating gives its moves
    "OpeningList",  # Openings of a file, in their order
    # The openings of a list, or random ones; if the plan is ``balanced``, only balanced
    # ones
    "Openings",
    "Pair",  # A finished pair of games, the one in which engine 0 moves first before the other
    "Pairing",  # Two players, in the order of their first game
    "Planned",  # A pair to play
    "PlayedGame",  # One game of a match
    "Run",  # The generator of `play_pairs`
    # The pairs in the file of a run; raises `ChangedCodeError` if some are of older code
    "SavedPairs",
    "Schedule",  # Which pairs a run needs, and with which openings
    "SoFar",  # The elements that a list has now; later ones are not seen
    "Stamp",  # Who plays
    "Task",  # A game to play: the match, the number of its pair, the opening, and which engine is X
    "UnplayedGame",  # A game that was tried twice and not played; it counts for no player
    # A hash that changes when the code of the player, of its game, or a file it names
    # changes
    "code_of",
    "gauntlet",  # The first player against each of the others
    "is_journal",  # Whether there is a file with the work of a run, which must not be overwritten
    "not_played",  # How many games were not played, for a headline
    # The result of `play_paired_game`; if that raises, the ``failure`` and who moves first
    "play_or_explain",
    "play_paired_game",  # One game of a pair, as a part of a line of a journal
    "play_pairs",  # Yield pairs as they come
    "round_robin",  # Every pairing once, round after round
    # Rounds in which each player plays once, or rests if the number is odd (circle method)
    "round_robin_rounds",
    "short_name",  # What a player is known by in a file of games
    # The stamp of a player; ``judged`` if the run asks engines of its own (`judges_of`)
    "stamp_of",
    "swiss_round",  # The pairings of the next round; no two players meet twice if that is possible
]
__getattr__, __dir__ = front_door(__name__)
