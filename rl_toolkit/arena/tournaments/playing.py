"""Play a tournament: all games in one pool of workers, resumable, growable.

::

    stage      the games that are known to be needed: all of them, or a round of a Swiss tournament
    task       one game of a pair, as in a match
    journal    a line for each finished pair: its two players, its opening, its two games

A file of games belongs to a game, a kind of openings and a seed, not to a list of players: with
more players, more games or another schedule its pairs still count, and the others are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from rl_toolkit.arena.arbiter.limits import warnings
from rl_toolkit.arena.arbiter.repeated_games import RepeatedGames
from rl_toolkit.arena.engine_code import (
    IF_CHANGED,
    ChangedCodeError,
    IfChanged,
    code_of,
    version_of,
)
from rl_toolkit.arena.growing_list import SoFar
from rl_toolkit.arena.journal import Journal
from rl_toolkit.arena.match_results import Match, MatchResult, PlayedGame
from rl_toolkit.arena.matches import (
    GAME_BYTES,
    Openings,
    Task,
    forget_failures,
    games_of_line,
    play_paired_game,
    sent,
)
from rl_toolkit.arena.tournaments.plan import Tournament, short_name
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.arena.tournaments.schedules import Pairing, gauntlet, round_robin, swiss_round
from rl_toolkit.arena.worker_engines import check_versions, network_of
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.utils.executors import Executor, InProcess, keeping_workers

#: Called with the result so far: at the start if there are saved games, then after every pair.
OnTournamentPair = Callable[[TournamentResult], object]


def play_tournament(
    plan: Tournament,
    *,
    executor: Executor | None = None,
    on_pair: OnTournamentPair | None = None,
    on_news: Callable[[str], object] | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
) -> TournamentResult:
    """Play a tournament; with ``save`` an interrupted run resumes.

    The arguments are those of `play_match`: pairs in the file that other networks played are played
    again, and ``if_changed`` decides about pairs that older code of a player played.
    """
    if if_changed not in IF_CHANGED:
        raise ValueError(f"if_changed must be one of {', '.join(IF_CHANGED)}, not {if_changed!r}")
    run = _Run(plan, on_news or (lambda text: None), if_changed)
    executor, journal = executor or InProcess(), None
    if save is not None:
        room = plan.total_games * GAME_BYTES
        journal = Journal(save, "tournament", plan.described(), room=room)
    with journal or nullcontext(), keeping_workers(executor):
        if journal is not None:
            run.read(journal)
        forget_failures()
        for pairings in run.stages():
            if any(run.games.values()) and on_pair is not None:
                on_pair(run.result())
            for line in run.play(pairings, executor):
                if journal is not None:
                    journal.add(line)
                run.count(line)
                if on_pair is not None:
                    on_pair(run.result())
    return run.result().in_order()


class _Run:
    """What a tournament has played so far."""

    def __init__(
        self, plan: Tournament, tell: Callable[[str], object], if_changed: IfChanged
    ) -> None:
        self.plan, self.tell, self.if_changed = plan, tell, if_changed
        self.games: dict[Pairing, dict[int, list[PlayedGame]]] = {}
        self._ended: dict[Pairing, list[PlayedGame]] = {}  # the same in the order of their ends
        self._saved: dict[Pairing, dict[int, list[PlayedGame]]] = {}
        self._matches: dict[Pairing, Match] = {}
        self._openings = Openings(replace(plan.match(*plan.players[:2]), seed=plan.seed))
        _ = self._openings[0]  # raises an error if there is none, before anything is written
        self._failed: set[str] = set()
        players = {player: make_player(plan.game, player) for player in plan.players}
        for said in warnings(players, players.values(), plan.rules, make_game(plan.game)):
            tell(said)
        self._repeated = RepeatedGames()
        check_versions(plan.game, players.values())
        self._versions = {name: version_of(each) for name, each in players.items()}
        self._networks = {name: network_of(plan.game, each) for name, each in players.items()}
        self._code = {name: code_of(plan.game, each) for name, each in players.items()}

    def match(self, pairing: Pairing) -> Match:
        """The match of a pairing, whose engines name the pairing in the order of its games."""
        if pairing not in self._matches:
            self._matches[pairing] = self.plan.match(*pairing)
        return self._matches[pairing]

    def result(self) -> TournamentResult:
        """The games so far, in the order in which they ended."""
        played = [
            MatchResult(self.match(pairing), SoFar(ended)) for pairing, ended in self._ended.items()
        ]
        return TournamentResult(self.plan, played)

    # ---------------------------------------------------------------------- stages

    def stages(self) -> Iterator[list[Pairing]]:
        """The pairings that are played together; saved games of a stage count when it begins."""
        for pairings in self._pairings():
            found = [self.match(pairing).engines for pairing in pairings]
            for pairing in found:
                self.games[pairing] = dict(self._saved.get(pairing, {}))
                self._ended[pairing] = list(chain.from_iterable(self.games[pairing].values()))
            yield found

    def _pairings(self) -> Iterator[list[Pairing]]:
        plan = self.plan
        if plan.schedule == "round-robin":
            yield round_robin(plan.players)
        elif plan.schedule == "gauntlet":
            yield gauntlet(plan.players)
        else:
            met: set[frozenset[str]] = set()
            points = dict.fromkeys(plan.players, 0.0)
            for _ in range(plan.swiss_rounds):
                found = swiss_round(plan.players, points, met, plan.swiss_rounds)
                yield found
                busy = {player for pairing in found for player in pairing}
                for player in set(plan.players) - busy:
                    met.add(frozenset([player]))
                    points[player] += plan.games  # a round off counts as won
                for pairing in found:
                    met.add(frozenset(pairing))
                    both = self.match(pairing).engines
                    for games in self.games[both].values():
                        for game in games:
                            points[both[0]] += (1 + game.result) / 2
                            points[both[1]] += (1 - game.result) / 2

    def play(self, pairings: Sequence[Pairing], executor: Executor) -> Iterator[dict[str, Any]]:
        """Play what is missing of some pairings; a line of the journal for each pair.

        Openings come in turn: so the table is fair to all players at any moment.
        """
        tasks: list[Task] = [
            (sent(self.match(pairing)), pair, self._openings[pair], first)
            for pair in range(self.plan.pairs)
            for pairing in pairings
            if pair not in self.games[pairing]
            for first in (0, 1)
        ]
        halves: dict[tuple[Pairing, int], dict[str, Any]] = {}
        for number, game in executor.map(play_paired_game, tasks):
            match, pair = tasks[number][:2]
            self._tell_of_failure(match, game)
            other = halves.pop((match.engines, pair), None)
            if other is None:
                halves[match.engines, pair] = game
                continue
            yield {
                "players": [short_name(player) for player in match.engines],
                "pair": pair,
                "games": sorted((game, other), key=lambda each: int(each["first"])),
                "networks": [self._networks[player] for player in match.engines],
                "code": [self._code[player] for player in match.engines],
                "versions": [self._versions[player] for player in match.engines],
            }

    def _tell_of_failure(self, match: Match, game: Mapping[str, Any]) -> None:
        lost = game.get("forfeit")
        if lost is not None and (name := match.engines[lost["engine"]]) not in self._failed:
            self._failed.add(name)
            self.tell(f"{name} {lost['reason']} and forfeits the game.")

    # ----------------------------------------------------------------- saved games

    def count(self, line: Mapping[str, Any]) -> None:
        """Add a pair that was just played."""
        pairing, games = self._pairing(line), games_of_line(dict(line))
        self.games[pairing][line["pair"]] = games
        self._ended[pairing] += games
        if said := self._repeated.remark(pairing, games):
            self.tell(said)

    def _pairing(self, line: Mapping[str, Any]) -> Pairing:
        names = {short_name(player): player for player in self.plan.players}
        one, other = (names[name] for name in line["players"])
        return one, other

    def read(self, journal: Journal) -> None:
        """Take over the pairs of a file that belong to this tournament."""
        names = {short_name(player) for player in self.plan.players}
        here = [
            line
            for line in journal.done
            if set(line["players"]) <= names and line["pair"] < self.plan.pairs
        ]
        known = [line for line in here if line["networks"] == self._stamp(line, self._networks)]
        same = [line for line in known if line["code"] == self._stamp(line, self._code)]
        if self.if_changed == "keep":
            same = known
        older, other = pair_keys(known) - pair_keys(same), pair_keys(here) - pair_keys(known)
        if older and self.if_changed == "refuse":
            changed = {
                name
                for line in known
                if pair_key(line) in older
                for name, code, now in zip(
                    line["players"], line["code"], self._stamp(line, self._code), strict=True
                )
                if code != now
            }
            raise ChangedCodeError.since(sorted(changed), 2 * len(older), journal.path)
        for pairs, what in ((older, "older code"), (other, "another network")):
            if pairs:
                count = 2 * len(pairs)
                self.tell(
                    f"{count} games in {journal.path} were played by {what} and will be replayed."
                )
        for line in same:
            self._saved.setdefault(self._pairing(line), {})[line["pair"]] = games_of_line(line)

    def _stamp(self, line: Mapping[str, Any], of: Mapping[str, str | None]) -> list[str | None]:
        return [of[player] for player in self._pairing(line)]


def pair_key(line: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a line of the journal is about: two players and the number of their pair."""
    return (*line["players"], line["pair"])


def pair_keys(lines: Sequence[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    """The pairs of some lines, each once."""
    return set(map(pair_key, lines))
