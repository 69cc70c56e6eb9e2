"""The plan of a match, its games, and the score of its first engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self

from rl_toolkit.arena.arbiter.adjudication import Adjudication
from rl_toolkit.arena.arbiter.rules import NO_RULES, Rules
from rl_toolkit.arena.arbiter.swap2 import check_swap2
from rl_toolkit.arena.runs.openings.describing import (
    openings_in_words,
    openings_played,
    openings_remark,
)
from rl_toolkit.arena.runs.openings.drawing import OpeningsPlan
from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
from rl_toolkit.players import check_player
from rl_toolkit.records import GameRecord
from rl_toolkit.utils import counted, elo, mean_interval


@dataclass(frozen=True, slots=True)
class Match:
    """The plan of a match.

    Attributes:
        game: the name of the game.
        engines: two specs or levels; points are counted for the first.
        pairs: the number of openings, with two games each.
        random_plies: the number of random moves of an opening; ``None`` if fair openings are chosen
            when the match is played (see `fair_openings`).
        seed: the seed of all randomness.
        rules: clocks, limits and adjudication.
        balanced: whether only random moves that lead to a balanced position are used.
        openings: openings to play instead of random moves.
        swap2: whether the players make each opening themselves (see `arbiter.swap2`).

    Raises ``ValueError`` for a number that is too small, and for an engine that cannot play the
    game.
    """

    game: str
    engines: tuple[str, str]
    pairs: int
    random_plies: int | None = None
    seed: int = 0
    rules: Rules = NO_RULES
    balanced: bool = False
    openings: OpeningList | None = None
    swap2: bool = False

    def __post_init__(self) -> None:
        for name, least in (("pairs", 1), ("random_plies", 0), ("seed", 0)):
            if (number := getattr(self, name)) is not None and number < least:
                raise ValueError(f"{name} must be at least {least}, not {number}")
        plies = checked_plies(self)
        object.__setattr__(self, "random_plies", plies)
        for engine in self.engines:
            check_player(self.game, engine)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data; rules and openings only where there are some."""
        return {
            "game": self.game,
            "engines": list(self.engines),
            "pairs": self.pairs,
            "random_plies": self.random_plies,
            "seed": self.seed,
            **described(self),
        }


class _Plan(OpeningsPlan, Protocol):
    """A match or a tournament."""

    @property
    def rules(self) -> Rules: ...


def checked_plies(plan: OpeningsPlan) -> int | None:
    """The random moves of a plan, 0 where it has other openings.

    Raises ``ValueError`` if it says two things, or half, or if the game has no such openings.
    """
    plies, openings = plan.random_plies, plan.openings
    if plan.swap2:
        check_swap2(plan.game)
        if plies or plan.balanced or openings is not None:
            raise ValueError("with swap2 the players make the openings; it takes no others")
        return 0
    if openings is not None and (plies or plan.balanced):
        raise ValueError("openings are random moves or those of a list, not both")
    if plan.balanced and plies is None:
        raise ValueError("balanced openings need a number of moves, random_plies")
    return plies if openings is None else 0


def described(plan: _Plan) -> dict[str, Any]:
    """Rules and openings as plain data, without those that are as usual."""
    data: dict[str, Any] = {}
    if told := plan.rules.to_dict():
        data["rules"] = told
    if plan.balanced:
        data["balanced"] = True
    if plan.openings is not None:
        data["openings"] = plan.openings.to_dict()
    if plan.swap2:
        data["swap2"] = True
    return data


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Why a game ended that the moves leave open, and whether an engine lost it by that.

    Attributes:
        engine: the number (0 or 1) of the engine that failed.
        position: the position that it was asked about, as text.
        reason: what happened: ``raised …``, ``played …``, ``returned …``, ``exceeded its clock …``,
            ``reported 1,200 nodes, limit 1,000``.
        by: ``forfeit`` if it lost by its own fault, ``time`` if the arbiter's clock decided, and
            ``not played`` if it did not lose, as the cause was outside it: a misunderstanding
            between programs, a signal from outside, or a machine that was busy.
    """

    engine: int
    position: str
    reason: str
    by: str = "forfeit"


#: The fields of a game that have a value for each engine.
_OF_BOTH = ("seconds", "thought", "over_time", "over_limit", "excess", "unchecked")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match.

    Attributes:
        first: the number (0 or 1) of the engine that moved first; with swap2, of the one that has
            the first stone.
        opening, moves: the moves before the game, and those of the engines.
        result: +1, 0 or −1 for engine 0.
        seconds, thought: the thinking time and the number of moves of each engine, by the clock of
            the arena; a position that is valued for swap2 counts as a move.
        over_time: the number of moves of each engine that took longer than its limit.
        forfeit: set if an engine failed, broke a limit of the match, or lost on time.
        start: the position before the opening as text, "" for the usual one.
        over_limit: the number of moves of each engine with more work than its limit allows, as it
            reports itself, and ``excess`` the first of them in words.
        adjudication: set if a proof ended the game.
        unchecked: the number of moves of each engine whose work a limit of the match could not be
            compared with: the engine does not report it, or has no such limit.
    """

    pair: int
    first: int
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    result: int
    seconds: tuple[float, float]
    thought: tuple[int, int]
    over_time: tuple[int, int] = (0, 0)
    forfeit: Forfeit | None = None
    start: str = ""
    over_limit: tuple[int, int] = (0, 0)
    excess: tuple[str, str] = ("", "")
    adjudication: Adjudication | None = None
    unchecked: tuple[int, int] = (0, 0)

    @classmethod
    def from_dict(cls, pair: int, game: Mapping[str, Any]) -> Self:
        """A game of a line of a journal; one of an older version may lack what came later."""
        proof = game.get("adjudication")
        both = {name: tuple(game[name]) for name in _OF_BOTH if name in game}
        return cls(
            pair=pair,
            first=game["first"],
            opening=tuple(game["opening"]),
            moves=tuple(game["moves"]),
            result=game["result"],
            forfeit=Forfeit(**game["forfeit"]) if "forfeit" in game else None,
            start=game.get("start", ""),
            adjudication=Adjudication(**proof) if proof else None,
            **both,
        )

    def record(self, match: Match) -> GameRecord:
        """The game as a record."""
        env = Opening((*self.opening, *self.moves), self.start).position(match.game)
        players = (match.engines[self.first], match.engines[1 - self.first])
        winner = self.result if self.first == 0 else -self.result
        ending: dict[str, Any] = {}
        if self.adjudication is not None:
            headers = {"adjudication": str(self.adjudication)}
            ending = {"result": winner, "ended_by": "adjudication", "headers": headers}
        elif self.forfeit is not None:
            failed = f"{match.engines[self.forfeit.engine]} {self.forfeit.reason}"
            by = self.forfeit.by
            ending = {"result": winner, "ended_by": by, "headers": {by: failed}}
        return GameRecord.from_env(env, players=players, opening=len(self.opening), **ending)


@dataclass(frozen=True, slots=True)
class UnplayedGame:
    """A game that was tried twice and not played: it has no result, and counts for no player.

    ``first`` is the number of the engine that was to move first, ``forfeit`` what happened.
    """

    pair: int
    first: int
    forfeit: Forfeit

    @classmethod
    def from_dict(cls, pair: int, game: Mapping[str, Any]) -> Self:
        """The game of a line of a journal."""
        return cls(pair, game["first"], Forfeit(**game["forfeit"]))

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data."""
        return {"pair": self.pair, "first": self.first, **asdict(self.forfeit)}


def not_played(unplayed: int, games: int) -> str:
    """How many games were not played, for a headline; empty if all were.

    >>> not_played(4, 12), not_played(1, 2), not_played(0, 12)
    ('4 of 12 games were not played', '1 of 2 games was not played', '')
    """
    if not unplayed:
        return ""
    return f"{unplayed} of {games} games {'was' if unplayed == 1 else 'were'} not played"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match, and the score of its first engine.

    ``unplayed`` are the games that have no result, which are not among ``games``.
    """

    match: Match
    games: Sequence[PlayedGame]
    unplayed: Sequence[UnplayedGame] = ()

    def count(self, result: int, first: int | None = None) -> int:
        """Games with this result for engine 0; with ``first``, those where that engine opened."""
        return sum(g.result == result and first in (None, g.first) for g in self.games)

    @property
    def complete(self) -> bool:
        """Whether all games of the match have been played, or tried in vain."""
        return self.tried >= 2 * self.match.pairs

    @property
    def tried(self) -> int:
        """The number of games, with those that were not played."""
        return len(self.games) + len(self.unplayed)

    @property
    def not_played(self) -> str:
        """How many games were not played: ``4 of 12 games were not played``; empty if all were."""
        return not_played(len(self.unplayed), self.tried)

    @property
    def pair_points(self) -> list[float]:
        """Points per game of engine 0 in each pair: 0, ¼, ½, ¾ or 1; or of the game played."""
        return [sum(points) / len(points) for points in self._points()]

    def _points(self) -> list[list[float]]:
        """The points of engine 0 in the games of each pair; of one game if the other is missing."""
        pairs: dict[int, list[float]] = {}
        for game in self.games:
            pairs.setdefault(game.pair, []).append((game.result + 1) / 2)
        return [points for _, points in sorted(pairs.items())]

    @property
    def share(self) -> float:
        """Points per game of engine 0; a draw is half a point."""
        return (self.count(1) + self.count(0) / 2) / max(1, len(self.games))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `share`, over pairs; half a pair has half the weight."""
        weights = [len(points) / 2 for points in self._points()]
        return mean_interval(self.pair_points, weights=weights)

    @property
    def distinct(self) -> int:
        """The number of distinct games."""
        return len({(game.start, game.opening, game.moves) for game in self.games})

    @property
    def opening_words(self) -> str:
        """``20 balanced openings, each from both sides``."""
        return openings_in_words(self.match, openings_played(self.games))

    @property
    def opening_remark(self) -> str:
        """A sentence if openings favoured a side, or may have; else empty."""
        return openings_remark(self.match, openings_played(self.games))

    @property
    def repeated(self) -> int:
        """The number of games that were played before, move by move: they say nothing new."""
        return len(self.games) - self.distinct

    @property
    def adjudicated(self) -> int:
        """The number of games that a proof ended."""
        return sum(game.adjudication is not None for game in self.games)

    @property
    def lost_on_time(self) -> tuple[int, int]:
        """The number of games that each engine lost on time; they are among the `forfeits`."""
        lost = [g.forfeit.engine for g in self.games if g.forfeit and g.forfeit.by == "time"]
        return lost.count(0), lost.count(1)

    @property
    def over_limit(self) -> tuple[int, int]:
        """The number of moves of each engine with more work than its limit allows."""
        first, second = (sum(game.over_limit[engine] for game in self.games) for engine in (0, 1))
        return first, second

    @property
    def unchecked(self) -> tuple[int, int]:
        """The number of moves of each engine whose work could not be checked."""
        first, second = (sum(game.unchecked[engine] for game in self.games) for engine in (0, 1))
        return first, second

    @property
    def forfeits(self) -> tuple[int, int]:
        """The number of games that each engine lost by a failure, by its work or on time."""
        failed = [game.forfeit.engine for game in self.games if game.forfeit is not None]
        return failed.count(0), failed.count(1)

    @property
    def over_time(self) -> tuple[int, int]:
        """The number of moves of each engine that took longer than its limit."""
        first, second = (sum(game.over_time[engine] for game in self.games) for engine in (0, 1))
        return first, second

    def seconds_per_move(self) -> list[float]:
        """The mean thinking time of each engine, by the clock of the arena."""
        return [
            sum(game.seconds[engine] for game in self.games)
            / max(1, sum(game.thought[engine] for game in self.games))
            for engine in (0, 1)
        ]

    def remarks(self) -> list[str]:
        """A sentence for each engine that failed or exceeded a limit, and on adjudicated games."""
        sentences = []
        for engine in (0, 1):
            if missing := [g.forfeit for g in self.unplayed if g.forfeit.engine == engine]:
                sentences.append(unplayed_remark(self.match.engines[engine], missing))
        for engine, count in enumerate(self.forfeits):
            if count:
                failed = (game.forfeit for game in self.games if game.forfeit is not None)
                first = next(forfeit for forfeit in failed if forfeit.engine == engine)
                late = self.lost_on_time[engine]
                on_time = f" ({late} on time)" if late else ""
                games = f"{counted(count, 'game')}{on_time}"
                sentences.append(
                    f"{self.match.engines[engine]} forfeited {games}: it {first.reason} "
                    f"(position {first.position})."
                )
        for engine, count in enumerate(self.over_time):
            if count:
                moves = counted(count, "move")
                sentences.append(f"{self.match.engines[engine]} exceeded its limit in {moves}.")
        for engine, count in enumerate(self.over_limit):
            if count:
                first_excess = next(g.excess[engine] for g in self.games if g.excess[engine])
                sentences.append(
                    f"{self.match.engines[engine]} reported more than its limit in "
                    f"{counted(count, 'move')}: {first_excess}."
                )
        for engine, count in enumerate(self.unchecked):
            if count:
                sentences.append(unchecked_remark(self.match.engines[engine], count))
        if self.adjudicated:
            sentences.append(f"{counted(self.adjudicated, 'game')} ended by adjudication.")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, without games.

        ``elo_low`` and ``elo_high`` belong to the ends of the interval; ``elo`` is ``None`` if one
        side won every game, and an end is ``None`` where it has no bound.
        """
        low, high = self.interval
        return {
            **self.match.to_dict(),
            "games": len(self.games),
            "complete": self.complete,
            "won": self.count(1),
            "drawn": self.count(0),
            "lost": self.count(-1),
            "share": self.share if self.games else None,
            "low": low,
            "high": high,
            "elo": _finite(elo(self.share)),
            "elo_low": _finite(elo(low)),
            "elo_high": _finite(elo(high)),
            "opening_words": self.opening_words,
            "opening_remark": self.opening_remark,
            "distinct_games": self.distinct,
            "repeated_games": self.repeated,
            "adjudicated": self.adjudicated,
            "seconds_per_move": self.seconds_per_move(),
            "over_time": list(self.over_time),
            "over_limit": list(self.over_limit),
            "unchecked": list(self.unchecked),
            "lost_on_time": list(self.lost_on_time),
            "not_played": [game.to_dict() for game in self.unplayed],
            "forfeits": [
                {"pair": game.pair, "first": game.first, **asdict(game.forfeit)}
                for game in self.games
                if game.forfeit is not None
            ],
        }


def unplayed_remark(engine: str, missing: Sequence[Forfeit]) -> str:
    """The sentence on games that an engine could not play for a reason outside it."""
    games, first = counted(len(missing), "game"), missing[0]
    return (
        f"{engine} could not play {games}: it {first.reason} (position {first.position}). "
        "What is not played after two tries counts for neither side."
    )


def unchecked_remark(engine: str, moves: int) -> str:
    """The sentence on moves whose work could not be compared with a limit of the match."""
    return (
        f"The limit was not checked in {counted(moves, 'move')} of {engine}: "
        "it has no such limit, or does not report its work."
    )


def _finite(number: float) -> float | None:
    """``None`` for infinity, which JSON cannot represent."""
    return number if abs(number) < 1e6 else None
