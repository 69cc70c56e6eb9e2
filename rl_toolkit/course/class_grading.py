"""A class of projects: folders and notebooks with names of their own, graded beside labs.

Each entry is checked in a process of its own. Results are kept beside the reports, so that a run
that was stopped does what is left, and an entry that has changed is checked anew.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit import __version__
from rl_toolkit.course.folder import is_course_folder
from rl_toolkit.course.grading import grade_project, is_graded
from rl_toolkit.course.model import CourseError
from rl_toolkit.course.own import check_folder, check_own_work, read_own
from rl_toolkit.labs import by_hand, storable
from rl_toolkit.labs.grading import FORMER_PROJECTS, Results, take_over
from rl_toolkit.utils import JsonObject, write_text_atomically
from rl_toolkit.utils.executors import Executor, InProcess, LostTaskError

TABLE, PAGES = "projects.csv", "projects"
_KEPT = ".grading"

OnProgress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class GradedProject:
    """One entry of a class.

    Attributes:
        name: the entry without its suffix; of several projects in it, with the project's.
        result: plain data: ``handout``, ``right``, ``tests``, ``notes``, ``failures`` and
            ``grade``, or ``problem``.
    """

    name: str
    result: JsonObject

    @property
    def problem(self) -> str:
        """Why it could not be checked, "" if it was."""
        return str(self.result.get("problem", ""))

    def sentence(self) -> str:
        """What the terminal says about it."""
        if self.problem:
            return self.problem
        grade = self.result.get("grade")
        if grade is not None:
            left = f"{grade['left']} for the teacher"
            return (
                f"{grade['reached']:g} of {grade['judged']} points that a program can judge, {left}"
            )
        done = f"{self.result['right']} of {self.result['tests']} tests"
        return f"handout {self.result['handout']}: {done}"


def project_entries(folder: Path) -> list[Path]:
    """The entries of a folder of submissions that are or hold projects or notebooks, not labs."""
    if not folder.is_dir():
        return []
    entries = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__")))
    return [path for path in entries if _works(path)]


def _works(entry: Path) -> dict[str, Path]:
    """The projects of an entry by name: the entry itself, or those right below it."""
    if _is_project(entry):
        return {entry.stem: entry}
    if not _may_hold_projects(entry):
        return {}
    below = [path for path in sorted(entry.iterdir()) if path.is_dir() and path.name != "tests"]
    inner = [path for path in below if not path.name.startswith((".", "__")) and _is_project(path)]
    if len(inner) == 1:
        return {entry.name: inner[0]}
    return {f"{entry.name}-{path.name}": path for path in inner}


def _may_hold_projects(path: Path) -> bool:
    """Whether a path is a folder that belongs neither to a lab nor to us."""
    if path.is_symlink() or not path.is_dir():
        return False
    if (path / _KEPT).is_dir() or (path / ".lab").is_dir():
        return False
    names = path / "names.toml"
    if names.is_file() and 'lab = "' in names.read_text("utf-8", errors="replace"):
        return False
    return not any(each.suffix == ".zip" or (each / ".lab").is_dir() for each in path.iterdir())


def _is_project(path: Path) -> bool:
    if path.is_file() and not path.is_symlink():
        return path.suffix == ".ipynb"
    if not _may_hold_projects(path):
        return False
    return is_course_folder(path) or any(
        each.suffix in (".py", ".ipynb") for each in path.iterdir() if each.is_file()
    )


def grade_projects(
    entries: list[Path],
    out: Path,
    *,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    on_remark: Callable[[str], object] | None = None,
) -> list[GradedProject]:
    """Check and grade entries, and return a result for each project in them.

    ``out`` is where results are kept and reports are written; a project that has not changed since
    the last call is not checked again. What is wrong with a project is in its result. ``on_remark``
    is called with a sentence for each thing that was wrong with the results of the last call.
    """
    tell = on_progress or (lambda step, done, total: None)
    executor = executor or InProcess()
    works = {name: path for entry in entries for name, path in _works(entry).items()}
    keys = {path: _digest(path) for path in works.values()}
    with Results(out / _KEPT) as results:
        for line in take_over(results, FORMER_PROJECTS, "projects"):
            if "result" in line:
                results.put("project", line["key"], line["result"])
        known = results.rows("project")
        waiting = [path for path in works.values() if keys[path] not in known]
        while waiting:
            todo, waiting = waiting, []
            try:
                for number, result in executor.map(graded_entry, [str(path) for path in todo]):
                    known[keys[todo[number]]] = result
                    results.put("project", keys[todo[number]], result)
                    done = sum(key in known for key in keys.values())
                    tell("projects", done, len(works))
            except LostTaskError as error:
                if error.task is None:
                    raise
                lost = {"problem": f"its check was ended: {error}"}
                known[keys[todo[error.task]]] = lost
                waiting = [path for path in todo if keys[path] not in known]
        results.settle()
        results.check()
    if on_remark is not None:
        for remark in results.remarks:
            on_remark(remark)
    graded = [GradedProject(name, known[keys[path]]) for name, path in works.items()]
    _write(graded, out)
    return graded


def graded_entry(entry: str) -> JsonObject:
    """The result of one entry as plain data; whatever is wrong with it is its ``problem``."""
    try:
        return storable(_graded(Path(entry)))
    except CourseError as error:
        return storable({"problem": str(error)})
    except Exception as error:  # one project must not end the grading of a class
        return storable({"problem": by_hand(error)})


def _graded(path: Path) -> JsonObject:
    """The result of a project; raises `CourseError`."""
    if is_course_folder(path):
        report = check_folder(path)
        files: Mapping[str, str] = read_own(path).files
    else:
        report = check_own_work(path)
        work = read_own(path)
        files = {**work.files, **work.code}
    tests = [test for session in report.sessions for test in session.tests]
    grade = grade_project(report, files).to_dict() if is_graded(report) else None
    return {
        "handout": report.companion.id,
        "right": sum(test.status == "right" for test in tests),
        "tests": len(tests),
        "notes": list(report.notes),
        "failures": [f"{test.title}: {test.sentence}" for test in tests if test.status != "right"],
        "grade": grade,
    }


def _digest(path: Path) -> str:
    """What a result depends on: the files of the entry and the version of the toolkit."""
    kept = hashlib.sha256(f"{__version__} {path.name}".encode())
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    for each in files[:1000]:
        kept.update(each.name.encode() + b"\0" + each.read_bytes()[: 1 << 22])
    return kept.hexdigest()[:32]


def _write(graded: list[GradedProject], out: Path) -> None:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["name", "handout", "tests", "right", "points", "judged", "left", "problem"])
    for each in graded:
        grade = each.result.get("grade") or {}
        more = [grade.get(key, "") for key in ("reached", "judged", "left")]
        counts = [each.result.get(key, "") for key in ("handout", "tests", "right")]
        rows.writerow([_cell(each.name), *counts, *more, _cell(each.problem)])
    (out / PAGES).mkdir(parents=True, exist_ok=True)
    write_text_atomically(out / TABLE, text.getvalue())
    for each in graded:
        write_text_atomically(out / PAGES / f"{each.name}.md", _page(each))


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _page(each: GradedProject) -> str:
    lines = [f"# {each.name}", "", f"{each.sentence()}.", ""]
    for part in (each.result.get("grade") or {}).get("parts", ()):
        points = f"{part['points']}, open"
        if part["reached"] is not None:
            points = f"{part['reached']:g} of {part['points']}"
        lines.append(f"* **{part['part']}** ({part['item']}): {points}")
        lines += [f"  * {sentence}" for sentence in part["says"]]
    for title, sentences in (
        ("How the program was understood", each.result.get("notes", ())),
        ("What fails", each.result.get("failures", ())),
    ):
        if sentences:
            lines += ["", f"## {title}", "", *(f"* {sentence}" for sentence in sentences)]
    return "\n".join(lines) + "\n"
