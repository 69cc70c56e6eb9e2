"""Wrong versions of students' programs: the right solution of a lab with one mistake in it.

A file of ``tests/labs/variants`` holds the versions of one lab::

    [[variant]]
    name = "lists-taken-cells"
    task = 2                        # the task that the mistake belongs to
    wrong = "The list holds the taken cells instead of the free ones."
    try = 'available_moves([...])'  # an expression whose answer shows the mistake; may be missing
    typed = ["5", "b2"]             # what the user types meanwhile, if anything
    change = [{ file = "board.py", old = "== EMPTY", new = "!= EMPTY" }]

Each ``old`` occurs once in the solution; ``file`` may be left out in a lab of one file. A change
with ``text`` instead of ``old`` and ``new`` is the whole file.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rl_toolkit.labs import LabReport, check_work, lab_by_id
from rl_toolkit.labs.model.work import read_work

LABS = Path(__file__).parents[1] / "labs"
FOLDER = LABS / "variants"


@dataclass(frozen=True, slots=True)
class Variant:
    """One wrong version.

    Attributes:
        lab: the id of the lab.
        source: the folder that names who wrote it: ``from_sheets`` by somebody who has not read
            the checks.
        name: its name, unique in the lab.
        task: the task that the mistake belongs to.
        wrong: what is wrong with it, in a sentence.
        witness: an expression whose answer differs from that of the right solution, "" if none.
        typed: what the user types while the witness runs.
        files: path → text of the files that a student writes.

    `checked` says what the product thinks of it: ``report.reached`` of ``report.points``.
    """

    lab: str
    source: str
    name: str
    task: int
    wrong: str
    witness: str
    typed: tuple[str, ...]
    files: Mapping[str, str]


def solution(lab: str) -> dict[str, str]:
    """The right files of a lab: path → text."""
    folder = LABS / lab / "solution"
    if folder.is_dir():
        return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}
    return {lab_by_id(lab).code_file: folder.with_suffix(".py").read_text("utf-8")}


def variants(lab: str | None = None) -> Iterator[Variant]:
    """All wrong versions, or those of one lab."""
    for path in sorted(FOLDER.glob(f"*/{lab or '*'}.toml")):
        right = solution(path.stem)
        for entry in tomllib.loads(path.read_text("utf-8"))["variant"]:
            yield Variant(
                lab=path.stem,
                source=path.parent.name,
                name=entry["name"],
                task=entry["task"],
                wrong=entry["wrong"],
                witness=entry.get("try", ""),
                typed=tuple(entry.get("typed", ())),
                files=_changed(right, entry),
            )


def _changed(right: Mapping[str, str], entry: Mapping[str, Any]) -> dict[str, str]:
    files = dict(right)
    for change in entry["change"]:
        name = change.get("file") or next(iter(files))
        if "text" in change:
            files[name] = change["text"]
            continue
        if files[name].count(change["old"]) != 1:
            raise ValueError(f"{entry['name']}: {change['old']!r} is not once in {name}")
        files[name] = files[name].replace(change["old"], change["new"])
    return files


def write_program(lab: str, files: Mapping[str, str], folder: Path) -> None:
    """Write a student's folder: the skeleton of the lab with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**lab_by_id(lab).start_files(), **files}.items():
        (folder / name).write_text(text, encoding="utf-8")


def checked(
    variant: Variant, folder: Path, tasks: Sequence[int] = (), seed: int | None = None
) -> LabReport:
    """What the product's check says about a version, which is written to an empty folder."""
    write_program(variant.lab, variant.files, folder)
    lab = lab_by_id(variant.lab)
    return check_work(lab, read_work(lab, folder), tasks=tasks, seed=seed)


def sentences(report: LabReport) -> list[str]:
    """What the check says to the student about tasks that are not right, in order."""
    said = [report.problem.sentence] if report.problem else []
    for task in report.tasks:
        if task.failure is not None:
            said.append(task.failure.sentence)
    return said


# ---------------------------------------------------------------- what a version answers


def answer(folder: Path, witness: str, typed: Sequence[str] = ()) -> str:
    """What an expression gives in a student's folder: value or exception, and what is printed."""
    names = [path.stem for path in sorted(folder.glob("*.py"))]
    typing, out = io.StringIO("".join(f"{line}\n" for line in typed)), io.StringIO()
    with (
        patch.object(sys, "path", [str(folder), *sys.path]),
        patch.object(sys, "stdin", typing),
        patch.dict(sys.modules),
        contextlib.redirect_stdout(out),
    ):
        for name in names:
            sys.modules.pop(name, None)
        namespace = {"tried": tried}
        for name in names:
            namespace |= vars(importlib.import_module(name))
        value = tried(lambda: eval(witness, namespace))
    return f"{value!r}\n{out.getvalue()}"


def tried(call: Callable[[], object]) -> object:
    """The value of a call, or the name of the exception that it raises."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__
