"""Play a tournament: all games in one pool of workers, resumable, growable.

A stage is the pairings whose games are known to be needed: all of them, or those of a round of a
Swiss tournament. A file of games belongs to a game, a kind of openings and a seed, not to a list of
players: with more players, more games or another schedule its pairs still count, and the others are
played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from rl_toolkit.arena.arbiter.limits import warnings
from rl_toolkit.arena.arbiter.worker_engines import check_versions, new_engine
from rl_toolkit.arena.runs.growing_list import SoFar
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.match_results import Match, MatchResult, PlayedGame, UnplayedGame
from rl_toolkit.arena.runs.openings.choice import with_openings
from rl_toolkit.arena.runs.openings.drawing import Openings
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.runs.pairings import Pairing, gauntlet, round_robin, swiss_round
from rl_toolkit.arena.runs.playing import Pair, Planned, Play, Tell, play_pairs
from rl_toolkit.arena.runs.saved_pairs import GAME_BYTES, SavedPairs, check_if_changed
from rl_toolkit.arena.runs.stamps import IfChanged
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.envs import make_game
from rl_toolkit.utils.executors import Executor

#: Called with the result so far: at the start if there are saved games, then after every pair.
OnTournamentPair = Callable[[TournamentResult], object]


def play_tournament(
    plan: Tournament,
    *,
    executor: Executor | None = None,
    on_pair: OnTournamentPair | None = None,
    on_news: Tell | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
    play: Play | None = None,
) -> TournamentResult:
    """Play a tournament; with ``save`` an interrupted run resumes.

    The arguments are those of `play_match`: pairs in the file that other networks played are played
    again, and ``if_changed`` decides about pairs that older code of a player played. ``play`` is as
    in `play_pairs`: with it a game that cannot be refereed does not end the tournament.
    """
    check_if_changed(if_changed)
    plan = with_openings(plan, save)
    schedule = _Pairings(plan)
    players = {player: new_engine(plan.game, player) for player in plan.players}
    for warning in warnings(players, players.values(), plan.rules, make_game(plan.game)):
        if on_news is not None:
            on_news(warning)
    check_versions(plan.game, players.values())
    saved = None
    if save is not None:
        room = plan.total_games * GAME_BYTES
        journal = Journal(save, "tournament", plan.described(), room=room)
        match = plan.match(*plan.players[:2])
        saved = SavedPairs(journal, match, players, if_changed, on_news, pairs=plan.pairs)
        schedule.retire(saved)
    with closing(
        play_pairs(schedule, executor=executor, saved=saved, tell=on_news, play=play)
    ) as run:
        for _ in run:
            if on_pair is not None:
                on_pair(schedule.result())
    return schedule.result().in_order()


class _Pairings:
    """The schedule of a tournament, and the games that were played by it."""

    def __init__(self, plan: Tournament) -> None:
        self._plan = plan
        self._matches: dict[Pairing, Match] = {}
        self._games: dict[Pairing, list[PlayedGame]] = {}  # in the order of their ends
        self._unplayed: dict[Pairing, list[UnplayedGame]] = {}
        self._old: list[Planned] = []
        self._openings = Openings(replace(plan.match(*plan.players[:2]), seed=plan.seed))
        _ = self._openings[0]  # raises an error if there is none, before anything is written

    def retire(self, saved: SavedPairs) -> None:
        """Count the saved pairs of retired players."""
        if self._plan.retired:
            planned = saved.planned(self._plan.match)
            self._old = [p for p in planned if self._plan.retired & {*p.match.engines}]

    def stages(self) -> Iterator[Sequence[Planned]]:
        """The pairs of a stage; openings come in turn, so the table is fair at any moment."""
        for planned in self._old:
            self._begin(planned.match)
        if self._old:
            yield self._old
        for pairings in self._rounds():
            matches = [self._plan.match(*pairing) for pairing in pairings]
            for match in matches:
                self._begin(match)
            pairs = range(self._plan.pairs)
            yield [Planned(match, pair) for pair in pairs for match in matches]

    def _begin(self, match: Match) -> None:
        if match.engines not in self._matches:
            self._matches[match.engines], self._games[match.engines] = match, []
            self._unplayed[match.engines] = []

    def opening(self, planned: Planned) -> Opening:
        """All pairings play the same openings."""
        return self._openings[planned.number]

    def count(self, pair: Pair) -> None:
        """Add a pair to the games of its pairing."""
        self._games[pair.match.engines] += pair.games
        self._unplayed[pair.match.engines] += pair.unplayed

    def result(self) -> TournamentResult:
        """The games so far, in the order in which they ended."""
        played = [
            MatchResult(match, SoFar(self._games[pairing]), SoFar(self._unplayed[pairing]))
            for pairing, match in self._matches.items()
        ]
        return TournamentResult(self._plan, played)

    def _rounds(self) -> Iterator[list[Pairing]]:
        plan = self._plan
        if plan.schedule == "round-robin":
            yield round_robin(plan.active)
        elif plan.schedule == "gauntlet":
            yield gauntlet(plan.active)
        else:
            met: set[frozenset[str]] = set()
            points = dict.fromkeys(plan.active, 0.0)
            for _ in range(plan.swiss_rounds):
                pairings = swiss_round(plan.active, points, met, plan.swiss_rounds)
                yield pairings
                busy = {player for pairing in pairings for player in pairing}
                for player in set(plan.active) - busy:
                    met.add(frozenset([player]))
                    points[player] += plan.games  # a round off counts as won
                for pairing in pairings:
                    met.add(frozenset(pairing))
                    one, other = plan.match(*pairing).engines
                    for game in self._games[one, other]:
                        points[one] += (1 + game.result) / 2
                        points[other] += (1 - game.result) / 2
