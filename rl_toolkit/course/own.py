"""Work with names of one's own: a notebook, or a project as it was handed in.

The tests are those of companion C or D. Which function is meant by which name of the handout is
guessed in the student's process, or said in ``names.toml``; `CourseReport.notes` says what was
taken for what.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rl_toolkit.course.checking import (
    CourseReport,
    OnProgress,
    OwnProgram,
    check_course,
    check_own,
    own_files,
)
from rl_toolkit.course.folder import companion_of
from rl_toolkit.course.host.own_names import plain_name
from rl_toolkit.course.model import Companion, CourseError, companion
from rl_toolkit.labs import NamesError, names_table
from rl_toolkit.utils import JsonError, JsonObject, as_typed, counted, listed, read_object

NAMES = "names.toml"
_LONGEST_NOTEBOOK = 4 << 20
#: The companions whose handouts leave names free, or ask for a notebook.
LETTERS = ("C", "D")
_SECOND = "connect-four"
#: Words in the names of files, functions and classes by which a second game is known.
_SECOND_GAME = re.compile(r"connect_?(4|four)|puissance_?4", re.I)
_DEFINED = re.compile(r"^[ \t]*(?:class|def)[ \t]+(\w+)", re.M)
#: Functions of a handout that a folder must have to be taken for its work, unless it says so.
_LEAST = 2


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

    @property
    def defined(self) -> tuple[str, ...]:
        """The names of all functions, methods and classes."""
        return tuple(name for text in self.code.values() for name in _DEFINED.findall(text))

    def handout(self) -> str:
        """The letter of the handout: D if there is a second game, else C."""
        named = self.names.get("handout")
        if isinstance(named, str):
            return named.strip().upper()
        return "D" if self.second_game else "C"

    @property
    def second_game(self) -> str:
        """What belongs to Connect Four: a file, a function or a class; "" if nothing does."""
        words = next(filter(_SECOND_GAME.search, (*self.code, *self.defined)), "")
        files = [file for letter in LETTERS for file in companion(letter).own_files()]
        others = [file["functions"] for file in files if file["game"] != _SECOND]
        first = {n.lower() for found in others for name in found for n in _names(name, found[name])}
        second = {
            n.lower()
            for file in files
            if file["game"] == _SECOND
            for name, function in file["functions"].items()
            if not any(name in found for found in others)  # a board may be full in both
            for n in _names(name, function)
        } - first
        return words or next((n for n in self.defined if plain_name(n, _SECOND) in second), "")

    def functions_of(self, letter: str) -> tuple[str, ...]:
        """The names of its own that a handout has, too, in any of the usual spellings."""
        return tuple(
            name
            for name in self.defined
            if any(plain_name(name, game) in names for game, names in _usual_names(letter))
        )


def _usual_names(letter: str) -> list[tuple[str, set[str]]]:
    """Each game of a handout, with the names that its functions usually have."""
    return [
        (
            file["game"],
            {n.lower() for name, f in file["functions"].items() for n in _names(name, f)},
        )
        for file in companion(letter).own_files()
    ]


def _names(name: str, function: JsonObject) -> list[str]:
    return [name, *function.get("also", ())]


def taken_for(work: OwnWork) -> str:
    """What a folder or notebook is taken for, in a sentence.

    Raises `CourseError` for a folder with code of another kind: nothing in it is run.
    """
    path, letter = work.path, work.handout()
    if letter not in LETTERS:
        return ""
    title = companion(letter).title
    if "handout" in work.names:
        return f"{NAMES} says that {path} is work for handout {letter}: {title}."
    found = work.functions_of(letter)
    if path.suffix != ".ipynb" and len(found) < _LEAST and not work.names:
        raise CourseError(f"I do not know {path} as work for a handout: {_other_kind(work)}")
    because = ""
    if letter == "D":
        because = f", because `{work.second_game}` belongs to a second game"
    return f"I take {path} for work of handout {letter} ({title}){because}."


def _other_kind(work: OwnWork) -> str:
    """What a folder or file may be that has none of the functions of C and D, and what to do."""
    files, quoted = set(work.files), as_typed(str(work.path))
    if work.path.is_file():
        folder = as_typed(str(work.path.parent))
        return (
            "it has no functions such as create_board, winner and minimax. A file of a companion "
            f"is checked with its folder: `rl-toolkit course check {folder}`"
        )
    for letter in "AB":
        typed = [place for places in companion(letter).typed.values() for place in places]
        if any(place.startswith("rl_toolkit/") and place in files for place in typed):
            return (
                "it has classes in a folder rl_toolkit/, and `rl-toolkit course check --as-typed "
                f"{quoted}` tests these"
            )
    files_there = counted(len(work.code), "Python file")
    return (
        f"it has {files_there}, but no functions such as create_board, winner and minimax. "
        f"`rl-toolkit course start A {quoted}` adds pages and tests of handout A and leaves "
        "your files as they are; `--handout D` checks the folder as a project of handout D"
    )


def read_own(path: Path) -> OwnWork:
    """The work in a notebook or a folder; nothing in it is run.

    Raises `CourseError` if there is no Python in it, or if a notebook or names.toml cannot be read.
    """
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
    elif path.suffix == ".py" and path.is_file():
        if path.stat().st_size > _LONGEST_NOTEBOOK:
            raise CourseError(f"{path.name} is larger than {_LONGEST_NOTEBOOK >> 20} MB")
        files, cells = {path.name: path.read_text("utf-8", errors="replace")}, {}
        beside = path.with_name(NAMES)
        names = beside.read_text("utf-8") if beside.is_file() else ""
    elif path.is_file():
        raise CourseError(f"{path} is neither a notebook (.ipynb), a program (.py) nor a folder")
    else:
        raise CourseError(f"there is no {path}")
    try:
        found = names_table(names)
    except NamesError as error:
        raise CourseError(str(error)) from error
    work = OwnWork(path, files, cells, found)
    if not work.code and any(name.endswith((".js", ".html")) for name in files):
        raise CourseError(
            f"{path} is a program in JavaScript: name its model tic-tac-toe.js, and "
            f"`rl-toolkit course start E {as_typed(str(path))}` adds the tests of handout E and "
            "leaves your files as they are"
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
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path.name} cannot be read: {error}") from error
    return code_cells(path.name, text)


def code_cells(name: str, notebook: str) -> list[str]:
    """The code cells in the text of a notebook, without lines that begin with ``%`` or ``!``.

    Raises `CourseError`, which says ``name``, for text that is not a notebook of version 4.
    """
    try:
        cells = read_object(notebook)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (JsonError, json.JSONDecodeError) as error:
        raise CourseError(f"{name} cannot be read: {error}") from error
    except (KeyError, TypeError) as error:
        raise CourseError(f"{name} is not a notebook of version 4") from error
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
    """Run the tests of companion C or D on work with names of its own.

    Without ``letter`` the names decide which companion it is; without ``sessions`` all are tested.
    Raises `CourseError` for another companion, and for work that cannot be read.
    """
    work = read_own(path)
    chosen = (letter or work.handout()).strip().upper()
    if chosen not in LETTERS:
        raise CourseError(
            f"work with names of its own can be checked for handouts C and D, not {chosen}"
        )
    course: Companion = companion(chosen)
    program = OwnProgram(course.own_files(), work.names, work.cells)
    return check_own(course, work.files, program, sessions, on_progress)


def check_folder(
    folder: Path, *, sessions: Sequence[int] = (), on_progress: OnProgress | None = None
) -> CourseReport:
    """Run the tests of a companion on the files in its folder, or on the notebook there.

    A notebook is taken where the handout leaves names free, it is the only one, and the files of
    the companion are as they began. Raises `CourseError`.
    """
    course = companion_of(folder)
    notebooks = sorted(folder.glob("*.ipynb")) if course.id in LETTERS else []
    if len(notebooks) != 1 or not _is_as_begun(course, own_files(folder)):
        return check_course(folder, sessions=sessions, on_progress=on_progress)
    report = check_own_work(
        notebooks[0], letter=course.id, sessions=sessions, on_progress=on_progress
    )
    begun = listed([f"`{name}`" for name in course.code()])
    taken = f"I test {notebooks[0].name}, because nothing is written yet in {begun}."
    return replace(report, notes=(taken, *report.notes))


def _is_as_begun(course: Companion, files: Mapping[str, str]) -> bool:
    """Whether the student has changed none of the files of the companion."""
    return all(files.get(name, text) == text for name, text in course.code().items())
