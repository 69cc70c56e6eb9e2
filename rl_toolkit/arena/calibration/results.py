"""The result of a calibration: ratings, what is still too wide, and the data for the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf

from rl_toolkit.arena.calibration.choosing import is_near
from rl_toolkit.arena.calibration.plan import Calibration, Pairing
from rl_toolkit.arena.ratings.fitting import Ratings, fit_ratings
from rl_toolkit.arena.ratings.rated_games import RatedGame
from rl_toolkit.arena.runs.match_results import Match, MatchResult, PlayedGame, not_played
from rl_toolkit.arena.runs.openings.drawing import Openings
from rl_toolkit.arena.runs.paired_game import play_paired_game
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.report_accuracy import judge_moves
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.players.levels import ANCHOR, RatedLadder, Rating, StoredGame
from rl_toolkit.utils.executors import Executor

#: Seconds that a pair is taken to need before it was played.
_UNKNOWN = 0.5
#: The latest pairs, of a pairing or a player, whose time counts: code and machine may have changed.
_LATEST = 20


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The games of a calibration, by pairing and number of the opening.

    ``played`` lists pairings and openings in the order of play; ``unplayed`` counts the games that
    were tried and not played, which are in none of the lists.
    """

    plan: Calibration
    matches: Mapping[Pairing, Match]
    games: Mapping[Pairing, Mapping[int, list[PlayedGame]]]
    played: Sequence[tuple[Pairing, int]]
    unplayed: int = 0

    @property
    def count(self) -> int:
        """The number of games."""
        return sum(len(games) for pairs in self.games.values() for games in pairs.values())

    @property
    def not_played(self) -> str:
        """How many games were not played, in words; empty if all were."""
        return not_played(self.unplayed, self.count + self.unplayed)

    def rated_games(self) -> Iterator[RatedGame]:
        """The games as ratings see them; the two games of an opening are one unit."""
        for pairing, pairs in self.games.items():
            engines = self.matches[pairing].engines
            for pair, games in pairs.items():
                for game in games:
                    first, second = engines[game.first], engines[1 - game.first]
                    result = -game.result if game.first else game.result
                    yield RatedGame(first, second, result, pair)

    def ratings(self) -> Ratings:
        """The ratings of all players, `ANCHOR` at 0."""
        return fit_ratings(self.rated_games(), self.plan.players, anchor=ANCHOR)

    def wide(self, ratings: Ratings) -> list[bool]:
        """For each player whether its interval is wider than the target."""
        return [error > self.plan.target for error in _errors(ratings)]

    @property
    def done(self) -> bool:
        """Whether every interval is small enough, and near players have met."""
        met = all(pairs for pairing, pairs in self.games.items() if is_near(pairing))
        return met and not any(self.wide(self.ratings()))

    def seconds(self, pairing: Pairing) -> float:
        """The mean seconds of thinking of a pair; before the first, those with near players."""
        latest = list(self.games[pairing].values())[-_LATEST:]
        if not latest:
            near = [other for other in self.games if set(other) & set(pairing) and is_near(other)]
            known = [self.seconds(other) for other in near if self.games[other]]
            return max(known, default=_UNKNOWN)
        return sum(sum(game.seconds) for games in latest for game in games) / len(latest)

    # ---------------------------------------------------------------------- the data

    def accuracies(self, most: int, executor: Executor | None = None) -> dict[str, float]:
        """The accuracy of each player in up to ``most`` of its moves; empty without a solver.

        Only moves count in positions where some other move would have been worse.
        """
        plan = Tournament(
            self.plan.game,
            self.plan.players,
            2,
            random_plies=self.plan.random_plies,
            seed=self.plan.seed,
        )
        played = [
            MatchResult(
                self.matches[pairing], [game for pair in sorted(pairs) for game in pairs[pair]]
            )
            for pairing, pairs in self.games.items()
        ]
        marks = judge_moves(TournamentResult(plan, played), most, executor)
        return {
            player: round(mark.matters.share, 3)
            for player, mark in marks.items()
            if mark.matters.of
        }

    def ladder(self, date: str, accuracies: Mapping[str, float] | None = None) -> RatedLadder:
        """The result as data for the package."""
        fit, known = self.ratings(), accuracies or {}
        return RatedLadder(
            game=self.plan.game,
            date=date,
            random_plies=self.plan.random_plies,
            seed=self.plan.seed,
            games=self.count,
            first_move=round(fit.advantage, 1),
            ratings=tuple(
                replace(self._rating(spec, fit), accuracy=known.get(spec))
                for spec in self.plan.players
            ),
            stored=tuple(self._stored()),
        )

    def _rating(self, spec: str, fit: Ratings) -> Rating:
        low, high = fit.interval(spec)
        pairings = [pairing for pairing in self.games if spec in self.matches[pairing].engines]
        latest = (each for each in reversed(self.played) if each[0] in pairings)
        timed = [
            (game, self.matches[pairing].engines.index(spec))
            for pairing, pair in islice(latest, _LATEST)
            for game in self.games[pairing][pair]
        ]
        seconds = sum(game.seconds[side] for game, side in timed)
        moves = sum(game.thought[side] for game, side in timed)
        return Rating(
            spec=spec,
            rating=round(fit.rating(spec), 1),
            interval=(round(low, 1), round(high, 1)),
            games=sum(len(games) for p in pairings for games in self.games[p].values()),
            milliseconds=round(1000 * seconds / max(1, moves), 1),
        )

    def _stored(self) -> Iterator[StoredGame]:
        """The games of the first opening of every two neighbours."""
        for pairing, pairs in self.games.items():
            if pairing[1] == pairing[0] + 1 and pairs:
                pair = min(pairs)
                for game in pairs[pair]:
                    engines = self.matches[pairing].engines
                    yield StoredGame(engines, pair, game.first, game.opening, game.moves)


def _errors(ratings: Ratings) -> list[float]:
    if not ratings.connected:
        return [inf] * len(ratings.players)
    ends = zip(ratings.ratings, ratings.intervals, strict=True)
    return [max(rating - low, high - rating) for rating, (low, high) in ends]


def replay(ladder: RatedLadder, stored: StoredGame) -> StoredGame:
    """The same game played again with its seeds; equal to ``stored`` unless a player changed."""
    specs = tuple(rating.spec for rating in ladder.ratings)
    plan = Calibration(ladder.game, specs, ladder.random_plies, ladder.seed)
    match = plan.match((specs.index(stored.players[0]), specs.index(stored.players[1])))
    opening = Openings(replace(match, seed=plan.seed))[stored.pair]
    game = play_paired_game((match, stored.pair, opening, stored.first))
    return StoredGame(
        match.engines, stored.pair, stored.first, tuple(opening), tuple(game["moves"])
    )
