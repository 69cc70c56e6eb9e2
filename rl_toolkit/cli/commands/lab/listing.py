"""``lab list``: the labs, and what is done in the folders below this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.labs.folder.progress import Progress


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@json_option("one object per lab")
@examples("rl-toolkit lab list", "rl-toolkit lab list --json")
def list_command(folder: Path, as_json: bool) -> None:
    """List the labs; those that were started in FOLDER, by default this one, with their points."""
    from rl_toolkit.labs.model.finding import labs

    screen = Screen()
    with report_errors():
        done = started_labs(folder)
        for lab in labs():
            where, progress = done.get(lab.id, (None, None))
            if as_json:
                more: dict[str, Any] = {
                    "folder": None if where is None else str(where),
                    "progress": None if progress is None else progress.to_dict(),
                }
                screen.json({**lab.to_dict(), **more})
                continue
            state = "" if progress is None else _state(progress, lab.points)
            name = f"{lab.id}  {lab.title:34.34}  {lab.minutes:3} min"
            screen.row(f"{name}  {state}".rstrip(), "" if progress is None else "bold")
    if not as_json:
        screen.tell("`rl-toolkit lab start L05` begins one.", "dim")


def started_labs(folder: Path) -> dict[str, tuple[Path, Progress]]:
    """The labs that were started in a folder or in those right below it: id → where, progress."""
    from rl_toolkit.labs.folder.progress import HIDDEN, read_progress
    from rl_toolkit.labs.folder.student_folder import lab_of
    from rl_toolkit.labs.model.lab import LabError

    found: dict[str, tuple[Path, Progress]] = {}
    marks = [folder / HIDDEN, *sorted(folder.glob(f"*/{HIDDEN}"))] if folder.is_dir() else []
    for mark in marks:
        if not mark.is_dir():
            continue
        try:
            lab = lab_of(mark.parent)
        except LabError:
            continue
        progress = read_progress(mark.parent)
        if lab.id not in found or progress.points > found[lab.id][1].points:
            found[lab.id] = (mark.parent, progress)
    return found


def _state(progress: Progress, points: int) -> str:
    if progress.finished:
        return f"✓ done, {progress.points}/{points}"
    return f"{progress.points}/{points} points" if progress.checks else "started"
