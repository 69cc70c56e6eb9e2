"""Accuracy by level: the levels of a game play each other, and its best engine reviews the games.

    python -m benchmarks accuracy                         # about ten minutes
    python -m benchmarks.accuracy connect-four --games 20

The levels play rounds, each against each, with alternating colours, until every level has 50 games
in which something was at stake for it: so all of them meet the same opponents. The interval is that
of the mean over games. Judges are limited by nodes or simulations, so a run can be repeated. Gomoku
is played on 9 × 9, where a network judges: on larger boards the judge would be the same search as
the levels. Random moves of an opening are not judged.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import Row
from rl_toolkit.algorithms.review import review
from rl_toolkit.arena.arbiter.play_game import play_on
from rl_toolkit.arena.arbiter.worker_engines import cached_engine, new_engine
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.utils.statistics import Z95


@dataclass(frozen=True)
class Setting:
    """How one game is measured.

    Attributes:
        judge: the engine that reviews.
        players: the levels, each with the spec that plays it.
        opening: random moves at the start.
        plies: the number of moves after the opening that are judged.
    """

    judge: str
    players: dict[str, str]
    opening: int = 0
    plies: int = 1000


_SAME = {"random": "random", "easy": "easy", "hard": "hard"}
SETTINGS = {
    "tictactoe": Setting("minimax:depth=18", {**_SAME, "perfect": "perfect"}),
    # Without lines the exact engine proves the same values in a tenth of the time.
    "connect-four": Setting("exact:lines=off", {**_SAME, "perfect": "exact:lines=off"}),
    "reversi": Setting("reversi:every=on,nodes=10000", _SAME),
    # Equal priors at the root, so that every move gets a visit. The levels repeat one short game
    # from the empty board, so a few random moves come first.
    "gomoku-9": Setting("alphazero:simulations=160,root_prior_power=0,seed=1", _SAME, 3, plies=24),
}
GAMES = 50


def play(game: str, specs: tuple[str, str], opening: int, number: int) -> BaseGameEnv:
    """Game ``number`` between two engines, always the same one; the first spec moves first."""
    for attempt in range(100):
        chance = random.Random(f"{number} {attempt}")
        env = make_game(game)
        while len(env.history) < opening:
            env.step(chance.choice(_near_the_centre(env)))
        if not env.is_terminal():
            break
    seeds = [chance.getrandbits(31) for _ in specs]
    first, second = (
        new_engine(game, spec, seed=seed) for spec, seed in zip(specs, seeds, strict=True)
    )
    play_on(env, {1: first, -1: second})
    return env


def _near_the_centre(env: BaseGameEnv) -> list[int]:
    """The legal moves; on an open board those near the centre, where games begin."""
    moves = env.get_legal_moves()
    if len(moves) < 50:
        return moves
    middle = (env.rows // 2, env.cols // 2)
    return [
        m for m in moves if max(abs(m // env.cols - middle[0]), abs(m % env.cols - middle[1])) < 3
    ]


def accuracies(game: str, games: int) -> dict[str, list[float]]:
    """The accuracy of each level in its first ``games`` games in which something was at stake."""
    setting = SETTINGS[game]
    judge = cached_engine(game, setting.judge)
    found: dict[str, list[float]] = {level: [] for level in setting.players}
    for number in itertools.count():
        if all(len(shares) >= games for shares in found.values()):
            break
        for pair in itertools.combinations(found, 2):
            levels = pair if number % 2 else pair[::-1]
            if all(len(found[level]) >= games for level in levels):
                continue
            specs = setting.players[levels[0]], setting.players[levels[1]]
            env = play(game, specs, setting.opening, number)
            while len(env.history) > setting.opening + setting.plies:
                env.undo()
            judged = review(_without_opening(env, setting.opening), judge)
            for player, level in zip((1, -1), levels, strict=True):
                share = judged.accuracy(player)
                if share is not None and len(found[level]) < games:
                    found[level].append(share)
    return found


def _without_opening(env: BaseGameEnv, opening: int) -> BaseGameEnv:
    """The same game, with a history that begins after the opening."""
    begun = env.copy()
    moves = env.history[opening:]
    for _ in moves:
        begun.undo()
    board, player = begun.board.copy(), begun.current_player
    fresh = make_game(env.name)
    fresh.board, fresh.current_player = board, player
    for move in moves:
        fresh.step(move)
    return fresh


def row(game: str, level: str, shares: list[float]) -> Row:
    mean = statistics.fmean(shares)
    reach = Z95 * statistics.stdev(shares) / math.sqrt(len(shares))
    return {
        "game": game,
        "level": level,
        "games": len(shares),
        "accuracy %": f"{100 * mean:.1f}",
        "from %": f"{100 * max(0.0, mean - reach):.1f}",
        "to %": f"{100 * min(1.0, mean + reach):.1f}",
        "judge": SETTINGS[game].judge,
    }


def run(names: Sequence[str] = tuple(SETTINGS), games: int = GAMES) -> list[Row]:
    rows = []
    for game in names:
        found = accuracies(game, games)
        rows += [row(game, level, shares) for level, shares in found.items()]
        for each in rows[-len(found) :]:
            print(each, file=sys.stderr, flush=True)
    return rows


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("game", nargs="*", choices=[[], *SETTINGS], default=[])
    parser.add_argument("--games", type=int, default=GAMES)
    options = parser.parse_args()
    run(options.game or tuple(SETTINGS), options.games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
