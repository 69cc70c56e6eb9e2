"""`FolderWatch`: whether a student has saved something."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from rl_toolkit.labs.model.work import LONGEST_FILE, MOST_FILES, is_sent

#: The most files that are looked at, besides those that a check reads.
_MOST = 10 * MOST_FILES


class FolderWatch:
    """Looks at the files that a check reads.

    Contents count, not dates: saving a file unchanged is no change. Files are read only when their
    size or date is another one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stats: list[tuple[str, int, int]] | None = None
        self._digest = b""

    def changed(self) -> bool:
        """Whether something is different from the last look; true at the first."""
        stats = list(self._look())
        if stats == self._stats:
            return False
        self._stats = stats
        before, self._digest = self._digest, self._contents([name for name, _, _ in stats])
        return self._digest != before

    def _look(self) -> Iterator[tuple[str, int, int]]:
        for path in sorted(islice(self._files(), _MOST)):
            with suppress(OSError):  # an editor may replace it at this moment
                stat = path.stat()
                yield path.relative_to(self._folder).as_posix(), stat.st_mtime_ns, stat.st_size

    def _files(self) -> Iterator[Path]:
        """The files of the work; hidden folders, which may be large, are not entered."""
        for place, folders, names in os.walk(self._folder):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            paths = (Path(place, name) for name in sorted(names))
            yield from (path for path in paths if is_sent(path, self._folder))

    def _contents(self, names: list[str]) -> bytes:
        digest = hashlib.sha256()
        for name in names:
            digest.update(name.encode("utf-8", "surrogateescape") + b"\0")
            with suppress(OSError), (self._folder / name).open("rb") as file:
                digest.update(hashlib.sha256(file.read(LONGEST_FILE + 1)).digest())
        return digest.digest()
