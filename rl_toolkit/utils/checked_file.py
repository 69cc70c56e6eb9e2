"""Binary files with a version and a checksum: opening books and weights.

All numbers are little-endian::

    bytes      what
    8          magic: the letters of the kind of file, carriage return, line feed
    4          version and three numbers that depend on the kind, a byte each
    32         SHA-256 of the body
    …          the body

A file of another kind or version, or one that is truncated or changed, is rejected.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

HEAD = struct.Struct("<8s4B32s")
MOST_BYTES = 1 << 26

T = TypeVar("T")
Numbers = tuple[int, int, int]


class BookError(ValueError):
    """A file that is not a book, is damaged, or is for another board."""


@dataclass(frozen=True, slots=True)
class Seal:
    """One kind of file.

    Attributes:
        magic: its first eight bytes.
        version: the version that is written, and the only one that is read.
        what: the kind in words, without an article.
        error: the exception for a file that cannot be used.
    """

    magic: bytes
    version: int
    what: str
    error: type[ValueError] = BookError

    @property
    def _a_what(self) -> str:
        return f"{'an' if self.what[0] in 'aeiou' else 'a'} {self.what}"

    def close(self, numbers: Numbers, body: bytes) -> bytes:
        """The content of a file with this body."""
        digest = hashlib.sha256(body).digest()
        return HEAD.pack(self.magic, self.version, *numbers, digest) + body

    def open(self, data: bytes) -> tuple[Numbers, bytes]:
        """The numbers and the body in the content of a file."""
        if len(data) < HEAD.size or not data.startswith(self.magic):
            raise self.error(f"this is not {self._a_what}")
        _, version, first, second, third, digest = HEAD.unpack_from(data)
        if version != self.version:
            raise self.error(
                f"this {self.what} has version {version}; only version {self.version} can be read"
            )
        body = data[HEAD.size :]
        if hashlib.sha256(body).digest() != digest:
            raise self.error(f"this {self.what} is damaged: its checksum is wrong")
        return (first, second, third), body

    def is_on(self, path: str | os.PathLike[str]) -> bool:
        """Whether a file begins like one of this kind; ``False`` if it cannot be read."""
        try:
            with open(path, "rb") as file:
                return file.read(len(self.magic)) == self.magic
        except OSError:
            return False

    def load(self, path: str | os.PathLike[str], read: Callable[[bytes], T]) -> T:
        """Return ``read`` of the content of a file; errors include the name of the file."""
        try:
            if os.stat(path).st_size > MOST_BYTES:
                raise self.error(f"{os.fspath(path)} is too large to be {self._a_what}")
            data = Path(path).read_bytes()
        except OSError as error:
            raise self.error(f"the {self.what} cannot be read: {error}") from error
        try:
            return read(data)
        except self.error as error:
            raise self.error(f"{os.fspath(path)}: {error}") from None
