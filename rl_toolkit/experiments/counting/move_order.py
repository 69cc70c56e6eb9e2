"""Alpha-beta against the order of moves: best first, by number, at random, worst first.

With the best move first everywhere about the square root of the tree is left, which is the best
that alpha-beta can do (Knuth and Moore, 1975); with the worst first it saves little. To order moves
that well one must know the answer before: here a search without pruning tells it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from math import inf, sqrt
from typing import NamedTuple

from rl_toolkit.algorithms.minimax import UNLIMITED, MinimaxSolver, Options, PythonNegamax
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.counting.whole_trees import SMALL_BOARD
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.utils.svg import Chart

#: Gives the order in which to search the moves of a position with that many plies left.
Order = Callable[[BaseGameEnv, list[int], int], list[int]]

#: The depth where none is asked for, on boards whose tree is too large.
_DEPTH = 5
#: Python visits the positions: beyond this depth it would take too long.
MOST_DEPTH = 9
_PLAIN, _BEST, _INDEX, _RANDOM, _WORST = (
    "no pruning",
    "best first",
    "by number",
    "at random",
    "worst first",
)


class OrderedSearch(NamedTuple):
    """One search: the order of its moves, what it visited, and the value of the start."""

    order: str
    nodes: int
    value: float


class _Ordered(PythonNegamax):
    """The readable alpha-beta, with the moves of every position in a given order."""

    def __init__(self, env: BaseGameEnv, order: Order, depth: int) -> None:
        super().__init__(env, Options(pruning=True, memoization=False), max_memory_mb=1)
        self._order, self._depth = order, depth

    def _moves(self, ply: int, table_move: int) -> list[int]:
        return self._order(self._env, super()._moves(ply, table_move), self._depth - ply)


class Truth:
    """Depth-limited minimax values without pruning, each position of a depth searched once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, int], float] = {}
        self._orders: dict[tuple[Hashable, int, int], list[int]] = {}

    def value(self, env: BaseGameEnv, depth: int) -> float:
        """The value for player +1, looking ``depth`` plies ahead; ``env`` stays as it is."""
        if env.is_terminal():
            return env.get_result(1) * 1000  # no estimate is worth as much as a result
        if depth == 0:
            return max(-1.0, min(1.0, env.evaluate_heuristic(1)))
        key = (env.get_state_hash(), depth)
        if key not in self._known:
            best = max if env.current_player == 1 else min
            self._known[key] = best(self.after(env, move, depth) for move in env.get_legal_moves())
        return self._known[key]

    def after(self, env: BaseGameEnv, move: int, depth: int) -> float:
        """The value for player +1 after ``move``."""
        env.step(move)
        value = self.value(env, depth - 1)
        env.undo()
        return value

    def best_first(self, env: BaseGameEnv, moves: list[int], depth: int) -> list[int]:
        """The moves, best for the side to move first; equal ones by number."""
        return self._ordered(env, moves, depth, env.current_player)

    def worst_first(self, env: BaseGameEnv, moves: list[int], depth: int) -> list[int]:
        """The moves, worst for the side to move first; equal ones by number."""
        return self._ordered(env, moves, depth, -env.current_player)

    def _ordered(self, env: BaseGameEnv, moves: list[int], depth: int, side: int) -> list[int]:
        """The moves, best for ``side`` first; a position comes up often, so its order is kept."""
        key = (env.get_state_hash(), depth, side)
        if key not in self._orders:
            values = {move: side * self.after(env, move, depth) for move in moves}
            self._orders[key] = sorted(moves, key=lambda move: -values[move])
        return self._orders[key]


def nodes_with(env: BaseGameEnv, order: Order, depth: int) -> tuple[int, float]:
    """The positions that alpha-beta visits with moves in that order, and the value for X."""
    search = _Ordered(env, order, depth)
    score = search.search(env, depth, -inf, inf).score * env.current_player
    return search.nodes, max(-1.0, min(1.0, score)) + 0.0


def measure(
    game: str, depth: int | None, runs: int, seed: int
) -> Iterator[Progress | OrderedSearch]:
    """One search for every order, ``runs`` of them at random."""
    env = make_game(game)
    depth = _depth(env, depth)
    total = 4 + runs
    yield Progress(0, total, _PLAIN)
    plain = MinimaxSolver(min(depth, UNLIMITED), False, False, compiled=True)
    value = plain._minimax(env)
    yield OrderedSearch(_PLAIN, plain.nodes_evaluated, value)
    truth, chance = Truth(), random.Random(seed)

    def shuffled(env: BaseGameEnv, moves: list[int], depth: int) -> list[int]:
        return chance.sample(moves, len(moves))

    orders: list[tuple[str, Order]] = [
        (_BEST, truth.best_first),
        (_INDEX, lambda env, moves, depth: moves),
        *[(_RANDOM, shuffled)] * runs,
        (_WORST, truth.worst_first),
    ]
    for number, (name, order) in enumerate(orders, 1):
        yield Progress(number, total, name)
        yield OrderedSearch(name, *nodes_with(env, order, depth))


def _depth(env: BaseGameEnv, depth: int | None) -> int:
    if depth is None:
        depth = len(env.board) if len(env.board) <= SMALL_BOARD else _DEPTH
    if depth > MOST_DEPTH:
        raise ValueError(f"this search runs in Python: at most {MOST_DEPTH} plies, not {depth}")
    return depth


def conclude(
    found: Sequence[OrderedSearch],
    complete: bool,
    game: str,
    depth: int | None,
    runs: int,
    seed: int,
) -> Result:
    """The orders in a table, with the mean of those at random."""
    env = make_game(game)
    depth = _depth(env, depth)
    plain = found[0].nodes
    counts: dict[str, list[int]] = {}
    for search in found:
        counts.setdefault(search.order, []).append(search.nodes)
    means = {order: round(sum(nodes) / len(nodes)) for order, nodes in counts.items()}
    cells: list[list[Cell]] = [
        [order, nodes, nodes / plain, min(counts[order]), max(counts[order])]
        for order, nodes in means.items()
    ]
    root = round(sqrt(plain), 1)
    return Result(
        title=f"Alpha-beta on {env.name}, {depth} plies, by the order of moves",
        columns=[
            Column("moves", "plain"),
            Column("nodes"),
            Column("of all", "percent"),
            Column("fewest"),
            Column("most"),
        ],
        cells=cells,
        remarks=[
            f"√{plain:,} ≈ {root:,.1f}: about what is left if the best move comes first "
            "everywhere, in a tree in which all positions have as many moves.",
            f"At random: the mean of {len(counts.get(_RANDOM, []))} searches, seed {seed}. All "
            "searches find the same value.",
        ],
        chart=Chart(
            f"Positions visited on {env.name}, {depth} plies",
            [*means, "√ of all"],
            [*means.values(), root],
            "nodes",
            log=True,
        ),
        data={
            "game": env.name,
            "depth": depth,
            "seed": seed,
            "nodes": means,
            "root": root,
            "values": sorted({search.value for search in found}),
        },
    )


MOVE_ORDER = Experiment(
    id="move-order",
    title="Alpha-beta against move order",
    about="What alpha-beta saves with the best move first, with moves at random, worst first.",
    unit="searches",
    settings=(
        settings.game("tictactoe", "connect-four", "reversi-6"),
        settings.depth(
            6, unset=f"to the end on up to {SMALL_BOARD} cells, {_DEPTH} on larger boards"
        ),
        settings.Setting(
            "runs", "whole", 5, "searches with moves in random order", most=100, page_most=10
        ),
        settings.seed(),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "With the best move first a search goes about twice as deep in the same time. Why "
            "twice?",
            "b^(d/2) instead of b^d: the root of the tree is a tree of half the depth.",
        ),
        Question(
            "To put the best move first one has to know it. Where does a real search get it from?",
            "From a search one ply less deep, from the table, from moves that cut elsewhere, and "
            "from rules of thumb such as the centre first. A good guess is nearly as good.",
        ),
    ),
    examples=("connect-four --depth 5",),
    minutes=True,
)
