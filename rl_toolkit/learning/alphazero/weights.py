"""The file of a trained network: named tensors, a description and a checksum.

It is an ordinary ``.npz`` archive with one entry per tensor, all in 16-bit floats, and one entry
``meta``, a JSON text. Batch normalisation is folded into the convolutions before writing, so the
tensors define the whole computation (see `learning.alphazero.inference`)::

    planes (rows, cols, 3)
      │  stem            3×3 convolution, ReLU
      │  block0 … block4  3×3, ReLU, 3×3, plus the block's input, ReLU
      ├─ policy.conv 1×1, ReLU ─ policy.dense ───────────────────► one logit per move
      └─ value.conv 1×1, ReLU ─ value.hidden, ReLU ─ value.out ──► logits of win, draw, loss

Each layer has a tensor ``….w`` and a tensor ``….b``. Convolutions are (height, width, in, out),
dense layers (in, out), and the input of a dense layer is flattened by row, column, channel.

Only NumPy is needed here: training writes these files where nothing else is installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.utils import atomic_writer

Tensor = npt.NDArray[np.float32]

FORMAT = "rl_toolkit network"
VERSION = 1
#: Outputs of the value head: win, draw, loss, for the side to move.
RESULTS = 3

_MOST_BYTES = 256 * 2**20  # decompressed; far more than any network here needs
_SIDES = 64  # the most rows or columns
_META = ("game", "rows", "cols", "planes", "moves", "channels", "blocks")


class WeightsError(ValueError):
    """A network is missing, damaged or for another game."""


@dataclass(frozen=True, slots=True)
class NetworkWeights:
    """A trained network, ready to play.

    Attributes:
        game: the name of the game it was trained for, on a board of ``rows`` × ``cols``.
        planes: the number of input planes; ``moves``: the number of moves it rates.
        channels, blocks: its width and depth.
        tensors: the tensors by name, as 32-bit floats.
        card: how it was trained, how strong it is, its licence.
        sha256: the checksum of the tensors in the file.
    """

    game: str
    rows: int
    cols: int
    planes: int
    moves: int
    channels: int
    blocks: int
    tensors: Mapping[str, Tensor] = field(repr=False)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    sha256: str = ""

    @property
    def size(self) -> str:
        """Width and depth as text: ``64×5``."""
        return f"{self.channels}×{self.blocks}"


# ----------------------------------------------------------------------------- files


def save_weights(
    path: str | os.PathLike[str],
    tensors: Mapping[str, npt.NDArray[Any]],
    *,
    game: str,
    rows: int,
    cols: int,
    card: Mapping[str, Any] | None = None,
) -> NetworkWeights:
    """Write a network to a file atomically and return it as `load_weights` will read it.

    Tensors are rounded to 16-bit floats. `WeightsError` if they do not form a network, or hold a
    value that is not finite or too large for that.
    """
    with np.errstate(over="ignore"):  # overflows are rejected below
        halves = {name: np.asarray(tensor).astype(np.float16) for name, tensor in tensors.items()}
    network = _network(halves, game, rows, cols, dict(card or {}))
    meta = {
        "format": FORMAT,
        "version": VERSION,
        **{key: getattr(network, key) for key in _META},
        "card": network.card,
        "sha256": network.sha256,
    }
    try:
        text = json.dumps(meta, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise WeightsError(f"the card of a network must be plain JSON data: {error}") from error
    entries: dict[str, Any] = {"meta": np.array(text), **halves}
    with atomic_writer(path) as file:
        np.savez_compressed(file, **entries)
    return network


def load_weights(path: str | os.PathLike[str]) -> NetworkWeights:
    """Load a network from a file; `WeightsError` says why it cannot be used.

    Nothing in the file is ever executed: pickled objects are rejected unread.
    """
    try:
        with open(path, "rb") as file:
            entries = _entries(file.read(_MOST_BYTES + 1))
    except OSError as error:
        raise WeightsError(f"the weights cannot be read: {error.strerror}") from error
    meta = _meta(entries.pop("meta", None))
    for name, tensor in entries.items():
        if tensor.dtype != np.float16:
            raise WeightsError(f"{name} holds {tensor.dtype} numbers, not 16-bit floats")
    card = meta.get("card", {})
    if not isinstance(card, dict):
        raise WeightsError("the card of the network is not a JSON object")
    network = _network(entries, meta.get("game"), meta.get("rows"), meta.get("cols"), card)
    for key in _META:
        if meta.get(key) != getattr(network, key):
            named, actual = meta.get(key), getattr(network, key)
            raise WeightsError(f"the file says {key} {named!r}, but its tensors have {actual!r}")
    if meta.get("sha256") != network.sha256:
        raise WeightsError("the weights are damaged: their checksum is wrong")
    return network


def _entries(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an archive, by name."""
    archive = io.BytesIO(data)
    if not zipfile.is_zipfile(archive):
        raise WeightsError("this is not a file of network weights (.npz)")
    try:
        with zipfile.ZipFile(archive) as listing:
            if sum(entry.file_size for entry in listing.infolist()) > _MOST_BYTES:
                raise WeightsError("this file is far too large to be a network")
        archive.seek(0)
        with np.load(archive, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except WeightsError:
        raise
    except Exception as error:  # damage shows in many ways: zlib, zip, header, Unicode …
        if "allow_pickle" in str(error):
            raise WeightsError("the file holds Python objects, which are never loaded") from error
        raise WeightsError("the weights are damaged: they cannot be decompressed") from error


def _meta(entry: npt.NDArray[Any] | None) -> dict[str, Any]:
    """The description in the file; `WeightsError` if it is not a network of this version."""
    foreign = "this file does not hold a network of this toolkit"
    if entry is None or entry.shape != () or entry.dtype.kind != "U":
        raise WeightsError(foreign)
    try:
        meta = json.loads(str(entry))
    except (ValueError, RecursionError) as error:
        raise WeightsError("the description in the file cannot be read") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise WeightsError(foreign)
    if meta.get("version") != VERSION:
        raise WeightsError(
            f"this network has format version {meta.get('version')!r}; "
            f"this toolkit reads version {VERSION}"
        )
    return meta


# --------------------------------------------------------------------------- tensors


def _network(
    tensors: Mapping[str, npt.NDArray[np.float16]],
    game: object,
    rows: object,
    cols: object,
    card: dict[str, Any],
) -> NetworkWeights:
    """The network formed by ``tensors``, with every name and shape checked."""
    if not isinstance(game, str) or not game:
        raise WeightsError(f"the game of a network must be a name, not {game!r}")
    rows, cols = _side("rows", rows), _side("cols", cols)
    blocks = sum(bool(re.fullmatch(r"block\d+\.a\.w", name)) for name in tensors)
    cells = rows * cols
    planes, channels = _last(tensors, "stem.w", 4)
    policy = _last(tensors, "policy.conv.w", 4)[1]
    moves = _last(tensors, "policy.dense.w", 2)[1]
    value = _last(tensors, "value.conv.w", 4)[1]
    hidden = _last(tensors, "value.hidden.w", 2)[1]
    shapes: dict[str, tuple[int, ...]] = {
        "stem.w": (3, 3, planes, channels),
        "policy.conv.w": (1, 1, channels, policy),
        "policy.dense.w": (cells * policy, moves),
        "value.conv.w": (1, 1, channels, value),
        "value.hidden.w": (cells * value, hidden),
        "value.out.w": (hidden, RESULTS),
    }
    for block in range(blocks):
        for half in "ab":
            shapes[f"block{block}.{half}.w"] = (3, 3, channels, channels)
    shapes.update({f"{name[:-1]}b": shape[-1:] for name, shape in list(shapes.items())})
    for name in sorted(shapes.keys() | tensors.keys()):
        if name not in tensors:
            raise WeightsError(f"the network lacks the tensor {name}")
        if name not in shapes:
            raise WeightsError(f"{name} is not a tensor of such a network")
        if tensors[name].shape != shapes[name]:
            actual = tensors[name].shape
            raise WeightsError(f"{name} has shape {actual} instead of {shapes[name]}")
        if not np.isfinite(tensors[name]).all():
            raise WeightsError(f"{name} holds a value that is not finite or too large")
    floats = {name: tensors[name].astype(np.float32) for name in shapes}
    checksum = _checksum(tensors)
    return NetworkWeights(game, rows, cols, planes, moves, channels, blocks, floats, card, checksum)


def _side(name: str, side: object) -> int:
    if isinstance(side, bool) or not isinstance(side, int) or not 1 <= side <= _SIDES:
        raise WeightsError(f"{name} must be from 1 to {_SIDES}, not {side!r}")
    return side


def _last(tensors: Mapping[str, npt.NDArray[Any]], name: str, axes: int) -> tuple[int, int]:
    """The last two sides of a tensor, which must exist and have ``axes`` axes."""
    if name not in tensors:
        raise WeightsError(f"the network lacks the tensor {name}")
    shape = tensors[name].shape
    if len(shape) != axes or 0 in shape:
        raise WeightsError(f"{name} has shape {shape}, which does not fit")
    return shape[-2], shape[-1]


def _checksum(tensors: Mapping[str, npt.NDArray[np.float16]]) -> str:
    """SHA-256 over names, shapes, types and little-endian bytes, in the order of the names."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name], dtype="<f2")
        for part in (name, str(tensor.shape), str(np.dtype(np.float16))):
            digest.update(part.encode("utf-8"))
        digest.update(tensor.tobytes())
    return digest.hexdigest()


# --------------------------------------------------------------------------- shipped


def shipped_games() -> list[str]:
    """The names of the games whose networks come with the package."""
    folder = files("rl_toolkit") / "data" / "networks"
    if not folder.is_dir():
        return []
    return sorted(e.name.removesuffix(".npz") for e in folder.iterdir() if e.name.endswith(".npz"))


def shipped_weights(game: str) -> NetworkWeights:
    """The network for ``game`` that comes with the package; `WeightsError` if there is none."""
    if game not in shipped_games():
        raise WeightsError(f"there is no trained network for {game}; {where_to_get_networks()}")
    with as_file(files("rl_toolkit") / "data" / "networks" / f"{game}.npz") as path:
        return load_weights(path)


def where_to_get_networks() -> str:
    """Part of a sentence: which games have networks, and how to train others."""
    games = shipped_games()
    have = f"there are networks for {', '.join(games)}" if games else "no network is shipped yet"
    return f"{have}; train others with `rl-toolkit train` and use them as alphazero:weights=FILE"
