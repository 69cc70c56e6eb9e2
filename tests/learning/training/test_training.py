"""Training: its pieces one by one, and a run that is killed and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from markdown_examples import blocks
from paths import ROOT

from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero.features import planes_of as network_planes
from rl_toolkit.learning.alphazero.inference import NumpyNetwork
from rl_toolkit.learning.alphazero.weights import load_weights, save_weights
from rl_toolkit.learning.training import checkpoint as checkpoints
from rl_toolkit.learning.training.checkpoint import (
    Checkpoint,
    CheckpointError,
    load_checkpoint,
    settings_of,
)
from rl_toolkit.learning.training.curves import curves_svg
from rl_toolkit.learning.training.log import LOG, append_entry, drop_after, read_log
from rl_toolkit.learning.training.presets import PRESETS, preset_settings
from rl_toolkit.learning.training.settings import Settings, SettingsError, Stage

jax = pytest.importorskip("jax")
jnp = jax.numpy
jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than running

from rl_toolkit.learning.training import trainer  # noqa: E402
from rl_toolkit.learning.training.export import layers_of, tensors_of  # noqa: E402
from rl_toolkit.learning.training.games import batch_game  # noqa: E402
from rl_toolkit.learning.training.loop.compiled_programs import Programs  # noqa: E402
from rl_toolkit.learning.training.loop.learner import Losses, _turned  # noqa: E402
from rl_toolkit.learning.training.loop.network import (  # noqa: E402
    Learned,
    NetworkShape,
    apply_folded,
    apply_training,
    fold,
    new_network,
)
from rl_toolkit.learning.training.loop.replay import Samples, draw, empty_ring, store  # noqa: E402
from rl_toolkit.learning.training.loop.selfplay import Facts, _Ply, _value_targets  # noqa: E402
from rl_toolkit.learning.training.loop.solved_positions import load_judge  # noqa: E402
from rl_toolkit.learning.training.loop.teacher import (  # noqa: E402
    keep_teacher,
    kept_teacher,
    load_teacher,
)
from rl_toolkit.learning.training.run_state import TrainingError, iteration_entry  # noqa: E402
from rl_toolkit.learning.training.trainer import Trainer  # noqa: E402

# ------------------------------------------------------------------------- settings


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "reversi-6"])
def test_every_preset_makes_sense_for_every_game(game):
    for preset in PRESETS:
        settings = preset_settings(game, preset, seed=5)
        again = Settings.from_json(json.loads(json.dumps(settings.as_json())))
        assert again == settings
        shares = [stage.begin for stage in settings.stages]
        assert shares == sorted(shares)
        cells = make_game(game).board.size
        assert settings.starts.late_plies[1] < cells
        assert settings.starts.early_plies < cells


def test_settings_that_make_no_run_are_refused():
    with pytest.raises(SettingsError, match="no preset 'huge'"):
        preset_settings("tictactoe", "huge")
    with pytest.raises(SettingsError, match="in minutes or in iterations"):
        preset_settings("tictactoe", "tiny", minutes=1, iterations=2)
    tiny = preset_settings("tictactoe", "tiny")
    for wrong in ({"minutes": 0}, {"stages": (Stage(0.5, 4, 1),)}, {"batch": 48}):
        with pytest.raises(SettingsError):
            replace(tiny, **wrong)
    with pytest.raises(SettingsError, match="not settings of a run"):
        Settings.from_json({"game": "tictactoe"})


def test_only_the_length_of_a_run_may_change():
    tiny = preset_settings("tictactoe", "tiny", minutes=1)
    assert tiny.difference(tiny.with_budget(None, 7)) is None
    assert tiny.difference(replace(tiny, channels=16)) == "channels is 8, not 16"


# ------------------------------------------------------------------------- the network


@pytest.fixture(scope="module")
def small():
    """A small network for Connect Four, its batch statistics, and twelve positions."""
    game = batch_game("connect-four")
    shape = NetworkShape(6, 7, 3, 7, channels=8, blocks=1, hidden=16)
    env, envs = make_game("connect-four"), []
    for move in (3, 3, 3, 4, 2, 1, 5, 5, 0, 6, 6, 4):
        envs.append(env.copy())
        env.step(move)
    inputs = jnp.asarray(network_planes(envs))

    @jax.jit
    def make(params):
        output, seen = apply_training(params, inputs)
        folded = fold(Learned(params, seen))
        return output, folded, apply_folded(folded, inputs)

    return game, inputs, *make(new_network(2, shape).params)


def test_a_folded_network_computes_the_same(small):
    _, _, trained, _, folded = small
    assert np.abs(trained.policy).max() > 0.05
    assert np.allclose(trained.policy, folded.policy, atol=1e-4)
    assert np.allclose(trained.wdl, folded.wdl, atol=1e-4)


def test_an_exported_network_plays_the_same_without_jax(small, tmp_path):
    game, inputs, _, layers, folded = small
    path = tmp_path / "network.npz"
    save_weights(path, tensors_of(layers), game=game.name, rows=6, cols=7)
    weights = load_weights(path)
    again = apply_folded(layers_of(weights.tensors), inputs)
    assert np.allclose(again.policy, folded.policy, atol=0.01)
    logits = NumpyNetwork(weights)(np.asarray(inputs))
    assert np.allclose(logits.policy, folded.policy, atol=0.01)
    assert np.allclose(logits.results, folded.wdl, atol=0.01)


# ------------------------------------------------------------- what is learned from


def test_value_targets_look_along_the_game():
    """Two games of three plies: one is won by the second mover at once, one runs on."""
    searched = jnp.array([[[0.5, 0.3, 0.2]] * 2, [[0.6, 0.2, 0.2]] * 2, [[0.1, 0.5, 0.4]] * 2])
    plies = jnp.zeros((3, 2))
    rewards = jnp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    done = jnp.array([[False, False], [True, False], [False, False]])
    nothing = jnp.zeros((3, 2, 1))
    played = _Ply(nothing, nothing, searched, rewards, done, plies, plies, nothing, nothing)
    targets = np.asarray(_value_targets(played, trace=0.5, discount=0.9))

    assert targets[1, 0].tolist() == [1, 0, 0]  # the end is exact
    # Before it: half what was searched there, half the end, turned around and discounted.
    assert targets[0, 0] == pytest.approx([0.9 * 0.1, 0.1 + 0.9 * 0.1, 0.9 * 0.8])
    assert targets[2, 1] == pytest.approx([0.1, 0.5, 0.4])  # nothing is known beyond the chunk
    assert targets[1, 1] == pytest.approx([0.9 * 0.4, 0.1 + 0.9 * 0.5, 0.9 * 0.1])
    assert np.allclose(targets.sum(-1), 1)


def test_samples_come_from_the_newest_chunks():
    game = batch_game("tictactoe")
    ring = empty_ring(game, 12)
    for number in range(5):  # the fourth and fifth overwrite the first and second
        mark = jnp.full((4, 3), number, jnp.float32)
        chunk = Samples(jnp.ones((4, 18), bool), jnp.zeros((4, 9)), mark)
        ring = store(ring, chunk, jnp.int32(number % 3 * 4))
    end = jnp.int32(5 % 3 * 4)
    for window, newest in ((4, {4}), (8, {3, 4}), (12, {2, 3, 4})):
        drawn = draw(ring, jax.random.key(0), 200, end, jnp.int32(window))
        assert set(np.asarray(drawn.wdl[:, 0]).tolist()) == newest


def test_samples_are_turned_with_their_moves():
    """Turned samples are images: the policy still points at the cell it pointed at."""
    game = batch_game("gomoku-9")
    cells = np.arange(81)
    planes = np.zeros((81, 162), bool)
    planes[cells, cells] = True  # one piece each
    samples = Samples(jnp.asarray(planes), jnp.eye(81), jnp.zeros((81, 3)))
    turned = _turned(game, samples, jax.random.key(1))
    assert np.array_equal(turned.planes[:, :81], turned.policy > 0)
    assert (np.asarray(turned.policy).argmax(1) != cells).sum() > 40


# ---------------------------------------------------------------- what is written down


def test_a_log_survives_a_cut_line_and_forgets_what_will_be_played_again(tmp_path):
    for iteration in range(1, 5):
        append_entry(tmp_path, {"kind": "iteration", "iteration": iteration})
    with open(tmp_path / LOG, "a", encoding="utf-8") as file:
        file.write('{"kind": "iterat')
    assert [entry["iteration"] for entry in read_log(tmp_path)] == [1, 2, 3, 4]
    drop_after(tmp_path, 2)
    append_entry(tmp_path, {"kind": "stop"})
    assert [entry["kind"] for entry in read_log(tmp_path)] == ["iteration", "iteration", "stop"]


def saved(iteration: int) -> Checkpoint:
    return Checkpoint(iteration, {"note": 1}, {"network": {"w": np.full(3, iteration)}})


def test_checkpoints_are_whole_or_absent(tmp_path, monkeypatch):
    with pytest.raises(CheckpointError, match="no checkpoint"):
        checkpoints.load_checkpoint(tmp_path)
    checkpoints.save_checkpoint(tmp_path, saved(1))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:  # killed between the pieces and the manifest
        patch.setattr(checkpoints, "write_text_atomically", killed)
        with pytest.raises(KeyboardInterrupt):
            checkpoints.save_checkpoint(tmp_path, saved(2))
    loaded = checkpoints.load_checkpoint(tmp_path)
    assert loaded.iteration == 1
    assert loaded.pieces["network"]["w"].tolist() == [1, 1, 1]
    checkpoints.save_checkpoint(tmp_path, saved(3))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint-000003-network.npz",
        "checkpoint.json",
    ]


def test_damaged_checkpoints_are_refused(tmp_path):
    checkpoints.save_checkpoint(tmp_path, saved(1))
    piece = tmp_path / "checkpoint-000001-network.npz"
    whole = piece.read_bytes()
    piece.write_bytes(whole[:-1] + b"?")
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoints.load_checkpoint(tmp_path)
    piece.unlink()
    with pytest.raises(CheckpointError, match="cannot read"):
        checkpoints.load_checkpoint(tmp_path)
    for text in ("{", "[]", '{"format": "x", "version": 1}'):
        (tmp_path / checkpoints.MANIFEST).write_text(text)
        with pytest.raises(CheckpointError):
            checkpoints.load_checkpoint(tmp_path)


def test_curves_are_drawn_from_what_the_log_has():
    entries = [
        {"kind": "iteration", "seconds": 6.0 * i, "policy_loss": 2 / i, "draw_rate": 0.1}
        for i in range(1, 4)
    ]
    entries.append({"kind": "evaluation", "seconds": 9, "what": "a < b", "score": 0.5})
    picture = curves_svg(entries)
    assert picture.count("<polyline") >= 3
    assert "a &lt; b" in picture
    assert "positions per second" not in picture  # nothing is known of it


def test_losses_that_are_no_numbers_end_a_run():
    settings = preset_settings("tictactoe", "tiny")
    nothing, some = np.zeros((2, 3)), np.ones((2, 3), bool)
    facts = Facts(*[0.5] * 9, ended=some, trails=nothing)
    state = SimpleNamespace(iteration=7, positions=0, games=0, simulations=0, stored=1)
    entry = iteration_entry(settings, state, settings.stages[0], facts, Losses(1, 1, 1), 1)
    assert entry["distinct_share"] == pytest.approx(1 / 6, abs=1e-4)
    with pytest.raises(TrainingError, match="iteration 7"):
        iteration_entry(settings, state, settings.stages[0], facts, Losses(np.nan, 1, 1), 1)


# ------------------------------------------------------------------------- the judge


def test_a_judge_reads_boards_either_way_up_and_counts_kept_results(tmp_path):
    game = batch_game("connect-four")
    planes = np.zeros((2, 2, 6, 7), bool)
    planes[1, 0, [0, 2, 4], 3] = planes[1, 1, [1, 3, 5], 3] = True  # column d is full
    planes[1, 0, 0, 0] = planes[1, 1, 0, 1] = True  # and two pieces lie in row 0, the lowest
    scores = np.array([[-2, -1, 0, 1, 0, -1, -2], [3, -1, 5, -999, 0, -1, -2]])
    for number, way_up in enumerate((planes, planes[:, :, ::-1])):
        path = tmp_path / f"{number}.npz"
        np.savez(path, planes=way_up, scores=scores)
        judge = load_judge(path, game)
        assert np.array_equal(judge.planes, planes)
        assert judge.share(np.array([3, 0])).score == 1
        share = judge.share(np.array([2, 2]))
        assert (share.score, share.n) == (0.5, 2)
        assert 0 < share.low < 0.5 < share.high < 1
    np.savez(path, planes=planes, scores=np.abs(scores))  # as if all moves were legal
    with pytest.raises(SettingsError, match="which moves are legal"):
        load_judge(path, game)
    with pytest.raises(SettingsError, match="a different board"):
        load_judge(path, batch_game("tictactoe"))


# ------------------------------------------------------------------------- whole runs


def test_runs_that_cannot_be_are_refused_with_a_sentence(tmp_path):
    tiny = preset_settings("tictactoe", "tiny", iterations=6)
    facts = {"settings": tiny.as_json()}
    checkpoints.save_checkpoint(tmp_path, Checkpoint(0, facts, {}))
    with pytest.raises(CheckpointError, match="another run: seed is 0, not 1"):
        Trainer(replace(tiny, seed=1), tmp_path, resume=True)
    with pytest.raises(CheckpointError, match="already holds a run"):
        Trainer(tiny, tmp_path)


def finished(folder) -> dict[str, dict[str, np.ndarray]]:
    return {piece: dict(a) for piece, a in checkpoints.load_checkpoint(folder).pieces.items()}


def test_a_short_run_from_nothing_to_a_network(tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr(trainer, "SAVE_EVERY", 36_000.0)  # longer than the slowest machine needs
    monkeypatch.setattr(
        trainer,
        "save_checkpoint",
        lambda folder, state: (
            saved.append(state.iteration),
            checkpoints.save_checkpoint(folder, state),
        ),
    )
    compiled, wait_for = [], Programs.wait_for

    def slowly(programs, *names):
        compiled.append(36_000 if not compiled else 0)
        wait_for(programs, *names)

    monkeypatch.setattr(Programs, "wait_for", slowly)
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + sum(compiled))
    monkeypatch.setattr(trainer, "time", clock)
    settings = replace(preset_settings("tictactoe", "tiny", iterations=3), stages=(Stage(0, 4, 1),))
    append_entry(tmp_path, {"kind": "start"})  # of a run that was killed before its first minute
    told = []
    Trainer(settings, tmp_path, on_event=lambda entry, share: told.append((entry, share))).run()
    log = read_log(tmp_path)
    assert [entry["kind"] for entry in log] == ["start", *["iteration"] * 3, "stop"]
    heard = [entry for entry, _ in told if entry["kind"] != "note"]
    assert json.loads(json.dumps(heard)) == log
    assert log[-1]["seconds"] < 36_000  # compiling is not counted
    last = log[-2]
    assert (last["positions"], last["total_simulations"]) == (3 * 64, 3 * 64 * 4)
    assert 0 < last["target_entropy"] < np.log(9)
    assert 0 < last["distinct_share"] <= 1
    assert last["policy_loss"] >= last["target_entropy"] * 0.5
    network = load_weights(tmp_path / "network.npz")
    assert (network.game, network.size) == (make_game("tictactoe").name, "8×1")
    assert network.card["trained"]["iterations"] == 3
    assert saved == [1, 3]  # a run that is killed after its first iteration can be resumed

    told.clear()
    again = Trainer(
        settings, str(tmp_path), resume=True, on_event=lambda entry, _: told.append(entry)
    )
    assert again.run().iteration == 3  # nothing is compiled
    assert [entry["text"] for entry in told] == [
        "the run has done its 3 iterations; more --iterations continue it"
    ]
    assert read_log(tmp_path) == log


@pytest.mark.full
def test_the_guides_training_from_python_makes_a_player(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "explanation" / "alphazero.md").read_text(encoding="utf-8")
    (code,) = [block.text for block in blocks(page) if "Trainer(" in block.text]
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    assert [entry["kind"] for entry in names["entries"]] == [
        "start", "iteration", "iteration", "stop",
    ]  # fmt: skip
    analysis = names["analysis"]
    assert (analysis.simulations, len(analysis.candidates)) == (50, 9)
    assert f"{analysis.best.name} {analysis.best.prior}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("minutes", "seconds", "spent"),
    [
        (4.0, 239.0, "the run has had its 4 minutes; more --minutes continue it"),
        (4.0, 200.0, None),
    ],
)
def test_a_run_without_time_says_so(minutes, seconds, spent):
    settings = preset_settings("tictactoe", "tiny", minutes=minutes)
    assert Trainer._spent(SimpleNamespace(settings=settings, _before=seconds)) == spent


@pytest.mark.full
def test_a_resumed_run_with_hardly_any_time_left_still_learns(tmp_path, monkeypatch):
    settings = replace(preset_settings("tictactoe", "tiny", iterations=1), stages=(Stage(0, 4, 1),))
    Trainer(settings, tmp_path).run()
    longer = settings.with_budget(60, None)
    resumed = Trainer(longer, tmp_path, resume=True)
    monkeypatch.setattr(resumed, "_over", lambda lasted: "the time is up")
    assert resumed.run().iteration == 2


def test_who_cannot_teach_is_refused(tmp_path):
    path, game = tmp_path / "network.npz", batch_game("tictactoe")
    small = NetworkShape(3, 3, 3, 9, channels=8, blocks=1, hidden=16)
    kept = {"game": game.name, "rows": 3, "cols": 3}
    first = save_weights(path, tensors_of(fold(new_network(0, small))), **kept)
    assert load_teacher(path, game).sha256 == first.sha256
    with pytest.raises(SettingsError, match="cannot teach connect-four"):
        load_teacher(path, batch_game("connect-four"))
    with pytest.raises(SettingsError, match="cannot be a teacher: the weights cannot be read"):
        load_teacher(tmp_path / "missing.npz", game)
    keep_teacher(first, tmp_path)
    assert kept_teacher(tmp_path, first.sha256, game).sha256 == first.sha256
    save_weights(tmp_path / "teacher.npz", tensors_of(fold(new_network(1, small))), **kept)
    with pytest.raises(SettingsError, match="not the teacher that this run began with"):
        kept_teacher(tmp_path, first.sha256, game)


@pytest.mark.full
def test_a_teacher_plays_and_a_smaller_network_learns(tmp_path):
    teacher = tmp_path / "teacher" / "network.npz"
    large = replace(preset_settings("tictactoe", "tiny", iterations=1), channels=12)
    Trainer(large, teacher.parent).run()
    folder = tmp_path / "student"
    settings = preset_settings("tictactoe", "tiny", iterations=1)
    student = Trainer(settings, folder, teacher=teacher)
    player = jax.device_get(student._player())
    assert player["stem"]["w"].shape[-1] == 12
    student.run()
    assert jax.tree.all(jax.tree.map(np.array_equal, player, jax.device_get(student._player())))
    longer = preset_settings("tictactoe", "tiny", iterations=2)
    Trainer(longer, folder, resume=True).run()  # the teacher is the one in the folder
    assert settings_of(load_checkpoint(folder)).teacher == load_weights(teacher).sha256
    network = load_weights(folder / "network.npz")
    assert network.size == "8×1"
    assert "teacher (12×1)" in network.card["trained"]["how"]
    assert [entry["simulations"] for entry in read_log(folder) if "simulations" in entry] == [6, 6]


@pytest.mark.full
def test_a_killed_run_goes_on_bit_for_bit(tmp_path):
    """Six iterations at once, and three, kill -9, and three: the same to the last bit."""
    settings = preset_settings("connect-four", "tiny", iterations=6, seed=3)
    Trainer(settings, tmp_path / "whole").run()
    folder = tmp_path / "killed"
    code = (
        "import time, jax, rl_toolkit.learning.training.trainer as t\n"
        "jax.config.update('jax_disable_most_optimizations', True)\n"  # the same programs
        "t.SAVE_EVERY = 0\n"  # a checkpoint after every iteration
        "log = t.append_entry\n"
        "def append_entry(where, entry):\n"
        "    log(where, entry)\n"
        "    if entry['kind'] == 'iteration' and entry['iteration'] == 5: time.sleep(36_000)\n"
        "t.append_entry = append_entry\n"  # it is not over before it is killed
        "from rl_toolkit.learning.training import __main__\n"
    )
    arguments = ["connect-four", "--preset", "tiny", "--iterations", "6"]
    arguments += ["--seed", "3", "--out", str(folder)]
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.DEVNULL)
    while len([e for e in read_log(folder) if e["kind"] == "iteration"]) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert checkpoints.load_checkpoint(folder).iteration < 6
    Trainer(settings, folder, resume=True).run()

    whole, resumed = finished(tmp_path / "whole"), finished(folder)
    assert whole.keys() == resumed.keys()
    for piece in whole:
        for name, array in whole[piece].items():
            assert np.array_equal(array, resumed[piece][name]), (piece, name)
    kinds = [entry["iteration"] for entry in read_log(folder) if entry["kind"] == "iteration"]
    assert kinds == [1, 2, 3, 4, 5, 6]


@pytest.mark.full
def test_a_ring_too_large_to_save_is_played_anew(tmp_path, monkeypatch):

    from rl_toolkit.learning.training import run_state

    monkeypatch.setattr(run_state, "LARGEST_RING", 0)
    settings = preset_settings("tictactoe", "tiny", iterations=4)
    done = []
    Trainer(
        settings,
        tmp_path,
        on_event=lambda entry, _: done.append(1) if entry["kind"] == "iteration" else None,
        should_stop=lambda: len(done) >= 2,
    ).run()
    assert "ring" not in checkpoints.load_checkpoint(tmp_path).pieces
    notes = []
    trainer = Trainer(
        settings, tmp_path, resume=True, on_event=lambda entry, _: notes.append(entry)
    )
    state = trainer.run()
    assert state.iteration == 4
    assert any("chunks first" in note["text"] for note in notes if note["kind"] == "note")


@pytest.mark.full
def test_tictactoe_is_learned(tmp_path):
    """A tenth of the laptop preset, and the policy alone keeps nearly every result."""
    from brute_force import BruteForce

    from rl_toolkit.learning.training.games.base import planes_of

    oracle, seen = BruteForce(), {}
    waiting = [make_game("tictactoe")]
    while waiting:
        env = waiting.pop()
        if env.is_terminal() or env.get_state_hash() in seen:
            continue
        scores = np.full(9, -999)
        for move in env.get_legal_moves():
            scores[move] = oracle.after(env, move)[0]
            waiting.append(env.copy())
            waiting[-1].step(move)
        seen[env.get_state_hash()] = (planes_of(env), scores)
    planes, scores = map(np.array, zip(*seen.values(), strict=True))
    np.savez(tmp_path / "judge.npz", planes=planes, scores=scores)
    settings = preset_settings("tictactoe", "laptop", iterations=20)
    settings = replace(settings, stages=(Stage(0, 16, 4),))
    Trainer(settings, tmp_path / "run", judge=tmp_path / "judge.npz").run()
    judged = [e for e in read_log(tmp_path / "run") if e.get("what") == "policy keeps result"]
    assert judged[-1]["n"] == 4520
    assert judged[-1]["score"] > 0.99
