"""The file of a learned Reversi evaluation: weights by stage, with a version and a checksum.

The file is sealed (see `utils.atomic_file`) as "RVEVAL" with the number of stages, the size of the
board, and 0. Its body holds the weights, compressed with zlib: 16-bit little-endian numbers, stage
after stage.

`kernels.reversi.patterns` describes what each weight belongs to; the base 3 table at the beginning
of a stage is not in the file.
"""

from __future__ import annotations

import logging
import os
import zlib
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.reversi.patterns import DIGITS, STAGE_WEIGHTS, STAGES
from rl_toolkit.utils import Seal, write_bytes_atomically

Weights = npt.NDArray[np.int16]

#: The files that come with the package, by the size of the board.
SHIPPED = {8: "reversi.weights", 6: "reversi-6.weights"}

_LEARNED = STAGE_WEIGHTS - DIGITS.size
_log = logging.getLogger(__name__)


class WeightsError(ValueError):
    """A weights file is missing, damaged or of another version."""


_SEAL = Seal(b"RVEVAL\r\n", 2, "file of Reversi weights", WeightsError)


def with_digits(learned: npt.NDArray[np.int16]) -> Weights:
    """The weights as the kernels read them: each stage begins with the base 3 table.

    Raises `WeightsError` for weights of another shape.
    """
    if learned.shape != (STAGES, _LEARNED):
        raise WeightsError(f"weights must have shape {(STAGES, _LEARNED)}, not {learned.shape}")
    return np.ascontiguousarray(np.hstack([np.tile(DIGITS, (STAGES, 1)), learned]))


def save_weights(path: str | os.PathLike[str], weights: Weights, size: int = 8) -> None:
    """Write the weights for a board of ``size`` × ``size`` to a file atomically."""
    body = zlib.compress(weights[:, DIGITS.size :].astype("<i2").tobytes(), 9)
    write_bytes_atomically(path, _SEAL.close((STAGES, size, 0), body))


def load_weights(path: str | os.PathLike[str], size: int | None = 8) -> Weights:
    """Load weights for a board of ``size`` × ``size``, or of any size with ``None``.

    `WeightsError` says why they cannot be used.
    """
    return _SEAL.load(path, lambda data: _weights_in(data, size))


def _weights_in(data: bytes, size: int | None) -> Weights:
    (stages, board, _), body = _SEAL.open(data)
    if stages != STAGES:
        raise WeightsError(f"these weights have {stages} stages, not {STAGES}")
    if size not in (None, board):
        raise WeightsError(f"these weights are for {board}×{board}, not {size}×{size}")
    try:
        learned = np.frombuffer(zlib.decompress(body), dtype="<i2").astype(np.int16)
    except (zlib.error, ValueError) as error:
        raise WeightsError("the weights are damaged: they cannot be decompressed") from error
    if learned.size != STAGES * _LEARNED:
        raise WeightsError(f"there are {learned.size} weights instead of {STAGES * _LEARNED}")
    return with_digits(learned.reshape(STAGES, _LEARNED))


@cache
def shipped_weights(size: int = 8) -> Weights | None:
    """The weights that come with the package for a board size.

    ``None`` if there are none, or, with a warning in the log, if they cannot be used.
    """
    if size not in SHIPPED:
        return None
    try:
        with as_file(files("rl_toolkit") / "data" / SHIPPED[size]) as path:
            return load_weights(path, size)
    except WeightsError as error:
        _log.warning("Reversi is played without its learned evaluation: %s", error)
        return None
