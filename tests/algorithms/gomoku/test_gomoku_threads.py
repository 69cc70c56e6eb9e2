"""Gomoku by several threads: depths reached, forced results, stops, limits."""

import random
import threading

import pytest

from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Gomoku
from rl_toolkit.kernels.gomoku import workspace


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(workspace, "AIDED_FROM", 2)


def scattered(chance, stones):
    env, cells = Gomoku(), [112]
    env.step(112)
    while env.move_count < stones and not env.is_terminal():
        near = chance.choice(cells) + 15 * chance.choice((-1, 0, 1)) + chance.choice((-1, 0, 1))
        if near in env.get_legal_moves():
            cells.append(near)
            env.step(near)
    return env


@pytest.mark.parametrize("threads", [2, 4])
def test_what_is_proven_by_threads_and_alone_agrees(threads):
    chance, proven = random.Random(threads), 0
    one, many = GomokuEngine(), GomokuEngine(threads=threads, max_memory_mb=1)
    for _ in range(20):
        env = scattered(chance, chance.randrange(6, 14))
        if env.is_terminal():
            continue
        alone, together = (e.analyse(env, Limit(depth=5)) for e in (one, many))
        assert together.threads == threads
        if alone.proven and together.proven:
            proven += 1
            assert alone.outcome == together.outcome
        elif alone.depth == together.depth == 5:
            assert abs(alone.value - together.value) < 0.9
        assert set(env.get_legal_moves()) == {c.move for c in together.candidates}
    assert proven > 2


def test_a_stop_and_a_limit_end_all_threads():
    env, before = scattered(random.Random(3), 8), set(threading.enumerate())
    engine, stop = GomokuEngine(threads=3), threading.Event()
    analysis = engine.analyse(env, Limit(time=60), lambda _: stop.set(), stop)
    assert analysis.elapsed < 30
    assert set(threading.enumerate()) == before
    analysis = engine.analyse(env, Limit(nodes=30_000))
    assert analysis.nodes < 40_000
    assert set(threading.enumerate()) == before


def test_one_thread_is_repeatable_after_several():
    env = scattered(random.Random(4), 8)
    alone = GomokuEngine().analyse(env, Limit(depth=6))
    engine = GomokuEngine(threads=3)
    engine.analyse(env, Limit(depth=6))
    engine.threads = 1
    engine.forget()
    again = engine.analyse(env, Limit(depth=6))
    assert again.threads == 1
    assert again.nodes == alone.nodes
