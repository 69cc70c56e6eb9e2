"""Atomic writes: a file is replaced completely or not at all.

New content is written to a temporary file in the same folder, flushed to the disk, and renamed in
one step. A reader sees the old content or the new one at any moment, even after a crash::

    .tmp-3f9c…  ── write ── flush ── fsync ──┐
                                             ├─ os.replace ── fsync the folder
    game.json   ── old content ──────────────┘
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

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
    """Write ``data`` to ``path``; see `atomic_writer`."""
    with atomic_writer(path) as file:
        file.write(data)


def write_text_atomically(path: PathLike, text: str) -> None:
    """Write ``text`` to ``path`` in UTF-8, without changing line ends; see `atomic_writer`."""
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
