"""Tournaments: many players, one pool of workers, one table of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments.losses import Loss, lost_games
    from rl_toolkit.arena.tournaments.plan import Tournament
    from rl_toolkit.arena.tournaments.playing import play_tournament
    from rl_toolkit.arena.tournaments.report import CSV_COLUMNS, TournamentReport
    from rl_toolkit.arena.tournaments.report_accuracy import grade_moves, judge_moves
    from rl_toolkit.arena.tournaments.results import Standing, TournamentResult, leader_of

__all__ = [
    "CSV_COLUMNS",  # The columns of the table as CSV
    "Loss",  # A game that a player lost, and the move that gave the result away
    "Standing",  # One player's row of the table
    "Tournament",  # The plan of a tournament; raises ``ValueError`` if it cannot be played
    "TournamentReport",  # A tournament, finished or not, with the ratings of its players
    # The games of a tournament; ``matches`` has one result for each pairing that was begun
    "TournamentResult",
    "grade_moves",  # The grade of each player, as in `judge_moves`
    # The marks of each player for at most ``most`` of its moves; empty without an exact
    # solver
    "judge_moves",
    # The player whose interval lies above those of all others, ``None`` while there is none
    "leader_of",
    "lost_games",  # The lost games of each player, judged by exact play
    "play_tournament",  # Play a tournament; with ``save`` an interrupted run resumes
]
__getattr__, __dir__ = front_door(__name__)
