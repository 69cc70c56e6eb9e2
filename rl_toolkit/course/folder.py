"""The student's folder: written, later renewed where it is still ours.

``.course/manifest.json`` holds the companion and the checksum of each file as we wrote it. A page
or test with that checksum is ours and is renewed; the student's code never is.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit import __version__
from rl_toolkit.course.model import Companion, CourseError, companion
from rl_toolkit.utils import JsonError, JsonObject, as_typed, read_object, write_text_atomically

HIDDEN, MANIFEST = ".course", "manifest.json"


@dataclass(frozen=True, slots=True)
class Started:
    """What `start_course` has done.

    Attributes:
        written: files that were missing. renewed: ours, in an older version.
        kept: pages and tests that differ from ours because the student has changed them.
    """

    written: tuple[str, ...]
    renewed: tuple[str, ...]
    kept: tuple[str, ...]


def start_course(course: Companion, folder: Path) -> Started:
    """Write the folder of a companion, or renew what is still ours in it.

    Raises `CourseError` if the folder belongs to another companion or lies in the folder of one, or
    a file is in the way.
    """
    there = _manifest(folder)
    if there is not None and there.get("course") != course.id:
        raise CourseError(
            f"{folder} is the folder of companion {there.get('course')}; name another folder"
        )
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file; name a folder")
    if there is None:
        _refuse_within_another(course, folder)
    sums = dict(there.get("files", {})) if there is not None else {}
    ours = {**course.pages(), **course.tests()}
    theirs = {**course.code(), "report.md": course.report()}
    written: list[str] = []
    renewed: list[str] = []
    kept: list[str] = []
    for name, text in {**theirs, **ours}.items():
        path = folder / name
        now = _text(path)
        if now is None:
            written.append(name)
        elif now == text or name in theirs:
            if now == text:
                sums[name] = _sum(text)
            continue
        elif sums.get(name) == _sum(now):
            renewed.append(name)
        else:
            kept.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, text)
        sums[name] = _sum(text)
    hidden = folder / HIDDEN
    hidden.mkdir(parents=True, exist_ok=True)
    manifest = {"course": course.id, "version": __version__, "files": dict(sorted(sums.items()))}
    write_text_atomically(hidden / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return Started(tuple(written), tuple(renewed), tuple(kept))


def _refuse_within_another(course: Companion, folder: Path) -> None:
    """Raise `CourseError` if ``folder`` lies within a companion, which would take its files."""
    for outer in folder.resolve().parents:
        if (there := _manifest(outer)) is not None:
            beside = as_typed(_from_here(outer.parent / f"course-{course.id.lower()}"))
            raise CourseError(
                f"{folder} would lie in the folder of companion {there.get('course')}; "
                f"`rl-toolkit course start {course.id} {beside}` makes it beside that"
            )


def _from_here(path: Path) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive of Windows
        return str(path)


def companion_of(folder: Path) -> Companion:
    """The companion to which a folder belongs.

    Raises `CourseError` if there is no such folder, or `start_course` did not make it.
    """
    if not folder.is_dir():
        raise CourseError(f"there is no folder {folder}; `rl-toolkit course start A` makes one")
    manifest = _manifest(folder)
    if manifest is None or not isinstance(manifest.get("course"), str):
        raise CourseError(
            f"{folder} is not the folder of a companion; go into one, or make one with "
            "`rl-toolkit course start A`"
        )
    return companion(manifest["course"])


def is_course_folder(folder: Path) -> bool:
    """Whether `start_course` has made ``folder``; ``False`` also if it does not exist."""
    return folder.is_dir() and _manifest(folder) is not None


def started_below(folder: Path) -> list[Path]:
    """The folder itself, or the folders right below it, that belong to companions."""
    if _manifest(folder) is not None:
        return [folder]
    if not folder.is_dir():
        return []
    below = sorted(path for path in folder.iterdir() if path.is_dir())
    return [path for path in below if _manifest(path) is not None]


def _manifest(folder: Path) -> JsonObject | None:
    try:
        data = read_object((folder / HIDDEN / MANIFEST).read_text("utf-8"))
    except (OSError, JsonError, UnicodeDecodeError):
        return None
    return data if isinstance(data.get("files"), dict) else None


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return ""


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
