"""The files of trained networks: what is written is read back, and nothing else is accepted."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from network_makers import random_tensors

from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero import weights
from rl_toolkit.learning.alphazero.weights import (
    NetworkWeights,
    WeightsError,
    load_weights,
    save_weights,
    shipped_games,
    shipped_weights,
)

ENV = make_game("tictactoe-3x4x3")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "net.npz"
    saved(target)
    return target


def saved(target: Path, **tensors: Any) -> NetworkWeights:
    own = random_tensors(ENV) | tensors
    card = {"minutes": 3, "licence": "MIT"}
    return save_weights(target, own, game=ENV.name, rows=ENV.rows, cols=ENV.cols, card=card)


def rewritten(path: Path, change: Any) -> None:
    """Let ``change`` alter the entries of the archive, and write them as NumPy would."""
    with np.load(path) as data:
        entries: dict[str, Any] = dict(data)
    change(entries)
    np.savez(path, **entries)


def with_meta(**changes: Any) -> Any:
    def change(entries: dict[str, Any]) -> None:
        entries["meta"] = np.array(json.dumps(json.loads(str(entries["meta"])) | changes))

    return change


def test_what_is_saved_is_loaded(path: Path) -> None:
    network = load_weights(path)
    assert (network.game, network.rows, network.cols) == ("tictactoe-3x4x3", 3, 4)
    assert (network.planes, network.moves, network.size) == (3, 12, "8×2")
    assert network.card == {"minutes": 3, "licence": "MIT"}
    for name, tensor in random_tensors(ENV).items():
        assert network.tensors[name].dtype == np.float32
        np.testing.assert_array_equal(network.tensors[name], tensor.astype(np.float16))


def test_saving_gives_what_loading_gives(tmp_path: Path) -> None:
    written = saved(tmp_path / "net.npz")
    read = load_weights(tmp_path / "net.npz")
    assert (written.sha256, written.game, written.blocks) == (read.sha256, read.game, read.blocks)


def test_a_flipped_byte_is_never_accepted(path: Path) -> None:
    """Wherever it is: a few places of a compressed archive mean nothing, but no tensor changes."""
    data, right = path.read_bytes(), load_weights(path)
    refused = 0
    for at in range(0, len(data), 97):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        try:
            read = load_weights(path)
        except WeightsError:
            refused += 1
            continue
        assert read.sha256 == right.sha256
        assert all((read.tensors[n] == right.tensors[n]).all() for n in right.tensors)
    assert refused > 0.8 * len(range(0, len(data), 97))


def test_a_changed_tensor_is_noticed_by_the_checksum(path: Path) -> None:
    def change(entries: dict[str, Any]) -> None:
        entries["stem.b"] = entries["stem.b"] + np.float16(1)

    rewritten(path, change)
    with pytest.raises(WeightsError, match="checksum"):
        load_weights(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (with_meta(version=2), "version 2"),
        (with_meta(format="something else"), "not hold a network"),
        (with_meta(game=""), "must be a name"),
        (with_meta(rows=True), "rows"),
        (with_meta(rows=4, cols=4), "policy.dense.w has shape"),
        (with_meta(blocks=7), "the file says blocks 7, but its tensors have 2"),
        (with_meta(card="none"), "card"),
        (with_meta(sha256="0" * 64), "checksum"),
        (lambda entries: entries.pop("meta"), "not hold a network"),
        (lambda entries: entries.pop("value.out.b"), "lacks the tensor value.out.b"),
        (lambda entries: entries.pop("stem.w"), "lacks the tensor stem.w"),
        (lambda entries: entries.update(extra=np.float16(1)), "extra is not a tensor"),
        (lambda entries: entries.update({"stem.b": np.zeros(8)}), "16-bit floats"),
        (lambda entries: entries.update({"stem.w": np.zeros(8, np.float16)}), "which does not fit"),
        (lambda entries: entries.update({"stem.b": np.zeros(9, np.float16)}), "instead of"),
        (lambda entries: entries.update(meta=np.array("{")), "cannot be read"),
        (lambda entries: entries.update(meta=np.array("[1]")), "not hold a network"),
    ],
)
def test_foreign_and_broken_files_are_refused(path: Path, change: Any, sentence: str) -> None:
    rewritten(path, change)
    with pytest.raises(WeightsError, match=sentence):
        load_weights(path)


def test_pickled_objects_are_refused_unread(path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return pytest.fail, ("a pickled object was loaded",)

    def change(entries: dict[str, Any]) -> None:
        entries["stem.b"] = np.array([Trap()], dtype=object)

    rewritten(path, change)
    with pytest.raises(WeightsError, match="never loaded"):
        load_weights(path)


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "net.npz"
    with pytest.raises(WeightsError, match="cannot be read: No such file"):
        load_weights(target)
    with pytest.raises(WeightsError, match="cannot be read"):
        load_weights(tmp_path)
    for data in (b"", b"hello", b"\x93NUMPY"):
        target.write_bytes(data)
        with pytest.raises(WeightsError, match="not a file of network weights"):
            load_weights(target)


def test_archives_that_unpack_to_far_too_much_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "_MOST_BYTES", 1_000_000)
    target, data = tmp_path / "net.npz", io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"zeros{number}.npy", bytes(400_000))
    target.write_bytes(data.getvalue())
    with pytest.raises(WeightsError, match="far too large"):
        load_weights(target)


@pytest.mark.parametrize(("number", "why"), [(np.nan, "not finite"), (1e9, "too large")])
def test_what_a_half_float_cannot_hold_is_not_saved(path: Path, number: float, why: str) -> None:
    before = path.read_bytes()
    with pytest.raises(WeightsError, match=why):
        saved(path, **{"stem.b": np.full(8, number)})
    assert path.read_bytes() == before


def test_a_card_that_is_no_json_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="plain JSON"):
        save_weights(
            tmp_path / "net.npz",
            random_tensors(ENV),
            game=ENV.name,
            rows=ENV.rows,
            cols=ENV.cols,
            card={"when": object()},
        )
    assert not list(tmp_path.iterdir())


def test_shipped_networks_are_whole_small_and_for_the_game_they_are_named_after() -> None:
    for game in shipped_games():
        network, env = shipped_weights(game), make_game(game)
        assert (network.game, network.rows, network.cols) == (env.name, env.rows, env.cols)
        assert network.moves == env.num_moves
        assert {"licence"} <= network.card.keys()


def test_a_game_without_a_network_is_told_what_there_is() -> None:
    with pytest.raises(WeightsError, match=r"no trained network for gomoku-19; .*rl-toolkit train"):
        shipped_weights("gomoku-19")
