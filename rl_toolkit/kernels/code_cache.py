"""The on-disk cache of machine code, in a folder per version of the kernel sources.

Numba's own cache checks only the file of a function, not the helpers that it imports: after editing
a helper, stale code is used. Here the name of the folder is a hash of *all* kernel sources and of
the toolchain, so any change means a new folder, and stale code cannot be found::

    <user cache folder>/rl_toolkit/kernels/3f0c…/    ← in use
                                           91ab…/    ← older code; the newest few are kept

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
from pathlib import Path

from rl_toolkit.utils import CACHE_VARIABLE, cache_folder

KEEP = 4
"""The number of generations of machine code kept on disk, the current one included."""

_GENERATION = re.compile(r"[0-9a-f]{32}")
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


def _stamps(sources: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every source file: cheap to read, and changed by every edit."""
    stats = {str(file): file.stat() for file in sources.rglob("*.py")}
    return {file: (stat.st_size, stat.st_mtime_ns) for file, stat in stats.items()}


class CodeCache:
    """The folder of the current generation, prepared on first use."""

    def __init__(self, sources: Path, toolchain: str) -> None:
        self._sources = sources
        self._stamps = _stamps(sources)
        self._generation = generation(sources, f"{sources}\0{toolchain}")
        self._folder: Path | None = None
        self._prepared = False
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

    def note(self, name: str) -> None:
        """Record that the code of kernel ``name`` is in the folder."""
        folder = self.folder()
        if folder is not None and not self.has(name):
            try:
                (folder / f"{name}.made").touch()
            except OSError as problem:
                self.give_up(problem)

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


def _prune(parent: Path) -> None:
    """Remove all but the most recently used generations; other files are not touched."""
    ours = [p for p in parent.iterdir() if p.is_dir() and _GENERATION.fullmatch(p.name)]
    for old in sorted(ours, key=lambda p: p.stat().st_mtime, reverse=True)[KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
