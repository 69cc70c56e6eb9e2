"""Networks asked: the planes, NumPy against an independent sum, onnxruntime against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from network_makers import random_tensors, uniform_tensors

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.learning.alphazero import inference
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.learning.alphazero.inference import (
    GRAIN,
    Network,
    NumpyNetwork,
    OnnxNetwork,
    evaluate,
    make_network,
)
from rl_toolkit.learning.alphazero.weights import NetworkWeights, save_weights

GAMES = ("tictactoe", "connect-four", "gomoku-9", "reversi-6", "tictactoe-3x5x3")


def network_for(env: BaseGameEnv, folder: Path, **shape: int) -> NetworkWeights:
    tensors = random_tensors(env, **shape)
    return save_weights(folder / "net.npz", tensors, game=env.name, rows=env.rows, cols=env.cols)


def random_positions(game: str, count: int, seed: int = 0) -> list[BaseGameEnv]:
    rng = np.random.default_rng(seed)
    found: list[BaseGameEnv] = []
    while len(found) < count:
        env = make_game(game)
        for _ in range(rng.integers(0, env.rows * env.cols)):
            if env.is_terminal():
                break
            env.step(int(rng.choice(env.get_legal_moves())))
        if not env.is_terminal():
            found.append(env)
    return found


# ------------------------------------------------------------------------------ planes


@pytest.mark.parametrize("game", GAMES)
def test_planes_show_the_board_as_it_is_drawn(game: str) -> None:
    for env in random_positions(game, 5):
        planes = planes_of([env])[0]
        drawn = env.board.reshape(env.rows, env.cols)
        if env.traits.row_one_at == "bottom":
            drawn = drawn[::-1]
        assert (planes[..., 0] == (drawn == env.current_player)).all()
        assert (planes[..., 1] == (drawn == -env.current_player)).all()
        assert planes[..., 2].min() == planes[..., 2].max()


def test_the_third_plane_tells_who_opened() -> None:
    env = make_game("connect-four")
    assert planes_of([env])[0, 0, 0, 2] == 1
    env.step(3)
    assert planes_of([env])[0, 0, 0, 2] == 0
    env.reset(first_player=-1)
    assert planes_of([env])[0, 0, 0, 2] == 1  # whoever it was


def test_the_third_plane_of_reversi_tells_who_may_hope_to_move_last() -> None:
    env = make_game("reversi-6")
    assert planes_of([env])[0, 0, 0, 2] == 0
    env.step(env.get_legal_moves()[0])
    assert planes_of([env])[0, 0, 0, 2] == 1


# ---------------------------------------------------------------------------- networks


def plain_forward(weights: NetworkWeights, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The network in words of single numbers, for one position; slow and independent."""
    tensors = {name: tensor.astype(np.float64) for name, tensor in weights.tensors.items()}

    def convolution(layer: str, x: np.ndarray) -> np.ndarray:
        w, b = tensors[f"{layer}.w"], tensors[f"{layer}.b"]
        reach = w.shape[0] // 2
        out = np.zeros((*x.shape[:2], w.shape[3]))
        for row, col in np.ndindex(*x.shape[:2]):
            total = b.copy()
            for dr, dc in np.ndindex(*w.shape[:2]):
                r, c = row + dr - reach, col + dc - reach
                if 0 <= r < x.shape[0] and 0 <= c < x.shape[1]:
                    total += x[r, c] @ w[dr, dc]
            out[row, col] = total
        return out

    def dense(layer: str, x: np.ndarray) -> np.ndarray:
        return np.asarray(x @ tensors[f"{layer}.w"] + tensors[f"{layer}.b"])

    x = np.maximum(convolution("stem", planes), 0)
    for block in range(weights.blocks):
        inner = np.maximum(convolution(f"block{block}.a", x), 0)
        x = np.maximum(convolution(f"block{block}.b", inner) + x, 0)
    policy = dense("policy.dense", np.maximum(convolution("policy.conv", x), 0).reshape(-1))
    hidden = dense("value.hidden", np.maximum(convolution("value.conv", x), 0).reshape(-1))
    return policy, dense("value.out", np.maximum(hidden, 0))


@pytest.mark.parametrize("game", ["tictactoe-3x5x3", "reversi-6"])
def test_numpy_computes_what_the_format_says(game: str, tmp_path: Path) -> None:
    weights = network_for(make_game(game), tmp_path, channels=5, blocks=2)
    planes = planes_of(random_positions(game, 3))
    policy, results = NumpyNetwork(weights)(planes)
    for number, position in enumerate(planes):
        expected = plain_forward(weights, position)
        np.testing.assert_allclose(policy[number], expected[0], atol=1e-5)
        np.testing.assert_allclose(results[number], expected[1], atol=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_onnxruntime_and_numpy_agree(game: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    weights = network_for(make_game(game), tmp_path, channels=16, blocks=3)
    positions = random_positions(game, 33)
    both: list[Network] = [NumpyNetwork(weights), OnnxNetwork(weights)]
    for planes in (planes_of(positions), planes_of(positions[:1])):
        one, other = (network(planes) for network in both)
        np.testing.assert_allclose(one.policy, other.policy, atol=2e-5)
        np.testing.assert_allclose(one.results, other.results, atol=2e-5)


def test_judging_shares_out_among_the_allowed_moves(tmp_path: Path) -> None:
    env = make_game("connect-four")
    network = NumpyNetwork(network_for(env, tmp_path))
    allowed = np.array([[True] * 7, [False, True, False, True, False, False, False]])
    judged = evaluate(network, planes_of([env, env]), allowed)
    assert (judged.priors[1][~allowed[1]] == 0).all()
    np.testing.assert_allclose(judged.priors.sum(axis=1), 1, atol=1e-6)
    ratio = judged.priors[0, 1] / judged.priors[0, 3]
    assert judged.priors[1, 1] / judged.priors[1, 3] == pytest.approx(ratio, rel=1e-5)
    assert (judged.priors / GRAIN == np.rint(judged.priors / GRAIN)).all()
    assert (judged.values / GRAIN == np.rint(judged.values / GRAIN)).all()
    assert (np.abs(judged.values) <= 1).all()


def test_a_uniform_network_has_no_opinion(tmp_path: Path) -> None:
    env = make_game("tictactoe")
    weights = save_weights(
        tmp_path / "net.npz", uniform_tensors(env), game=env.name, rows=3, cols=3
    )
    judged = evaluate(NumpyNetwork(weights), planes_of([env]), np.ones((1, 9), dtype=bool))
    np.testing.assert_allclose(judged.priors[0], 1 / 9, atol=1e-6)
    np.testing.assert_allclose(judged.results[0], 1 / 3)
    assert judged.values[0] == 0


def test_the_backend_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = network_for(make_game("tictactoe"), tmp_path)
    assert make_network(weights, "numpy").backend == "numpy"
    monkeypatch.setattr(inference, "has_onnxruntime", lambda: False)
    assert make_network(weights).backend == "numpy"
    with pytest.raises(ValueError, match=r"pip install 'onnxruntime>="):
        make_network(weights, "onnx")
    monkeypatch.undo()
    pytest.importorskip("onnxruntime")
    assert make_network(weights).backend == "onnx"
