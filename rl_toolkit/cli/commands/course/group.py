"""``course`` and its commands."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import check_isolation, report_errors
from rl_toolkit.cli.commands.course.check import check_command
from rl_toolkit.cli.commands.course.show import show_started, show_status
from rl_toolkit.cli.commands.course.stage import stage_command
from rl_toolkit.cli.commands.course.web import web_command
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, FILE
from rl_toolkit.cli.ui.screen import Screen


@click.group()
@examples(
    "rl-toolkit course list",
    "rl-toolkit course start A",
    "rl-toolkit course check --session 2",
    "rl-toolkit course web --open",
    "rl-toolkit course stage my_minimax.py --open",
)
def course() -> None:
    """Follow a handout with files of your own: pages, skeletons and tests for each session.

    Handouts A to E say what to write; a companion gives it a place, tests it, and says what is
    wrong in the handout. `course start A` makes a folder.
    """


course.add_command(check_command)
course.add_command(stage_command)
course.add_command(web_command)


@course.command("list")
@json_option("one object per companion")
@examples("rl-toolkit course list")
def list_command(as_json: bool) -> None:
    """List the companions: A to E, with their sessions and minutes."""
    from rl_toolkit.course import companions
    from rl_toolkit.utils import counted

    screen = Screen()
    for each in companions():
        if as_json:
            sessions = [
                {"number": s.number, "title": s.title, "minutes": s.minutes, "labs": list(s.labs)}
                for s in each.sessions
            ]
            screen.json({"id": each.id, "title": each.title, "sessions": sessions})
            continue
        count = counted(len(each.sessions), "session")
        screen.row(f"{each.id}  {each.title:46.46}  {count:10}  {each.minutes:3} min")
    if not as_json:
        screen.tell("`rl-toolkit course start A` begins one.", "dim")


@course.command("start")
@click.argument("letter", metavar="A|B|C|D|E", required=False)
@click.argument("folder", metavar="[FOLDER]", type=FILE, required=False)
@examples("rl-toolkit course start A", "rl-toolkit course start B connect_four")
def start_command(letter: str | None, folder: Path | None) -> None:
    """Make the folder of a companion, by default course-a: pages, skeletons, tests.

    In a folder that exists the command writes what is missing and renews pages and tests that you
    have not changed. It never touches your code. Within the folder of a companion no letter is
    needed.
    """
    from rl_toolkit.course import companion, companion_of, start_course

    with report_errors():
        chosen = companion_of(Path(".")) if letter is None else companion(letter)
        where = folder or _here(chosen.id) or Path(f"course-{chosen.id.lower()}")
        started = start_course(chosen, where)
    show_started(Screen(), chosen, where, started)


def _here(letter: str) -> Path | None:
    """This folder, if it belongs to the companion already."""
    from rl_toolkit.course import CourseError, companion_of

    try:
        return Path(".") if companion_of(Path(".")).id == letter else None
    except CourseError:
        return None


@course.command("show")
@click.argument("letter", metavar="A|B|C|D|E", required=False)
@click.argument("session", type=COUNT, required=False)
@examples("rl-toolkit course show A", "rl-toolkit course show A 2")
def show_command(letter: str | None, session: int | None) -> None:
    """Show the plan of a companion, or the page of one SESSION.

    Within the folder of a companion no letter is needed.
    """
    from rich.markdown import Markdown

    from rl_toolkit.course import companion, companion_of, overview_page, session_page

    if letter is not None and letter.isdecimal() and session is None:
        session, letter = int(letter), None
    with report_errors():
        chosen = companion_of(Path(".")) if letter is None else companion(letter)
        if session is None:
            page = overview_page(chosen)
        else:
            page = session_page(chosen, chosen.session(session))
    screen = Screen()
    screen.say(Markdown(screen.fit(page), code_theme="ansi_dark"))


@course.command("status")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@json_option("one object per companion")
@examples("rl-toolkit course status", "rl-toolkit course status course-a")
def status_command(folder: Path, as_json: bool) -> None:
    """Say what is there, which tests are green, and what comes next."""
    check_isolation()
    from rl_toolkit.course import check_folder, companion_of, started_below

    screen = Screen()
    with report_errors():
        folders = started_below(folder)
        if not folders:
            companion_of(folder)
        for where in folders:
            report = check_folder(where)
            if as_json:
                screen.json({"folder": str(where), **report.to_dict()})
            else:
                show_status(screen, where, report)
