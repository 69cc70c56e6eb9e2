"""``lab grade-all``: a class graded in one go."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import (
    check_isolation,
    grading_executor,
    make_executor,
    report_errors,
)
from rl_toolkit.cli.options import (
    examples,
    grading_workers_option,
    ray_option,
    repeated_seed_option,
)
from rl_toolkit.cli.param_types import COUNT, FILE
from rl_toolkit.cli.ui.screen import Screen

if TYPE_CHECKING:
    from rl_toolkit.labs.grading import ClassReport, Collection, Rubric


@click.command()
@click.argument("submissions", metavar="SUBMISSIONS", type=click.Path(path_type=Path))
@click.option("--lab", "lab_name", metavar="ID|FOLDER", help="Only this lab.")
@click.option("--out", type=FILE, help="Folder for the reports.  [default: SUBMISSIONS-reports]")
@click.option(
    "--rubric", "rubric_name", metavar="ID|FILE|none", help="Give the points of this rubric."
)
@grading_workers_option
@ray_option
@click.option("--no-tournament", is_flag=True, help="Do not let the bots of the class play.")
@click.option("--rounds", type=COUNT, help="Rounds of the tournament.  [default: all]")
@repeated_seed_option("an earlier run")
@examples(
    "rl-toolkit lab grade-all submissions",
    "rl-toolkit lab grade-all submissions --lab L05 --out reports --workers 4",
    "rl-toolkit lab grade-all submissions --no-tournament",
)
def grade_all_command(
    submissions: Path,
    lab_name: str | None,
    out: Path | None,
    rubric_name: str | None,
    workers: int | None,
    ray: bool,
    no_tournament: bool,
    rounds: int | None,
    seed: int | None,
) -> None:
    """Grade all SUBMISSIONS: zips of `lab submit`, folders of labs, and own projects.

    A folder of Python files or a notebook that belongs to no lab is taken as the project of handout
    C or D, as `course check` does: projects.csv has its points, as far as a program can judge.
    The command writes grades.csv, index.html and a page for each student. It keeps what it has
    done: run the same command to resume, or after new submissions. The exit code is 1 if an entry
    of SUBMISSIONS cannot be read, or two have the same name.
    """
    check_isolation()
    from rl_toolkit.arena.runs import JournalError
    from rl_toolkit.cli.long_runs import tell_work
    from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
    from rl_toolkit.course import project_entries
    from rl_toolkit.labs import find_lab
    from rl_toolkit.labs.grading import (
        CSV,
        INDEX,
        NothingHandedInError,
        ResultsError,
        collect,
        grade_class,
        write_reports,
    )
    from rl_toolkit.utils import counted

    screen = Screen()
    folder = Path(os.path.normpath(submissions))
    plain = folder if folder.name not in ("", "..") else folder.resolve()
    where = out or plain.with_name(f"{plain.name}-reports")
    with report_errors(NothingHandedInError, ResultsError, JournalError):
        lab = None if lab_name is None else find_lab(lab_name)
        projects = project_entries(folder) if lab is None else []
        unread = _grade_projects(screen, projects, where, workers) if projects else 0
        others = [path for path in folder.glob("*") if not path.name.startswith(".")]
        if projects and len(others) == len(projects):
            raise click.exceptions.Exit(1 if unread else 0)
        collection = collect(folder, lab, leave_out=projects)
        rubric = _rubric(rubric_name, collection)
        for note in collection.notes:
            screen.tell(note)
        for refused in collection.refused:
            screen.tell(f"{refused.source} cannot be graded: {refused.problem}.")
        executor = make_executor(workers, ray) if ray else grading_executor(workers)
        with resumable(screen, f"results are in {where}"), ProgressReporter(screen) as bar:
            report = grade_class(
                collection,
                where,
                rubric=rubric,
                tournament=not no_tournament,
                rounds=rounds,
                seed=seed,
                executor=executor,
                on_progress=lambda step, done, total: bar.update(step, done, total),
            )
            write_reports(report, where)
    for remark in report.notes[: len(report.notes) - len(collection.notes)]:
        screen.tell(remark)
    _summary(screen, report)
    screen.say(f"{where / INDEX} has it all, {where / CSV} the table.")
    tell_work(screen, executor.account)
    older = sum(standings.older for standings in report.standings)
    if older:
        matches = "1 match" if older == 1 else f"{older} matches"
        screen.tell(f"Played again: {matches} that an older version of the toolkit had saved.")
    if unread or not collection.is_settled:
        raise click.exceptions.Exit(1)
    if report.reused:
        screen.tell(f"{counted(report.reused, 'result')} of an earlier run used again.", "dim")


def _grade_projects(screen: Screen, projects: list[Path], where: Path, workers: int | None) -> int:
    """Grade the projects among the submissions; how many of them could not be checked."""
    from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
    from rl_toolkit.course import grade_projects

    remarks: list[str] = []
    with resumable(screen, f"results are in {where}"), ProgressReporter(screen) as bar:
        graded = grade_projects(
            projects,
            where,
            executor=grading_executor(workers),
            on_progress=lambda step, done, total: bar.update(step, done, total),
            on_remark=remarks.append,
        )
    for remark in remarks:
        screen.tell(remark)
    for each in graded:
        screen.row(f"{each.name:24.24} {each.sentence()}")
    screen.say(f"{where / 'projects.csv'} has the table, {where / 'projects'} a page for each.")
    return sum(bool(each.problem) for each in graded)


def _rubric(name: str | None, collection: Collection) -> Rubric | None:
    """The rubric that is named, else the one whose labs were all handed in."""
    from rl_toolkit.labs.grading import find_rubric, fitting_rubric

    if name == "none":
        return None
    if name is not None:
        return find_rubric(name)
    return fitting_rubric(each.lab.id for each in collection.handed_in if each.lab is not None)


def _summary(screen: Screen, report: ClassReport) -> None:
    """One line for each student, and what to look at."""
    from rl_toolkit.utils import counted

    for student in report.students:
        opened = f"  ({student.open:g} open)" if student.open else ""
        problem = f"  {student.problems[0]}" if student.problems else ""
        screen.row(f"{student.name:24.24} {student.reached:6g} / {report.points}{opened}{problem}")
    if report.pairs:
        screen.say(f"{pairs_words(len(report.pairs))}: a hint for a talk, not a proof.")
    looked = sum(bool(student.remarks) for student in report.students)
    if looked:
        screen.say(f"{counted(looked, 'submission')} with code worth a look.")
    if any(lab.questions for lab in report.labs):
        screen.say("Written answers are not graded by the machine; read them in the reports.")


def pairs_words(number: int) -> str:
    """``1 pair of submissions is alike``, ``2 pairs of submissions are alike``."""
    from rl_toolkit.utils import counted

    return f"{counted(number, 'pair')} of submissions {'is' if number == 1 else 'are'} alike"
