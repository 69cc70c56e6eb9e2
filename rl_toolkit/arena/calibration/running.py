"""Play a calibration: a tournament of neighbours whose next games depend on the ratings so far.

Its journal is that of a tournament: a line for each pair. After a crash or ``kill -9`` the next run
reads it and continues. Which pairs are played depends on the speed of the machine, but every pair
depends on the seed alone, so that it can be played again anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path

from rl_toolkit.arena.calibration.choosing import next_pairs
from rl_toolkit.arena.calibration.plan import Calibration, Pairing
from rl_toolkit.arena.calibration.results import CalibrationResult
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.match_results import Match, PlayedGame
from rl_toolkit.arena.runs.openings.drawing import Openings
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.runs.playing import Pair, Planned, play_pairs
from rl_toolkit.arena.runs.saved_pairs import GAME_BYTES, SavedPairs, check_if_changed
from rl_toolkit.arena.runs.stamps import IfChanged
from rl_toolkit.players import make_player
from rl_toolkit.utils.executors import Executor, InProcess

#: Seconds of work between two looks at the ratings, for each worker.
ROUND = 20.0
#: Games for each player, about, until every interval is small enough; for the room on the disk.
_GAMES = 4_000

#: Rounds in a row without a game after which a calibration ends: an overloaded machine may recover.
_BARREN = 3

#: Called with the result so far, after every round.
OnRound = Callable[[CalibrationResult], object]


def calibrate(
    plan: Calibration,
    *,
    executor: Executor | None = None,
    on_round: OnRound | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
    seconds: float | None = None,
    round_seconds: float = ROUND,
    clock: Callable[[], float] = time.monotonic,
) -> CalibrationResult:
    """Play until every interval is within ``plan.target``, or for about ``seconds``.

    With ``save`` the games are written to a file, and an interrupted run resumes. ``if_changed``
    decides about pairs in the file that older code played, as in `play_tournament`. The ratings are
    looked at after every ``round_seconds`` of work.
    """
    check_if_changed(if_changed)
    executor = executor or InProcess()
    schedule, saved = _Rounds(plan, on_round), None
    if save is not None:
        head = {"game": plan.game, "random_plies": plan.random_plies, "seed": plan.seed}
        room = 0 if seconds == 0 else _GAMES * len(plan.players) * GAME_BYTES
        players = {spec: make_player(plan.game, spec) for spec in plan.players}
        journal = Journal(save, "tournament", head, room=room)
        saved = SavedPairs(journal, schedule.matches[0, 1], players, if_changed)
        schedule.saved = saved.planned(schedule.match)
    began = clock()

    def budgets() -> Iterator[float]:  # at least one, however slow the machine is
        left = inf if seconds is None else seconds
        while left > 0:
            yield min(left, round_seconds) * executor.workers
            left = inf if seconds is None else seconds - (clock() - began)

    schedule.budgets = budgets()
    with closing(play_pairs(schedule, executor=executor, saved=saved)) as run:
        for _ in run:
            pass
    return schedule.result()


class _Rounds:
    """The schedule of a calibration, and the games that were played by it.

    Attributes:
        saved: the pairs of a file, which count before the first round.
        budgets: the seconds of work of each round.
    """

    def __init__(self, plan: Calibration, on_round: OnRound | None) -> None:
        self.plan, self._on_round = plan, on_round
        self.saved: Sequence[Planned] = ()
        self.budgets: Iterator[float] = iter(())
        self.matches = {pairing: plan.match(pairing) for pairing in plan.pairings}
        self._pairings = {match.engines: pairing for pairing, match in self.matches.items()}
        self._games: dict[Pairing, dict[int, list[PlayedGame]]] = {
            pairing: {} for pairing in plan.pairings
        }
        self._played: list[tuple[Pairing, int]] = []  # in the order of play
        self._unplayed = 0
        self._openings = Openings(replace(self.matches[0, 1], seed=plan.seed))

    def match(self, one: str, other: str) -> Match:
        """The match of two players, in the order of a file."""
        return self.matches[self._pairings[one, other]]

    def result(self) -> CalibrationResult:
        """The games so far."""
        return CalibrationResult(
            self.plan, self.matches, self._games, list(self._played), self._unplayed
        )

    def stages(self) -> Iterator[Sequence[Planned]]:
        """The pairs of the file, then the pairs that help most, a budget at a time."""
        yield self.saved
        barren = 0
        for budget in self.budgets:
            result = self.result()
            if result.done or barren == _BARREN:
                return
            games = result.count  # now: the result grows with the games
            yield list(self._next(result, budget))
            barren = barren + 1 if self.result().count == games else 0
            if not barren and self._on_round is not None:
                self._on_round(self.result())

    def _next(self, result: CalibrationResult, budget: float) -> Iterator[Planned]:
        """Pairs for about ``budget`` seconds of work, with numbers that their pairings lack."""
        costs = {pairing: result.seconds(pairing) for pairing in self._games}
        played = {pairing: len(pairs) for pairing, pairs in self._games.items()}
        ratings = result.ratings()
        numbers = {pairing: _missing(pairs) for pairing, pairs in self._games.items()}
        wide = result.wide(ratings)
        for pairing in next_pairs(ratings.ratings, wide, played, costs, budget):
            yield Planned(self.matches[pairing], next(numbers[pairing]))

    def opening(self, planned: Planned) -> Opening:
        """All pairings play the same openings."""
        return self._openings[planned.number]

    def count(self, pair: Pair) -> None:
        """Add a pair to the games of its pairing."""
        pairing = self._pairings[pair.match.engines]
        self._games[pairing][pair.number] = list(pair.games)
        self._played.append((pairing, pair.number))
        self._unplayed += len(pair.unplayed)


def _missing(numbers: Collection[int]) -> Iterator[int]:
    """The numbers from 0 that are not among these."""
    return (number for number in count() if number not in numbers)
