"""Files that come with the package or take hours to make, sealed with a version and a checksum.

All numbers are little-endian::

    bytes      what
    8          letters that name the kind of file, carriage return, line feed
    4          version, and three numbers of the kind's own: a byte each
    32         SHA-256 of everything that follows
    …          the body

A file that is of another kind or version, cut off or changed is refused with a sentence.
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
    """A file that is no book, not a whole one, or not for this board; the message says which."""


@dataclass(frozen=True, slots=True)
class Seal:
    """One kind of file.

    Attributes:
        magic: its first eight bytes.
        version: the one that is written, and the only one that is read.
        what: the kind in words, as in "this is no …".
        error: what is raised, with a sentence, where a file cannot be used.
    """

    magic: bytes
    version: int
    what: str
    error: type[ValueError] = BookError

    def close(self, numbers: Numbers, body: bytes) -> bytes:
        """The content of a file with this body."""
        digest = hashlib.sha256(body).digest()
        return HEAD.pack(self.magic, self.version, *numbers, digest) + body

    def open(self, data: bytes) -> tuple[Numbers, bytes]:
        """The numbers and the body in the content of a file."""
        if len(data) < HEAD.size or not data.startswith(self.magic):
            raise self.error(f"this is no {self.what}")
        _, version, first, second, third, digest = HEAD.unpack_from(data)
        if version != self.version:
            raise self.error(
                f"this {self.what} has version {version}, and {self.version} is wanted"
            )
        body = data[HEAD.size :]
        if hashlib.sha256(body).digest() != digest:
            raise self.error(f"this {self.what} is damaged: its checksum is wrong")
        return (first, second, third), body

    def is_on(self, path: str | os.PathLike[str]) -> bool:
        """Whether a file begins like one of this kind; no if it cannot be read."""
        try:
            with open(path, "rb") as file:
                return file.read(len(self.magic)) == self.magic
        except OSError:
            return False

    def load(self, path: str | os.PathLike[str], read: Callable[[bytes], T]) -> T:
        """What ``read`` makes of the content of a file; errors name the file."""
        try:
            if os.stat(path).st_size > MOST_BYTES:
                raise self.error(f"{os.fspath(path)} is too large to be a {self.what}")
            data = Path(path).read_bytes()
        except OSError as error:
            raise self.error(f"the {self.what} cannot be read: {error}") from error
        try:
            return read(data)
        except self.error as error:
            raise self.error(f"{os.fspath(path)}: {error}") from None
