"""The file of a window network of Gomoku: its numbers, and a checksum.

The file is sealed (see `utils.checked_file`) as "GMWIND" with the rule (0 for five or more, 1 for
exactly five), 0, and 0. Its body, compressed with zlib, holds little-endian numbers::

    base | rows | w1 | b1 | w2 | b2 | rank scale
    u32    i8     i16  i32  i16  i32  i16

`kernels.gomoku.windows` describes what they mean. The base is the checksum of the evaluation that
the network corrects (`weights.checksum_of`): with any other its points would be wrong.
"""

from __future__ import annotations

import logging
import os
import zlib
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from rl_toolkit.algorithms.gomoku.weights import RULES, WeightsError, shipped_checksum
from rl_toolkit.kernels.gomoku.windows import WindowNetwork, shapes
from rl_toolkit.utils.atomic_file import write_bytes_atomically
from rl_toolkit.utils.checked_file import Seal

#: The files that come with the package: for five or more, and for exactly five.
SHIPPED = {False: "gomoku-windows.weights", True: "gomoku-windows-standard.weights"}

_log = logging.getLogger(__name__)
_SEAL = Seal(b"GMWIND\r\n", 1, "file of a Gomoku window network", WeightsError)


def _body() -> np.dtype[Any]:
    """The numbers of a file in their order."""
    arrays = [
        (name, np.dtype(kind).newbyteorder("<"), shape) for name, (kind, shape) in shapes().items()
    ]
    return np.dtype([("base", "<u4"), *arrays, ("b2", "<i4"), ("rank_scale", "<i2")])


def save_windows(path: str | os.PathLike[str], network: WindowNetwork, exactly: bool) -> None:
    """Write a network to a file atomically.

    Without a ``base`` it gets that of the evaluation shipped for the rule.
    """
    numbers = np.zeros((), dtype=_body())
    network = network if network.base else replace(network, base=shipped_checksum(exactly))
    for name in _body().names or ():
        numbers[name] = getattr(network, name)
    body = zlib.compress(numbers.tobytes(), 9)
    write_bytes_atomically(path, _SEAL.close((int(exactly), 0, 0), body))


def load_windows(
    path: str | os.PathLike[str], exactly: bool | None, base: int | None = None
) -> WindowNetwork:
    """Load the network for a rule, or for any rule with ``None``.

    ``base`` is the checksum of the evaluation that it is to correct: by default that of the one
    shipped for the rule of the network. `WeightsError` says why it cannot be used.
    """
    return _SEAL.load(path, lambda data: _network_in(data, exactly, base))


def _network_in(data: bytes, exactly: bool | None, base: int | None) -> WindowNetwork:
    (rule, _, _), body = _SEAL.open(data)
    if rule not in (0, 1):
        raise WeightsError(f"the rule is 0 (freestyle) or 1 (exactly five), not {rule}")
    if exactly is not None and rule != exactly:
        raise WeightsError(
            f"this window network is for {RULES[bool(rule)]} in a row, not for {RULES[exactly]}"
        )
    kind = _body()
    try:
        content = zlib.decompressobj().decompress(body, kind.itemsize + 1)
    except zlib.error as error:
        raise WeightsError("the window network is damaged: it cannot be decompressed") from error
    if len(content) != kind.itemsize:
        raise WeightsError("the window network has numbers missing, or too many")
    numbers = np.frombuffer(content, dtype=kind)[0]
    expected = shipped_checksum(bool(rule)) if base is None else base
    if int(numbers["base"]) != expected:
        raise WeightsError(
            "this window network was trained to correct another evaluation than the one in use"
        )
    arrays = {name: numbers[name].astype(kind) for name, (kind, _) in shapes().items()}
    return WindowNetwork(
        **arrays,
        b2=int(numbers["b2"]),
        rank_scale=int(numbers["rank_scale"]),
        base=int(numbers["base"]),
    )


@cache
def shipped_windows(exactly: bool) -> WindowNetwork | None:
    """The network that comes with the package for a rule.

    ``None`` if there is none, and, with a warning in the log, if it cannot be used.
    """
    with as_file(files("rl_toolkit") / "data" / SHIPPED[exactly]) as path:
        if not path.is_file():
            return None
        try:
            return load_windows(path, exactly)
        except WeightsError as error:
            _log.warning("Gomoku is played without its window network: %s", error)
            return None
