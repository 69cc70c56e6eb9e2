"""The labs that a student has started: their folders, and the progress in each."""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.labs.folder.progress import HIDDEN, Progress, read_progress
from rl_toolkit.labs.folder.student_folder import lab_of
from rl_toolkit.labs.model.lab import LabError


def started_labs(folder: Path) -> dict[str, tuple[Path, Progress]]:
    """The labs that were started in a folder or in those right below it: id → where, progress."""
    labs: dict[str, tuple[Path, Progress]] = {}
    marks = [folder / HIDDEN, *sorted(folder.glob(f"*/{HIDDEN}"))] if folder.is_dir() else []
    for mark in marks:
        if not mark.is_dir():
            continue
        try:
            lab = lab_of(mark.parent)
        except LabError:
            continue
        progress = read_progress(mark.parent)
        if lab.id not in labs or progress.points > labs[lab.id][1].points:
            labs[lab.id] = (mark.parent, progress)
    return labs


def how_far(progress: Progress, points: int) -> str:
    """The progress in a few words; ``points`` are those of the whole lab."""
    if progress.finished:
        return f"✓ done, {progress.points}/{points}"
    return f"{progress.points}/{points} points" if progress.checks else "started"
