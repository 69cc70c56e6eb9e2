"""Tree search by several threads: counts that add up, true proofs, limits, and one tree to show."""

import random
import threading

import numpy as np
import pytest

from rl_toolkit.algorithms.mcts import MCTSSolver, tree_team
from rl_toolkit.algorithms.mcts.compiled_tree import compiled_tree
from rl_toolkit.algorithms.mcts.tree import Settings
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game


@pytest.fixture(autouse=True)
def threads_begin_early(monkeypatch):
    monkeypatch.setattr(tree_team, "ALONE", 100)


def children(tree, node):
    record = tree._nodes[node]
    first = int(record["first"])
    return {int(tree._nodes["move"][k]): k for k in range(first, first + int(record["tried"]))}


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("game", ["connect-four", "reversi", "gomoku-9", "tictactoe-4x4x4"])
def test_merged_trees_agree_and_no_simulation_is_lost(game, threads):
    tree = compiled_tree(make_game(game), Settings(max_memory_mb=64), 3, threads=threads)
    for some in (100, 300, 1000, 5000, 5000):
        tree.run(some)
    record = tree._nodes[0]
    assert tree.simulations == 11_400 == int(record["visits"])
    below = tree._nodes[int(record["first"]) :][: int(record["tried"])]
    assert int(below["visits"].sum()) == 11_400
    assert int(below["total"].sum()) == -int(record["total"])
    for other in tree._others:
        at_root = children(other, 0)
        assert other._nodes["visits"][0] == 11_400
        for move, child in children(tree, 0).items():
            for field in ("visits", "total", "value", "inverse_sqrt_visits", "proof"):
                assert tree._nodes[field][child] == other._nodes[field][at_root[move]], field


def test_merging_again_changes_nothing():
    tree = compiled_tree(make_game("connect-four"), Settings(max_memory_mb=32), 3, threads=3)
    for some in (200, 5000, 5000):
        tree.run(some)
    before = [t._nodes[:2000].copy() for t in (tree, *tree._others)]
    tree._merge()
    for t, nodes in zip((tree, *tree._others), before, strict=True):
        assert np.array_equal(t._nodes[:2000], nodes)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("game", ["tictactoe", "connect-four-4x4", "reversi-4"])
def test_what_several_threads_prove_is_true(game, threads):
    chance, proven = random.Random(game), 0
    for _ in range(8):
        env = make_game(game)
        while len(env.get_legal_moves()) and np.count_nonzero(np.asarray(env.board) == 0) > 7:
            env.step(chance.choice(env.get_legal_moves()))
            if env.is_terminal():
                env = make_game(game)
        solver = MCTSSolver(6000, seed=4, compiled=True, tactics=False, threads=threads)
        truth = MinimaxSolver.strong().analyse(env)
        for candidate in solver.analyse(env).candidates:
            if candidate.proven:
                proven += 1
                assert candidate.outcome == truth.candidate(candidate.move).outcome
    assert proven >= 5


def test_limits_hold_for_all_threads_together():
    env = make_game("connect-four")
    solver = MCTSSolver(seed=1, threads=4, compiled=True)
    assert solver.analyse(env, Limit(simulations=7001)).simulations == 7001
    analysis = solver.analyse(env, Limit(nodes=5000))
    assert analysis.nodes == 5000
    assert analysis.threads == 4
    small = MCTSSolver(20_000, seed=1, threads=4, max_memory_mb=0.2, compiled=True).analyse(env)
    assert small.simulations == 20_000
    assert any("memory" in note for note in small.notes)


def test_a_stop_ends_all_threads():
    before, stop = set(threading.enumerate()), threading.Event()

    def stop_soon(_):
        stop.set()

    solver = MCTSSolver(seed=1, threads=3)
    analysis = solver.analyse(make_game("gomoku-9"), Limit(time=60), stop_soon, stop)
    assert analysis.elapsed < 30
    assert set(threading.enumerate()) == before


def test_a_tree_grown_by_threads_is_kept_for_the_next_move():
    env = make_game("connect-four")
    solver = MCTSSolver(20_000, seed=1, threads=2, reuse_tree=True)
    best = solver.analyse(env).best_move
    env.step(best)
    visits = solver.analyse(env, Limit(simulations=1)).candidates
    assert sum(candidate.visits for candidate in visits) > 1000
    more = solver.analyse(env, Limit(simulations=20_000))
    assert more.simulations == 20_000


def test_a_search_in_python_says_that_it_used_one_thread():
    analysis = MCTSSolver(100, seed=1, threads=4, compiled=False).analyse(make_game("tictactoe"))
    assert analysis.threads == 1


def test_one_thread_searches_as_if_there_were_no_others():
    env = make_game("connect-four")
    one = MCTSSolver(5000, seed=1).analyse(env)
    same = MCTSSolver(5000, seed=1, threads=1).analyse(env)
    assert [c.visits for c in one.candidates] == [c.visits for c in same.candidates]
    with pytest.raises(ValueError, match="threads must be"):
        MCTSSolver(threads=0)
