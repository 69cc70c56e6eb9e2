"""Matches: two engines, paired openings, colours swapped.

Every opening is played twice, once with each engine moving first, so that neither the opening nor
the first move favours an engine. The two games of a pair depend on each other; the confidence
interval is therefore computed over pairs.

The seed determines the openings and all randomness of the engines, so a match can be repeated, and
any worker can play any pair.

A pair in a file names the networks that played it: if an engine has a new network when the match is
resumed, its pairs are played again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.analysis import Analysis
from rl_toolkit.arena.journal import Journal
from rl_toolkit.arena.play_game import play_on
from rl_toolkit.arena.samples import canonical
from rl_toolkit.arena.worker_engines import network_of, new_engine
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_player
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.executors import Executor, InProcess
from rl_toolkit.utils.statistics import elo, mean_interval

#: The number of attempts to find a new opening before a repetition is accepted.
_TRIES = 50


@dataclass(frozen=True, slots=True)
class Match:
    """The plan of a match.

    Attributes:
        game: the name of the game.
        engines: two specs or levels; points are counted for the first.
        pairs: the number of openings, with two games each.
        random_plies: the number of random moves of an opening.
        seed: the seed of all randomness.
    """

    game: str
    engines: tuple[str, str]
    pairs: int
    random_plies: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("pairs", 1), ("random_plies", 0), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")
        for engine in self.engines:
            make_player(self.game, engine)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a match.

    Attributes:
        first: the number (0 or 1) of the engine that moved first.
        opening, moves: the random moves, and those of the engines.
        result: +1, 0 or −1 for engine 0.
        seconds, thought: the thinking time and the number of moves of each engine.
    """

    pair: int
    first: int
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    result: int
    seconds: tuple[float, float]
    thought: tuple[int, int]

    def record(self, match: Match) -> GameRecord:
        """The game as a record."""
        env = make_game(match.game)
        for move in (*self.opening, *self.moves):
            env.step(move)
        players = (match.engines[self.first], match.engines[1 - self.first])
        return GameRecord.from_env(env, players=players)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match, and the score of its first engine."""

    match: Match
    games: Sequence[PlayedGame]

    def count(self, result: int, first: int | None = None) -> int:
        """Games with this result for engine 0; with ``first``, those where that engine opened."""
        return sum(g.result == result and first in (None, g.first) for g in self.games)

    @property
    def pair_points(self) -> list[float]:
        """Points per game of engine 0 in each pair: 0, ¼, ½, ¾ or 1."""
        pairs: dict[int, list[float]] = {}
        for game in self.games:
            pairs.setdefault(game.pair, []).append((game.result + 1) / 2)
        return [sum(points) / len(points) for _, points in sorted(pairs.items())]

    @property
    def share(self) -> float:
        """Points per game of engine 0; a draw is half a point."""
        points = self.pair_points
        return sum(points) / max(1, len(points))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `share`, over pairs."""
        return mean_interval(self.pair_points)

    @property
    def distinct(self) -> int:
        """The number of distinct games."""
        return len({(game.opening, game.moves) for game in self.games})

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, without games."""
        low, high = self.interval
        return {
            **asdict(self.match),
            "games": len(self.games),
            "won": self.count(1),
            "drawn": self.count(0),
            "lost": self.count(-1),
            "share": self.share,
            "low": low,
            "high": high,
            "elo": _finite(elo(self.share)),
            "distinct_games": self.distinct,
            "seconds_per_move": self.seconds_per_move(),
        }

    def seconds_per_move(self) -> list[float]:
        """The mean thinking time of each engine, as reported by its analyses."""
        return [
            sum(game.seconds[engine] for game in self.games)
            / max(1, sum(game.thought[engine] for game in self.games))
            for engine in (0, 1)
        ]


#: Called with the result so far after every pair.
OnPair = Callable[[MatchResult], object]


def _finite(number: float) -> float | None:
    """``None`` for infinity, which JSON cannot represent."""
    return number if abs(number) < 1e6 else None


def play_match(
    match: Match,
    *,
    executor: Executor | None = None,
    on_pair: OnPair | None = None,
    on_news: Callable[[str], object] | None = None,
    save: Path | None = None,
) -> MatchResult:
    """Play a match; with ``save`` games are written to a file, and an interrupted run resumes.

    Pairs in the file that were played by other networks are ignored, and ``on_news`` is called.
    """
    networks = [network_of(match.game, make_player(match.game, e)) for e in match.engines]
    games: list[PlayedGame] = []
    journal = None if save is None else Journal(save, "match", _work(match))
    try:
        kept = [line for line in journal.done if line["pair"] < match.pairs] if journal else []
        for line in kept:
            if line.get("networks", networks) == networks:
                games.extend(_from_line(line))
        done = {game.pair for game in games}
        outdated = {line["pair"] for line in kept} - done
        if outdated and on_news is not None:
            count = 2 * len(outdated)
            on_news(f"{count} games in {save} were played by another network and will be replayed.")
        openings = draw_openings(match)
        tasks = [(match, pair, openings[pair]) for pair in range(match.pairs) if pair not in done]
        for _, line in (executor or InProcess()).map(_play_pair, tasks):
            if journal is not None:
                journal.add({**line, "networks": networks})
            games.extend(_from_line(line))
            if on_pair is not None:
                on_pair(MatchResult(match, games))
    finally:
        if journal is not None:
            journal.close()
    return MatchResult(match, sorted(games, key=lambda game: (game.pair, game.first)))


def _work(match: Match) -> dict[str, Any]:
    """The description that a file of games must match; without pairs, so that a match can grow."""
    return {name: value for name, value in asdict(match).items() if name != "pairs"}


def draw_openings(match: Match) -> list[list[int]]:
    """The openings of a match: random moves that do not end the game, distinct if possible.

    A longer match begins with the openings of a shorter one.
    """
    rng = random.Random(f"openings {match.seed}")
    seen: set[str] = set()
    openings = []
    for _ in range(match.pairs):
        for _ in range(_TRIES):
            env = _opened(match, rng)
            key = canonical(env)
            if key not in seen:
                break
        seen.add(key)
        openings.append(env.history)
    return openings


def _opened(match: Match, rng: random.Random) -> BaseGameEnv:
    """An unfinished game after the random moves of an opening."""
    for _ in range(1000):
        env = make_game(match.game)
        while len(env.history) < match.random_plies and not env.is_terminal():
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env
    raise ValueError(f"{match.game} is over within {match.random_plies} random moves")


def _play_pair(task: tuple[Match, int, list[int]]) -> dict[str, Any]:
    """Both games of a pair, as a line of a journal."""
    match, pair, opening = task
    return {"pair": pair, "games": [_play(match, pair, opening, first) for first in (0, 1)]}


def _play(match: Match, pair: int, opening: list[int], first: int) -> dict[str, Any]:
    env = make_game(match.game)
    for move in opening:
        env.step(move)
    # New engines for every game, so that it does not depend on what they remember of the last one.
    rng = random.Random(f"{match.seed} {pair} {first}")
    engines = [new_engine(match.game, spec, seed=rng.getrandbits(31)) for spec in match.engines]
    players = {1: first, -1: 1 - first}
    seconds, moves = [0.0, 0.0], [0, 0]

    def count(player: int, analysis: Analysis) -> None:
        seconds[players[player]] += analysis.elapsed
        moves[players[player]] += 1

    play_on(env, {player: engines[number] for player, number in players.items()}, on_move=count)
    return {
        "first": first,
        "opening": opening,
        "moves": env.history[len(opening) :],
        "result": int(env.get_result(1 if first == 0 else -1)),
        "seconds": [round(spent, 4) for spent in seconds],
        "thought": moves,
    }


def _from_line(line: dict[str, Any]) -> list[PlayedGame]:
    return [
        PlayedGame(
            pair=line["pair"],
            first=game["first"],
            opening=tuple(game["opening"]),
            moves=tuple(game["moves"]),
            result=game["result"],
            seconds=(game["seconds"][0], game["seconds"][1]),
            thought=(game["thought"][0], game["thought"][1]),
        )
        for game in line["games"]
    ]
