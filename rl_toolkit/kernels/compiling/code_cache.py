"""The on-disk cache of machine code, in a folder per version of the kernel sources.

Numba's own cache checks only the file of a function, not the helpers that it imports: after editing
a helper, stale code is used. Here the name of the folder is a hash of *all* kernel sources and of
the toolchain, so any change means a new folder, and stale code cannot be found::

    <user cache folder>/rl_toolkit/kernels/3f0c…/    ← in use
                                           91ab…/    ← older code; what was used lately is kept

``RL_TOOLKIT_CACHE_DIR`` replaces ``<user cache folder>/rl_toolkit``.

If the folder can be read but not written, as inside a sandbox, the code in it is used, and other
kernels are compiled again in each process. The same holds for all kernels if there is no folder;
then one sentence about it goes to the log (a warning reaches stderr by default) and not to
`warnings`, because no caller's code is at fault and ``-W error`` must not stop a game.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from rl_toolkit.utils.installation import CACHE_VARIABLE, cache_folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

KEEP = 4
"""The number of generations of machine code kept on disk at least, the current one included."""
RECENT = 3600.0
"""Seconds for which a used generation is kept in any case: other checkouts may be using it."""

_GENERATION = re.compile(r"[0-9a-f]{32}")
#: The file in which each kernel that is being compiled has a byte, locked by the process that does.
_LOCK = "compiling.lock"
#: Seconds that a process waits for a kernel which another one compiles. Then it compiles the kernel
#: itself: the other one may be suspended.
_PATIENCE = 120.0
#: The byte that processes share for which somebody waits; no name of a kernel has it.
_AWAITED = 0x80000000
#: Seconds between two tries to get a lock.
_TRY = 0.02
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_log = logging.getLogger(__name__)


def root() -> Path:
    """The folder of all generations; it need not exist."""
    return cache_folder() / "kernels"


def generation(sources: Path, toolchain: str) -> str:
    """The folder name for code compiled from these sources with this toolchain."""
    digest = hashlib.sha256(toolchain.encode())
    for file in sorted(sources.rglob("*.py")):
        text = file.read_bytes()
        digest.update(f"\0{file.relative_to(sources).as_posix()}\0{len(text)}\0".encode())
        digest.update(text)
    return digest.hexdigest()[:32]


def generation_of(sources: Path, toolchain: str) -> str:
    """The folder name for the kernels of a package: two installations share no folder."""
    return generation(sources, f"{sources}\0{toolchain}")


def _stamps(sources: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every source file: cheap to read, and changed by every edit."""
    stats = {str(file): file.stat() for file in sources.rglob("*.py")}
    return {file: (stat.st_size, stat.st_mtime_ns) for file, stat in stats.items()}


def was_noted(name: str) -> bool:
    """Whether `CodeCache.note` has recorded ``name``, in this generation or an older one."""
    return any(root().glob(f"*/{escape(name)}.made"))


class CodeCache:
    """The folder of the current generation, prepared on first use."""

    def __init__(self, sources: Path, toolchain: str) -> None:
        self._sources = sources
        self._stamps = _stamps(sources)
        self._generation = generation_of(sources, toolchain)
        self._folder: Path | None = None
        self._prepared = False
        self._lock: int | None = None
        #: Whether code can be saved in the folder.
        self.is_writable = True

    def folder(self) -> Path | None:
        """The folder; ``None`` if there is none, with one warning in the log."""
        if not self._prepared:
            self._prepared = True
            try:
                self._folder = self._prepare(root())
            except OSError as problem:
                self.give_up(problem)
        if self._folder is not None and _stamps(self._sources) != self._stamps:
            # Sources were edited since they were hashed: new code may come from either version.
            self._folder = None
        return self._folder

    def has(self, name: str) -> bool:
        """Whether the code of kernel ``name`` is in the folder."""
        folder = self.folder()
        return folder is not None and (folder / f"{name}.made").exists()

    def saved(self) -> set[str]:
        """The names of all kernels whose code is in the folder."""
        folder = self.folder()
        try:
            files = [] if folder is None else os.listdir(folder)
        except OSError:  # it was removed
            return set()
        return {file.removesuffix(".made") for file in files if file.endswith(".made")}

    def note(self, name: str) -> None:
        """Record that the code of kernel ``name`` is in the folder."""
        folder = self.folder()
        if folder is not None and not self.has(name):
            try:
                (folder / f"{name}.made").touch()
            except OSError as problem:
                self.give_up(problem)

    @contextmanager
    def turn(self, name: str, patience: float = _PATIENCE) -> Iterator[bool]:
        """The turn to compile kernel ``name``: ``False`` if another process has it for too long.

        The process waits for it up to ``patience`` seconds. Where the folder cannot be written, or
        the system has no such locks, each process has every turn.
        """
        lock = self._lock_file()
        if lock is None:
            yield True
            return
        byte = zlib.crc32(name.encode()) & 0x7FFFFFFF
        end = time.monotonic() + patience
        while not (got := _locked(lock, byte)) and time.monotonic() < end:
            time.sleep(_TRY)
        try:
            yield got
        finally:
            if got:  # the system gives it back, too, if the process is killed
                fcntl.lockf(lock, fcntl.LOCK_UN, 1, byte)

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """A block that somebody waits for: processes that `make_way` compile nothing meanwhile."""
        lock = self._lock_file()
        if lock is None:
            yield
            return
        with suppress(OSError):
            fcntl.lockf(lock, fcntl.LOCK_SH, 1, _AWAITED)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.lockf(lock, fcntl.LOCK_UN, 1, _AWAITED)

    def make_way(self) -> None:
        """Wait until no process is in an `awaited` block."""
        lock = self._lock_file()
        if lock is None:
            return
        end = time.monotonic() + _PATIENCE
        while not _locked(lock, _AWAITED) and time.monotonic() < end:
            time.sleep(_TRY)
        with suppress(OSError):
            fcntl.lockf(lock, fcntl.LOCK_UN, 1, _AWAITED)

    def _lock_file(self) -> int | None:
        """The file of locks, open as long as the process lives; ``None`` if there are no locks.

        Closing any handle of it would give back all locks of the process.
        """
        folder = self.folder()
        if folder is None or not self.is_writable or fcntl is None:
            return None
        if self._lock is None:
            try:
                self._lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:  # what is compiled cannot be saved either, which will be said
                return None
        return self._lock

    def give_up(self, problem: OSError) -> None:
        """Stop using the folder, and log why."""
        self._folder = None
        _log.warning(
            "Compiled code cannot be saved in %s (%s), so every start compiles it again. "
            "Set %s to a writable folder.",
            root(),
            problem.strerror or problem,
            CACHE_VARIABLE,
        )

    def _prepare(self, parent: Path) -> Path:
        folder = parent / self._generation
        fresh = not folder.is_dir()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()  # permission bits alone are not conclusive
            os.utime(folder)  # "newest" means last used
        except OSError as problem:
            if fresh or problem.errno not in _READ_ONLY:
                raise
            self.is_writable = False
        if fresh:
            _prune(parent)
        return folder


def _locked(lock: int, byte: int) -> bool:
    """Whether this process has got the lock of a byte, which it may have already."""
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True


def _prune(parent: Path) -> None:
    """Remove all but the most recently used generations; other files are not touched."""
    used: dict[Path, float] = {}
    for path in parent.iterdir():
        if path.is_dir() and _GENERATION.fullmatch(path.name):
            with suppress(FileNotFoundError):  # another process removed it
                used[path] = path.stat().st_mtime
    for old in sorted(used, key=used.__getitem__, reverse=True)[KEEP:]:
        if used[old] < time.time() - RECENT:
            shutil.rmtree(old, ignore_errors=True)
