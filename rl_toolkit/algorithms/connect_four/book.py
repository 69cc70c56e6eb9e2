"""An opening book of Connect Four: the exact score of every position up to some ply.

The file is sealed (see `utils.atomic_file`) as "C4BOOK" with rows, columns and plies. Its body::

    bytes      content
    8 each     for every ply from 0: number of positions, length of their scores in the file
    …          for every ply: the scores, compressed with zlib

The scores of a ply are signed bytes in the order of `kernels.connect_four.layers`: one for each
unfinished game with that many stones, mirror images counted once, by ascending key. The positions
themselves are not stored, as enumerating them takes less time than reading them would.
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from functools import cache
from importlib.resources import as_file, files
from typing import Self

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.connect_four.layers import Layers
from rl_toolkit.kernels.spec import LineSpec, fits_connect_four_solver
from rl_toolkit.utils import BookError, Seal, write_bytes_atomically

Scores = npt.NDArray[np.int8]

SHIPPED = "connect_four.book"

_SEAL = Seal(b"C4BOOK\r\n", 1, "opening book of Connect Four")
_LAYER = struct.Struct("<II")


class Book:
    """Scores by position, for positions with up to ``plies`` stones.

    A layer is decompressed, and its positions enumerated, when one of its scores is first needed.
    """

    def __init__(self, rows: int, cols: int, packed: list[tuple[int, bytes]]) -> None:
        self.rows, self.cols = rows, cols
        self.plies = len(packed) - 1
        self._packed = packed
        self._layers = Layers(rows, cols)
        self._scores: dict[int, Scores] = {}
        self._lock = threading.Lock()  # one book serves all solvers of a process

    def score(self, mine: int, taken: int) -> int | None:
        """The score of an unfinished game for its side to move; ``None`` if not in the book."""
        stones = taken.bit_count()
        if stones > self.plies:
            return None
        with self._lock:
            place = self._layers.place(mine, taken)
            return None if place is None else int(self._layer(stones)[place])

    def prepare(self, stones: int | None = None) -> None:
        """Load the layers with up to ``stones`` stones now, or all of them.

        Looking up their scores is fast afterwards.
        """
        last = self.plies if stones is None else min(stones, self.plies)
        with self._lock:
            for number in range(last + 1):
                self._layer(number)

    def _layer(self, stones: int) -> Scores:
        if stones not in self._scores:
            count, data = self._packed[stones]
            try:
                unpacked = zlib.decompressobj().decompress(data, count + 1)
            except zlib.error as error:
                raise BookError(
                    f"the opening book cannot be decompressed at ply {stones}"
                ) from error
            scores = np.frombuffer(unpacked, dtype=np.int8)
            if not count == scores.size == self._layers[stones].size:
                raise BookError(f"the opening book does not fit the board at ply {stones}")
            self._scores[stones] = scores
        return self._scores[stones]

    @property
    def positions(self) -> int:
        """The number of positions in the book, mirror images counted once."""
        return sum(count for count, _ in self._packed)

    def describe(self) -> str:
        """One line for people: which board and which positions."""
        return (
            f"{self.rows}×{self.cols}, every position with up to {self.plies} stones, "
            f"{self.positions:,} positions"
        )

    # -------------------------------------------------------------------------- as a file

    @classmethod
    def of_layers(cls, rows: int, cols: int, layers: list[Scores]) -> Self:
        """Create a book from the scores of each ply."""
        return cls(
            rows, cols, [(layer.size, zlib.compress(layer.tobytes(), 9)) for layer in layers]
        )

    def to_bytes(self) -> bytes:
        """The book as the content of a file."""
        directory = b"".join(_LAYER.pack(count, len(data)) for count, data in self._packed)
        body = directory + b"".join(data for _, data in self._packed)
        return _SEAL.close((self.rows, self.cols, self.plies), body)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a book from the content of a file; `BookError` if it is not a valid book."""
        (rows, cols, plies), body = _SEAL.open(data)
        if (
            not fits_connect_four_solver(LineSpec(rows, cols, 4, gravity=True))
            or plies >= rows * cols
        ):
            raise BookError(
                f"this opening book is for {rows} × {cols}, which the solver does not support"
            )
        start = (plies + 1) * _LAYER.size
        if len(body) < start:
            raise BookError("this opening book is damaged: its directory is truncated")
        packed = []
        for ply in range(plies + 1):
            count, length = _LAYER.unpack_from(body, ply * _LAYER.size)
            packed.append((count, body[start : start + length]))
            start += length
        if start != len(body):
            raise BookError("this opening book is damaged: its length does not match its directory")
        return cls(rows, cols, packed)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the book to a file atomically."""
        write_bytes_atomically(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a book from a file; `BookError` says why it cannot be used."""
        return _SEAL.load(path, cls.from_bytes)


@cache
def shipped_book() -> Book:
    """The book that comes with the package; `BookError` if it is damaged."""
    with as_file(files("rl_toolkit") / "data" / SHIPPED) as path:
        return Book.load(path)
