"""``course check``: the tests of a companion on your own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import check_isolation, report_errors
from rl_toolkit.cli.commands.course.show import show_check, show_grade, show_test
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.course import CourseReport, Grade


@click.command("check")
@click.argument(
    "folder", metavar="[FOLDER|NOTEBOOK]", type=click.Path(path_type=Path), default=Path(".")
)
@click.option(
    "--session", "sessions", type=COUNT, multiple=True, help="Only this session; may be repeated."
)
@click.option(
    "--as-typed",
    is_flag=True,
    help="Test the classes of a tree typed as handout A or B says: rl_toolkit/envs/tictactoe.py.",
)
@click.option("--handout", metavar="C|D", help="The handout of work with names of its own.")
@json_option("the report as one object")
@examples(
    "rl-toolkit course check",
    "rl-toolkit course check notebook.ipynb",
    "rl-toolkit course check my_project",
    "rl-toolkit course check course-a --session 2",
    "rl-toolkit course check --as-typed my_tree",
)
def check_command(
    folder: Path,
    sessions: tuple[int, ...],
    as_typed: bool,
    handout: str | None,
    as_json: bool,
) -> None:
    """Run the tests of a companion on your files; exit code 0 only if all is right.

    FOLDER is the folder of a companion, or the one above it; by default this one. A NOTEBOOK or
    one .py file of handout C, or a folder with the project of handout D, may use names and boards
    of its own: the command says what it took for what, and names.toml can say it better. Your code
    runs in a process of its own, with limits; on Windows that needs WSL.
    """
    check_isolation()
    from rl_toolkit.course import (
        check_folder,
        check_own_work,
        read_own,
        started_below,
        taken_for,
    )

    screen = Screen()
    tell = None if as_json else lambda test: show_test(screen, test)
    folders = [folder]
    if as_typed:
        reports = _typed(screen, folder, sessions, as_json)
        folders *= len(reports)
    else:
        with report_errors():
            started = started_below(folder) if handout is None else []
            if started:
                folders = started
                reports = [check_folder(f, sessions=sessions, on_progress=tell) for f in folders]
            else:
                what = taken_for(read_own(folder)) if handout is None else ""
                if what and not as_json:
                    screen.say(what)
                own = check_own_work(folder, letter=handout, sessions=sessions, on_progress=tell)
                reports = [own]
    for report, where in zip(reports, folders, strict=True):
        grade = None if as_typed or sessions else _grade(report, where)
        if as_json:
            screen.json({**report.to_dict(), "grade": None if grade is None else grade.to_dict()})
            continue
        show_check(screen, report)
        if grade is not None:
            show_grade(screen, grade)
    if not all(report.all_right for report in reports):
        raise click.exceptions.Exit(1)


def _grade(report: CourseReport, path: Path) -> Grade | None:
    """The points of a complete check, if the handout has any."""
    from rl_toolkit.course import grade_project, is_graded, read_own

    if not is_graded(report):
        return None
    with report_errors():
        work = read_own(path)
        return grade_project(report, {**work.files, **work.code})


def _typed(
    screen: Screen, folder: Path, sessions: tuple[int, ...], as_json: bool
) -> list[CourseReport]:
    """The reports of the handouts whose files a tree has."""
    from rl_toolkit.course import check_typed, companions, typed_handouts

    tell = None if as_json else lambda test: show_test(screen, test)
    with report_errors():
        offered = [course for course in companions() if course.id in "AB"]
        return [
            check_typed(folder, course, sessions=sessions, on_progress=tell)
            for course in typed_handouts(folder, offered)
        ]
