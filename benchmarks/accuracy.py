"""Accuracy by level: games of each level against itself, reviewed by the best engine of the game.

    python -m benchmarks accuracy                         # about ten minutes
    python -m benchmarks.accuracy connect-four --games 20

The accuracy of a game is the mean of both sides, as far as something was at stake for them; the
interval is that of the mean over games. Judges are limited by nodes or simulations, so a run can be
repeated. Gomoku is played on 9 × 9, where a network judges: on larger boards the judge would be the
same search as the levels. Random moves of an opening are not judged.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks import Row
from rl_toolkit.algorithms.review import review
from rl_toolkit.arena.play_game import play_on
from rl_toolkit.arena.worker_engines import cached_engine, new_engine
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


def play(game: str, spec: str, opening: int, number: int) -> BaseGameEnv:
    """Game ``number`` of an engine against itself, always the same one."""
    for attempt in range(100):
        chance = random.Random(f"{number} {attempt}")
        env = make_game(game)
        while len(env.history) < opening:
            env.step(chance.choice(_near_the_centre(env)))
        if not env.is_terminal():
            break
    engines = {side: new_engine(game, spec, seed=chance.getrandbits(31)) for side in (1, -1)}
    play_on(env, engines)
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


def accuracies(game: str, level: str, games: int) -> Iterator[float]:
    """The accuracy of each game in which something was at stake."""
    setting = SETTINGS[game]
    judge = cached_engine(game, setting.judge)
    for number in range(games):
        env = play(game, setting.players[level], setting.opening, number)
        while len(env.history) > setting.opening + setting.plies:
            env.undo()
        judged = review(_without_opening(env, setting.opening), judge)
        sides = [judged.accuracy(player) for player in (1, -1)]
        if known := [share for share in sides if share is not None]:
            yield statistics.fmean(known)


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


def row(game: str, level: str, games: int) -> Row:
    shares = list(accuracies(game, level, games))
    mean = statistics.fmean(shares)
    reach = Z95 * statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else 0.0
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
        for level in SETTINGS[game].players:
            rows.append(row(game, level, games))
            print(rows[-1], file=sys.stderr, flush=True)
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
