"""Search led by a network: the compiled tree held to the readable one, and both to the truth."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from network_makers import random_tensors
from search_checks import middle_position

from rl_toolkit.algorithms.mcts.report import SearchNode
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.kernels.search.mcts_node import NODE
from rl_toolkit.learning.alphazero.compiled_puct_tree import CompiledPuctTree, compiled_puct_tree
from rl_toolkit.learning.alphazero.inference import GRAIN, Evaluation, NumpyNetwork, evaluate
from rl_toolkit.learning.alphazero.puct_tree import (
    WIDENED,
    PuctSettings,
    PythonPuctTree,
    flatten_priors,
)
from rl_toolkit.learning.alphazero.weights import save_weights

GAMES = (
    "tictactoe",
    "tictactoe-3x4x3",
    "connect-four",
    "connect-four-4x4",
    "gomoku-9",
    "reversi-4",
    "reversi-6",
)


def hunch(planes: Any, allowed: Any) -> Evaluation:
    """A network made of arithmetic: opinions that depend on every piece, without meaning."""
    weights = np.arange(1, planes[0].size + 1) * 7919 % 997
    seen = (planes.reshape(len(planes), -1) @ weights).astype(np.int64)
    moves = np.arange(1, allowed.shape[1] + 1)
    wishes = ((seen[:, None] * moves * 31) % 97 + 1.0) * allowed
    shares = np.rint(wishes / wishes.sum(axis=1, keepdims=True) / GRAIN) * GRAIN
    wins = np.rint((seen % 1009) / 1009 / GRAIN) * GRAIN
    return Evaluation(shares, np.stack([wins, np.zeros_like(wins), 1 - wins], axis=1))


def no_opinion(planes: Any, allowed: Any) -> Evaluation:
    """All moves alike, every position a draw."""
    even = np.rint(allowed / allowed.sum(axis=1, keepdims=True) / GRAIN) * GRAIN
    return Evaluation(even, np.tile([0.0, 1.0, 0.0], (len(planes), 1)))


def compiled(env: BaseGameEnv, settings: PuctSettings, ask: Any, seed: int) -> CompiledPuctTree:
    tree = compiled_puct_tree(env, settings, ask, seed)
    assert tree is not None
    return tree


def picture(node: SearchNode) -> tuple[Any, ...]:
    """Everything a tree says, as deep as it goes."""
    below = {move: picture(child) for move, child in node.children.items()}
    return node.visit_count, node.total_value, node.prior, node.outcome, node.ended, below


def check_twins(env: BaseGameEnv, settings: PuctSettings, ask: Any, seed: int, walks: int) -> None:
    twins = PythonPuctTree(env, settings, ask, seed), compiled(env, settings, ask, seed)
    for tree in twins:
        tree.run(walks, walks)
    readable, fast = twins
    assert picture(readable.root) == picture(fast.root)
    assert list(readable.root.children) == list(fast.root.children)
    for count in ("simulations", "nodes", "deepest", "settled", "full"):
        assert getattr(readable, count) == getattr(fast, count)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("batch", [1, 8])
def test_the_compiled_search_makes_the_same_visits(game: str, batch: int) -> None:
    rng = random.Random(f"{game}-{batch}")
    for ask in (hunch, no_opinion):
        for tactics in (True, False):
            env, seed = middle_position(game, rng), rng.randrange(10_000)
            trust = rng.choice([0.0, 0.3, 1.0])
            settings = PuctSettings(
                rng.choice([0.5, 1.5, 4.0]), batch, tactics, root_prior_power=trust
            )
            check_twins(env, settings, ask, seed, 20 if game == "gomoku-9" else 60)


@pytest.mark.full
@pytest.mark.parametrize("game", [*GAMES, "gomoku-15", "gomoku-20", "tictactoe-9x9x4", "reversi"])
def test_the_compiled_search_makes_the_same_visits_in_many_positions(game: str) -> None:
    rng = random.Random(game)
    for walks in (1, 30, 30, 200):
        env, ask = middle_position(game, rng), rng.choice([hunch, no_opinion])
        batch, trust = rng.choice([1, 2, 7, 16, 64]), rng.random()
        settings = PuctSettings(rng.uniform(0.3, 4), batch, root_prior_power=trust)
        check_twins(env, settings, ask, rng.randrange(10_000), walks)


def test_twins_agree_with_a_real_network(tmp_path: Any) -> None:
    env = make_game("connect-four")
    tensors = random_tensors(env, spread=3.0)
    weights = save_weights(tmp_path / "n.npz", tensors, game=env.name, rows=6, cols=7)
    check_twins(env, PuctSettings(), partial(evaluate, NumpyNetwork(weights)), 5, 200)


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "reversi-6"])
def test_a_search_cut_into_runs_is_the_same_search(game: str) -> None:
    env = middle_position(game, random.Random(game), most=0.5)
    whole = compiled(env, PuctSettings(), hunch, 1)
    whole.run(150, 150)
    pieces = compiled(env, PuctSettings(), hunch, 1)
    while pieces.simulations < 150 and not pieces.settled:
        pieces.run(7, 150 - pieces.simulations)
    assert picture(whole.root) == picture(pieces.root)


@pytest.mark.parametrize("ask", [hunch, no_opinion])
def test_visits_add_up_and_no_virtual_loss_is_left(ask: Callable[..., Evaluation]) -> None:
    tree = compiled(make_game("connect-four"), PuctSettings(batch=32), ask, 3)
    tree.run(500, 500)

    def check(node: Any) -> None:
        below = sum(child.visit_count for child in node.children.values())
        assert node.outcome is not None or node.visit_count - below in (0, 1)
        assert abs(node.total_value) <= node.visit_count
        for child in node.children.values():
            if child.visit_count:
                check(child)

    assert tree.simulations == tree.root.visit_count == 500
    check(tree.root)


@pytest.mark.parametrize("moves", [1, 3, WIDENED, 60])
@pytest.mark.parametrize("trust", [0.0, 0.3, 1.0])
def test_widened_priors_are_the_same_shares_nearer_to_each_other(moves: int, trust: float) -> None:
    rng = np.random.default_rng(moves)
    priors = np.rint(rng.dirichlet(np.full(moves, 0.3)) / GRAIN) * GRAIN
    priors[rng.random(moves) < 0.2] = 0.0
    wide = flatten_priors(priors, trust)
    assert wide.sum() == pytest.approx(priors.sum(), abs=1e-6)
    assert ((wide > 0) == (priors > 0)).all()
    assert (wide / GRAIN % 1 == 0).all()
    order = np.argsort(-priors, kind="stable")
    best = [move for move in order[:WIDENED] if priors[move]]
    assert (wide[order[WIDENED:]] == priors[order[WIDENED:]]).all()
    for one, other in pairwise(best):
        ratio = (priors[one] / priors[other]) ** trust
        assert wide[one] == pytest.approx(wide[other] * ratio, abs=GRAIN * (1 + ratio))


def test_a_move_that_the_network_underrates_is_found_from_the_root() -> None:
    """Priors want column a, values want pieces in column g."""

    def mistaken(planes: Any, allowed: Any) -> Evaluation:
        priors = np.tile([0.94, *[0.01] * 6], (len(planes), 1)) * allowed
        better = planes[:, :, 6, 0].sum(axis=1) - planes[:, :, 6, 1].sum(axis=1)
        wins = 0.5 + np.clip(better, -1, 1) / 4
        return Evaluation(
            np.rint(priors / priors.sum(axis=1, keepdims=True) / GRAIN) * GRAIN,
            np.stack([wins, np.zeros_like(wins), 1 - wins], axis=1),
        )

    found = []
    for trust in (1.0, 0.3):
        tree = compiled(
            make_game("connect-four"), PuctSettings(root_prior_power=trust), mistaken, 0
        )
        tree.run(64, 64)
        favourite = tree.root.favourite()
        assert favourite is not None
        found.append(favourite.move_from_parent)
    assert found == [0, 6]


def test_a_win_at_once_needs_no_network() -> None:
    env = make_game("connect-four")
    for move in (3, 0, 3, 0, 3, 0):
        env.step(move)

    def never(planes: Any, allowed: Any) -> Evaluation:
        raise AssertionError("the network was asked about a won position")

    tree = compiled(env, PuctSettings(), never, 0)
    tree.run(50, 50)
    assert tree.settled
    assert tree.root.children[3].outcome == "win"


def test_the_network_is_asked_in_batches() -> None:
    sizes: list[int] = []

    def counting(planes: Any, allowed: Any) -> Evaluation:
        sizes.append(len(planes))
        return no_opinion(planes, allowed)

    tree = compiled(make_game("gomoku-9"), PuctSettings(batch=16), counting, 0)
    tree.run(300, 300)
    assert sizes[0] == 1  # nothing but the root
    assert max(sizes) == 16
    assert sum(sizes) == tree.simulations == 300


def test_forced_replies_are_not_asked_about() -> None:
    """X threatens and O has one answer: the walk goes on behind it."""
    env = make_game("connect-four")
    for move in (3, 0, 3, 0, 3):
        env.step(move)
    tree = compiled(env, PuctSettings(), no_opinion, 0)
    tree.run(1, 1)
    assert list(tree.root.children) == [3]
    assert tree.root.children[3].visit_count == 1
    assert tree.deepest == 1


def test_a_full_tree_is_searched_on_without_growing() -> None:
    room = 400 * NODE.itemsize / 2**20
    tree = compiled(make_game("gomoku-9"), PuctSettings(max_memory_mb=room), hunch, 0)
    tree.run(200, 200)
    assert tree.full
    assert tree.simulations == tree.root.visit_count == 200


def test_the_seed_decides_among_equals() -> None:
    env = make_game("tictactoe")
    firsts = set()
    for seed in range(12):
        tree = compiled(env, PuctSettings(), no_opinion, seed)
        tree.run(2, 2)
        firsts |= {move for move, child in tree.root.children.items() if child.visit_count}
    assert len(firsts) > 3
