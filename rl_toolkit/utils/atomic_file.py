"""Files that are replaced whole or not at all.

New content goes to a temporary file in the same folder, is forced to the disk, and then takes the
name in one step. Whoever opens the name, at any moment and after any crash, finds the old content
or the new, never half of either::

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
    """A binary file whose content becomes the content of ``path`` when the block ends well.

    An exception inside the block leaves ``path`` as it was and no temporary file behind; a killed
    process may leave a ``.tmp-…`` file beside it. A new file gets the permissions any new file
    gets, a replaced one keeps its own, and a symbolic link goes on pointing where it pointed.
    Anything but a regular file at ``path`` is refused with `OSError`.
    """
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    # A short name of its own: one made from the target's could be too long for the file system.
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
    """Make ``data`` the content of ``path``; see `atomic_writer`."""
    with atomic_writer(path) as file:
        file.write(data)


def write_text_atomically(path: PathLike, text: str) -> None:
    """Make ``text`` in UTF-8, line ends untouched, the content of ``path``."""
    write_bytes_atomically(path, text.encode("utf-8"))


def _create(temporary: Path, target: Path) -> BinaryIO:
    try:
        return open(temporary, "xb")
    except OSError as error:
        error.filename = str(target)  # the name the caller knows
        raise


def _mode_of(target: Path) -> int | None:
    """The permissions of the file about to be replaced, ``None`` if there is none."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    # Replacing a device or a pipe would remove it; a folder cannot be replaced at all.
    if not stat.S_ISREG(mode):
        raise OSError(f"{target} is not a regular file and is not overwritten")
    return stat.S_IMODE(mode)


def _sync_folder(folder: Path) -> None:
    """Force the new name itself to the disk, where the system lets a folder be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
