"""Checkpoints of a run: written atomically, in several small files.

A state consists of a few *pieces*, each a dictionary of arrays in its own ``.npz`` file. The pieces
are written first, under names with the iteration; then ``checkpoint.json``, which lists them with
their checksums, is replaced in one step::

    checkpoint-000120-network.npz    checkpoint.json  ->  iteration 120, settings, clock,
    checkpoint-000120-optimizer.npz                       sha256 of each piece
    checkpoint-000120-games.npz

Whenever the process is killed, ``checkpoint.json`` lists pieces that exist. Older pieces are
removed afterwards.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.learning.training.settings import Settings, SettingsError
from rl_toolkit.utils import write_bytes_atomically, write_text_atomically

MANIFEST = "checkpoint.json"
FORMAT, VERSION = "rl_toolkit training checkpoint", 1

#: Piece → array by name.
Pieces = Mapping[str, Mapping[str, NDArray[Any]]]

_PIECE = re.compile(r"checkpoint-(\d{6})-[a-z]+\.npz")


class CheckpointError(ValueError):
    """A checkpoint is missing, damaged or of another run."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A saved state: its pieces, and plain data (settings, iteration, clock)."""

    iteration: int
    facts: dict[str, Any]
    pieces: Pieces


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Save this as the checkpoint of the folder, replacing an earlier one."""
    listed = {}
    for piece, arrays in checkpoint.pieces.items():
        buffer = io.BytesIO()
        entries: dict[str, Any] = dict(arrays)
        np.savez_compressed(buffer, **entries)
        data = buffer.getvalue()
        name = f"checkpoint-{checkpoint.iteration:06d}-{piece}.npz"
        write_bytes_atomically(folder / name, data)
        listed[piece] = {"file": name, "sha256": hashlib.sha256(data).hexdigest()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "iteration": checkpoint.iteration,
        "facts": checkpoint.facts,
        "pieces": listed,
    }
    write_text_atomically(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    in_use = {entry["file"] for entry in listed.values()}
    for path in folder.iterdir():
        if _PIECE.fullmatch(path.name) and path.name not in in_use:
            path.unlink(missing_ok=True)


def has_checkpoint(folder: Path) -> bool:
    """Whether the folder has a checkpoint to resume from."""
    return (folder / MANIFEST).is_file()


def load_checkpoint(folder: Path) -> Checkpoint:
    """Load the checkpoint of a folder; `CheckpointError` says why it cannot be used."""
    if not has_checkpoint(folder):
        raise CheckpointError(f"there is no checkpoint in {folder}")
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if (manifest["format"], manifest["version"]) != (FORMAT, VERSION):
            raise CheckpointError(f"{folder / MANIFEST} was written by another program or version")
        pieces = {
            piece: _piece(folder / Path(entry["file"]).name, entry["sha256"])
            for piece, entry in manifest["pieces"].items()
        }
        return Checkpoint(int(manifest["iteration"]), dict(manifest["facts"]), pieces)
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{folder / MANIFEST} is not a checkpoint: {error}") from error


def settings_of(checkpoint: Checkpoint) -> Settings:
    """The settings of the saved run; raises `CheckpointError` if they are missing or wrong."""
    try:
        return Settings.from_json(checkpoint.facts["settings"])
    except (KeyError, SettingsError) as error:
        raise CheckpointError(f"the checkpoint has no valid settings: {error}") from error


def _piece(path: Path, checksum: str) -> dict[str, NDArray[Any]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"cannot read {path.name}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != checksum:
        raise CheckpointError(f"{path.name} is damaged: its checksum is wrong")
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}
