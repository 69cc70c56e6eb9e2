"""Exact Connect Four by several threads: the scores of one thread, stops, limits."""

import os
import random
import threading

import numpy as np
import pytest
from connect_four_positions import random_game

from rl_toolkit.algorithms.connect_four.position import position_of
from rl_toolkit.kernels.connect_four import solver as solvers
from rl_toolkit.kernels.connect_four.solver import Solver

POSITIONS = int(os.environ.get("SOUNDNESS_POSITIONS", "5000"))


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(solvers, "ALONE", 0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(
    ("rows", "cols", "positions"),
    [
        (6, 7, 150),
        (5, 6, 50),
        pytest.param(6, 7, POSITIONS, marks=pytest.mark.full),
    ],
)
def test_threads_find_the_scores_of_one_thread(rows, cols, positions, threads):
    chance = random.Random(threads)
    alone = Solver(rows, cols)
    together = Solver(rows, cols, log_buckets=4)  # few buckets: entries are overwritten at once
    together.use(threads)
    for _ in range(positions):
        env = random_game(chance, chance.randrange(rows * cols // 2 - 3, rows * cols), rows, cols)
        if env.is_terminal():
            continue
        position = position_of(env)
        score = alone.solve(*position)
        assert together.solve(*position) == score, env.history
        assert together.is_above(*position, score) is False
        assert together.is_above(*position, score - 1) is True
    assert together.nodes > alone.nodes


@pytest.mark.usefixtures("at_once")
def test_a_stop_ends_all_threads_and_a_limit_is_for_all_together():
    solver, before = Solver(), set(threading.enumerate())
    solver.use(3)
    flag = np.zeros(1, dtype=np.int64)
    solver.watch(flag)
    timer = threading.Timer(0.2, lambda: flag.__setitem__(0, 1))
    timer.start()
    assert solver.solve(0, 0) is None  # the empty board takes seconds
    timer.join()
    assert solver.stopped
    low, high = solver.bounds
    assert low < high
    assert set(threading.enumerate()) == before
    begun = solver.nodes
    solver.watch(np.zeros(1, dtype=np.int64), 100_000)
    assert solver.solve(0, 0) is None
    assert 100_000 <= solver.nodes - begun < 100_000 + 3 * 10


def test_short_searches_start_no_thread():
    solver = Solver()
    solver.use(4)
    env = random_game(random.Random(1), 30, 6, 7)
    alone = Solver()
    assert solver.solve(*position_of(env)) == alone.solve(*position_of(env))
    assert solver.nodes == alone.nodes


def test_one_thread_again_searches_as_before():
    solver, alone = Solver(), Solver()
    position = position_of(random_game(random.Random(3), 14, 6, 7))
    alone.solve(*position)
    solver.use(3)
    solver.solve(*position)
    solver.use(1)
    solver.forget()
    begun = solver.nodes
    solver.solve(*position)
    assert solver.nodes - begun == alone.nodes
    assert solver.threads == 1
