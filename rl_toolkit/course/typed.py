"""Check a tree that was typed as handout A or B says: ``rl_toolkit/envs/tictactoe.py``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rl_toolkit.course.checking import CourseReport, OnProgress, own_files, run_tests
from rl_toolkit.course.model import Companion, CourseError
from rl_toolkit.utils import listed
from rl_toolkit_notice import is_package

#: What a file defines at its top level.
_DEFINES = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)


def check_typed(
    folder: Path,
    letter: Companion,
    *,
    sessions: Sequence[int] = (),
    on_progress: OnProgress | None = None,
) -> CourseReport:
    """Run a companion's tests on a tree that was typed as the handout says, ``rl_toolkit/envs/…``.

    Unless ``sessions`` are named, those are left out of which the tree has no file. Raises
    `CourseError` if the tree has none of the files.
    """
    files = own_files(folder)
    places = _typed_places(letter, files)
    if not places:
        wanted = ", ".join(path for paths in letter.typed.values() for path in paths[:1])
        raise CourseError(f"{folder} has none of the files of handout {letter.id}: {wanted}")
    places |= _places_by_contents(letter, files, places)
    there = {*places, *files}
    begun = [each.number for each in letter.sessions if there.intersection(each.files)]
    places = {own: place for own, place in places.items() if place != own}
    report = run_tests(letter, files, places, sessions or begun, (), on_progress)
    rest = [str(each.number) for each in letter.sessions if each.number not in begun]
    if sessions or not rest:
        return report
    which = f"session{'s' * (len(rest) > 1)} {listed(rest)}"
    return replace(report, notes=(f"There is no file of {which} here, so no test of it.",))


def typed_handouts(folder: Path, offered: Sequence[Companion]) -> list[Companion]:
    """The companions whose files a typed tree has; raises `CourseError` if it has none.

    A file that several handouts ask for, as the names of squares, stands for none of them as long
    as there is a file that one handout alone asks for.
    """
    _refuse_clone(folder)
    files = own_files(folder)
    places = {course.id: set(_typed_places(course, files).values()) for course in offered}
    begun = [course for course in offered if places[course.id]]
    if not begun:
        wanted = ", ".join(paths[0] for course in offered for paths in course.typed.values())
        raise CourseError(f"{folder} has none of the files of the handouts: {wanted}")
    alone = [
        course
        for course in begun
        if any(
            all(course is other or place not in places[other.id] for other in begun)
            for place in places[course.id]
        )
    ]
    return alone or begun


def _refuse_clone(folder: Path) -> None:
    """In a clone the toolkit's own classes have the names of the handouts: they would be tested."""
    at = folder.absolute()
    if any(is_package(tree) for tree in (at / "rl_toolkit", at, *at.parents)):
        raise CourseError(
            f"{folder} holds the toolkit itself, and its classes have the names of the handouts: "
            "copy your files into a folder of their own, such as `rl-toolkit course start A` makes"
        )


def _typed_places(course: Companion, files: Mapping[str, str]) -> dict[str, str]:
    """Which files of a tree are those of a companion: own name → path."""
    found = (
        (own, next((path for path in (own, *paths) if path in files), None))
        for own, paths in course.typed.items()
    )
    return {own: place for own, place in found if place is not None}


def _places_by_contents(
    course: Companion, files: Mapping[str, str], known: Mapping[str, str]
) -> dict[str, str]:
    """Files for which a handout names no place: those that define what the skeleton defines."""
    found: dict[str, str] = {}
    for own, skeleton in course.code().items():
        names = set(_DEFINES.findall(skeleton))
        if own in known or not names or not own.endswith(".py"):
            continue
        for path, text in files.items():
            is_test = path.startswith("tests/") or Path(path).name.startswith("test_")
            if path.endswith(".py") and not is_test and names <= set(_DEFINES.findall(text)):
                found[own] = path
                break
    return found
