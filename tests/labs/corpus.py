"""The corpus of wrong versions under ``variants/``: what students might hand in.

``variants/from_sheets`` was written from the sheets alone, ``variants/classic`` from what teachers
see every year. Each file has ``[[variant]]`` tables for one lab: a name, the task in which it is
wrong, what is wrong in words, and changes of the solution.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rl_toolkit.labs.checking.report import TaskReport
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.session import Session
from rl_toolkit.labs.checking.verify import changed, solution_files
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.labs.model.work import Work, work_from

FOLDER = Path(__file__).parent / "variants"


@dataclass(frozen=True)
class Variant:
    """A wrong version of a lab's solution: ``wrong`` says in words what is wrong in its task."""

    lab: Lab
    source: str
    name: str
    task: int
    wrong: str
    work: Work

    def __str__(self) -> str:
        return f"{self.source}/{self.lab.id}/{self.name}"


@lru_cache(maxsize=1)
def variants() -> tuple[Variant, ...]:
    """All of them, by folder, lab and place in the file."""
    return tuple(each for file in sorted(FOLDER.glob("*/L*.toml")) for each in _read(file))


def _read(file: Path) -> Iterator[Variant]:
    lab = lab_by_id(file.stem)
    solution = solution_files(lab)
    for entry in tomllib.loads(file.read_text("utf-8"))["variant"]:
        where = f"{file.parent.name}/{file.name}, {entry['name']}"
        files = changed(lab, solution, entry["change"], where)
        work = work_from(lab, {**files, **entry.get("files", {})})
        yield Variant(lab, file.parent.name, entry["name"], entry["task"], entry["wrong"], work)


def checked(variant: Variant, shared: Session | None = None, seed: int = 0) -> TaskReport:
    """What the check says of the task in which the version is wrong."""
    report = check_work(variant.lab, variant.work, tasks=(variant.task,), seed=seed, shared=shared)
    return report.tasks[0]
