"""The file of a learned Reversi evaluation: weights by stage, with a version and a checksum.

All numbers are little-endian::

    bytes      what
    8          "RVEVAL", carriage return, line feed
    4          version, stages, and two bytes of 0
    32         SHA-256 of everything that follows
    …          the weights, compressed by zlib: 16-bit numbers, stage after stage

What a weight belongs to is told in `kernels.reversi_patterns`; the table of base 3 at the beginning
of a stage is not in the file.
"""

from __future__ import annotations

import hashlib
import logging
import os
import struct
import zlib
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.reversi_patterns import DIGITS, STAGE_WEIGHTS, STAGES
from rl_toolkit.utils.atomic_file import write_bytes_atomically

Weights = npt.NDArray[np.int16]

MAGIC = b"RVEVAL\r\n"
VERSION = 1
SHIPPED = "reversi.weights"

_HEAD = struct.Struct("<8s4B32s")
_LEARNED = STAGE_WEIGHTS - DIGITS.size
_log = logging.getLogger(__name__)


class WeightsError(ValueError):
    """A file that holds no weights, not all of them, or those of another version."""


def with_digits(learned: npt.NDArray[np.int16]) -> Weights:
    """Weights as the kernels read them: each stage begins with the table of base 3."""
    if learned.shape != (STAGES, _LEARNED):
        raise WeightsError(f"weights come as {STAGES} × {_LEARNED} numbers, not {learned.shape}")
    return np.ascontiguousarray(np.hstack([np.tile(DIGITS, (STAGES, 1)), learned]))


def save_weights(path: str | os.PathLike[str], weights: Weights) -> None:
    """Write weights to a file, whole or not at all."""
    body = zlib.compress(weights[:, DIGITS.size :].astype("<i2").tobytes(), 9)
    head = _HEAD.pack(MAGIC, VERSION, STAGES, 0, 0, hashlib.sha256(body).digest())
    write_bytes_atomically(path, head + body)


def load_weights(path: str | os.PathLike[str]) -> Weights:
    """The weights in a file; `WeightsError` with a sentence where it cannot be used."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise WeightsError(f"the weights cannot be read: {error.strerror}") from error
    if len(data) < _HEAD.size or data[:8] != MAGIC:
        raise WeightsError("this is no file of Reversi weights")
    _, version, stages, _, _, digest = _HEAD.unpack_from(data)
    if (version, stages) != (VERSION, STAGES):
        raise WeightsError(
            f"these weights are of version {version} with {stages} stages, "
            f"not of version {VERSION} with {STAGES}"
        )
    body = data[_HEAD.size :]
    if hashlib.sha256(body).digest() != digest:
        raise WeightsError("the weights are damaged: their checksum is wrong")
    try:
        learned = np.frombuffer(zlib.decompress(body), dtype="<i2").astype(np.int16)
    except (zlib.error, ValueError) as error:
        raise WeightsError("the weights are damaged: they cannot be unpacked") from error
    if learned.size != STAGES * _LEARNED:
        raise WeightsError(f"the weights are {learned.size} numbers, not {STAGES * _LEARNED}")
    return with_digits(learned.reshape(STAGES, _LEARNED))


@cache
def shipped_weights() -> Weights | None:
    """The weights that come with the package; ``None``, and a line in the log, where unusable."""
    try:
        with as_file(files("rl_toolkit") / "data" / SHIPPED) as path:
            return load_weights(path)
    except WeightsError as error:
        _log.warning("Reversi is played without its learned evaluation: %s", error)
        return None
