"""What the arena costs beside its engines: a tournament, and thousands of very short games.

*Tournament*: 6 engines with 1,000 simulations a move, 200 games of Connect Four. *Engine* is the
time of all searches by the clock of the arena. Promised: at most 10 % more than that, divided among
two workers. *Short games*: 10,000 games of Tic-Tac-Toe, `random` against `greedy`, one worker.
Promised: under a minute.

Everything is also given in processor seconds, which hardly depend on what else the machine does;
*load* says how much that is. With two workers these are the seconds of both, and of the process
that hands out the games, which is *handing out*. Two workers have to be started, which takes a
second or two of each whatever the length of the tournament: *once started* is what follows.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from benchmarks import Row
from rl_toolkit.arena.arbiter import play_game
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs import playing
from rl_toolkit.arena.runs.paired_game import play_paired_game
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.utils.executors import LocalProcesses

ENGINES = tuple(f"mcts:simulations=1000,c={c}" for c in (1.0, 1.2, 1.6, 2.0, 2.4, 3.0))
#: A gauntlet has five pairings: 200 games in all.
GAMES = 40
SHORT_GAMES = 10_000


def plan(games: int) -> Tournament:
    return Tournament("connect-four", ENGINES, games, "gauntlet", random_plies=4)


def engine_seconds(result: TournamentResult) -> float:
    return sum(sum(game.seconds) for match in result.matches for game in match.games)


class ProcessorClock:
    """The module ``time``, whose clock counts the processor time of this process."""

    perf_counter = staticmethod(time.process_time)


def on_one_processor(games: int) -> Row:
    """A tournament in this process, everything in processor seconds."""
    play_tournament(plan(2))  # loads what is loaded once
    with patch.object(play_game, "time", ProcessorClock):
        began = time.process_time()
        result = play_tournament(plan(games))
        total = time.process_time() - began
    return row("tournament, processor time", result.games, total, engine_seconds(result))


# ---------------------------------------------------------------------- two workers


@dataclass(frozen=True, slots=True)
class TwoWorkers:
    """A tournament with two workers.

    Attributes:
        result: its games.
        wall, since_first: seconds on the wall, and those since the first pair ended.
        first: the engines' seconds in that pair.
        workers, handing_out: processor seconds of both workers, and of this process.
    """

    result: TournamentResult
    wall: float
    since_first: float
    first: float
    workers: float
    handing_out: float


def with_two_workers(games: int) -> TwoWorkers:
    seen: list[tuple[float, TournamentResult]] = []
    workers = _children_seconds()
    here, began = time.process_time(), time.perf_counter()
    result = play_tournament(
        plan(games),
        executor=LocalProcesses(2),
        on_pair=lambda so_far: seen.append((time.perf_counter(), so_far)),
    )
    ended = time.perf_counter()
    first, started = next(each for each in seen if each[1].games)
    return TwoWorkers(
        result,
        ended - began,
        ended - first,
        engine_seconds(started),
        _children_seconds() - workers,
        time.process_time() - here,
    )


def on_two_workers(games: int) -> list[Row]:
    """The same with two workers: by the clock on the wall, then in processor seconds."""
    by_wall = with_two_workers(games)
    engines = engine_seconds(by_wall.result) / 2
    rest = engines - by_wall.first / 2
    played = by_wall.result.games
    with _processor_clock_in_workers():
        start = with_two_workers(2)  # the least that there is, to see what starting costs
        found = with_two_workers(games)
    more = engine_seconds(found.result) - engine_seconds(start.result)
    cost = found.workers + found.handing_out - start.workers - start.handing_out
    return [
        row("tournament, two workers", played, by_wall.wall, engines),
        row("the same, once started", played - 2, by_wall.since_first, rest),
        row(
            "the same, processor time",
            played,
            found.workers + found.handing_out,
            engine_seconds(found.result),
        ),
        row("… once started", played - start.result.games, cost, more),
        row("… of it handing out", played, found.handing_out, None),
    ]


def play_by_processor_clock(task: Any) -> dict[str, Any]:
    """`play_paired_game`, whose clock counts the processor time of the worker."""
    with patch.object(play_game, "time", ProcessorClock):
        return play_paired_game(task)


@contextmanager
def _processor_clock_in_workers() -> Iterator[None]:
    task: Callable[..., Any] = play_by_processor_clock
    with patch.object(playing, "play_paired_game", task):
        yield


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ----------------------------------------------------------------------- short games


def short_games() -> Row:
    match = Match("tictactoe", ("random", "greedy"), SHORT_GAMES // 2, random_plies=4)
    with patch.object(play_game, "time", ProcessorClock):
        began = time.process_time()
        result = play_match(match, on_pair=lambda so_far: None)
        total = time.process_time() - began
    engines = sum(sum(game.seconds) for game in result.games)
    return row("short games, processor time", len(result.games), total, engines)


def row(what: str, games: int, total: float, engines: float | None) -> Row:
    return {
        "what": what,
        "games": games,
        "seconds": total,
        "engine seconds": engines,
        "beyond %": None if engines is None else 100 * (total / engines - 1),
        "games/s": games / total,
        "load": os.getloadavg()[0],
    }


def run() -> list[Row]:
    return [on_one_processor(GAMES), *on_two_workers(GAMES), short_games()]
