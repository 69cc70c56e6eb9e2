"""The window network is learned: positions, the model against its definition, training, files."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

import jax.numpy as jnp

from rl_toolkit.algorithms.gomoku.weights import checksum_of, shipped_weights
from rl_toolkit.algorithms.gomoku.window_weights import load_windows
from rl_toolkit.kernels.gomoku import reference_windows
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.learning.gomoku.games import CHOSEN, NO_MOVE, OPENING, Games
from rl_toolkit.learning.gomoku.pipeline import PIECE, Plan, learn
from rl_toolkit.learning.gomoku.selfplay import play
from rl_toolkit.learning.gomoku.windows.model import apply, first_params, network_of
from rl_toolkit.learning.gomoku.windows.pipeline import learn_windows
from rl_toolkit.learning.gomoku.windows.positions import NOT_NEAR, Positions, positions_of
from rl_toolkit.learning.gomoku.windows.training import train_windows

SIZE = 9


@pytest.fixture(scope="module")
def games() -> Games:
    return play(SIZE, False, shipped_weights(False), 500, 100, seed=3)


@pytest.fixture(scope="module")
def positions(games) -> Positions:
    return positions_of(games, SIZE, False, shipped_weights(False))


def test_positions_show_the_board_as_the_side_to_move_sees_it(games, positions):
    seen = 0
    for game in games:
        own, other = set(), set()  # stones of the side to move, and of the other
        for move, kind in zip(game.moves, game.kinds, strict=True):
            if seen < len(positions) and kind != OPENING:
                shown = (set(np.flatnonzero(positions.boards[seen] == stone)) for stone in (1, 2))
                if tuple(shown) == (own, other):
                    sign = 1 if len(own) == len(other) else -1
                    assert positions.results[seen] == sign * game.result
                    assert positions.chosen[seen] == (move if kind == CHOSEN else -1)
                    seen += 1
            if move != NO_MOVE:
                own, other = other, own | {move}
    assert seen == len(positions) > 200


def test_positions_have_the_value_and_the_ranks_that_the_search_uses(positions):
    space = Workspace(SIZE, False, shipped_weights(False), 1.0)
    for number in range(0, len(positions), 29):
        board = positions.boards[number]
        stones = [(int(cell), int(board[cell]) - 1) for cell in np.flatnonzero(board)]
        space.set_up(stones)  # the side to move is Black here
        assert space.think(0, -1_000, 1_000, 0, 0) == np.clip(positions.values[number], -1000, 1000)
        near = space.near(0)
        assert set(np.flatnonzero(positions.ranks[number] != NOT_NEAR)) == set(near)
        assert all(positions.ranks[number][cell] == rank for cell, rank in near.items())


def test_the_model_computes_what_the_network_of_integers_does(positions):
    params = first_params(1)
    chance = np.random.default_rng(2)
    params["w2"] = jnp.asarray(chance.normal(0, 2, 16), jnp.float32)
    params["rows"] += jnp.asarray(chance.normal(0, 0.3, params["rows"].shape), jnp.float32)
    network = network_of(params, base=1)
    boards = positions.boards[::60]
    added, ranks = apply(params, jnp.asarray(boards))
    for board, points, extra in zip(boards.tolist(), added, ranks, strict=True):
        exact = reference_windows.points_of(network, board, SIZE, 0)
        assert abs(exact) > 0
        assert exact == pytest.approx(150 * float(points), abs=3)  # 16 roundings of 1/8 point
        for cell in range(0, SIZE * SIZE, 11):
            rank = reference_windows.rank_of(network, board, SIZE, cell, 0)
            assert rank == pytest.approx(40 * float(extra[cell]), abs=1.01)


def test_training_predicts_better_and_resumes_to_equal_numbers(positions, tmp_path):
    def train(state: Path, stop: threading.Event | None = None):
        return train_windows(positions, 7, state, passes=3, batch=64, seed=1, stop=stop)

    whole = train(tmp_path / "whole")
    assert whole.after.loss < whole.before.loss
    assert whole.network.base == 7
    stop = threading.Event()
    stop.set()
    assert train(tmp_path / "parts", stop) is None  # after one step
    assert (tmp_path / "parts").exists()
    again = train(tmp_path / "parts")
    np.testing.assert_array_equal(again.network.rows, whole.network.rows)
    np.testing.assert_array_equal(again.network.w1, whole.network.w1)


def test_a_damaged_state_is_refused(positions, tmp_path):
    state = tmp_path / "state"
    for damage in (b"", b"PK not a zip", b"nothing"):
        state.write_bytes(damage)
        with pytest.raises(ValueError, match="state is damaged; delete it to begin"):
            train_windows(positions, 7, state, passes=3, batch=64)


def test_a_network_is_trained_on_the_games_of_an_evaluation_and_corrects_it(tmp_path):
    plan = Plan(positions=PIECE, nodes=100, size=SIZE, seed=5)
    learned = learn(tmp_path, plan)
    found = learn_windows(learned, plan, passes=0.5)
    assert found.path == tmp_path / "gomoku-windows.weights"
    network = load_windows(found.path, False, checksum_of(learned.path))
    assert network.base == checksum_of(tmp_path / "gomoku.weights")
    assert found.positions > 1000
    assert not (tmp_path / "gomoku-windows.state").exists()
