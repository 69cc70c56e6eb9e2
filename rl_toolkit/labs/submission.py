"""A submission: a plain zip with the student's files, made and read with care.

::

    submission.json     {"lab": "L05", "format": 1, "student": "Ada", "progress": {…}}
    files/minimax.py    the files of the lab, names.toml, answers.md and other small text files

The same folder gives the same bytes. On reading nothing is extracted to the disk and nothing is
run or unpickled: paths, links, the number of files and their sizes are checked first.
"""

from __future__ import annotations

import io
import json
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rl_toolkit.labs.folder.progress import Progress, progress_from, read_progress
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.work import LONGEST_FILE, MOST_FILES, Work, read_work, work_from
from rl_toolkit.utils import JsonError, read_object, write_bytes_atomically

FORMAT = 1
#: The most bytes of a submission, and of all its files together.
LARGEST_ZIP, LARGEST_TOTAL = 4 << 20, 8 << 20
#: The longest name of a student.
LONGEST_NAME = 80
_ABOUT = "submission.json"
_FILES = "files/"
#: The time that every entry has, so that equal work gives equal bytes.
_TIME = (1980, 1, 1, 0, 0, 0)

_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, ValueError),
    *(NotImplementedError, RuntimeError, EOFError, OSError),
)


class SubmissionError(ValueError):
    """A file is not a submission that can be read; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What a student has handed in.

    Attributes:
        lab: the id of the lab.
        files: path → text.
        student: the name that they gave, "" if none.
        progress: what their folder says they have done; nothing here proves anything.
    """

    lab: str
    files: Mapping[str, str]
    student: str = ""
    progress: Progress = field(default_factory=Progress)

    def work(self, lab: Lab | None = None) -> Work:
        """The work to check, in a lab of the package unless another is given.

        Raises `LabError` if there is no such lab, a file is missing or names.toml is wrong.
        """
        return work_from(lab or lab_by_id(self.lab), self.files)


def write_submission(lab: Lab, folder: Path, path: Path, student: str = "") -> list[str]:
    """Write the submission of a student's folder to ``path``, and return the names of its files.

    Raises `SubmissionError` if a file of the lab is missing, if ``student`` cannot be a name, or if
    the zip would be too large.
    """
    try:
        work = read_work(lab, folder)
    except LabError as error:
        raise SubmissionError(str(error)) from error
    # Sheet and pictures come with the lab; the rest is the student's.
    names = sorted(name for name in work.files if name != "sheet.md")
    files = {name: work.files[name] for name in names}
    submission = Submission(lab.id, files, " ".join(student.split()), read_progress(folder))
    write_bytes_atomically(path, submission_bytes(submission))
    return names


def submission_bytes(submission: Submission) -> bytes:
    """The bytes of a submission; raises `SubmissionError` if it is too large."""
    about = {
        "lab": submission.lab,
        "format": FORMAT,
        "student": submission.student,
        "progress": submission.progress.to_dict(),
    }
    entries = {_ABOUT: json.dumps(about, indent=1, sort_keys=True)}
    entries |= {_FILES + name: submission.files[name] for name in sorted(submission.files)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.create_system = 3
            archive.writestr(info, text.encode("utf-8"))
    if len(submission.student) > LONGEST_NAME or not submission.student.isprintable():
        raise SubmissionError(f"a name has at most {LONGEST_NAME} characters")
    data = buffer.getvalue()
    if len(data) > LARGEST_ZIP:
        raise SubmissionError(f"the submission would be larger than {LARGEST_ZIP >> 20} MB")
    return data


def read_submission(source: Path | bytes) -> Submission:
    """The submission in a zip, which is a file or its bytes.

    Raises `SubmissionError` for a zip that is too large, damaged or something else, and ``OSError``
    if the file cannot be opened.
    """
    if isinstance(source, Path):
        if source.stat().st_size > LARGEST_ZIP:
            raise SubmissionError(f"the file is larger than {LARGEST_ZIP >> 20} MB")
        source = source.read_bytes()
    if len(source) > LARGEST_ZIP:
        raise SubmissionError(f"the file is larger than {LARGEST_ZIP >> 20} MB")
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as archive:
            return _read(archive)
    except SubmissionError:
        raise
    except _UNREADABLE as error:
        raise SubmissionError(f"the file is not a zip that can be read: {error}") from error


def _read(archive: zipfile.ZipFile) -> Submission:
    entries = archive.infolist()
    if len(entries) > MOST_FILES + 1:
        raise SubmissionError(f"it holds {len(entries)} files; at most {MOST_FILES + 1}")
    if sum(entry.file_size for entry in entries) > LARGEST_TOTAL:
        raise SubmissionError(f"its files are larger than {LARGEST_TOTAL >> 20} MB together")
    texts: dict[str, str] = {}
    for entry in entries:
        name = _safe_name(entry)
        if name in texts:
            raise SubmissionError(f"it holds {name!r} twice")
        texts[name] = _text(archive, entry)
    try:
        about = read_object(texts.pop(_ABOUT))
    except KeyError:
        raise SubmissionError(
            "it has no submission.json; `rl-toolkit lab submit` makes one"
        ) from None
    except JsonError as error:
        raise SubmissionError(f"submission.json: {error}") from error
    lab = about.get("lab")
    if about.get("format") != FORMAT or not isinstance(lab, str) or len(lab) > 60:
        raise SubmissionError("submission.json does not name a lab in a format that is known")
    try:
        progress = progress_from(about.get("progress") or {})
    except (ValueError, AttributeError, TypeError):
        progress = Progress()
    outside = [name for name in texts if not name.startswith(_FILES)]
    if outside:
        raise SubmissionError(f"{outside[0]!r} is not in the folder files/")
    files = {name.removeprefix(_FILES): text for name, text in texts.items()}
    student = about.get("student")
    if not isinstance(student, str) or len(student) > LONGEST_NAME or not student.isprintable():
        student = ""
    return Submission(lab, files, student, progress)


def _safe_name(entry: zipfile.ZipInfo) -> str:
    """The path of an entry; refuses links, folders and whatever could lead elsewhere."""
    name, path = entry.filename, PurePosixPath(entry.filename)
    parts = name.split("/")
    is_safe = (
        name == str(path)
        and not path.is_absolute()
        and all(part not in ("", ".", "..") and is_plain(part) for part in parts)
        and not any(char in name for char in '\\:*?"<>|')
        and len(name) <= 200
        and len(parts) <= 6
    )
    if not is_safe:
        raise SubmissionError(f"{name[:80]!r} is not a path that a submission may hold")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise SubmissionError(f"{name!r} is a link or another special file")
    if entry.flag_bits & 0x1:
        raise SubmissionError(f"{name!r} is encrypted")
    if entry.file_size > LONGEST_FILE:
        raise SubmissionError(f"{name!r} is larger than a megabyte")
    return name


def is_plain(name: str) -> bool:
    r"""Whether the name of a file has nothing that changes a terminal or that no file can hold.

    Systems and people write spaces of many kinds, and some scripts need joiners.

    >>> is_plain("3.04\u202fPM.png"), is_plain("a\x1b[2J"), is_plain("\udcff")
    (True, False, False)
    """
    return all(
        char.isprintable() or unicodedata.category(char) == "Zs" or char in "\u200c\u200d"
        for char in name
    )


def files_below(
    folder: Path, passed_over: Callable[[str], bool], deepest: int, depth: int = 0
) -> Iterator[Path]:
    """The files below a folder that somebody handed in, in the order of their names.

    Entries whose name is ``passed_over`` are left out. Raises `SubmissionError` for a link, and for
    a folder more than ``deepest`` levels down.
    """
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if passed_over(entry.name):
                continue
            if entry.is_symlink():
                raise SubmissionError(f"{entry.name!r} is a link or another special file")
            if entry.is_dir(follow_symlinks=False):
                if depth >= deepest:
                    raise SubmissionError(f"{entry.name!r} lies too deep")
                yield from files_below(Path(entry.path), passed_over, deepest, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def read_regular_file(path: Path, name: str, most: int) -> bytes:
    """A file of at most ``most`` bytes, called ``name`` in a `SubmissionError`.

    A link that has just taken the place of the file is refused.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SubmissionError(f"{name!r} is a link or another special file")
        data = file.read(most + 1)
    if len(data) > most:
        size = "a megabyte" if most == 1 << 20 else f"{most >> 20} MB"
        raise SubmissionError(f"{name!r} is larger than {size}")
    return data


def _text(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    with archive.open(entry) as file:
        data = file.read(LONGEST_FILE + 1)  # the size in the directory may be a lie
    if len(data) > LONGEST_FILE:
        raise SubmissionError(f"{entry.filename!r} is larger than a megabyte")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SubmissionError(f"{entry.filename!r} is not text in UTF-8") from None
