"""Files that are written all or nothing, and files with a header and a checksum.

New content is written to a temporary file in the same folder, flushed to the disk, and renamed in
one step. A reader sees the old content or the new one at any moment, even after a crash::

    .tmp-3f9c…  ── write ── flush ── fsync ──┐
                                             ├─ os.replace ── fsync the folder
    game.json   ── old content ──────────────┘

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
import secrets
import stat
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

PathLike = str | os.PathLike[str]


@contextmanager
def atomic_writer(path: PathLike) -> Iterator[BinaryIO]:
    """Open a binary file that replaces ``path`` when the block ends without an exception.

    An exception inside the block leaves ``path`` unchanged and removes the temporary file; a killed
    process may leave a ``.tmp-…`` file next to it. A replaced file keeps its permissions, and a
    symbolic link still points to its target. Raises `OSError` if ``path`` exists and is not a
    regular file.
    """
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    # Not made from the target's name, which could become too long for the file system.
    temporary = target.with_name(f".tmp-{secrets.token_hex(8)}")
    try:
        with _create(temporary, target) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(target.parent)


def write_bytes_atomically(path: PathLike, data: bytes) -> None:
    """Write ``data`` to ``path``: the file has its old content or all of the new, never a part.

    Raises ``OSError`` if it cannot be written; see `atomic_writer`.
    """
    with atomic_writer(path) as file:
        file.write(data)


def write_text_atomically(path: PathLike, text: str) -> None:
    """Write ``text`` to ``path`` in UTF-8, without changing line ends.

    The file has its old content or all of the new; raises ``OSError`` if it cannot be written.
    """
    write_bytes_atomically(path, text.encode("utf-8"))


def _create(temporary: Path, target: Path) -> BinaryIO:
    try:
        return open(temporary, "xb")
    except OSError as error:
        error.filename = str(target)  # the name that the caller passed
        raise


def _mode_of(target: Path) -> int | None:
    """The permissions of the file about to be replaced, ``None`` if there is none."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    # Replacing a device or a pipe would remove it; a folder cannot be replaced at all.
    if not stat.S_ISREG(mode):
        raise OSError(f"{target} is not a regular file, so it is not overwritten")
    return stat.S_IMODE(mode)


def _sync_folder(folder: Path) -> None:
    """Flush the rename to the disk, on systems where a folder can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


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
