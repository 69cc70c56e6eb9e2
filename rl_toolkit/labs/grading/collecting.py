"""What was handed in: zips of ``lab submit`` and plain folders, read with care.

::

    SUBMISSIONS/
        ada.zip                 made by `rl-toolkit lab submit --name "Ada"`
        bob/                    the folder of a lab itself, or
        eve/L05.zip             a folder for each student, as learning platforms pack them
        eve/L11-connect-four/
        notes.pdf               anything else: refused with the reason, never left out

Nothing is written, run or unpickled. In folders links are refused, as in zips.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rl_toolkit.labs.folder.progress import FILE, HIDDEN, Progress, progress_from
from rl_toolkit.labs.folder.student_folder import MARK
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.names import NamesError, names_table
from rl_toolkit.labs.model.work import LONGEST_FILE, MOST_FILES, NAMES, SENT
from rl_toolkit.labs.submission import (
    LARGEST_TOTAL,
    LONGEST_NAME,
    Submission,
    SubmissionError,
    files_below,
    is_plain,
    read_regular_file,
    read_submission,
)
from rl_toolkit.utils import JsonError, as_typed, counted, listed, one_line, read_object, shown

#: The most submissions of one class.
MOST_SUBMISSIONS = 2000
#: The folder beside the reports with what a later run needs.
KEPT = ".grading"
#: What file managers and Python leave beside submissions, hidden files apart.
_IGNORED = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")


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
        same_name: where else there is work for this lab under this name; then none of it counts.
    """

    student: str
    source: str
    time: float
    lab: Lab | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = field(default_factory=Progress)
    problem: str = ""
    same_name: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in the tables: with the file, if others have handed in under the same name.

        It then has two blanks in a row, which no name of a student has.
        """
        return f"{self.student}  ({self.source})" if self.same_name else self.student

    @property
    def key(self) -> str:
        """The student, whatever the capitals and blanks."""
        return self.name if self.same_name else " ".join(self.student.casefold().split())

    @property
    def doubt(self) -> str:
        """Why the points do not count, "" if they do."""
        if not self.same_name:
            return ""
        verb = "is" if len(self.same_name) == 1 else "are"
        return f"Not counted: {listed(self.same_name)} {verb} handed in under the same name."

    @property
    def digest(self) -> str:
        """A hash of the files: a changed submission has another."""
        packed = json.dumps(sorted(self.files.items())).encode()
        return hashlib.sha256(packed).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Collection:
    """The submissions to grade, those that cannot be read, and what to say about them."""

    handed_in: tuple[HandedIn, ...]
    refused: tuple[HandedIn, ...]
    notes: tuple[str, ...]

    @property
    def is_settled(self) -> bool:
        """Whether every entry of the folder was read, and none has the name of another."""
        return not self.refused and not any(submission.same_name for submission in self.handed_in)


def collect(folder: Path, lab: Lab | None = None, leave_out: Container[Path] = ()) -> Collection:
    """Read the submissions in a folder; with ``lab`` only those of this lab count.

    Entries in ``leave_out`` are somebody else's to grade.

    Of two submissions for one lab in a student's own folder the latest counts. If two entries of
    ``folder`` have one name, they may be of two people: both are graded and neither counts. Raises
    `NothingHandedInError` if there are none at all.
    """
    if not folder.is_dir():
        if folder.is_file():
            raise NothingHandedInError(
                f"{folder} is a file, not a folder; `rl-toolkit class grade CLASS "
                f"{as_typed(str(folder))}` takes in what a platform packed"
            )
        raise NothingHandedInError(f"there is no folder {folder}")
    notes: list[str] = []
    paths = _paths(folder, notes, leave_out)
    submissions = [_read(folder, path, lab) for path in paths]
    if not submissions:
        raise NothingHandedInError(
            f"{folder} has no submissions: zips of `rl-toolkit lab submit`, or folders of labs"
        )
    if len(submissions) > MOST_SUBMISSIONS:
        raise NothingHandedInError(
            f"{folder} holds {len(submissions)} submissions; at most {MOST_SUBMISSIONS} at a time"
        )
    refused = tuple(submission for submission in submissions if submission.problem)
    good = [
        submission
        for submission in submissions
        if submission.lab is not None and not submission.problem
    ]
    others = [each for each in good if lab is not None and each.lab and each.lab.id != lab.id]
    if others and lab is not None:
        names = ", ".join(sorted(other.source for other in others)[:5])
        notes.append(f"{counted(len(others), 'submission')} of other labs left out: {names}.")
    kept = _one_each([each for each in good if each not in others], notes)
    if not kept and not refused:
        raise NothingHandedInError(f"{folder} has no submissions of {lab.id if lab else 'a lab'}")
    return Collection(tuple(kept), refused, tuple(notes))


def _one_each(submissions: list[HandedIn], notes: list[str]) -> list[HandedIn]:
    """One submission of each student in each lab, in the order of names.

    Several of one name stay if they come from several entries of the folder.
    """
    groups: dict[tuple[str, str], list[HandedIn]] = {}
    for submission in submissions:
        assert submission.lab is not None
        groups.setdefault((submission.key, submission.lab.id), []).append(submission)
    kept: list[HandedIn] = []
    for (_, lab), group in groups.items():
        latest: dict[str, HandedIn] = {}
        for each in sorted(group, key=lambda each: (each.time, each.source)):
            entry = each.source.partition("/")[0]
            if entry in latest:
                notes.append(
                    f"{each.student} handed in {lab} more than once: {each.source} is the "
                    f"latest and counts, {latest[entry].source} does not."
                )
            latest[entry] = each
        sources = sorted(each.source for each in latest.values())
        if len(sources) > 1:
            notes.append(
                f"{listed(sources)} are {lab} under one name, {group[0].student}: each is graded, "
                "none counts. Remove all but one and run the same command again."
            )
        for each in latest.values():
            others = tuple(source for source in sources if source != each.source)
            kept.append(replace(each, same_name=others))
    return sorted(kept, key=lambda each: (each.key, each.lab.id if each.lab else ""))


# ------------------------------------------------------------------------- finding


def _paths(folder: Path, notes: list[str], leave_out: Container[Path]) -> Iterator[Path]:
    """What was handed in: every entry of the folder, and of the folders of students."""
    for path in _inside(folder):
        if path in leave_out:
            continue
        if _holds(path, KEPT):
            notes.append(f"{path.name} holds the reports of an earlier run and is left out.")
            continue
        inner: list[Path] = []
        if path.is_dir() and not path.is_symlink() and not _is_lab_folder(path):
            with suppress(OSError):  # then it is the folder that cannot be read
                inner = _inside(path)
        if any(_is_zip(entry) or _is_lab_folder(entry) for entry in inner):
            yield from inner
        else:
            yield path


def _inside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not _is_left(path.name))


def _is_left(name: str) -> bool:
    """Whether file managers or Python left a file or folder of this name, or it is hidden."""
    return name.startswith(".") or name in _IGNORED


def _holds(path: Path, name: str) -> bool:
    """Whether a path is a folder, not a link, with a folder of this name."""
    with suppress(OSError):
        return path.is_dir() and not path.is_symlink() and (path / name).is_dir()
    return False


def _is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def _is_lab_folder(path: Path) -> bool:
    if _holds(path, HIDDEN):
        return True
    with suppress(OSError):
        return path.is_dir() and not path.is_symlink() and (path / NAMES).is_file()
    return False


# ------------------------------------------------------------------------- reading


def _read(root: Path, path: Path, lab: Lab | None) -> HandedIn:
    """One submission; whatever is wrong with it is its ``problem``."""
    source = one_line(path.relative_to(root).as_posix())
    name = path.stem if _is_zip(path) else path.name
    if path.parent != root:
        name = path.parent.name
    empty = HandedIn(_plain_name(name) or "nameless", source, _time(path))
    try:
        if path.parent != root and not _is_zip(path) and not _is_lab_folder(path):
            raise SubmissionError("it lies beside a submission and is not one itself")
        submission = _submission(path, lab)
        given = submission.student if path.parent == root else ""
        empty = replace(empty, student=_plain_name(given) or empty.student)
        own = lab if lab is not None and submission.lab == lab.id else lab_by_id(submission.lab)
    except (SubmissionError, LabError) as error:
        return replace(empty, problem=str(error))
    except OSError as error:
        return replace(empty, problem=f"it cannot be read: {error.strerror}")
    except Exception as error:  # one submission must not end the grading of a class
        return replace(empty, problem=f"it cannot be read: {type(error).__name__}")
    return replace(empty, lab=own, files=submission.files, progress=submission.progress)


def _submission(path: Path, lab: Lab | None) -> Submission:
    if path.is_symlink():
        raise SubmissionError("it is a link")
    if path.is_dir():
        return _read_folder(path, lab)
    if not path.is_file():
        raise SubmissionError("it is neither a file nor a folder")
    if not _is_zip(path) and path.suffix not in SENT:
        raise SubmissionError(
            "it is not a file of a lab; ask for the zip of `rl-toolkit lab submit`"
        )
    if not _is_zip(path):
        raise SubmissionError(
            "it is a single file; put it into a folder with the name of the student, "
            "or ask for the zip of `rl-toolkit lab submit`"
        )
    return read_submission(path)


def _plain_name(name: str) -> str:
    """A name without anything that a terminal or a file system would take otherwise."""
    text = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(text.split())[:LONGEST_NAME]


def _time(path: Path) -> float:
    """When a file, or the newest file of a folder, was changed."""
    times = [0.0]
    with suppress(OSError):
        paths = [path, *path.glob("*")] if path.is_dir() and not path.is_symlink() else [path]
        times += [file.lstat().st_mtime for file in paths[:1000]]
    return max(times)


def _read_folder(folder: Path, lab: Lab | None) -> Submission:
    files: dict[str, str] = {}
    left_out: list[str] = []
    total = 0
    for path in files_below(folder, _is_left, deepest=5):
        name = path.relative_to(folder).as_posix()
        if path.suffix not in SENT:
            left_out.append(one_line(name))
            continue
        if not is_plain(name):
            raise SubmissionError(f"{name[:80]!a} is not a path that a submission may hold")
        if len(files) >= MOST_FILES:
            raise SubmissionError(f"it holds more than {MOST_FILES} files")
        data = read_regular_file(path, name, LONGEST_FILE)
        total += len(data)
        if total > LARGEST_TOTAL:
            raise SubmissionError(f"its files are larger than {LARGEST_TOTAL >> 20} MB together")
        try:
            files[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            raise SubmissionError(f"{name!r} is not text in UTF-8") from None
    files.pop("sheet.md", None)
    if not files:
        some = ", ".join(left_out[:3])
        raise SubmissionError(f"it holds no file of a lab, only {some}" if some else "it is empty")
    return Submission(_lab_id(folder, files, lab), files, "", _progress(folder))


def _hidden(folder: Path, name: str) -> str:
    hidden = folder / HIDDEN
    if hidden.is_symlink():
        return ""
    with suppress(OSError, SubmissionError):
        return read_regular_file(hidden / name, name, LONGEST_FILE).decode(
            "utf-8", errors="replace"
        )
    return ""


def _lab_id(folder: Path, files: Mapping[str, str], lab: Lab | None) -> str:
    """The lab that a folder says it belongs to; else the one that the teacher grades."""
    name: object = None
    with suppress(JsonError):
        name = read_object(_hidden(folder, MARK)).get("id")
    if not isinstance(name, str):
        with suppress(NamesError):
            name = names_table(files.get(NAMES, "")).get("lab")
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
