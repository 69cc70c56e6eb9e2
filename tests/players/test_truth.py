"""No engine contradicts the truth: what is called proven is true, what was not searched is unknown.

The truth about 3 × 3 comes from brute force; about Connect Four and Reversi from exact solvers that
were checked elsewhere. Limits are nodes, simulations, and a clock that has already run out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from brute_force import BruteForce, all_positions, random_positions

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.simple.tactics import plain_results
from rl_toolkit.analysis import Analysis, Candidate, Limit, outcome_of, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import make_engine

#: The result for the side to move after a move, and plies to the end if they are known.
Truth = Callable[[BaseGameEnv, int], tuple[float, int | None]]

EXPIRED = Limit(time=1e-9)
NODES = [Limit(nodes=1), Limit(nodes=40), EXPIRED]
SIMULATIONS = [Limit(simulations=1), Limit(simulations=40), EXPIRED]

THINKERS = {
    "minimax": NODES,
    "minimax:distance=off,threats=off": [Limit(nodes=40)],
    "mcts:seed=1": SIMULATIONS,
    "mcts:tactics=off,seed=1": [Limit(simulations=40)],
    "alphazero:seed=1": SIMULATIONS,
    "greedy": [Limit(), Limit(nodes=2), EXPIRED],
    "greedy:slips=0.5,seed=1": [Limit()],
}
OTHERS = {
    "alphazero:policy=on": [Limit()],
    "random:seed=1": [Limit()],
    "first": [Limit()],
}
CASES = [
    (spec, limit, thinks)
    for thinks, specs in ((True, THINKERS), (False, OTHERS))
    for spec, limits in specs.items()
    for limit in limits
]
#: The quick run looks at a sixth of the positions in each case, in turn.
SHARES = 6


def up_to_symmetry(positions: list[BaseGameEnv]) -> list[BaseGameEnv]:
    """One position of each set of mirror images."""
    found = {}
    for env in positions:
        images = (env.board[symmetry.cells].tobytes() for symmetry in env.symmetries())
        found[min(images), env.current_player] = env
    return list(found.values())


def check(env: BaseGameEnv, analysis: Analysis, truth: Truth, *, thinks: bool) -> None:
    """Every claim of the analysis is true, and what it does not know is unknown."""
    words, plain = words_for(env), plain_results(env)
    assert sorted(c.move for c in analysis.candidates) == sorted(env.get_legal_moves())
    truths = {c.move: truth(env, c.move) for c in analysis.candidates}
    for candidate in analysis.candidates:
        _check_candidate(candidate, *truths[candidate.move])
        if candidate.value is None:
            assert words.short(candidate) == words.mark(candidate) == "?"
        if thinks and candidate.move in plain:
            assert candidate.proven, (candidate, "the board shows its result")
    known = [c.value is not None for c in analysis.candidates]
    if any(c.outcome != "loss" for c in analysis.candidates if c.value is not None):
        assert known == sorted(known, reverse=True)  # unknown ones last
        assert known[0]
    best = max(result for result, _ in truths.values())
    if analysis.proven:
        assert analysis.outcome == outcome_of(best)
        plies = [plies for result, plies in truths.values() if result == best]
        if analysis.distance is not None and best and None not in plies:
            assert analysis.distance == (min(plies) if best > 0 else max(plies))
    for move in analysis.best_moves:
        assert analysis.candidate(move).value is not None or len(analysis.candidates) == 1


def _check_candidate(candidate: Candidate, result: float, plies: int | None) -> None:
    if candidate.proven:
        assert candidate.outcome == outcome_of(result), candidate
        assert candidate.value == result
        if result and None not in (candidate.distance, plies):
            assert candidate.distance == plies, candidate
    else:
        assert candidate.distance is None
        assert candidate.value is None or -1 <= candidate.value <= 1
    if candidate.visits == 0 and not candidate.proven:
        assert candidate.value is None


ORACLE = BruteForce()


def brute_force(env: BaseGameEnv, move: int) -> tuple[float, int | None]:
    value, plies = ORACLE.after(env, move)
    return float(value), plies


@cache
def small() -> list[BaseGameEnv]:
    return all_positions("tictactoe")


@cache
def one_of_each() -> list[BaseGameEnv]:
    return up_to_symmetry(small())


def test_these_are_all_positions() -> None:
    assert (len(small()), len(one_of_each())) == (4520, 627)


@pytest.mark.parametrize(("spec", "limit", "thinks"), CASES)
def test_three_in_a_row(spec: str, limit: Limit, thinks: bool) -> None:
    engine = make_engine(spec)
    for env in one_of_each()[CASES.index((spec, limit, thinks)) % SHARES :: SHARES]:
        check(env, engine.analyse(env, limit), brute_force, thinks=thinks)


@pytest.mark.full
@pytest.mark.parametrize(("spec", "limit", "thinks"), CASES)
def test_three_in_a_row_everywhere(spec: str, limit: Limit, thinks: bool) -> None:
    engine = make_engine(spec)
    for env in small():
        check(env, engine.analyse(env, limit), brute_force, thinks=thinks)


@pytest.mark.parametrize(
    ("limit", "shares"),
    [
        (Limit(), SHARES),
        (Limit(time=60), 2 * SHARES),
        pytest.param(Limit(), 1, marks=pytest.mark.full),
    ],
)
def test_minimax_knows_every_move_of_three_in_a_row(limit: Limit, shares: int) -> None:
    """Also where one move already wins, with a clock or without."""
    engine = make_engine("minimax")
    for env in one_of_each()[::shares]:
        analysis = engine.analyse(env, limit)
        assert analysis.proven
        for candidate in analysis.candidates:
            result, plies = brute_force(env, candidate.move)
            assert candidate.proven
            assert candidate.value == result
            assert candidate.distance == (plies if result else None)


def connect_four_truth() -> Truth:
    solver = ConnectFourSolver(book=None)

    def truth(env: BaseGameEnv, move: int) -> tuple[float, int | None]:
        candidate = solver.analyse(env).candidate(move)
        assert candidate.value is not None
        return candidate.value, candidate.distance

    return truth


def reversi_truth() -> Truth:
    solver = ReversiSolver(book=None)

    def truth(env: BaseGameEnv, move: int) -> tuple[float, int | None]:
        score = solver.score_moves(env)[move]  # type: ignore[arg-type]
        return float((score > 0) - (score < 0)), None  # more discs or a faster end: both are right

    return truth


FEW, MANY = 4, 60
GAMES: dict[str, tuple[int, Callable[[], Truth], dict[str, list[Limit]]]] = {
    "connect-four": (
        16,
        connect_four_truth,
        {"exact": [Limit(), Limit(nodes=50), EXPIRED], "minimax": [Limit(nodes=20_000)]},
    ),
    "reversi-8": (
        8,
        reversi_truth,
        {
            "exact": [Limit(), Limit(nodes=50), EXPIRED],
            "reversi:book=off": [Limit(nodes=50), Limit(nodes=100_000), EXPIRED],
            "reversi:book=off,every=on": [Limit(nodes=100_000)],
            "minimax": [Limit(nodes=20_000)],
        },
    ),
}


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.full)])
@pytest.mark.parametrize("game", GAMES)
def test_larger_games(game: str, count: int) -> None:
    most_empty, make_truth, own = GAMES[game]
    truth = make_truth()
    positions = random_positions(game, most_empty, count, seed=3)
    shared = {spec: limits for spec, limits in THINKERS.items() if "minimax" not in spec}
    for spec, limits in (shared | {"minimax": NODES}).items():
        engine = make_engine(spec)
        for env in positions:
            check(env, engine.analyse(env, random.Random(spec).choice(limits)), truth, thinks=True)
    for spec, limits in own.items():
        engine = make_engine(spec)
        for limit in limits:
            for env in positions:
                check(env, engine.analyse(env, limit), truth, thinks=False)
