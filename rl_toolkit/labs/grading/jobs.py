"""One submission, checked: a task for a worker, and its result as plain data for the journal."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rl_toolkit.labs.checking.report import by_hand, storable
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.folder.answers import written_answers
from rl_toolkit.labs.grading.collecting import HandedIn
from rl_toolkit.labs.grading.remarks import remarks_on
from rl_toolkit.labs.grading.style import StyleNotes, style_of
from rl_toolkit.labs.model.lab import Lab, LabError, read_lab
from rl_toolkit.labs.model.work import ANSWERS, work_from

#: Where the code that decides points is, besides the lab's own folder.
_LABS = Path(__file__).resolve().parents[1]
_DECIDING = ("checking", "host", "model", "truth", "grading")
#: The most hints of a task, whatever a submission claims.
_MOST_HINTS = 3


@dataclass(frozen=True, slots=True)
class Job:
    """A submission to check: the lab's folder and the student's files."""

    lab: Path
    files: Mapping[str, str]
    seed: int


def job_key(each: HandedIn) -> str:
    """What a result depends on: the files of the student and the code of the lab."""
    assert each.lab is not None
    return f"{each.lab.id} {each.digest} {lab_digest(each.lab)}"


def lab_digest(lab: Lab) -> str:
    """A hash of a lab and of the code that runs its checks."""
    return _folder_digest(lab.folder) + _code_digest()


@lru_cache(maxsize=64)
def _folder_digest(folder: Path) -> str:
    kept = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and "__pycache__" not in parts and parts[0] not in ("mistakes",):
            kept.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return kept.hexdigest()[:12]


@lru_cache(maxsize=1)
def _code_digest() -> str:
    kept = hashlib.sha256()
    for part in _DECIDING:
        for path in sorted((_LABS / part).glob("*.py")):
            kept.update(path.read_bytes())
    return kept.hexdigest()[:12]


def run_job(job: Job) -> dict[str, Any]:
    """Check a submission; whatever the student's code does, there is a result.

    ``report`` is `LabReport.to_dict`, ``None`` with a ``problem`` if nothing could be checked.
    """
    lab = read_lab(job.lab)
    result: dict[str, Any] = {"report": None, "problem": "", "seconds": 0.0}
    result |= {"remarks": [], "style": StyleNotes().to_dict(), "answers": {}}
    try:
        try:
            work = work_from(lab, job.files)
            report = check_work(lab, work, seed=job.seed)
            result |= {"report": report.to_dict(), "seconds": round(report.seconds, 2)}
        except LabError as error:  # a file is missing, or names.toml is wrong
            result["problem"] = f"{error}."
        result["remarks"] = remarks_on(lab, job.files)
        result["style"] = style_of(job.files).to_dict()
        answers = written_answers(job.files.get(ANSWERS, ""))
        result["answers"] = {str(number): text[:20_000] for number, text in answers.items()}
    except Exception as error:  # one submission must not end the grading of a class
        result["problem"] = by_hand(error)
    return storable(result)


def check_job(each: HandedIn, seed: int) -> dict[str, Any]:
    """The result of one submission, checked in this process."""
    assert each.lab is not None
    return run_job(Job(each.lab.folder, dict(each.files), seed))


def lost_job(reason: str) -> dict[str, Any]:
    """The result of a submission whose checks never came to an end."""
    return {
        "report": None,
        "problem": f"Its code ended the process that checks it ({reason}).",
        "seconds": 0.0,
        "remarks": ["It ended the process that checks it: look at its code."],
        "style": StyleNotes().to_dict(),
        "answers": {},
    }


@dataclass(frozen=True, slots=True)
class Graded:
    """A submission with its result."""

    handed_in: HandedIn
    result: Mapping[str, Any]

    @property
    def lab(self) -> Lab:
        """The lab."""
        assert self.handed_in.lab is not None
        return self.handed_in.lab

    @property
    def report(self) -> Mapping[str, Any]:
        """The report of the check; an empty one if nothing could be checked."""
        return self.result.get("report") or {"tasks": [], "reached": 0, "open": 0, "problem": None}

    @property
    def reached(self) -> int:
        """The points reached."""
        return int(self.report["reached"])

    @property
    def open(self) -> int:
        """The points of tasks that cannot be checked on this machine."""
        return int(self.report["open"])

    @property
    def problem(self) -> str:
        """Why nothing was checked, "" if it was."""
        loading = self.report.get("problem")
        return str(self.result["problem"] or (loading or {}).get("sentence", ""))

    @property
    def mistakes(self) -> list[str]:
        """The ids of the typical mistakes that were recognised."""
        failures = [task["failure"] for task in self.report["tasks"] if task.get("failure")]
        return [failure["mistake"] for failure in failures if failure["mistake"]]

    @property
    def hints(self) -> int:
        """The hints taken, as the student's folder tells it."""
        taken = self.handed_in.progress.hints
        return sum(min(taken.get(task.number, 0), _MOST_HINTS) for task in self.lab.tasks)
