"""Minimax by several threads: the values of one thread, limits, stops, true proofs."""

import random
import threading

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver, negamax_team
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(negamax_team, "ALONE", 0)


def values(analysis):
    return {c.move: (c.value, c.outcome, c.proven) for c in analysis.candidates}


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(
    ("game", "moves", "depth"),
    [("connect-four", 10, 7), ("reversi", 8, 5), ("gomoku-9", 6, 3), ("reversi-4", 3, None)],
)
def test_values_do_not_depend_on_threads(game, moves, depth, threads):
    chance = random.Random(game)
    for _ in range(4):
        env = make_game(game)
        for _ in range(moves):
            env.step(chance.choice(env.get_legal_moves()))
            if env.is_terminal():
                break
        if env.is_terminal():
            continue
        limit = Limit(depth=depth)
        one = MinimaxSolver.strong(compiled=True).analyse(env, limit)
        many = MinimaxSolver.strong(compiled=True, threads=threads, max_memory_mb=1)
        analysis = many.analyse(env, limit)
        assert analysis.threads == threads
        assert values(analysis) == values(one), env.history


def test_limits_stops_and_no_thread_left():
    env, before = make_game("connect-four"), set(threading.enumerate())
    solver, stop = MinimaxSolver.strong(threads=3), threading.Event()
    analysis = solver.analyse(env, Limit(nodes=50_000))
    assert analysis.nodes <= 50_003
    analysis = solver.analyse(env, Limit(time=60), lambda _: stop.set(), stop)
    assert analysis.elapsed < 30
    assert set(threading.enumerate()) == before


def test_one_thread_and_the_course_api_are_repeatable():
    env = make_game("connect-four").after([3, 3, 2])
    one = MinimaxSolver.strong().analyse(env, Limit(depth=8))
    again = MinimaxSolver.strong(threads=1).analyse(env, Limit(depth=8))
    assert one.nodes == again.nodes
    assert again.threads == 1
    course = MinimaxSolver(6, threads=4)
    assert course.get_best_action(env) == MinimaxSolver(6).get_best_action(env)
