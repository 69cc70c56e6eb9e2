"""``rl-toolkit train`` from the outside; what it runs is tested in `test_training`."""

from __future__ import annotations

import importlib.util
import json

import pytest

from rl_toolkit.cli import arguments
from rl_toolkit.cli.commands.train.group import _little_learned
from rl_toolkit.learning.training.checkpoint import Checkpoint, save_checkpoint
from rl_toolkit.learning.training.log import LOG
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.utils.installation import install_command


@pytest.fixture
def without_jax(monkeypatch):
    def find(name):
        return None if name in ("jax", "mctx") else importlib.util.find_spec(name)

    monkeypatch.setattr(arguments, "find_spec", find)


def test_without_the_extra_it_says_what_to_install(run, tmp_path, without_jax):
    ran = run("train", "tictactoe", "--out", str(tmp_path / "run"))
    assert ran.code == 1
    assert "training needs jax, mctx" in ran.err
    assert install_command("train") in ran.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "there is no game 'chess'"),
        (["--preset", "tiny"], "which game?"),
        (["tictactoe", "--preset", "huge"], "there is no preset 'huge'"),
        (["tictactoe", "--minutes", "1", "--iterations", "2"], "either --minutes or --iterations"),
        (["--resume", "{empty}"], "there is no checkpoint in"),
        (["connect-four", "--resume", "{saved}"], "has the game tictactoe, not connect-four"),
        (["--preset", "gpu", "--resume", "{saved}"], "has the preset tiny, not gpu"),
        (["--resume", "{saved}", "--out", "elsewhere"], "stays in its folder"),
    ],
)
def test_runs_that_cannot_be_get_a_sentence(run, tmp_path, arguments, sentence):
    pytest.importorskip("jax")
    saved, empty = tmp_path / "saved", tmp_path / "empty"
    saved.mkdir()
    empty.mkdir()
    settings = preset_settings("tictactoe", "tiny", iterations=2)
    save_checkpoint(saved, Checkpoint(1, {"settings": settings.as_json()}, {}))
    before = {path: path.read_bytes() for path in saved.iterdir()}
    ran = run("train", *(word.format(saved=saved, empty=empty) for word in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert sentence in " ".join(ran.err.split())
    assert {path: path.read_bytes() for path in saved.iterdir()} == before


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        ([], ""),
        ([2.1], "learned next to nothing in 1 iteration."),
        ([2.0, 1.95], "its policy loss was 2.00 at first and is 1.95 after 2 iterations."),
        ([2.0, 1.7], ""),
    ],
)
def test_a_network_that_has_learned_next_to_nothing_says_so(losses, said):
    log = [{"kind": "iteration", "policy_loss": loss} for loss in losses]
    told = _little_learned([{"kind": "start"}, *log])
    assert told.endswith(said)
    assert bool(told) == bool(said)


def test_curves_need_no_extra(run, tmp_path, without_jax):
    refused = run("train", "plot", str(tmp_path))
    assert (refused.code, "no training to draw" in refused.err) == (1, True)
    entries = [{"kind": "iteration", "seconds": 60 * i, "policy_loss": 1 / i} for i in (1, 2)]
    (tmp_path / LOG).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    ran = run("train", "plot", str(tmp_path))
    assert ran.code == 0
    assert ran.out.replace("\n", "").endswith("curves.svg")
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")


def test_a_session_can_be_limited(run, tmp_path, monkeypatch):
    pytest.importorskip("jax")
    asked = {}

    class Trainer:
        def __init__(self, settings, folder, **options):
            asked.update(options, settings=settings, folder=folder)

        def run(self):
            pass

    monkeypatch.setattr("rl_toolkit.learning.training.trainer.Trainer", Trainer)
    words = ("train", "tictactoe", "--minutes", "9", "--stop-after", "2.5", "--out", "somewhere")
    ran = run(*words)
    assert (ran.code, ran.out.split()) == (0, ["somewhere/network.npz"])
    assert (asked["stop_after"], asked["settings"].minutes, asked["resume"]) == (2.5, 9.0, False)
    assert "rl-toolkit train --resume somewhere" in ran.err


@pytest.mark.full
def test_a_run_is_trained_resumed_and_played_with(run, tmp_path):
    pytest.importorskip("jax")
    folder = str(tmp_path / "run")
    first = run("train", "tictactoe", "--preset", "tiny", "--iterations", "2", "--out", folder)
    assert first.code == 0
    assert "iteration 2" in first.err
    network = first.out.replace("\n", "")
    again = run("train", "--resume", folder, "--iterations", "3")
    assert again.code == 0
    assert "iteration 3" in again.err
    assert "iteration 2 " not in again.err
    asked = run("analyse", "tictactoe", "--engine", f"alphazero:weights={network}", "--json")
    assert asked.code == 0
    assert len(json.loads(asked.out)["candidates"]) == 9
