"""The file of a learned Reversi evaluation: weights by stage, with a version and a checksum.

The file is sealed (see `utils.checked_file`) as "RVEVAL" with the number of stages, the size of the
board, and 0. Its body are the weights, compressed by zlib: 16-bit little-endian numbers, stage
after stage.

What a weight belongs to is told in `kernels.reversi.patterns`; the table of base 3 at the beginning
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
from rl_toolkit.utils.atomic_file import write_bytes_atomically
from rl_toolkit.utils.checked_file import Seal

Weights = npt.NDArray[np.int16]

#: The files that come with the package, by the size of the board.
SHIPPED = {8: "reversi.weights", 6: "reversi-6.weights"}

_LEARNED = STAGE_WEIGHTS - DIGITS.size
_log = logging.getLogger(__name__)


class WeightsError(ValueError):
    """A file that holds no weights, not all of them, or those of another version."""


_SEAL = Seal(b"RVEVAL\r\n", 2, "file of Reversi weights", WeightsError)


def with_digits(learned: npt.NDArray[np.int16]) -> Weights:
    """Weights as the kernels read them: each stage begins with the table of base 3."""
    if learned.shape != (STAGES, _LEARNED):
        raise WeightsError(f"weights come as {STAGES} × {_LEARNED} numbers, not {learned.shape}")
    return np.ascontiguousarray(np.hstack([np.tile(DIGITS, (STAGES, 1)), learned]))


def save_weights(path: str | os.PathLike[str], weights: Weights, size: int = 8) -> None:
    """Write the weights of a board of ``size`` × ``size`` to a file, whole or not at all."""
    body = zlib.compress(weights[:, DIGITS.size :].astype("<i2").tobytes(), 9)
    write_bytes_atomically(path, _SEAL.close((STAGES, size, 0), body))


def load_weights(path: str | os.PathLike[str], size: int | None = 8) -> Weights:
    """The weights in a file, for a board of ``size`` × ``size``, or ``None`` for any.

    `WeightsError` with a sentence where they cannot be used.
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
        raise WeightsError("the weights are damaged: they cannot be unpacked") from error
    if learned.size != STAGES * _LEARNED:
        raise WeightsError(f"the weights are {learned.size} numbers, not {STAGES * _LEARNED}")
    return with_digits(learned.reshape(STAGES, _LEARNED))


@cache
def shipped_weights(size: int = 8) -> Weights | None:
    """The weights that come with the package for a board.

    ``None`` if nothing was learned for it, and, with a line in the log, where they are unusable.
    """
    if size not in SHIPPED:
        return None
    try:
        with as_file(files("rl_toolkit") / "data" / SHIPPED[size]) as path:
            return load_weights(path, size)
    except WeightsError as error:
        _log.warning("Reversi is played without its learned evaluation: %s", error)
        return None
