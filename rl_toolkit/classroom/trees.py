"""`Tree`: the files of an upload in memory, from a folder or a zip, read with care.

Nothing is written, run or unpickled. Paths that lead elsewhere, links, encrypted entries, too many
and too large files are refused with a sentence. What file managers leave behind is passed over.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from rl_toolkit.labs import SubmissionError, files_below, is_plain, read_regular_file

#: The most files of one upload, its bytes in all, and those of one file that is read.
MOST_FILES, MOST_BYTES, MOST_BYTES_OF_A_FILE = 2000, 32 << 20, 4 << 20
#: The most files of a download with the uploads of a whole class.
_MOST_FILES_OF_A_CLASS = 100_000
_DEEPEST = 12
#: The bytes for which a zip counts at least: opening it takes time, too.
_LEAST_OF_A_ZIP = 1 << 16
#: Kinds of files whose contents matter.
_READ = (".py", ".toml", ".html", ".css", ".js", ".json", ".txt", ".md", ".csv", ".ipynb", ".zip")
#: What file managers, editors and Python leave behind.
_DROPPINGS = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "node_modules", "venv")
#: Hidden folders that say what a folder is.
_MARKS = (".lab", ".course", ".git")

_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, ValueError),
    *(NotImplementedError, RuntimeError, EOFError, OSError),
)


class Room:
    """How many bytes may still be read, in zips and in the zips inside them together.

    ``around`` is the room of the download of which this is a part.
    """

    def __init__(self, left: int = MOST_BYTES, around: Room | None = None) -> None:
        self.left, self.around = left, around

    def take(self, size: int) -> None:
        """Use some of it; raises `SubmissionError` if there is too little."""
        self.left -= size
        if self.around is not None:
            self.around.take(size)
        if self.left < 0:
            raise SubmissionError("its files are larger together than an upload may be")


@dataclass(frozen=True, slots=True)
class Tree:
    """Files by path with ``/``; ``None`` for a file of a kind that is not read.

    Attributes:
        modified: when a file of a folder was last changed, as seconds; 0 for a zip.
        folders: folders for which a zip has an entry of its own, as it has for empty ones.
        unread: why a file of a download could not be read; "" stands for what is itself a file.
    """

    files: Mapping[str, bytes | None] = field(default_factory=dict)
    modified: float = 0.0
    folders: frozenset[str] = frozenset()
    unread: Mapping[str, str] = field(default_factory=dict)

    def top(self) -> list[str]:
        """The names at the top, in order."""
        return sorted({path.partition("/")[0] for path in (*self.files, *self.folders)})

    def below(self, folder: str) -> Tree:
        """The files below a folder."""
        head = f"{folder}/" if folder else ""
        inside = {
            path.removeprefix(head): data
            for path, data in self.files.items()
            if path.startswith(head)
        }
        folders = {path.removeprefix(head) for path in self.folders if path.startswith(head)}
        unread = {
            "" if path == folder else path.removeprefix(head): why
            for path, why in self.unread.items()
            if path == folder or path.startswith(head)
        }
        return Tree(inside, self.modified, frozenset(folders), unread)

    def is_folder(self, name: str) -> bool:
        """Whether a name is that of a folder."""
        paths = (*self.files, *self.folders)
        return name in self.folders or any(path.startswith(f"{name}/") for path in paths)

    def text(self, path: str) -> str:
        """The text of a file, "" if there is none that can be read."""
        return (self.files.get(path) or b"").decode("utf-8", errors="replace")


def is_dropping(path: str) -> bool:
    """Whether a path is something that file managers leave behind, or hidden.

    >>> is_dropping("__MACOSX/._a.py"), is_dropping("x/.DS_Store"), is_dropping("L05/.lab/lab.json")
    (True, True, False)
    """
    parts = path.split("/")
    if parts[0] in _MARKS[2:] or any(part in _MARKS[2:] for part in parts):
        return True
    return any(
        part in _DROPPINGS or (part.startswith(".") and part not in _MARKS) for part in parts
    )


def read_folder(folder: Path, most: int = MOST_FILES) -> Tree:
    """The files below a folder; raises `SubmissionError`."""
    files: dict[str, bytes | None] = {}
    times = [folder.lstat().st_mtime]
    total = 0
    for path in files_below(folder, is_dropping, _DEEPEST):
        name = path.relative_to(folder).as_posix()
        if not is_plain(name):  # as in a zip
            raise SubmissionError(f"{name[:80]!a} is not a path that an upload may hold")
        if len(files) >= most:
            raise SubmissionError(f"it holds more than {most} files")
        files[name] = read_file(path) if path.suffix.lower() in _READ else None
        total += len(files[name] or b"")
        if total > MOST_BYTES:
            raise SubmissionError(f"its files are larger than {MOST_BYTES >> 20} MB together")
        times.append(path.lstat().st_mtime)
    return Tree(files, max(times[1:] or times))


def read_file(path: Path, most: int = MOST_BYTES_OF_A_FILE) -> bytes:
    """A file of an upload; raises `SubmissionError`."""
    return read_regular_file(path, path.name, most)


def read_zip(source: bytes | Path, room: Room, *, is_download: bool = False) -> Tree:
    """The files of a zip; raises `SubmissionError`.

    Of a download with the uploads of a class, a file that cannot be read is in ``unread`` instead.
    """
    room.take(_LEAST_OF_A_ZIP)
    most = _MOST_FILES_OF_A_CLASS if is_download else MOST_FILES
    files: dict[str, bytes | None] = {}
    unread: dict[str, str] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as file:
            for name, data, why in _entries(file, most, room):
                if why and not is_download:
                    raise SubmissionError(f"{name[:80]!r} {why}")
                files[name] = data
                unread |= {name: why} if why else {}
            return Tree(files, folders=_folders(file, most), unread=unread)
    except SubmissionError:
        raise
    except _UNREADABLE as error:
        raise SubmissionError(f"it is not a zip that can be read: {error}") from error


def _entries(
    archive: zipfile.ZipFile, most: int, room: Room
) -> Iterator[tuple[str, bytes | None, str]]:
    """The name and contents of each file, and why it has none, "" if it has or needs none."""
    seen: set[str] = set()
    for entry in archive.infolist():
        name = _safe_name(entry)
        if entry.is_dir() or is_dropping(name):
            continue
        if len(seen) >= most:
            raise SubmissionError(f"it holds more than {most} files")
        if name in seen:
            raise SubmissionError(f"it holds {name[:80]!r} twice")
        seen.add(name)
        if PurePosixPath(name).suffix.lower() not in _READ:
            yield name, None, ""
            continue
        if entry.flag_bits & 0x1:
            yield name, None, "is encrypted"
            continue
        with archive.open(entry) as file:
            data = file.read(MOST_BYTES_OF_A_FILE + 1)  # the size in the directory may be a lie
        room.take(len(data))
        if len(data) > MOST_BYTES_OF_A_FILE:
            yield name, None, f"is larger than {MOST_BYTES_OF_A_FILE >> 20} MB"
            continue
        yield name, data, ""


def _folders(archive: zipfile.ZipFile, most: int) -> frozenset[str]:
    """The folders with an entry of their own, whose names `_entries` has found safe."""
    names = (_safe_name(entry) for entry in archive.infolist() if entry.is_dir())
    return frozenset(islice((name for name in names if not is_dropping(name)), most))


def _safe_name(entry: zipfile.ZipInfo) -> str:
    """The path of an entry; refuses links and whatever could lead elsewhere."""
    name = entry.filename.replace("\\", "/").rstrip("/")
    parts = name.split("/")
    is_safe = (
        not name.startswith("/")
        and all(part not in ("", ".", "..") and is_plain(part) for part in parts)
        and not any(char in name for char in ':*?"<>|')
        and len(name) <= 400
        and len(parts) <= _DEEPEST
    )
    if not is_safe:
        raise SubmissionError(f"{entry.filename[:80]!r} is not a path that an upload may hold")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise SubmissionError(f"{name[:80]!r} is a link or another special file")
    return name
