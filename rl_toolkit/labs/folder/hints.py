"""Hints: three for each task, given one after the other and counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rl_toolkit.labs.folder.progress import read_progress, write_progress
from rl_toolkit.labs.model.lab import STAGES, Lab, Task


class HintsTaken(NamedTuple):
    """The hints for a task that the student has seen, and whether there was none left to give."""

    task: Task
    texts: tuple[str, ...]
    were_all: bool


def take_hint(lab: Lab, folder: Path, number: int | None = None) -> HintsTaken:
    """Give the next hint for a task, by default the first that is not right yet, and count it.

    Raises `LabError` for a task that there is not, and ``OSError`` if it cannot be counted.
    """
    progress = read_progress(folder)
    waiting = [task.number for task in lab.tasks if progress.tasks.get(task.number) != "right"]
    task = lab.task(number if number is not None else (waiting or [1])[0])
    taken = min(progress.hints.get(task.number, 0), len(STAGES))
    now = min(taken + 1, len(STAGES))
    write_progress(folder, replace(progress, hints={**progress.hints, task.number: now}))
    return HintsTaken(task, task.hints[:now], taken == len(STAGES))
