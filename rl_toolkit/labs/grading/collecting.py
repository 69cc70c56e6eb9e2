"""What was handed in: zips of ``lab submit`` and plain folders, read with care.

::

    SUBMISSIONS/
        ada.zip                 made by `rl-toolkit lab submit --name "Ada"`
        bob/                    the folder of a lab itself, or
        eve/L05.zip             a folder for each student, as learning platforms pack them
        eve/L11-connect-four/

Nothing is written, run or unpickled. In folders links are refused, as in zips.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rl_toolkit.labs.folder.progress import FILE, HIDDEN, Progress, progress_from
from rl_toolkit.labs.folder.student_folder import MARK
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.work import LONGEST_FILE, MOST_FILES, NAMES, SENT
from rl_toolkit.labs.submission import (
    LARGEST_TOTAL,
    LONGEST_NAME,
    Submission,
    SubmissionError,
    read_submission,
)
from rl_toolkit.utils import JsonError, counted, read_object, shown

#: The most submissions of one class.
MOST_SUBMISSIONS = 2000
#: The folder beside the reports with what a later run needs.
KEPT = ".grading"
#: What learning platforms and editors leave beside submissions.
_IGNORED = ("__MACOSX", "__pycache__")


class NothingHandedInError(ValueError):
    """There is no folder, or nothing in it; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """One submission.

    Attributes:
        student: the name in the zip, else the name of the folder or file.
        lab: the lab; ``None`` if it cannot be told.
        source: where it was, below the folder of submissions.
        time: when the file was last changed, which decides between two of one student.
        problem: why it cannot be graded, "" if it can.
    """

    student: str
    source: str
    time: float
    lab: Lab | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = field(default_factory=Progress)
    problem: str = ""

    @property
    def key(self) -> str:
        """The student, whatever the capitals and blanks."""
        return " ".join(self.student.casefold().split())

    @property
    def digest(self) -> str:
        """A hash of the files: a changed submission has another."""
        packed = json.dumps(sorted(self.files.items())).encode()
        return hashlib.sha256(packed).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Collection:
    """The submissions that count, those that cannot be read, and what to say about them."""

    handed_in: tuple[HandedIn, ...]
    refused: tuple[HandedIn, ...]
    notes: tuple[str, ...]


def collect(folder: Path, lab: Lab | None = None) -> Collection:
    """Read the submissions in a folder; with ``lab`` only those of this lab count.

    Of two submissions of one student in one lab the latest counts. Raises `NothingHandedInError`
    if there are none at all.
    """
    if not folder.is_dir():
        raise NothingHandedInError(f"there is no folder {folder}")
    found = [_read(folder, path, lab) for path in _paths(folder)]
    if not found:
        raise NothingHandedInError(
            f"{folder} has no submissions: zips of `rl-toolkit lab submit`, or folders of labs"
        )
    if len(found) > MOST_SUBMISSIONS:
        raise NothingHandedInError(
            f"{folder} holds {len(found)} submissions; at most {MOST_SUBMISSIONS} at a time"
        )
    refused = tuple(each for each in found if each.problem)
    notes: list[str] = []
    good = [each for each in found if each.lab is not None and not each.problem]
    others = [each for each in good if lab is not None and each.lab and each.lab.id != lab.id]
    if others and lab is not None:
        names = ", ".join(sorted(each.source for each in others)[:5])
        notes.append(f"{counted(len(others), 'submission')} of other labs left out: {names}.")
    kept = _latest([each for each in good if each not in others], notes)
    if not kept and not refused:
        raise NothingHandedInError(f"{folder} has no submissions of {lab.id if lab else 'a lab'}")
    return Collection(tuple(kept), refused, tuple(notes))


def _latest(found: list[HandedIn], notes: list[str]) -> list[HandedIn]:
    """One submission of each student in each lab, in the order of names."""
    kept: dict[tuple[str, str], HandedIn] = {}
    for each in sorted(found, key=lambda each: (each.time, each.source)):
        assert each.lab is not None
        place = each.key, each.lab.id
        if place in kept:
            notes.append(
                f"{each.student} handed in {each.lab.id} more than once: {each.source} is the "
                f"latest and counts, {kept[place].source} does not."
            )
        kept[place] = each
    return sorted(kept.values(), key=lambda each: (each.key, each.lab.id if each.lab else ""))


# ------------------------------------------------------------------------- finding


def _paths(folder: Path) -> Iterator[Path]:
    """Zips and folders of labs, here and one folder for each student deeper."""
    for path in _inside(folder):
        if (path / KEPT).is_dir():  # reports of an earlier run
            continue
        if path.is_dir() and not path.is_symlink() and not _is_lab_folder(path):
            inner = [each for each in _inside(path) if _is_zip(each) or _is_lab_folder(each)]
            yield from inner or [path]
        elif _is_zip(path) or path.is_dir():
            yield path


def _inside(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if not path.name.startswith(".") and path.name not in _IGNORED
    )


def _is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def _is_lab_folder(path: Path) -> bool:
    if not path.is_dir() or path.is_symlink():
        return False
    return (path / HIDDEN).is_dir() or (path / NAMES).is_file()


# ------------------------------------------------------------------------- reading


def _read(root: Path, path: Path, lab: Lab | None) -> HandedIn:
    """One submission; whatever is wrong with it is its ``problem``."""
    source = path.relative_to(root).as_posix()
    name = path.stem if _is_zip(path) else path.name
    if path.parent != root:
        name = path.parent.name
    empty = HandedIn(_plain_name(name) or "nameless", source, _time(path))
    try:
        if path.is_symlink():
            raise SubmissionError("it is a link")
        submission = read_submission(path) if _is_zip(path) else _read_folder(path, lab)
        given = submission.student if path.parent == root else ""
        empty = replace(empty, student=_plain_name(given) or empty.student)
        own = lab if lab is not None and submission.lab == lab.id else lab_by_id(submission.lab)
    except (SubmissionError, LabError) as error:
        return replace(empty, problem=str(error))
    except OSError as error:
        return replace(empty, problem=f"it cannot be read: {error.strerror}")
    return replace(empty, lab=own, files=submission.files, progress=submission.progress)


def _plain_name(name: str) -> str:
    """A name without anything that a terminal or a file system would take otherwise."""
    text = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(text.split())[:LONGEST_NAME]


def _time(path: Path) -> float:
    """When a file, or the newest file of a folder, was changed."""
    times = [0.0]
    with suppress(OSError):
        paths = [path, *path.glob("*")] if path.is_dir() and not path.is_symlink() else [path]
        times += [each.lstat().st_mtime for each in paths[:1000]]
    return max(times)


def _read_folder(folder: Path, lab: Lab | None) -> Submission:
    files: dict[str, str] = {}
    total = 0
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if path.suffix not in SENT:
            continue
        if len(files) >= MOST_FILES:
            raise SubmissionError(f"it holds more than {MOST_FILES} files")
        data = _bytes(path, name)
        total += len(data)
        if total > LARGEST_TOTAL:
            raise SubmissionError(f"its files are larger than {LARGEST_TOTAL >> 20} MB together")
        try:
            files[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            raise SubmissionError(f"{name!r} is not text in UTF-8") from None
    files.pop("sheet.md", None)
    return Submission(_lab_id(folder, files, lab), files, "", _progress(folder))


def _walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    """The files below a folder; refuses links."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.startswith(".") or entry.name in _IGNORED:
                continue
            if entry.is_symlink():
                raise SubmissionError(f"{entry.name!r} is a link or another special file")
            if entry.is_dir(follow_symlinks=False):
                if depth >= 5:
                    raise SubmissionError(f"{entry.name!r} lies too deep")
                yield from _walk(Path(entry.path), depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _bytes(path: Path, name: str) -> bytes:
    """A regular file, at most a megabyte; a link that has just taken its place is refused."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SubmissionError(f"{name!r} is a link or another special file")
        data = file.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise SubmissionError(f"{name!r} is larger than a megabyte")
    return data


def _hidden(folder: Path, name: str) -> str:
    hidden = folder / HIDDEN
    if hidden.is_symlink():
        return ""
    with suppress(OSError, SubmissionError):
        return _bytes(hidden / name, name).decode("utf-8", errors="replace")
    return ""


def _lab_id(folder: Path, files: Mapping[str, str], lab: Lab | None) -> str:
    """The lab that a folder says it belongs to; else the one that the teacher grades."""
    name: object = None
    with suppress(JsonError):
        name = read_object(_hidden(folder, MARK)).get("id")
    if not isinstance(name, str):
        with suppress(tomllib.TOMLDecodeError):
            name = tomllib.loads(files.get(NAMES, "")).get("lab")
    if isinstance(name, str):
        return name
    if lab is None:
        raise SubmissionError(
            f"it is not the folder of a lab ({shown(folder.name)}); --lab names the lab"
        )
    return lab.id


def _progress(folder: Path) -> Progress:
    try:
        return progress_from(read_object(_hidden(folder, FILE)))
    except (ValueError, TypeError, AttributeError):
        return Progress()
