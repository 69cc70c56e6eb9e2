"""The file of a learned Gomoku evaluation: numbers per kind of cell, and a checksum.

The file is sealed (see `utils.atomic_file`) as "GMEVAL" with the number of the rule (0 for
five or more, 1 for exactly five), 0, and 0. Its body, compressed with zlib, holds 16-bit
little-endian numbers::

    tempo | own values | other values | own ranks | other ranks       one each per kind, but tempo

`kernels.gomoku.state.Evaluation` describes what they mean.
"""

from __future__ import annotations

import logging
import os
import zlib
from functools import cache
from importlib.resources import as_file, files

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.cell_tables import KINDS
from rl_toolkit.kernels.gomoku.state import Evaluation
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD, LineRule
from rl_toolkit.utils import Seal, write_bytes_atomically

#: The files that come with the package, by the rule.
SHIPPED = {FREESTYLE: "gomoku.weights", STANDARD: "gomoku-standard.weights"}

_NUMBERS = 1 + 4 * KINDS
_log = logging.getLogger(__name__)


class WeightsError(ValueError):
    """A weights file is missing, damaged, or for another rule."""


_SEAL = Seal(b"GMEVAL\r\n", 2, "file of Gomoku weights", WeightsError)


def save_weights(
    path: str | os.PathLike[str], tempo: int, tables: npt.NDArray[np.float64], rule: LineRule
) -> None:
    """Write an evaluation to a file atomically; ``tables`` has four rows of numbers per kind.

    Raises `WeightsError` for tables of another shape.
    """
    if tables.shape != (4, KINDS):
        raise WeightsError(f"weights must have shape {(4, KINDS)}, not {tables.shape}")
    numbers = np.concatenate([[tempo], np.rint(tables).ravel()]).astype("<i2")
    body = zlib.compress(numbers.tobytes(), 9)
    write_bytes_atomically(path, _SEAL.close((rule.number, 0, 0), body))


def load_weights(path: str | os.PathLike[str], rule: LineRule | None) -> Evaluation:
    """Load the evaluation for a rule, or for any rule with ``None``.

    `WeightsError` says why it cannot be used.
    """
    return _SEAL.load(path, lambda data: _evaluation_in(data, rule))


def _evaluation_in(data: bytes, rule: LineRule | None) -> Evaluation:
    (number, _, _), body = _SEAL.open(data)
    if rule is not None and number != rule.number:
        theirs = next((each.words for each in SHIPPED if each.number == number), "another rule")
        raise WeightsError(f"these weights are for {theirs} in a row, not for {rule.words}")
    try:
        numbers = np.frombuffer(zlib.decompress(body), dtype="<i2").astype(np.float64)
    except (zlib.error, ValueError) as error:
        raise WeightsError("the weights are damaged: they cannot be decompressed") from error
    if numbers.size != _NUMBERS:
        raise WeightsError(f"there are {numbers.size} weights instead of {_NUMBERS}")
    own, other, order_own, order_other = numbers[1:].reshape(4, KINDS)
    return Evaluation(own, other, order_own, order_other, tempo=int(numbers[0]))


@cache
def shipped_weights(rule: LineRule) -> Evaluation | None:
    """The evaluation that comes with the package for a rule.

    ``None``, with a warning in the log, if it cannot be used.
    """
    try:
        with as_file(files("rl_toolkit") / "data" / SHIPPED[rule]) as path:
            return load_weights(path, rule)
    except WeightsError as error:
        _log.warning("Gomoku is played without its learned evaluation: %s", error)
        return None
