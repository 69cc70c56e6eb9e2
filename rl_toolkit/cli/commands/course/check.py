"""``course check``: the tests of a companion on your own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.commands.course.show import show_check, show_test
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.course import CourseReport


@click.command("check")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@click.option(
    "--session", "sessions", type=COUNT, multiple=True, help="Only this session; may be repeated."
)
@click.option(
    "--as-typed",
    is_flag=True,
    help="Test the classes of a tree typed as handout A or B says: rl_toolkit/envs/tictactoe.py.",
)
@json_option("the report as one object")
@examples(
    "rl-toolkit course check",
    "rl-toolkit course check course-a --session 2",
    "rl-toolkit course check --as-typed my_tree",
)
def check_command(folder: Path, sessions: tuple[int, ...], as_typed: bool, as_json: bool) -> None:
    """Run the tests of a companion on your files; exit code 0 only if all is right.

    FOLDER is the folder of a companion, by default this one. Your code runs in a process of its
    own, with limits.
    """
    screen = Screen()
    reports = _typed(screen, folder, sessions, as_json) if as_typed else None
    if reports is None:
        from rl_toolkit.course import check_course

        tell = None if as_json else lambda test: show_test(screen, test)
        with report_errors():
            reports = [check_course(folder, sessions=sessions, on_progress=tell)]
    for report in reports:
        if as_json:
            screen.json(report.to_dict())
        else:
            show_check(screen, report)
    if not all(report.all_right for report in reports):
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
