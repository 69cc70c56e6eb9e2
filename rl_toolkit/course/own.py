"""Work with names of one's own: a notebook, or a project as it was handed in.

The tests are those of companion C or D. Which function is meant by which name of the handout is
guessed in the student's process, or said in ``names.toml``; `CourseReport.notes` says what was
taken for what.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.course.checking import CourseReport, OnProgress, OwnProgram, check_own, own_files
from rl_toolkit.course.model import Companion, CourseError, companion
from rl_toolkit.utils import JsonError, JsonObject, read_object

NAMES = "names.toml"
_LONGEST_NOTEBOOK = 4 << 20
#: The companions whose handouts leave names free, or ask for a notebook.
LETTERS = ("C", "D")
#: Words in the names of files and functions by which a second game is known.
_SECOND_GAME = re.compile(r"connect_?(4|four)|puissance_?4|\bdrop\w*\b|colonne|column", re.I)


@dataclass(frozen=True, slots=True)
class OwnWork:
    """Work as it was handed in: Python files, code cells of notebooks, names.toml."""

    path: Path
    files: Mapping[str, str]
    cells: Mapping[str, Sequence[str]]
    names: JsonObject

    @property
    def code(self) -> Mapping[str, str]:
        """All code as files, cells of a notebook in one."""
        python = {name: text for name, text in self.files.items() if name.endswith(".py")}
        return {**python, **{f"{n}.py": "\n\n".join(c) for n, c in self.cells.items()}}

    def handout(self) -> str:
        """The letter of the handout: D if there is a second game, else C."""
        named = self.names.get("handout")
        if isinstance(named, str):
            return named.strip().upper()
        there = any(_SECOND_GAME.search(name) for name in self.code)
        found = any(_SECOND_GAME.search(text) for text in self.code.values())
        return "D" if there or found else "C"


def read_own(path: Path) -> OwnWork:
    """The work in a notebook or a folder; raises `CourseError`."""
    if path.is_dir():
        files = own_files(path)
        cells = {
            each.relative_to(path).as_posix(): read_notebook(each)
            for each in sorted(path.glob("*.ipynb"))
        }
        names = files.get(NAMES, "")
    elif path.suffix == ".ipynb" and path.is_file():
        files, cells = {}, {path.name: read_notebook(path)}
        beside = path.with_name(NAMES)
        names = beside.read_text("utf-8") if beside.is_file() else ""
    elif path.is_file():
        raise CourseError(f"{path} is neither a notebook (.ipynb) nor a folder")
    else:
        raise CourseError(f"there is no {path}")
    try:
        found = tomllib.loads(names)
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{NAMES} is not TOML: {error}") from error
    work = OwnWork(path, files, cells, found)
    if not work.code and any(name.endswith((".js", ".html")) for name in files):
        raise CourseError(
            f"{path} is a program in JavaScript: name its model tic-tac-toe.js, and "
            f"`rl-toolkit course start E {path}` adds the tests of handout E and leaves your files "
            "as they are"
        )
    if not work.code:
        raise CourseError(
            f"{path} has no Python file and no notebook; `rl-toolkit course start A` makes a "
            "folder to begin with"
        )
    return work


def read_notebook(path: Path) -> list[str]:
    """The code cells of a notebook, without lines for the notebook itself (``%``, ``!``)."""
    try:
        if path.stat().st_size > _LONGEST_NOTEBOOK:
            raise CourseError(f"{path.name} is larger than {_LONGEST_NOTEBOOK >> 20} MB")
        data = read_object(path.read_text("utf-8"))
        cells = data["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (OSError, UnicodeDecodeError, JsonError, json.JSONDecodeError) as error:
        raise CourseError(f"{path.name} cannot be read: {error}") from error
    except (KeyError, TypeError) as error:
        raise CourseError(f"{path.name} is not a notebook of version 4") from error
    return [_python_only(text) for text in texts]


def _python_only(text: str) -> str:
    if text.lstrip().startswith("%%"):
        return ""
    return "\n".join(
        "" if line.lstrip().startswith(("%", "!", "?")) else line for line in text.splitlines()
    )


def check_own_work(
    path: Path,
    *,
    letter: str | None = None,
    sessions: Sequence[int] = (),
    on_progress: OnProgress | None = None,
) -> CourseReport:
    """Run the tests of companion C or D on work with names of its own; raises `CourseError`."""
    work = read_own(path)
    chosen = (letter or work.handout()).strip().upper()
    if chosen not in LETTERS:
        raise CourseError(
            f"work with names of its own can be checked for handouts C and D, not {chosen}"
        )
    course: Companion = companion(chosen)
    program = OwnProgram(course.own_files(), work.names, work.cells)
    return check_own(course, work.files, program, sessions, on_progress)
