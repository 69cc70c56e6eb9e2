"""Grade a class: take hand-ins in, check what is new, and make the gradebook.

Hand-ins and results are written as they come, so a run that was ended by force does what is left.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from rl_toolkit import __version__
from rl_toolkit.classroom.class_folder import SUBMISSIONS, ClassFolder
from rl_toolkit.classroom.gradebook import NOBODY, Checked, Gradebook, make_rows
from rl_toolkit.classroom.intake import HandIn, hand_in_from, hand_ins
from rl_toolkit.classroom.settings import Assignment, ClassError
from rl_toolkit.classroom.taking_in import NAMED, assigned_students, stored_hand_ins, take_in
from rl_toolkit.course import graded_entry
from rl_toolkit.labs.folder import progress_from
from rl_toolkit.labs.grading import (
    Graded,
    HandedIn,
    Results,
    check_all,
    class_seed,
    job_key,
    known_results,
    protection,
)
from rl_toolkit.utils import as_typed, counted, did_you_mean, listed
from rl_toolkit.utils.executors import Executor, InProcess, LostTaskError

#: What is said of a hand-in without a result.
_WAITING = "not checked yet"

#: Called with a step, what is done, and of how many.
OnProgress = Callable[[str, int, int], object]


def grade(
    folder: ClassFolder,
    downloads: Sequence[Path] = (),
    *,
    only: str | None = None,
    assign: Mapping[str, str] | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
) -> Gradebook:
    """Take in what is in ``submissions/`` and in ``downloads``, check what is new, and grade.

    ``only`` is the assignment to which the downloads belong that are new or were not understood.
    ``assign`` says which file is of which student (id), also for later runs; ``none`` leaves a file
    out. ``seed`` names the positions of an earlier run; by default they are those of this class.
    Raises `ClassError` if a path, a file or a name is unknown, which changes nothing, or if there
    is nothing to grade.
    """
    tell = on_progress or (lambda step, done, total: None)
    assignment = _assignment(folder, only)
    inbox = [path for path in (folder.path / SUBMISSIONS,) if path.is_dir()]
    paths = [*inbox, *downloads]
    for path in downloads:
        if not path.exists():
            raise ClassError(f"there is no {path}")
    with Results(folder.kept) as results:
        kept = _belonging(folder, results)
        understood = _understood(results)
        belongs = kept | _named_now(folder, understood, paths, assignment)
        belongs |= {name: lab for name, lab in kept.items() if name in understood}
        found = hand_ins(inbox, folder.settings, folder.roster, belongs)
        named = hand_ins(downloads, folder.settings, folder.roster, belongs)
        found += [replace(each, seen=(NAMED,)) for each in named]
        _assign(folder, results, assign or {}, found)
        for name in belongs:
            results.put("belongs", name, {"lab": belongs[name].id})
        taken = take_in(results, found, folder.who_is_who(assigned_students(results)))
        waiting = stored_hand_ins(results)
        if not waiting and not results.rows("refused"):
            where = listed([str(path) for path in paths])
            raise ClassError(f"there is nothing to grade: put downloads into {where}")
        the_seed = class_seed(results, seed)
        known = known_results(results, the_seed)
        reused = _check(folder, results, waiting, the_seed, known, executor or InProcess(), tell)
        results.settle()
        results.check()
        # What was read and found out in this run, not what the file now has: code of students ran.
        book = _book(folder, results, the_seed, waiting, known)
    return replace(book, reused=reused, passed_over=taken.passed_over)


def read_book(folder: ClassFolder) -> Gradebook:
    """The results of the last `grade`, with points by the rules that class.toml has now.

    Raises `ClassError` if nothing was graded yet.
    """
    with Results(folder.kept) as results:
        seeds = results.rows("seed")
        if not seeds:
            raise ClassError(
                "nothing was graded yet; "
                f"`rl-toolkit class grade {as_typed(str(folder.path))}` does it"
            )
        seed = int(seeds[""]["seed"])
        known = known_results(results, seed)
        return _book(folder, results, seed, stored_hand_ins(results), known)


def read_remarks(folder: ClassFolder) -> tuple[str, ...]:
    """What was wrong with the results that are kept, as sentences, until a `grade` came to its end.

    Until then the grades may lack what was changed from outside or lost.
    """
    with Results(folder.kept) as results:
        return tuple(results.remarks)


def _assignment(folder: ClassFolder, only: str | None) -> Assignment | None:
    if only is None:
        return None
    known = folder.settings.find(only)
    if known is None:
        ids = listed([each.id for each in folder.settings.assignments])
        raise ClassError(f"{only} is not in class.toml, which has {ids}")
    return known


def _assign(
    folder: ClassFolder, results: Results, assign: Mapping[str, str], found: Sequence[HandIn]
) -> None:
    """Keep which file is of which student, once all of them are known."""
    refused = [hand_in_from(row) for row in results.rows("refused").values()]
    every = (*found, *stored_hand_ins(results), *refused)
    files = {name for each in every for name in (each.source, each.entry)}
    for source, student in assign.items():
        known = student == NOBODY or folder.roster.person(student)
        if folder.roster.people and not known:
            raise ClassError(f"--assign: there is no student with the id {student!r} on the roster")
        if source not in files:
            meant = did_you_mean(source, sorted(files))
            hint = f"; did you mean {meant}?" if meant else ""
            raise ClassError(f"--assign: there is no hand-in {source!r} in this class{hint}")
    for source, student in assign.items():
        results.put("assigned", source, {"student": student})


def _belonging(folder: ClassFolder, results: Results) -> dict[str, Assignment]:
    """Download → the assignment that the teacher named for it in an earlier run."""
    said = {name: folder.settings.find(row["lab"]) for name, row in results.rows("belongs").items()}
    return {name: lab for name, lab in said.items() if lab is not None}


def _understood(results: Results) -> set[str]:
    """The downloads in which an earlier run found hand-ins, and nothing else."""
    understood = {each.source.partition("/")[0] for each in stored_hand_ins(results)}
    return understood - {source.partition("/")[0] for source in results.rows("refused")}


def _named_now(
    folder: ClassFolder, understood: Set[str], paths: Sequence[Path], only: Assignment | None
) -> dict[str, Assignment]:
    """Download → the assignment that the teacher names now, if any.

    What lies in ``submissions/`` and was ``understood`` in an earlier run stays what it is.
    """
    if only is None:
        return {}
    named: set[str] = set()
    for path in paths:
        names = os.listdir(path) if path.is_dir() else [path.name]
        is_inbox = path == folder.path / SUBMISSIONS
        named.update(name for name in names if not is_inbox or name not in understood)
    return dict.fromkeys(named, only)


# ------------------------------------------------------------------------------------ checking


def _check(
    folder: ClassFolder,
    results: Results,
    waiting: Sequence[HandIn],
    seed: int,
    known: dict[str, Any],
    executor: Executor,
    tell: OnProgress,
) -> int:
    """Check what has no result yet, and add it to ``known``; how many had one."""
    labs = [each for each in (handed_in(folder, one) for one in waiting) if each]
    reused = sum(job_key(each) in known for each in labs)
    check_all(labs, known, results, seed, executor, tell)
    projects = {_project_key(each): each for each in waiting if _is_project(folder, each)}
    done = results.rows("project")
    reused += len(projects.keys() & done.keys())
    left = {key: each for key, each in projects.items() if key not in done}
    total = len(left)
    while left:
        keys = list(left)
        try:
            jobs = [dict(left[key].files) for key in keys]
            for at, result in executor.map(run_project, jobs):
                results.put("project", keys[at], result)
                del left[keys[at]]
                tell("projects", total - len(left), total)
        except LostTaskError as error:
            if error.task is None:
                raise
            lost = {"problem": "its code ended the process that checks it"}
            results.put("project", keys[error.task], lost)
            del left[keys[error.task]]
    return reused


def handed_in(folder: ClassFolder, each: HandIn) -> HandedIn | None:
    """A hand-in as the checks of labs take it; ``None`` for projects and other labs."""
    assignment = folder.settings.find(each.work)
    if assignment is None or assignment.lab is None:
        return None
    time = each.time.timestamp() if each.time else 0.0
    try:
        progress = progress_from(each.progress)
    except (ValueError, TypeError, AttributeError):
        progress = progress_from({})
    return HandedIn(each.claim.name, each.source, time, assignment.lab, dict(each.files), progress)


def _is_project(folder: ClassFolder, each: HandIn) -> bool:
    assignment = folder.settings.find(each.work)
    return assignment is not None and assignment.lab is None


def _project_key(each: HandIn) -> str:
    packed = json.dumps([__version__, each.work, each.digest]).encode()
    return hashlib.sha256(packed).hexdigest()[:32]


def run_project(files: Mapping[str, str]) -> dict[str, Any]:
    """The result of a project, whose files are written into a folder for the time of its tests."""
    with tempfile.TemporaryDirectory(prefix="rl-toolkit-") as folder:
        root = Path(folder) / "project"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return dict(graded_entry(str(root)))


# --------------------------------------------------------------------------------- the gradebook


def _book(
    folder: ClassFolder,
    results: Results,
    seed: int,
    taken_in: Sequence[HandIn],
    known: Mapping[str, Any],
) -> Gradebook:
    assigned = assigned_students(results)
    who = folder.who_is_who(assigned)
    projects = results.rows("project")
    checked, others = [], []
    for each in taken_in:
        assignment = folder.settings.find(each.work)
        if assignment is None:
            others.append(each)
            continue
        student, doubt = who.decide(each)
        if not student and not doubt:
            continue  # left out by the teacher
        lab = handed_in(folder, each)
        if lab is not None:
            result = known.get(job_key(lab))
            graded = Graded(lab, result) if result else None
            reached = float(graded.reached) if graded else None
            words = graded.problem if graded else _WAITING
            checked.append(Checked(each, student, doubt, graded, reached, words))
        else:
            row = projects.get(_project_key(each))
            reached, words = _project_points(assignment, row)
            checked.append(Checked(each, student, doubt, None, reached, words))
    refused = tuple(
        hand_in_from(row)
        for source, row in results.rows("refused").items()
        if assigned.get(source) != NOBODY and assigned.get(row["entry"]) != NOBODY
    )
    rows, undecided = make_rows(folder.settings, who, checked, refused)
    notes = [*results.remarks, *_notes(folder, checked, others)]
    return Gradebook(
        settings=folder.settings,
        rows=rows,
        undecided=undecided,
        refused=refused,
        others=tuple(others),
        notes=tuple(notes),
        unchecked=_unchecked(folder, checked),
        seed=seed,
        protection=protection(),
    )


def _unchecked(folder: ClassFolder, checked: Sequence[Checked]) -> str:
    waiting = sum(each.reached is None and each.words == _WAITING for each in checked)
    if not waiting:
        return ""
    return (
        f"{counted(waiting, 'hand-in')} {'is' if waiting == 1 else 'are'} not checked: the last "
        "run was stopped, or a lab or the toolkit has changed since. "
        f"`rl-toolkit class grade {as_typed(str(folder.path))}` checks what is left"
    )


def _project_points(
    assignment: Assignment, result: Mapping[str, Any] | None
) -> tuple[float | None, str]:
    """The points of a project, and what to say about it."""
    if result is None:
        return None, _WAITING
    if result.get("problem"):
        return 0.0, str(result["problem"])
    grade = result.get("grade")
    share = result["right"] / max(1, result["tests"])
    words = f"{result['right']} of {result['tests']} tests"
    if grade is not None:
        share = grade["reached"] / max(1, grade["judged"])
        words += f"; {grade['left']} points of its rubric are left to the teacher"
    return round(assignment.points * share, 1), words


def _notes(folder: ClassFolder, checked: Sequence[Checked], others: Sequence[HandIn]) -> list[str]:
    notes = [f"{each.hand_in.source}: {each.hand_in.note}" for each in checked if each.hand_in.note]
    if others:
        labs = listed(sorted({each.work for each in others}))
        sources = listed([each.source for each in others[:5]])
        notes.append(f"{labs} is not in class.toml and was not graded: {sources}.")
    sheets = folder.participants()
    for assignment in folder.settings.assignments:
        packed = {
            each.hand_in.claim.platform for each in checked if each.hand_in.work == assignment.id
        }
        if assignment.due and "moodle" in packed and assignment.id not in sheets:
            notes.append(
                f"{assignment.id}: a download of Moodle does not say when work was handed in, so "
                f"nothing is late. `rl-toolkit class roster {as_typed(str(folder.path))} "
                f"WORKSHEET.csv --lab {assignment.id}` brings the times."
            )
        if assignment.due and "canvas" in packed:
            notes.append(
                f"{assignment.id}: a download of Canvas says LATE and not how late; one day is "
                "counted. An [[override]] or [[extension]] in class.toml changes it."
            )
    if not folder.roster.people:
        notes.append("There is no roster: names are as the senders wrote them.")
    return notes
