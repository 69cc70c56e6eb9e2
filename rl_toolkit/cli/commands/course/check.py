"""``course check``: the tests of a companion on your own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.commands.course.show import show_check, show_grade, show_test
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.course import CourseReport


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

    FOLDER is the folder of a companion, by default this one. A NOTEBOOK of handout C, or a folder
    with the project of handout D, may use names and boards of its own: the command says what it
    took for what, and names.toml can say it better. Your code runs in a process of its own, with
    limits; on Windows that needs WSL.
    """
    from rl_toolkit.course import check_course, is_course_folder

    screen = Screen()
    tell = None if as_json else lambda test: show_test(screen, test)
    if as_typed:
        reports = _typed(screen, folder, sessions, as_json)
    elif handout is None and (not folder.exists() or is_course_folder(folder)):
        with report_errors():
            reports = [check_course(folder, sessions=sessions, on_progress=tell)]
    else:
        _check_own(screen, folder, handout, sessions, as_json=as_json)
        return
    for report in reports:
        if as_json:
            screen.json(report.to_dict())
        else:
            show_check(screen, report)
    if not all(report.all_right for report in reports):
        raise click.exceptions.Exit(1)


def _check_own(
    screen: Screen, path: Path, handout: str | None, sessions: tuple[int, ...], *, as_json: bool
) -> None:
    """Check and grade work with names of its own."""
    from rl_toolkit.course import check_own_work, grade_project, is_graded, read_own

    tell = None if as_json else lambda test: show_test(screen, test)
    with report_errors():
        report = check_own_work(path, letter=handout, sessions=sessions, on_progress=tell)
        work = read_own(path)
        grade = None
        if is_graded(report) and not sessions:
            grade = grade_project(report, {**work.files, **work.code})
    if as_json:
        screen.json({**report.to_dict(), "grade": None if grade is None else grade.to_dict()})
    else:
        show_check(screen, report)
        if grade is not None:
            show_grade(screen, grade)
    if not report.all_right:
        raise click.exceptions.Exit(1)


def _typed(
    screen: Screen, folder: Path, sessions: tuple[int, ...], as_json: bool
) -> list[CourseReport]:
    """The reports of the handouts whose files a tree has."""
    from rl_toolkit.course import CourseError, check_typed, companions

    reports: list[CourseReport] = []
    problems: list[str] = []
    tell = None if as_json else lambda test: show_test(screen, test)
    with report_errors():
        for course in (each for each in companions() if each.id in "AB"):
            try:
                reports.append(check_typed(folder, course, sessions=sessions, on_progress=tell))
            except CourseError as error:
                problems.append(str(error))
    if not reports:
        raise refuse("; ".join(problems))
    return reports
