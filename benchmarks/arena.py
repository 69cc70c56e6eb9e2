"""What the arena costs beside its engines: a tournament, and thousands of very short games.

*Tournament*: 6 engines with 1,000 simulations a move, 200 games of Connect Four. *Engine* is the
time of all searches by the clock of the arena. Promised: at most 10 % more than that, divided among
two workers. *Short games*: 10,000 games of Tic-Tac-Toe, `random` against `greedy`, one worker.
Promised: under a minute. Both are also given in processor seconds of one process, which do not
depend on what else the machine does; *load* says how much that is. Two workers have to be started,
which takes a second or two whatever the length of the tournament: *once started* is what follows.
"""

from __future__ import annotations

import os
import time
from unittest.mock import patch

from benchmarks import Row
from rl_toolkit.arena import play_game
from rl_toolkit.arena.matches import Match, play_match
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


def on_two_workers(games: int) -> list[Row]:
    """The same with two workers, by the clock on the wall: all of it, and since the first pair."""
    seen: list[tuple[float, TournamentResult]] = []
    began = time.perf_counter()
    result = play_tournament(
        plan(games),
        executor=LocalProcesses(2),
        on_pair=lambda so_far: seen.append((time.perf_counter(), so_far)),
    )
    total, engines = time.perf_counter() - began, engine_seconds(result) / 2
    first, started = next(each for each in seen if each[1].games)
    since = total - (first - began)
    rest = engines - engine_seconds(started) / 2
    return [
        row("tournament, two workers", result.games, total, engines),
        row("the same, once started", result.games - started.games, since, rest),
    ]


def short_games() -> Row:
    match = Match("tictactoe", ("random", "greedy"), SHORT_GAMES // 2, random_plies=4)
    with patch.object(play_game, "time", ProcessorClock):
        began = time.process_time()
        result = play_match(match, on_pair=lambda so_far: None)
        total = time.process_time() - began
    engines = sum(sum(game.seconds) for game in result.games)
    return row("short games, processor time", len(result.games), total, engines)


def row(what: str, games: int, total: float, engines: float) -> Row:
    return {
        "what": what,
        "games": games,
        "seconds": total,
        "engine seconds": engines,
        "beyond %": 100 * (total / engines - 1),
        "games/s": games / total,
        "load": os.getloadavg()[0],
    }


def run() -> list[Row]:
    return [on_one_processor(GAMES), *on_two_workers(GAMES), short_games()]
