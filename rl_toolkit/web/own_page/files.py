"""The files of a student's page: found below one folder and nowhere else, of bounded size."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

#: What a page is made of, and how it is called on the web.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
}
#: The largest file, the longest address, the most files that are watched.
LARGEST, _LONGEST, _MOST = 8 << 20, 400, 2000
#: Kinds of files whose change reloads the page; Python among them, as it answers the page.
_WATCHED = (*TYPES, ".py")
_SCRIPT = '<script src="/__rl_toolkit/page.js"></script>'


class OwnFiles:
    """The files below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def find(self, address: str) -> Path | None:
        """The file at an address such as ``pictures/x.svg``; ``None`` if there is none to serve.

        Hidden files, links that lead out of the folder and other kinds of files are not served.
        """
        parts = address.split("/")
        if len(address) > _LONGEST or any(
            not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts
        ):
            return None
        path = self.folder.joinpath(*parts)
        with suppress(OSError, ValueError, RuntimeError):
            real = path.resolve(strict=True)
            if real.is_relative_to(self.folder) and real.is_file() and not self._is_hidden(real):
                return real if real.suffix.lower() in TYPES else None
        return None

    def _is_hidden(self, real: Path) -> bool:
        return any(part.startswith(".") for part in real.relative_to(self.folder).parts)

    def pages(self) -> list[str]:
        """The pages in the folder itself."""
        return sorted(path.name for path in self.folder.glob("*.htm*") if self.find(path.name))[:50]

    def version(self) -> str:
        """Another text whenever a file has changed."""
        newest, count, size = 0, 0, 0
        for stat in islice(self._stats(), _MOST):
            newest, count, size = max(newest, stat.st_mtime_ns), count + 1, size + stat.st_size
        return f"{newest}-{count}-{size}"

    def _stats(self) -> Iterator[os.stat_result]:
        for place, folders, names in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            for name in sorted(names):
                if name.lower().endswith(_WATCHED) and not name.startswith("."):
                    with suppress(OSError):
                        yield Path(place, name).stat()


def with_script(page: str) -> str:
    """A page with our script before its own ones.

    >>> with_script("<html><head><title>T</title></head></html>")[:60]
    '<html><head><script src="/__rl_toolkit/page.js"></script><ti'
    """
    for tag in ("head", "html"):
        found = re.search(rf"<{tag}(\s[^>]*)?>", page, re.IGNORECASE)
        if found:
            return page[: found.end()] + _SCRIPT + page[found.end() :]
    found = re.match(r"\s*<!doctype[^>]*>", page, re.IGNORECASE)
    at = found.end() if found else 0
    return page[:at] + _SCRIPT + page[at:]
