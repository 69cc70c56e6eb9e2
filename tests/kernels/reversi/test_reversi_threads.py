"""Reversi by several threads: the exact scores of one thread, equal estimates, stops, limits."""

import os
import random
import threading

import numpy as np
import pytest

from rl_toolkit.algorithms.reversi.book import rules_of
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.reversi.weights import shipped_weights
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi import endgame, midgame
from rl_toolkit.kernels.reversi.endgame import Solver

POSITIONS = int(os.environ.get("SOUNDNESS_POSITIONS", "5000"))


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(endgame, "ALONE", 0)
    monkeypatch.setattr(endgame, "SPLIT", 8)
    monkeypatch.setattr(endgame, "SPLIT_BY_MANY", 7)
    monkeypatch.setattr(midgame, "AIDED_FROM", 3)


def random_game(chance, empties, size=8):
    while True:
        env = Reversi(size)
        while not env.is_terminal() and np.count_nonzero(env.board == 0) > empties:
            env.step(chance.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env


def words_of(env):
    words = rules_of(env.rows).encode(np.asarray(env.board, dtype=np.int8), env.current_player)
    return int(words[0]), int(words[1])


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(
    ("size", "empties", "positions"),
    [
        (8, 13, 80),
        (6, 14, 20),
        pytest.param(8, 13, POSITIONS, marks=pytest.mark.full),
        pytest.param(8, 16, POSITIONS // 20, marks=pytest.mark.full),
    ],
)
def test_threads_find_the_scores_of_one_thread(size, empties, positions, threads):
    chance = random.Random(threads)
    weights = shipped_weights(size)
    alone = Solver(size, 16, weights)
    together = Solver(size, 0.01, weights)  # the smallest table: entries are overwritten at once
    together.use(threads)
    for _ in range(positions):
        env = random_game(chance, empties - chance.randrange(3), size)
        assert together.solve(*words_of(env)) == alone.solve(*words_of(env)), env.board
    assert together.nodes > alone.nodes


@pytest.mark.usefixtures("at_once")
def test_scores_of_all_moves_and_lines_agree():
    env = random_game(random.Random(5), 12)
    one = ReversiSolver().analyse(env)
    three = ReversiSolver(threads=3).analyse(env)
    assert three.threads == 3
    assert one.threads == 1
    scores = {c.move: c.score for c in one.candidates}
    assert {c.move: c.score for c in three.candidates} == scores
    assert all(c.proven for c in three.candidates)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [2, 4])
def test_estimates_of_a_depth_do_not_depend_on_threads(threads):
    chance = random.Random(1)
    for _ in range(5):
        env = random_game(chance, chance.randrange(30, 50))
        one = ReversiEngine(selective=False).analyse(env, Limit(depth=6))
        many = ReversiEngine(selective=False, threads=threads).analyse(env, Limit(depth=6))
        assert many.best.score == one.best.score
        assert many.depth == one.depth == 6


@pytest.mark.usefixtures("at_once")
def test_stops_and_limits():
    before, env = set(threading.enumerate()), random_game(random.Random(2), 26)
    flag = np.zeros(1, dtype=np.int64)
    solver = Solver(8, 16, shipped_weights())
    solver.use(3)
    solver.watch(flag)
    timer = threading.Timer(0.1, lambda: flag.__setitem__(0, 1))
    timer.start()
    assert solver.solve(*words_of(env)) is None
    timer.join()
    assert set(threading.enumerate()) == before
    begun = solver.nodes
    solver.watch(np.zeros(1, dtype=np.int64), 50_000)
    assert solver.solve(*words_of(env)) is None
    assert abs(solver.nodes - begun - 50_000) < 5000  # whole subtrees near the end are not stopped
    for engine in (ReversiEngine(threads=3), ReversiEngine(threads=3, every_move=True)):
        analysis = engine.analyse(env, Limit(nodes=20_000))
        assert analysis.nodes < 30_000
        assert analysis.threads == 3
    assert set(threading.enumerate()) == before


def test_a_flag_that_is_watched_reaches_threads_added_later():
    flag = np.ones(1, dtype=np.int64)
    solver = Solver(8, 1, shipped_weights())
    solver.watch(flag)
    solver.use(3)
    assert all(helper.stopped for helper in solver._helpers)


def test_one_thread_searches_the_nodes_it_always_did():
    env = random_game(random.Random(9), 16)
    solver, alone = Solver(8, 16, shipped_weights()), Solver(8, 16, shipped_weights())
    alone.solve(*words_of(env))
    solver.use(3)
    solver.solve(*words_of(env))
    solver.use(1)
    solver.forget()
    begun = solver.nodes
    solver.solve(*words_of(env))
    assert solver.nodes - begun == alone.nodes
