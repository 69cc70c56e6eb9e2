"""``lab check``: points for each task, and the first case that is wrong."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import check_isolation, report_errors
from rl_toolkit.cli.commands.lab.place import to_lab_folder
from rl_toolkit.cli.commands.lab.show import show_report, show_task
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, NATURAL
from rl_toolkit.cli.program.exit_codes import describe_os_error
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.labs import LabReport

#: Seconds between two looks at the files.
_LOOK = 0.3


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path), default=Path("."), callback=to_lab_folder
)
@click.option("--task", "tasks", type=COUNT, multiple=True, help="Only this task; may be repeated.")
@click.option("--watch", is_flag=True, help="Check whenever a file is saved, until all is right.")
@click.option(
    "--seed", type=NATURAL, help="The seed of an earlier check, which repeats its positions."
)
@json_option("the report as one object")
@examples(
    "rl-toolkit lab check",
    "rl-toolkit lab check --task 2 --watch",
    "rl-toolkit lab check L05-minimax --json",
)
def check_command(
    folder: Path, tasks: tuple[int, ...], watch: bool, seed: int | None, as_json: bool
) -> None:
    """Check the work in FOLDER, by default this one; exit code 0 only if all is right.

    The name of a lab that you have started here, such as L05, stands for its folder.

    For the first case that fails you see the board, your answer, the right answer, and a sentence
    that says what is wrong. Your code runs in a process of its own, with limits.
    """
    check_isolation()
    screen = Screen()
    if watch:
        _watch(screen, folder, tasks, seed, as_json)
        return
    report = _checked(screen, folder, tasks, seed, as_json)
    if not report.all_right:
        raise click.exceptions.Exit(1)


def _checked(
    screen: Screen, folder: Path, tasks: tuple[int, ...], seed: int | None, as_json: bool
) -> LabReport:
    from rl_toolkit.labs.checking import check_folder
    from rl_toolkit.labs.folder import after_check, lab_of, read_progress, write_progress

    with report_errors():
        lab = lab_of(folder)
        for number in tasks:
            lab.task(number)  # refuses one that there is not, before anything is shown
        if not as_json:
            screen.say(f"{lab.id} {lab.title}", "bold")
        listener = None if as_json else lambda task: show_task(screen, task)
        report = check_folder(folder, listener, tasks=tasks, seed=seed)
        progress = read_progress(folder)
    try:
        write_progress(folder, after_check(progress, report, lab.points))
    except OSError as error:
        screen.tell(f"The progress could not be kept: {describe_os_error(error)}.")
    if progress.damaged:
        screen.tell(f"The progress of this folder was damaged; it was kept in {progress.damaged}.")
    if as_json:
        screen.json((replace(report, questions=()) if tasks else report).to_dict())
    else:
        show_report(screen, report, folder, questions=not tasks)
    return report


def _watch(
    screen: Screen, folder: Path, tasks: tuple[int, ...], seed: int | None, as_json: bool
) -> None:
    from rl_toolkit.labs.folder import FolderWatch

    files = FolderWatch(folder)
    try:
        while True:
            if files.changed():
                if screen.live and not as_json:
                    screen.out.clear()
                report = _checked(screen, folder, tasks, seed, as_json)
                if not as_json and not report.all_right:
                    screen.tell("Watching; save a file to check again, Ctrl-C ends.", "dim")
                if report.all_right:
                    return
            time.sleep(_LOOK)
    except KeyboardInterrupt:
        return
