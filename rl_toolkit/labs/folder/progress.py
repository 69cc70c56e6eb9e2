"""What a student has done in a folder: ``.lab/progress.json``, written atomically.

No account and no server: the file belongs to the folder. A damaged file is kept aside under
another name, and progress begins anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rl_toolkit.labs.checking.report import LabReport
from rl_toolkit.utils import JsonError, read_object, write_text_atomically

HIDDEN = ".lab"
FILE = "progress.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress in a folder.

    Attributes:
        tasks: number of the task → its last status. points: the most points reached.
        hints: number of the task → hints taken (0–3).
        checks: how often the work was checked.
        started, checked, finished: times in UTC, "" if not yet.
        damaged: where a damaged file was kept, "" if there was none.
    """

    tasks: Mapping[int, str] = field(default_factory=dict)
    points: int = 0
    hints: Mapping[int, int] = field(default_factory=dict)
    checks: int = 0
    started: str = ""
    checked: str = ""
    finished: str = ""
    damaged: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        return {
            "tasks": {str(number): status for number, status in sorted(self.tasks.items())},
            "points": self.points,
            "hints": {str(number): taken for number, taken in sorted(self.hints.items())},
            "checks": self.checks,
            "started": self.started,
            "checked": self.checked,
            "finished": self.finished,
        }


def now() -> str:
    """The time as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_progress(folder: Path) -> Progress:
    """The progress in a folder; a damaged file is moved aside, which the answer says."""
    path = folder / HIDDEN / FILE
    try:
        text = path.read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return Progress()
    try:
        return progress_from(read_object(text))
    except (JsonError, ValueError):
        aside = _free_name(path)
        path.rename(aside)
        return Progress(damaged=str(aside))


def progress_from(data: Mapping[str, Any]) -> Progress:
    """The progress of plain data; raises ``ValueError`` if it is not one."""
    tasks, hints = data.get("tasks", {}), data.get("hints", {})
    numbers = [data.get("points", 0), data.get("checks", 0), *_values(hints)]
    if any(isinstance(count, bool) or not isinstance(count, int) or count < 0 for count in numbers):
        raise ValueError("a count is a whole number")
    times = [data.get(name, "") for name in ("started", "checked", "finished")]
    if not all(isinstance(text, str) for text in (*times, *_values(tasks))):
        raise ValueError("a status or time is text")
    return Progress(
        {int(number): status for number, status in tasks.items()},
        data.get("points", 0),
        {int(number): taken for number, taken in hints.items()},
        data.get("checks", 0),
        *(time[:40] for time in times),
    )


def write_progress(folder: Path, progress: Progress) -> None:
    """Write the progress of a folder."""
    hidden = folder / HIDDEN
    hidden.mkdir(exist_ok=True)
    write_text_atomically(hidden / FILE, json.dumps(progress.to_dict(), indent=2) + "\n")


def after_check(progress: Progress, report: LabReport, points: int) -> Progress:
    """The progress after a check; ``points`` are those of the whole lab."""
    tasks = {**progress.tasks, **{task.number: task.status for task in report.tasks}}
    if report.problem is not None:
        tasks = dict(progress.tasks)
    done = report.all_right and report.reached == points
    return replace(
        progress,
        tasks=tasks,
        points=max(progress.points, report.reached),
        checks=progress.checks + 1,
        checked=now(),
        finished=progress.finished or (now() if done else ""),
    )


def _values(table: Any) -> list[Any]:
    if not isinstance(table, dict):
        raise ValueError("a table is expected")
    return list(table.values())


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"progress-damaged-{number}.json")).exists():
        number += 1
    return aside
