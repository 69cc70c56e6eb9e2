"""Play a calibration: a tournament of neighbours whose next games depend on the ratings so far.

Its journal is that of a tournament: a line for each pair. After a crash or ``kill -9`` the next run
reads it and continues. Which pairs are played depends on the speed of the machine, but every pair
depends on the seed alone, so that it can be played again anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

from rl_toolkit.arena.calibration.choosing import next_pairs
from rl_toolkit.arena.calibration.plan import Calibration, Pairing
from rl_toolkit.arena.calibration.results import CalibrationResult
from rl_toolkit.arena.engine_code import ChangedCodeError, IfChanged, code_of, version_of
from rl_toolkit.arena.journal import Journal
from rl_toolkit.arena.match_results import PlayedGame
from rl_toolkit.arena.matches import (
    GAME_BYTES,
    Openings,
    forget_failures,
    games_of_line,
    play_paired_game,
)
from rl_toolkit.arena.tournaments.playing import pair_key, pair_keys
from rl_toolkit.arena.worker_engines import network_of
from rl_toolkit.players import make_player
from rl_toolkit.utils.executors import Executor, InProcess, keeping_workers

#: Seconds of work between two looks at the ratings, for each worker.
ROUND = 20.0
#: Games for each player, about, until every interval is small enough; for the room on the disk.
_GAMES = 4_000

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
    run = _Run(plan)
    executor = executor or InProcess()
    head = {"game": plan.game, "random_plies": plan.random_plies, "seed": plan.seed}
    room = 0 if seconds == 0 else _GAMES * len(plan.players) * GAME_BYTES
    journal = None if save is None else Journal(save, "tournament", head, room=room)
    began = clock()
    with journal or nullcontext(), keeping_workers(executor):
        if journal is not None:
            run.read(journal, if_changed)
        forget_failures()
        result, left = run.result(), inf if seconds is None else seconds
        while not result.done and left > 0:  # at least one round, however slow the machine is
            work = min(left, round_seconds) * executor.workers
            for line in run.play(result, work, executor):
                if journal is not None:
                    journal.add(line)
            result = run.result()
            if on_round is not None:
                on_round(result)
            left = inf if seconds is None else seconds - (clock() - began)
    return run.result()


class _Run:
    """What a calibration has played so far."""

    def __init__(self, plan: Calibration) -> None:
        self.plan = plan
        self.matches = {pairing: plan.match(pairing) for pairing in plan.pairings}
        self.games: dict[Pairing, dict[int, list[PlayedGame]]] = {
            pairing: {} for pairing in plan.pairings
        }
        self._played: dict[tuple[Pairing, int], None] = {}  # in the order of play
        self._openings = Openings(replace(self.matches[0, 1], seed=plan.seed))
        players = {spec: make_player(plan.game, spec) for spec in plan.players}
        self._networks = {spec: network_of(plan.game, each) for spec, each in players.items()}
        self._code = {spec: code_of(plan.game, each) for spec, each in players.items()}
        self._versions = {spec: version_of(each) for spec, each in players.items()}

    def result(self) -> CalibrationResult:
        """The games so far."""
        return CalibrationResult(self.plan, self.matches, self.games, list(self._played))

    def play(
        self, result: CalibrationResult, seconds: float, executor: Executor
    ) -> Iterator[dict[str, Any]]:
        """Play the pairs that help most, about ``seconds`` of work; a line for each pair."""
        costs = {pairing: result.seconds(pairing) for pairing in self.games}
        played = {pairing: len(pairs) for pairing, pairs in self.games.items()}
        ratings = result.ratings()
        wanted = next_pairs(ratings.ratings, result.wide(ratings), played, costs, seconds)
        numbers = {pairing: self._new(pairing) for pairing in set(wanted)}
        planned = [(pairing, next(numbers[pairing])) for pairing in wanted]
        tasks = [
            (self.matches[pairing], pair, self._openings[pair], first)
            for pairing, pair in planned
            for first in (0, 1)
        ]
        halves: dict[int, dict[str, Any]] = {}
        for number, game in executor.map(play_paired_game, tasks):
            other = halves.pop(number // 2, None)
            if other is None:
                halves[number // 2] = game
                continue
            pairing, pair = planned[number // 2]
            engines = self.matches[pairing].engines
            line = {
                "players": list(engines),
                "pair": pair,
                "games": sorted((game, other), key=lambda each: int(each["first"])),
                "networks": [self._networks[spec] for spec in engines],
                "code": [self._code[spec] for spec in engines],
                "versions": [self._versions[spec] for spec in engines],
            }
            self._add(pairing, line)
            yield line

    def _new(self, pairing: Pairing) -> Iterator[int]:
        """The numbers of the pairs that a pairing has not played."""
        played = set(self.games[pairing])
        return (pair for pair in count() if pair not in played)

    def read(self, journal: Journal, if_changed: IfChanged) -> None:
        """Take over the pairs of a file that belong to this calibration."""
        pairings = {self.matches[pairing].engines: pairing for pairing in self.games}
        here = [line for line in journal.done if tuple(line["players"]) in pairings]
        known = [line for line in here if line["networks"] == self._stamp(line, self._networks)]
        same = [line for line in known if line["code"] == self._stamp(line, self._code)]
        older = pair_keys(known) - pair_keys(same)  # a pair that was played again counts once
        if older and if_changed == "refuse":
            changed = {
                spec
                for line in known
                if pair_key(line) in older
                for spec, code in zip(line["players"], line["code"], strict=True)
                if code != self._code[spec]
            }
            raise ChangedCodeError.since(sorted(changed), 2 * len(older), journal.path)
        for line in known if if_changed == "keep" else same:
            self._add(pairings[tuple(line["players"])], line)

    def _add(self, pairing: Pairing, line: dict[str, Any]) -> None:
        self.games[pairing][line["pair"]] = games_of_line(line)
        self._played.pop((pairing, line["pair"]), None)  # if played again, it is recent
        self._played[pairing, line["pair"]] = None

    def _stamp(self, line: Mapping[str, Any], of: Mapping[str, str | None]) -> list[str | None]:
        return [of[spec] for spec in line["players"]]
