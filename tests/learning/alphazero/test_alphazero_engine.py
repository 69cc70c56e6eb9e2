"""The engine `alphazero`: what it answers, within which limits, and what it refuses."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from network_makers import random_tensors, uniform_tensors
from search_checks import check_proofs, middle_position
from stopping import HeardStop

from rl_toolkit.algorithms.mcts import growth
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.learning.alphazero.inference import NumpyNetwork, evaluate
from rl_toolkit.learning.alphazero.weights import WeightsError, load_weights, save_weights
from rl_toolkit.players import make_engine, make_player
from rl_toolkit.players.options import SpecError

GAMES = ("tictactoe", "connect-four", "gomoku-9", "reversi-6")


def network(folder: Path, game: str, *, uniform: bool = False, seed: int = 0) -> Path:
    env = make_game(game)
    tensors = uniform_tensors(env) if uniform else random_tensors(env, seed=seed, spread=2.0)
    path = folder / f"{env.name}-{uniform}-{seed}.npz"
    save_weights(path, tensors, game=env.name, rows=env.rows, cols=env.cols)
    return path


def played(game: str, *moves: int) -> BaseGameEnv:
    env = make_game(game)
    for move in moves:
        env.step(move)
    return env


@pytest.mark.parametrize("game", GAMES)
def test_every_move_has_prior_visits_and_value(game: str, tmp_path: Path) -> None:
    env = middle_position(game, random.Random(game), most=0.3)
    path = network(tmp_path, game)
    analysis = AlphaZeroEngine(path, seed=1).analyse(env, Limit(simulations=60))
    assert {c.move for c in analysis.candidates} == set(env.get_legal_moves())
    legal = np.zeros((1, env.num_moves), dtype=bool)
    legal[0, env.get_legal_moves()] = True
    expected = evaluate(NumpyNetwork(load_weights(path)), planes_of([env]), legal).priors[0]
    for candidate in analysis.candidates:
        assert candidate.prior == pytest.approx(expected[candidate.move], abs=1e-4)
        assert candidate.visits is not None
        if candidate.visits or candidate.proven:
            assert candidate.value is not None
            assert -1 <= candidate.value <= 1
        else:
            assert candidate.value is None
        assert candidate.line[0] == candidate.move
    visits = [c.visits for c in analysis.candidates if c.visits is not None]
    assert analysis.simulations == 60 or analysis.proven
    assert sum(visits) <= 60
    assert analysis.best_move == analysis.candidates[0].move
    assert "expects" in analysis.notes[0]
    assert Analysis.from_json(analysis.to_json()) == analysis


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_limit_give_the_same_answer(game: str, tmp_path: Path) -> None:
    path = network(tmp_path, game)
    env = middle_position(game, random.Random(game), most=0.3)
    answers = []
    for engine in (AlphaZeroEngine(path, seed=3), AlphaZeroEngine(path, seed=3)):
        answers += [engine.analyse(env, Limit(simulations=50)).candidates for _ in range(2)]
    assert answers[0] == answers[1] == answers[2] == answers[3]


def test_readable_and_compiled_engines_agree(tmp_path: Path) -> None:
    path = network(tmp_path, "reversi-6")
    env = played("reversi-6")
    both = [
        AlphaZeroEngine(path, seed=1, compiled=compiled, backend="numpy") for compiled in (0, 1)
    ]
    one, other = (engine.analyse(env, Limit(simulations=120)) for engine in both)
    assert one.candidates == other.candidates
    assert (one.nodes, one.depth, one.simulations) == (other.nodes, other.depth, other.simulations)


def test_policy_only_plays_what_the_network_likes_best(tmp_path: Path) -> None:
    path = network(tmp_path, "connect-four")
    env = played("connect-four", 3, 3)
    analysis = AlphaZeroEngine(path, policy_only=True).analyse(env, Limit(time=60))
    priors = [c.prior for c in analysis.candidates]
    assert priors == sorted(priors, key=lambda prior: -(prior or 0))
    assert sum(prior or 0 for prior in priors) == pytest.approx(1)
    assert analysis.simulations == 0
    assert not analysis.proven


def test_wins_are_taken_and_losses_stopped_whatever_the_network_thinks(tmp_path: Path) -> None:
    for seed in range(3):
        engine = AlphaZeroEngine(network(tmp_path, "connect-four", seed=seed), seed=0)
        win = engine.analyse(played("connect-four", 3, 0, 3, 0, 3, 0), Limit(simulations=10))
        assert (win.best_move, win.outcome, win.proven, win.distance) == (3, "win", True, 1)
        block = engine.analyse(played("connect-four", 3, 0, 3, 0, 3), Limit(simulations=10))
        assert block.best_move == 3
        assert all(c.outcome == "loss" for c in block.candidates[1:])


@pytest.mark.parametrize(
    "game",
    ["tictactoe", "connect-four-4x4", pytest.param("reversi-4", marks=pytest.mark.full)],
)
def test_proofs_are_true(game: str, tmp_path: Path) -> None:
    rng, found = random.Random(game), 0
    engine = AlphaZeroEngine(network(tmp_path, game), seed=0)
    for _ in range(4):
        env = middle_position(game, rng)
        found += check_proofs(env, engine.analyse(env, Limit(simulations=400)))
    assert found >= 4


def test_enough_search_proves_tic_tac_toe_a_draw(tmp_path: Path) -> None:
    engine = AlphaZeroEngine(network(tmp_path, "tictactoe", uniform=True), cpuct=30, seed=0)
    analysis = engine.analyse(make_game("tictactoe"), Limit(simulations=400_000))
    assert (analysis.outcome, analysis.proven) == ("draw", True)


def test_a_pass_is_played_in_reversi(tmp_path: Path) -> None:
    env = make_game("reversi-4")
    rng = random.Random(5)
    while env.get_legal_moves() != [16]:  # until a side must pass
        if env.is_terminal():
            env.reset()
        env.step(rng.choice(env.get_legal_moves()))
    analysis = AlphaZeroEngine(network(tmp_path, "reversi-4")).analyse(env, Limit(simulations=20))
    assert analysis.best_move == 16


def test_a_finished_game_is_told_as_such(tmp_path: Path) -> None:
    env = played("tictactoe", 0, 3, 1, 4, 2)
    analysis = AlphaZeroEngine(network(tmp_path, "tictactoe")).analyse(env)
    assert (analysis.candidates, analysis.proven) == ((), True)


def test_the_move_played_is_the_best_of_those_looked_at_enough(tmp_path: Path) -> None:
    rng, told = random.Random(2), 0
    for seed in range(6):
        env = middle_position("connect-four", rng, most=0.5)
        engine = AlphaZeroEngine(network(tmp_path, "connect-four", seed=seed), seed=0)
        analysis = engine.analyse(env, Limit(simulations=80))
        undecided = [c for c in analysis.candidates if c.outcome not in ("win", "loss")]
        if analysis.proven or not undecided:
            continue
        visits = {c.move: c.visits or 0 for c in undecided}
        most = max(undecided, key=lambda c: visits[c.move])
        trusted = [c for c in undecided if visits[c.move] >= visits[most.move] / 4]
        assert undecided[: len(trusted)] == trusted
        values = [c.value for c in trusted]
        assert values == sorted(values, reverse=True)
        rest = [visits[c.move] for c in undecided[len(trusted) :]]
        assert rest == sorted(rest, reverse=True)
        shown = [view.move for view in analysis.tree(depth=1, top=9).children]
        assert shown == [c.move for c in analysis.candidates if c.move in shown]
        says = any("has the most visits, but" in note for note in analysis.notes)
        assert says == (analysis.candidates[0].value > most.value)
        told += says
    assert told


# ------------------------------------------------------------------------------ limits


def test_a_stop_signal_ends_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_REPORT_EVERY", 0.0)  # after every slice of work
    engine = AlphaZeroEngine(network(tmp_path, "gomoku-9"))
    stop = HeardStop()
    heard: list[Analysis] = []

    def hear(analysis: Analysis) -> None:
        heard.append(analysis)
        stop.set()

    analysis = engine.analyse(make_game("gomoku-9"), Limit(simulations=20_000), hear, stop)
    assert len(heard) == 1
    assert analysis.simulations is not None
    assert analysis.simulations < 20_000
    assert heard[0].candidates[0].prior is not None
    assert analysis.best_move is not None


def test_stopped_before_it_began_it_still_answers(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    engine = AlphaZeroEngine(network(tmp_path, "connect-four"))
    analysis = engine.analyse(make_game("connect-four"), Limit(time=60), stop=stop)
    liked = max(analysis.candidates, key=lambda c: c.prior or 0)
    assert analysis.best_move == liked.move


def test_the_cap_on_memory_is_kept_and_told(tmp_path: Path) -> None:
    engine = AlphaZeroEngine(network(tmp_path, "gomoku-9"), max_memory_mb=0.01)
    analysis = engine.analyse(make_game("gomoku-9"), Limit(simulations=100))
    assert analysis.simulations == 100
    assert any("cap of 0.01 MB" in note for note in analysis.notes)


def test_the_tree_can_be_looked_at(tmp_path: Path) -> None:
    engine = AlphaZeroEngine(network(tmp_path, "connect-four"), seed=0)
    analysis = engine.analyse(make_game("connect-four"), Limit(simulations=100))
    view = analysis.tree(depth=2, top=3)
    first = view.children[0]
    assert (view.visits, first.move) == (100, analysis.best_move)
    assert first.prior == pytest.approx(analysis.candidates[0].prior)
    assert first.exploitation + first.exploration == pytest.approx(analysis.candidates[0].uct)


# ---------------------------------------------------------------------------- refusals


def test_a_network_for_another_game_is_refused(tmp_path: Path) -> None:
    engine = AlphaZeroEngine(network(tmp_path, "reversi-6"))
    with pytest.raises(
        WeightsError, match=r"plays reversi-6 \(6 × 6, 37 moves.*, not connect-four"
    ):
        engine.analyse(make_game("connect-four"))


def test_a_game_without_a_network_is_refused() -> None:
    with pytest.raises(WeightsError, match=r"no trained network for gomoku-19; .*train"):
        AlphaZeroEngine().analyse(make_game("gomoku-19"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"batch": 0},
        {"cpuct": -1},
        {"max_memory_mb": 0},
        {"backend": "torch"},
        {"root_prior_power": 2},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AlphaZeroEngine(**wrong)


# --------------------------------------------------------------------------- registry


def test_the_engine_is_made_from_a_spec(tmp_path: Path) -> None:
    path = network(tmp_path, "tictactoe")
    player = make_engine(f"AlphaZero:Weights={path},backend=NumPy,simulations=9,seed=1")
    assert player.spec.text == f"alphazero:simulations=9,weights={path},backend=numpy,seed=1"
    env = make_game("tictactoe")
    assert player.analyse(env).simulations == 9
    assert player.engine._network(env)[1].backend == "numpy"


def test_a_file_that_is_no_network_is_refused_when_asked(tmp_path: Path) -> None:
    player = make_engine(f"alphazero:weights={tmp_path / 'Nothing.npz'}")
    with pytest.raises(WeightsError, match="No such file"):
        player.analyse(make_game("tictactoe"))


def test_choices_are_listed() -> None:
    with pytest.raises(SpecError, match="backend is auto, onnx or numpy, not 'torch'"):
        make_engine("alphazero:backend=torch")


def test_a_game_without_a_network_takes_one_of_your_own(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"does not play gomoku-13; .*`rl-toolkit train`"):
        make_player("gomoku-13", "alphazero")
    path = network(tmp_path, "gomoku-13")
    player = make_player("gomoku-13", f"alphazero:weights={path},simulations=5")
    assert player.analyse(make_game("gomoku-13")).simulations == 5
