"""Run the checks of a lab on a student's work: `check_folder`, `check_work`."""

from __future__ import annotations

import importlib.util
import random
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from rl_toolkit.labs.checking.check import Check, TaskFailedError, TaskOpenError
from rl_toolkit.labs.checking.errors import load_failure
from rl_toolkit.labs.checking.fingerprints import (
    Witness,
    panel_answers,
    read_fingerprints,
    recognise,
)
from rl_toolkit.labs.checking.report import Failure, LabReport, Status, TaskReport
from rl_toolkit.labs.checking.session import ENDING, Answer, Call, LoadError, Session
from rl_toolkit.labs.folder.answers import question_reports
from rl_toolkit.labs.folder.student_folder import lab_of
from rl_toolkit.labs.model.lab import Lab, LabError, Task
from rl_toolkit.labs.model.work import ANSWERS, Work, read_work, untouched
from rl_toolkit.utils import install_command, listed

OnProgress = Callable[[TaskReport], object]
#: Errors of a check that meets an answer of another kind than it expects.
_UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def check_folder(
    folder: Path | str,
    on_progress: OnProgress | None = None,
    *,
    tasks: Sequence[int] = (),
    seed: int | None = None,
) -> LabReport:
    """Check the work in a student's folder; raises `LabError` if it is not the folder of a lab.

    ``on_progress`` hears of each task as soon as it is checked. A file that cannot be read or
    loaded is the report's ``problem``.
    """
    folder = Path(folder)
    lab = lab_of(folder)
    try:
        work = read_work(lab, folder)
    except LabError as error:
        return _problem_report(lab, Failure(str(error)), tasks, on_progress)
    return check_work(lab, work, on_progress, tasks=tasks, seed=seed)


def check_work(
    lab: Lab,
    work: Work,
    on_progress: OnProgress | None = None,
    *,
    tasks: Sequence[int] = (),
    seed: int | None = None,
    panels: Mapping[int, list[Answer]] | None = None,
    shared: Session | None = None,
) -> LabReport:
    """Check a student's work, all tasks or some; raises `LabError` for a task that there is not.

    ``panels`` are answers to the panels of tasks, if they are known already. A ``shared`` session
    is used instead of a new one, and stays open.
    """
    chosen = [lab.task(number) for number in tasks] if tasks else list(lab.tasks)
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    started = time.perf_counter()
    reports: list[TaskReport] = []
    with Session(lab, work) if shared is None else nullcontext(shared) as session:
        session.take(work)
        try:
            session.load()
        except LoadError as error:
            return _problem_report(lab, load_failure(error, lab.code_file), tasks, on_progress)
        for task in chosen:
            report = _checked(lab, task, work, session, seed, panels or {})
            reports.append(report)
            if on_progress is not None:
                on_progress(report)
    return LabReport(
        lab.id,
        lab.title,
        tuple(reports),
        question_reports(lab, work.files.get(ANSWERS, "")),
        seed=seed,
        seconds=time.perf_counter() - started,
    )


def _checked(
    lab: Lab,
    task: Task,
    work: Work,
    session: Session,
    seed: int,
    panels: Mapping[int, list[Answer]],
) -> TaskReport:
    def report(status: Status, **more: Any) -> TaskReport:
        return TaskReport(task.number, task.title, task.points, status, **more)

    missing = _missing_requirement(task)
    if missing:
        return report("open", say=missing)
    if lab.unchanged == "todo":
        still = untouched(lab, work, task.functions)
        if still:
            is_are = "is" if len(still) == 1 else "are"
            names = listed(work.names.own(name) for name in still)
            return report("todo", say=f"{names} {is_are} not written yet.")
    module = check_module(lab.folder)
    check = Check(lab, task, work, session, seed)
    try:
        getattr(module, f"task_{task.number}")(check)
    except TaskFailedError as failed:
        return report("wrong", failure=_named(lab, task, session, failed.failure, panels))
    except TaskOpenError as left:
        return report("open", say=str(left))
    except LoadError as error:  # in a process that was started again
        return report("wrong", failure=load_failure(error, lab.code_file))
    except LabError:
        raise
    except _UNREADABLE as error:  # an answer of a kind that the check did not think of
        return report("wrong", failure=Failure(_unreadable(error)))
    return report("right", notes=tuple(check.notes))


def _unreadable(error: Exception) -> str:
    """What is said of an answer that a check could not judge; the line is for its author."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
    return f"The answer cannot be judged ({where}). Does each function return what the sheet says?"


def _named(
    lab: Lab, task: Task, session: Session, failure: Failure, panels: Mapping[int, list[Answer]]
) -> Failure:
    """The failing case with the sentence of the typical mistake, if it is one."""
    mistake = failure.mistake
    if not mistake:
        with suppress(LoadError):
            answers = panels.get(task.number)
            if answers is None and not (session.was_slow and not _has_slow(lab, task.number)):
                answers = panel_answers(session, panel_of(lab, task.number))
            stored = read_fingerprints(lab).get(task.number, {})
            mistake = recognise(stored, _witnesses(lab, task.number), answers or [])
    says = next((entry.says for entry in lab.mistakes if entry.id == mistake), "")
    if not says:
        return failure
    case = failure.sentence
    return replace(failure, sentence=says, mistake=mistake, case="" if case == says else case)


def _has_slow(lab: Lab, task: int) -> bool:
    """Whether one of the typical mistakes runs out of time."""
    prints = read_fingerprints(lab).get(task, {}).values()
    return any({"raised": kind} in answers for answers in prints for kind in ENDING)


def panel_of(lab: Lab, task: int) -> list[Call]:
    """The calls that tell the mistakes of a task apart."""
    return list(getattr(check_module(lab.folder), "PANELS", {}).get(task, []))


def _witnesses(lab: Lab, task: int) -> Mapping[str, Witness]:
    """What the lab's check.py looks at to recognise mistakes, besides whole fingerprints."""
    witnesses = getattr(check_module(lab.folder), "WITNESSES", {}).get(task, {})
    return {name: _careful(shows) for name, shows in witnesses.items()}


def _careful(shows: Witness) -> Witness:
    """A witness that meets an answer of another kind than it expects shows nothing."""

    def look(answers: Sequence[Answer]) -> bool:
        try:
            return shows(answers)
        except _UNREADABLE:
            return False

    return look


@lru_cache(maxsize=64)
def check_module(folder: Path) -> ModuleType:
    """The check.py of a lab; raises `LabError` if it cannot be loaded."""
    path = folder / "check.py"
    spec = importlib.util.spec_from_file_location(f"rl_toolkit_lab_{folder.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except FileNotFoundError:
        raise LabError(f"{folder} has no check.py") from None
    return module


def _missing_requirement(task: Task) -> str:
    """Why a task cannot be checked here, "" if it can."""
    if task.requires == "jax" and importlib.util.find_spec("jax") is None:
        return f"It stays open: JAX is not installed ({install_command('train')})."
    if task.requires == "browser" and importlib.util.find_spec("playwright") is None:
        return "It stays open: the package playwright, which drives a browser, is not installed."
    return ""


def _problem_report(
    lab: Lab, problem: Failure, tasks: Sequence[int], on_progress: OnProgress | None
) -> LabReport:
    chosen = [lab.task(number) for number in tasks] if tasks else list(lab.tasks)
    reports = [
        TaskReport(task.number, task.title, task.points, "todo", say="It could not be checked.")
        for task in chosen
    ]
    for report in reports:
        if on_progress is not None:
            on_progress(report)
    return LabReport(lab.id, lab.title, tuple(reports), problem=problem)
