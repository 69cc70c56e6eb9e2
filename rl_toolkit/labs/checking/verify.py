"""Prove a lab sound: the solution gets all points, the skeleton none, each mistake is named.

Solutions and wrong solutions never travel with the package: those of the catalogue are in
``tests/labs/ID/``, those of a teacher's own lab in its folder::

    solution.py  or  solution/FILE          laid over the start files
    mistakes/ID.toml   the mistake as changes of the solution: [[change]] old = "…" new = "…"
    mistakes/ID.py  or  mistakes/ID/FILE    or as whole files
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rl_toolkit.labs.checking.fingerprints import (
    FILE,
    RIGHT,
    Stored,
    fingerprint,
    fingerprints_text,
    panel_answers,
    read_fingerprints,
)
from rl_toolkit.labs.checking.report import LabReport
from rl_toolkit.labs.checking.run import check_work, panel_of
from rl_toolkit.labs.checking.session import Answer, Call, LoadError, Session
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.work import Work, work_from
from rl_toolkit.utils import write_text_atomically

#: The fewest typical mistakes of a lab.
FEWEST_MISTAKES = 5


@dataclass(slots=True)
class Verdict:
    """What is wrong with a lab: sentences, none if it is sound; ``named`` are good mistakes."""

    lab: str
    problems: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def solutions_folder(lab: Lab) -> Path:
    """Where the solutions of a lab are."""
    if lab.is_own:
        return lab.folder
    return lab.folder.parents[3] / "tests" / "labs" / lab.id


def solution_files(lab: Lab, folder: Path | None = None) -> dict[str, str]:
    """The files of a solved lab, by name; raises `LabError` if there is no solution."""
    folder = folder or solutions_folder(lab)
    start = lab.start_files()
    solution = {**start, **_files(folder / "solution", lab.files[0])}
    if solution == start:
        raise LabError(f"there is no solution of {lab.id} in {folder}")
    return solution


def verify_lab(
    lab: Lab,
    folder: Path | None = None,
    *,
    update: bool = False,
    seed: int = 0,
    seeds: int = 1,
    quick: bool = False,
) -> Verdict:
    """Run solution, skeleton and mistakes through the checks.

    ``folder`` holds the solutions if they are not in their usual place. With ``update`` the
    fingerprints are stored anew first. A ``quick`` one leaves out the slow mistakes. Solution and
    mistakes must get the same verdict on ``seeds`` seeds, of which ``seed`` is the first, if the
    checks draw at all. Raises `LabError` if there are no solutions.
    """
    draws = "check.rng" in (lab.folder / "check.py").read_text("utf-8")
    chosen = range(seed, seed + (seeds if draws else 1))
    return _Verification(lab, folder or solutions_folder(lab), chosen).run(update, quick)


class _Verification:
    def __init__(self, lab: Lab, folder: Path, seeds: range) -> None:
        self._lab, self._folder, self._seeds = lab, folder, seeds
        self._verdict = Verdict(lab.id)
        self._answered: dict[str, list[Answer] | None] = {
            mistake.id: None for mistake in lab.mistakes
        }
        self._start = lab.start_files()
        self._solution = solution_files(lab, folder)
        self._shared = Session(lab, work_from(lab, self._solution), shares=True)

    def run(self, update: bool, quick: bool) -> Verdict:
        with self._shared:
            return self._run_all(update, quick)

    def _run_all(self, update: bool, quick: bool) -> Verdict:
        mistakes = {entry.id: self._mistake(entry.id) for entry in self._lab.mistakes}
        self._check_catalogue(mistakes)
        wrong = {name: files for name, files in mistakes.items() if files is not None}
        prints = self._fingerprints(wrong)
        if update:
            write_text_atomically(self._lab.folder / FILE, fingerprints_text(prints))
        elif prints != read_fingerprints(self._lab):
            self._say("fingerprints.json is old; `rl-toolkit lab verify --update` writes it anew")
        self._check_skeleton()
        for seed in self._seeds:
            self._check_solution(seed)
        for mistake in self._lab.mistakes:
            if quick and mistake.slow:
                self._verdict.notes.append(f"mistake {mistake.id} was left out: it is slow")
            elif mistake.id in wrong:
                self._check_mistake(mistake.id, mistake.task, wrong[mistake.id])
        return self._verdict

    def _say(self, problem: str) -> None:
        self._verdict.problems.append(problem)

    # ------------------------------------------------------------------ the parts

    def _check_catalogue(self, mistakes: dict[str, Any]) -> None:
        if len(mistakes) < FEWEST_MISTAKES:
            self._say(f"it has {len(mistakes)} typical mistakes; at least {FEWEST_MISTAKES}")
        for name, files in mistakes.items():
            if files is None:
                self._say(f"mistake {name}: there is no file mistakes/{name}.toml or .py")
        folder = self._folder / "mistakes"
        known = {mistake.id for mistake in self._lab.mistakes}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.stem not in known and not path.name.startswith(("_", ".")):
                self._say(f"{path.name} is not a mistake in lab.toml")
        for name, hint in (
            (f"task {task.number} hint {stage}", hint)
            for task in self._lab.tasks
            for stage, hint in enumerate(task.hints, 1)
        ):
            line = _given_away(hint, self._solution, self._start)
            if line:
                self._say(f"{name} contains a line of the solution: {line}")

    def _check_solution(self, seed: int) -> None:
        report = check_work(self._lab, work_from(self._lab, self._solution), seed=seed)
        if report.problem is not None:
            self._say(f"the solution cannot be loaded: {report.problem.sentence}")
        for task in report.tasks:
            if task.status == "open":
                self._verdict.notes.append(f"task {task.number} is open: {task.say}")
            elif task.status != "right":
                what = task.failure.sentence if task.failure else task.say
                seeded = f" with seed {seed}" if seed else ""
                self._say(f"the solution fails task {task.number}{seeded}: {what}{_case(report)}")

    def _check_skeleton(self) -> None:
        report = check_work(self._lab, work_from(self._lab, self._start), seed=self._seeds.start)
        if report.problem is not None:
            self._say(f"the skeleton does not run: {report.problem.sentence}")
        for task in report.tasks:
            if task.status == "right":
                self._say(f"the skeleton passes task {task.number}")
            elif task.failure is not None and task.failure.traceback:
                self._say(f"the skeleton ends task {task.number} with a traceback")
            elif not (task.say or task.failure):
                self._say(f"the skeleton gets no words for task {task.number}")

    def _check_mistake(self, name: str, task: int, files: dict[str, str]) -> None:
        work, known = work_from(self._lab, files), self._answered[name]
        panels = {} if known is None else {task: known}
        verdicts = [self._recognised(work, name, task, seed, panels) for seed in self._seeds]
        for verdict in dict.fromkeys(verdicts):
            if verdict:
                count = verdicts.count(verdict)
                often = f" (with {count} of {len(verdicts)} seeds)" if count < len(verdicts) else ""
                self._say(f"mistake {name}{verdict}{often}")

    def _recognised(
        self, work: Work, name: str, task: int, seed: int, panels: Mapping[int, list[Answer]]
    ) -> str:
        """What is wrong with the verdict on a mistake, "" if it is named."""
        report = check_work(
            self._lab, work, tasks=(task,), seed=seed, panels=panels, shared=self._shared
        )
        if report.problem is not None:
            return f" cannot be loaded: {report.problem.sentence}"
        (checked,) = report.tasks
        if checked.status == "open":
            self._verdict.notes.append(f"mistake {name} is open: {checked.say}")
        elif checked.status != "wrong" or checked.failure is None:
            return f": task {task} is {checked.status}, it should be wrong"
        elif checked.failure.mistake != name:
            return f" is recognised as: {checked.failure.mistake or checked.failure.sentence}"
        elif name not in self._verdict.named:
            self._verdict.named.append(name)
        return ""

    # ------------------------------------------------------------------ fingerprints

    def _fingerprints(self, wrong: dict[str, dict[str, str]]) -> Stored:
        stored: Stored = {}
        for task in self._lab.tasks:
            panel = panel_of(self._lab, task.number)
            names = [m.id for m in self._lab.mistakes if m.task == task.number and m.id in wrong]
            if not panel or not names:
                continue
            right = fingerprint(self._answers(self._solution, panel))
            stored[task.number] = {RIGHT: right}
            seen: dict[str, str] = {repr(right): "the solution"}
            for name in names:
                answers = self._answers(wrong[name], panel)
                self._answered[name] = answers
                prints = fingerprint(answers)
                other = seen.setdefault(repr(prints), name)
                if other == "the solution":  # a check may name it by a detector of its own
                    self._verdict.notes.append(f"{name} answers the panel like the solution")
                    continue
                if other != name:
                    self._verdict.notes.append(f"{name} and {other} have the same fingerprint")
                    continue
                stored[task.number][name] = prints
        return stored

    def _answers(self, files: dict[str, str], panel: list[Call]) -> list[Answer]:
        self._shared.take(work_from(self._lab, files))
        try:
            return panel_answers(self._shared, panel)
        except LoadError:
            return []

    # ------------------------------------------------------------------ files

    def _mistake(self, name: str) -> dict[str, str] | None:
        """The files of a wrong solution, ``None`` if there are none."""
        path = self._folder / "mistakes" / name
        changes = path.with_name(f"{name}.toml")
        if changes.is_file():
            return self._changed(changes)
        files = _files(path, self._lab.files[0])
        return {**self._solution, **files} if files else None

    def _changed(self, path: Path) -> dict[str, str]:
        try:
            changes = tomllib.loads(path.read_text("utf-8"))["change"]
        except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
            raise LabError(f"{path}: {error}") from error
        return changed(self._lab, self._solution, changes, path.name)


def changed(
    lab: Lab, solution: Mapping[str, str], changes: Sequence[Mapping[str, str]], where: str
) -> dict[str, str]:
    """The files of a solution after changes of their text, each of which occurs once.

    A change has ``old``, ``new`` and, if it is not the first file of the lab, ``file``. Raises
    `LabError`.
    """
    files = dict(solution)
    for change in changes:
        try:
            file, old, new = change.get("file", lab.files[0]), change["old"], change["new"]
            count = files[file].count(old)
        except (AttributeError, KeyError, TypeError) as error:
            raise LabError(f"{where}: {error}") from error
        if count != 1:
            raise LabError(f"{where}: {old!r} occurs {count} times in {file}, not once")
        files[file] = files[file].replace(old, new)
    return files


def _files(path: Path, main: str) -> dict[str, str]:
    """The files of a folder, or the one file of that name; none if there is neither."""
    if path.is_dir():
        return {
            file.relative_to(path).as_posix(): file.read_text("utf-8")
            for file in sorted(path.rglob("*"))
            if file.is_file() and "__pycache__" not in file.parts
        }
    single = path.with_name(path.name + Path(main).suffix)
    return {main: single.read_text("utf-8")} if single.is_file() else {}


def _given_away(hint: str, solution: dict[str, str], start: dict[str, str]) -> str:
    """A line of the solution that stands in a hint, "" if there is none."""
    given = {_squeezed(line) for text in start.values() for line in text.splitlines()}
    packed = _squeezed(hint)
    for text in solution.values():
        for line in text.splitlines():
            code = _squeezed(line.partition("#")[0])
            if len(code) >= 15 and code not in given and code in packed:
                return line.strip()
    return ""


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _case(report: LabReport) -> str:
    failure = next((task.failure for task in report.tasks if task.failure), None)
    if failure is None:
        return ""
    board = f" in {failure.board.text}" if failure.board else ""
    answer = f", answered {failure.answer}" if failure.answer else ""
    right = f", right {failure.right}" if failure.right else ""
    return f" ({failure.call}{board}{answer}{right} {' | '.join(failure.traceback[-2:])})"
