"""Quick reviews of Gomoku: how near their estimates are to those of a long search.

    python -m benchmarks gomoku_estimates

A position is drawn with a seed: two to six stones, half of them anywhere on the board and half near
others, then some moves of a weak engine and random ones. The move that is reviewed is random, up to
three cells from a stone, or that of a weak engine. A search of 500,000 nodes says what the position
and the move are worth. Values are chances to win, from 0 to 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks import Row
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.review import in_hindsight, review_move
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv, make_game

POSITIONS, LONG = 60, 500_000
LIMITS = (60_000, 285_000)
#: A loss that a page marks; half of what lies between two estimates counts there.
MARKED = 0.07


def positions(count: int) -> Iterator[tuple[BaseGameEnv, int]]:
    """Positions, and the move that is reviewed in each."""
    weak = GomokuEngine()
    for number in range(count):
        chance, env = random.Random(number), make_game("gomoku-15")
        for _ in range(chance.choice([2, 3, 4, 5, 6])):
            is_near = env.history and chance.random() < 0.5
            env.step(_near(env, chance, 2) if is_near else chance.choice(env.get_legal_moves()))
        for _ in range(chance.choice([0, 0, 2, 4, 6, 8])):
            if not env.is_terminal():
                is_random = chance.random() < 0.3
                env.step(_near(env, chance, 2) if is_random else _best(weak, env, 2000))
        if not env.is_terminal():
            is_random = chance.random() < 0.5
            yield env, _near(env, chance, 3) if is_random else _best(weak, env, 1000)


def _near(env: BaseGameEnv, chance: random.Random, cells: int) -> int:
    """A random move up to so many cells from a stone."""
    stones = [divmod(cell, env.cols) for cell, piece in enumerate(env.board.tolist()) if piece]

    def is_near(move: int) -> bool:
        row, col = divmod(move, env.cols)
        return any(max(abs(row - r), abs(col - c)) <= cells for r, c in stones)

    return chance.choice([move for move in env.get_legal_moves() if is_near(move)])


def _best(engine: GomokuEngine, env: BaseGameEnv, nodes: int) -> int:
    move = engine.analyse(env, Limit(nodes=nodes)).best_move
    assert move is not None
    return move


def _worth(env: BaseGameEnv) -> float:
    """The chance of the side to move by a long search."""
    if env.is_terminal():
        return (env.get_result(env.current_player) + 1) / 2
    return ((GomokuEngine().analyse(env, Limit(nodes=LONG)).value or 0.0) + 1) / 2


def _looked(env: BaseGameEnv, nodes: int) -> Analysis:
    return GomokuEngine(every_move=True).analyse(env, Limit(nodes=nodes))


def measured(count: int = POSITIONS, limits: tuple[int, ...] = LIMITS) -> list[Row]:
    """A row for each limit."""
    sums = {nodes: [0.0] * 6 for nodes in limits}
    number = 0
    for env, move in positions(count):
        after, worth, number = BaseGameEnv.after(env, [move]), _worth(env), number + 1
        kept = 1 - _worth(after)
        for nodes, total in sums.items():
            analysis = _looked(env, nodes)
            assert analysis.best_move is not None
            named = 1 - _worth(BaseGameEnv.after(env, [analysis.best_move]))
            best = max(worth, kept, named)
            knows = in_hindsight(analysis, move, _looked(after, nodes))
            lost, truly = review_move(env, move, knows, number).value_lost / 2, best - kept
            total[0] += abs(((analysis.value or 0.0) + 1) / 2 - best)
            total[1] += best - named
            total[2] += abs(lost - truly)
            total[3] += lost / 2 >= MARKED > truly
            total[4] += lost / 2 < MARKED <= truly / 2
            total[5] += analysis.depth or 0
    names = ("value off by", "best move loses", "loss off by", "marked by mistake", "not marked")
    return [
        {"nodes": nodes, "positions": number}
        | {
            name: int(value) if "mark" in name else round(value / number, 3)
            for name, value in zip((*names, "depth"), total, strict=True)
        }
        for nodes, total in sums.items()
    ]


def run() -> list[Row]:
    """The rows of all limits."""
    return measured()
