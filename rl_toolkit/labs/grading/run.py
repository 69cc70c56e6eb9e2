"""The whole class: check every submission, compare them, play the tournament.

Results are kept beside the reports, sealed (`results`). A run that was stopped, by Ctrl-C or by
force, does what is left; a submission or a lab that has changed is checked anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.labs.grading.collecting import KEPT, Collection, HandedIn
from rl_toolkit.labs.grading.jobs import Graded, Job, job_key, lost_job, run_job
from rl_toolkit.labs.grading.results import FORMER, Results, protection, take_over
from rl_toolkit.labs.grading.rubric import Marked, Rubric, mark
from rl_toolkit.labs.grading.similarity import Pair, alike
from rl_toolkit.labs.grading.tournament import Standings, play_tournaments
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.utils import counted
from rl_toolkit.utils.executors import Executor, InProcess, LostTaskError

#: Called with a step ("checking", "tournament"), what is done, and of how many.
OnProgress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class Student:
    """One student: their submissions by lab, and their points by rubric if there is one."""

    name: str
    graded: Mapping[str, Graded]
    marks: Sequence[Sequence[Marked]] = ()

    @property
    def typed_name(self) -> str:
        """The name on the submissions, which others may have used as well."""
        return next((work.handed_in.student for work in self.graded.values()), self.name)

    @property
    def reached(self) -> float:
        """The points of the rubric that the checks gave, else those of the labs."""
        if self.marks:
            return round(sum(m.reached or 0 for item in self.marks for m in item), 1)
        return sum(work.reached for work in self.graded.values())

    @property
    def open(self) -> float:
        """The points that the machine leaves open."""
        if self.marks:
            return round(sum(marked.open for item in self.marks for marked in item), 1)
        return sum(work.open for work in self.graded.values())

    @property
    def counts(self) -> bool:
        """Whether the points count: there is no other work under the same name."""
        return not any(work.handed_in.doubt for work in self.graded.values())

    @property
    def problems(self) -> list[str]:
        """Why work does not count or was not checked, each with its lab."""
        return [
            f"{lab}: {sentence}"
            for lab, work in self.graded.items()
            for sentence in (work.handed_in.doubt, work.problem)
            if sentence
        ]

    @property
    def remarks(self) -> list[str]:
        """What the teacher should look at."""
        remarks = []
        for lab, work in self.graded.items():
            remarks += [f"{lab} {remark}" for remark in work.result["remarks"]]
        return remarks


@dataclass(frozen=True, slots=True)
class LikePair:
    """Two students whose submissions in a lab are alike."""

    lab: str
    first: str
    second: str
    pair: Pair


@dataclass(frozen=True, slots=True)
class ClassReport:
    """Everything about a class.

    Attributes:
        labs: the labs that were handed in, by id.
        refused: submissions that could not be read.
        pairs: students whose work is alike; a hint for a talk, no proof.
        standings: the tournament of each game.
        notes: what was decided on the way. reused: results of an earlier run.
        protection: why the results are not protected from the code that was graded, "" if they are.
        of: the points that one student can reach, if they are not those of the labs or the rubric.
    """

    labs: Sequence[Lab]
    students: Sequence[Student]
    refused: Sequence[HandedIn]
    pairs: Sequence[LikePair]
    standings: Sequence[Standings]
    rubric: Rubric | None
    notes: Sequence[str]
    seed: int
    reused: int = 0
    protection: str = ""
    of: float | None = None

    @property
    def headcount(self) -> str:
        """``3 students``; where files share a name, ``2 names on 3 submissions``."""
        names = {student.typed_name for student in self.students}
        if len(names) == len(self.students):
            return counted(len(names), "student")
        return f"{counted(len(names), 'name')} on {len(self.students)} submissions"

    @property
    def points(self) -> float:
        """The points that one student can reach."""
        if self.of is not None:
            return self.of
        if self.rubric is not None:
            return self.rubric.points
        return sum(lab.points for lab in self.labs)


def grade_class(
    collection: Collection,
    out: Path,
    *,
    rubric: Rubric | None = None,
    tournament: bool = True,
    rounds: int | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
) -> ClassReport:
    """Grade what was collected; ``out`` is where results are kept.

    All students get the same positions, drawn anew for each class unless ``seed`` names them.
    Raises `ResultsError` if the results of an earlier run cannot be opened.
    """
    tell = on_progress or (lambda step, done, total: None)
    executor = executor or InProcess()
    with Results(out / KEPT) as results:
        _take_over(results)
        seed = class_seed(results, seed)
        known = known_results(results, seed)
        reused = sum(job_key(submission) in known for submission in collection.handed_in)
        check_all(collection.handed_in, known, results, seed, executor, tell)
        results.settle()
        results.check()
        remarks = tuple(results.remarks)
    graded = [Graded(submission, known[job_key(submission)]) for submission in collection.handed_in]
    standings: list[Standings] = []
    if tournament:
        standings = play_tournaments(
            graded, out / KEPT, seed=seed, rounds=rounds, executor=executor, on_progress=tell
        )
    labs = {work.lab.id: work.lab for work in graded}
    return ClassReport(
        labs=[labs[name] for name in sorted(labs)],
        students=_students(graded, rubric, standings),
        refused=collection.refused,
        pairs=like_pairs(graded),
        standings=standings,
        rubric=rubric,
        notes=(*remarks, *collection.notes),
        seed=seed,
        reused=reused,
        protection=protection(),
    )


def _take_over(results: Results) -> None:
    """The results that an earlier version kept, sealed from now on."""
    for line in take_over(results, FORMER, "grading"):
        if "key" in line and "result" in line and isinstance(line.get("seed"), int):
            _keep(results, line["key"], line["seed"], line["result"])
        elif isinstance(line.get("seed"), int):
            results.put("seed", "", {"seed": line["seed"]})


def class_seed(results: Results, seed: int | None) -> int:
    """The seed of this class: the given one, that of the earlier run, or a new one."""
    earlier = results.rows("seed").get("", {}).get("seed")
    if seed is None:
        seed = random.SystemRandom().randrange(1_000_000) if earlier is None else int(earlier)
    if seed != earlier:
        results.put("seed", "", {"seed": seed})
    return seed


def known_results(results: Results, seed: int) -> dict[str, Any]:
    """The results of earlier runs with this seed, by `job_key`."""
    rows = results.rows("result").values()
    return {row["job"]: row["result"] for row in rows if row["seed"] == seed}


def _keep(results: Results, key: str, seed: int, result: Mapping[str, Any]) -> None:
    results.put("result", f"{seed} {key}", {"job": key, "seed": seed, "result": result})


def check_all(
    handed_in: Sequence[HandedIn],
    known: dict[str, Any],
    results: Results,
    seed: int,
    executor: Executor,
    tell: OnProgress,
) -> None:
    """Check what is not ``known``, and keep it; equal submissions are checked once."""
    waiting: dict[str, Job] = {}
    for submission in handed_in:
        key = job_key(submission)
        if key not in known:
            assert submission.lab is not None
            waiting[key] = Job(submission.lab.folder, dict(submission.files), seed)
    total = len(waiting)

    def keep(key: str, result: dict[str, Any]) -> None:
        known[key] = result
        del waiting[key]
        _keep(results, key, seed, result)
        tell("checking", total - len(waiting), total)

    while waiting:
        keys = list(waiting)
        try:
            for number, result in executor.map(run_job, [waiting[key] for key in keys]):
                keep(keys[number], result)
        except LostTaskError as error:
            if error.task is None:
                raise
            keep(keys[error.task], lost_job(str(error).partition("(")[2].rstrip(")")))


def _students(
    graded: Sequence[Graded], rubric: Rubric | None, standings: Sequence[Standings]
) -> list[Student]:
    by_student: dict[str, list[Graded]] = {}
    for work in graded:
        by_student.setdefault(work.handed_in.key, []).append(work)
    students = []
    for key in sorted(by_student):
        labs = {work.lab.id: work for work in by_student[key]}
        name = by_student[key][0].handed_in.name
        strength = {
            row.lab: f"{row.lab}: {row.sentence()}"
            for table in standings
            for row in table.rows
            if row.key == key
        }
        students.append(Student(name, labs, mark(rubric, labs, strength) if rubric else ()))
    return students


def like_pairs(graded: Sequence[Graded]) -> list[LikePair]:
    """Students whose work is alike, lab by lab; a hint for a talk, no proof."""
    by_lab: dict[str, list[Graded]] = {}
    for each in graded:
        by_lab.setdefault(each.lab.id, []).append(each)
    pairs = []
    for lab, works in sorted(by_lab.items()):
        names = [work.handed_in.name for work in works]
        for pair in alike(works[0].lab, [work.handed_in.files for work in works]):
            pairs.append(LikePair(lab, names[pair.first], names[pair.second], pair))
    return pairs
