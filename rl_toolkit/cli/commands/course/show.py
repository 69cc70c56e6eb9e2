"""How ``course`` shows folders, tests and what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from rl_toolkit.utils import as_typed, counted, listed

if TYPE_CHECKING:
    from rl_toolkit.cli.ui.screen import Screen
    from rl_toolkit.course import Companion, CourseReport, Grade, Started, TestReport

_MARKS = {"right": "✓", "wrong": "✗", "todo": "·", "open": "?"}
_STYLES = {"right": "green", "wrong": "red", "todo": "dim", "open": "dim"}
_WIDTH = 100
#: So many things that are missing are named; of more, the first is.
_FEW = 4


def show_started(screen: Screen, course: Companion, where: Path, started: Started) -> None:
    """What was written, renewed and left alone, and how to go on."""
    screen.say(f"Companion {course.id}: {course.title}", "bold")
    for what, names in (("Written", started.written), ("Renewed", started.renewed)):
        if names:
            screen.say(f"{what} in {where}: {_brief(names)}.")
    if started.kept:
        changed = "you have changed it" if len(started.kept) == 1 else "you have changed them"
        ours = "it" if len(started.kept) == 1 else "one"
        screen.say(f"Left as it is: {listed(started.kept)}, because {changed}.")
        screen.say(f"Delete {ours} and run the command again to get ours.", "dim")
    if not (started.written or started.renewed or started.kept):
        screen.say(f"Nothing to do: {where} has everything.")
    screen.say("Next:")
    if where != Path("."):
        screen.say(f"  cd {as_typed(str(where))}")
    if "session-1.md" in started.written:
        first = course.sessions[0]
        screen.say(f"  read plan.md and session-1.md, write into {first.files[0]}")
    screen.say("  rl-toolkit course status")


def _brief(names: tuple[str, ...]) -> str:
    top = [name for name in names if "/" not in name]
    tests = len(names) - len(top)
    return listed([*top, *([f"{counted(tests, 'file')} in tests/"] if tests else [])])


def show_test(screen: Screen, test: TestReport) -> None:
    """The line of a test."""
    screen.say(Text(screen.fit(f"{_MARKS[test.status]} {test.title}"), style=_STYLES[test.status]))


def show_check(screen: Screen, report: CourseReport) -> None:
    """What follows the lines of the tests: the first failure in full, the others in a sentence."""
    tests = [test for session in report.sessions for test in session.tests]
    wrong = [test for test in tests if test.status == "wrong"]
    screen.say()
    for own, place in report.places.items():
        screen.say(f"{place} was tested as {own}.", "dim")
    for note in report.notes:
        screen.paragraph(note, "dim", width=_WIDTH)
    for number, (test, same) in enumerate(_by_sentence(wrong)):
        style = "bold red" if number == 0 else "red"
        screen.paragraph(f"{test.title}: {test.sentence}{_the_same(same)}", style, width=_WIDTH)
        if number == 0:
            for line in test.lines:
                screen.say(screen.one_line("    " + line, "yellow"))
    unwritten = list(dict.fromkeys(test.sentence for test in tests if test.status == "todo"))
    few = unwritten[: len(unwritten) if len(unwritten) <= _FEW else 1]
    for sentence in few:
        more = len(unwritten) - len(few)
        screen.paragraph(sentence + (f" (and {more} more)" if more else "") + ".", width=_WIDTH)
    cannot = next((test for test in tests if test.status == "open"), None)
    if cannot is not None:
        screen.paragraph(f"{cannot.sentence}.", "dim", width=_WIDTH)
    right = sum(test.status == "right" for test in tests)
    end = " Well done!" if report.all_right else ""
    course = report.companion
    style = "bold green" if report.all_right else "bold"
    screen.say(f"{course.id} {course.title}: {right} of {len(tests)} tests right.{end}", style)


def _by_sentence(tests: Sequence[TestReport]) -> list[tuple[TestReport, int]]:
    """The first test of each sentence, and how many more say the same."""
    counts = Counter(test.sentence for test in tests)
    first = {test.sentence: test for test in reversed(tests)}
    return [(first[sentence], count - 1) for sentence, count in counts.items()]


def _the_same(count: int) -> str:
    if not count:
        return ""
    return f" ({counted(count, 'more test')} {'says' if count == 1 else 'say'} the same)"


def show_grade(screen: Screen, grade: Grade) -> None:
    """The points of each part of the rubric, and what is left to the teacher."""
    screen.say()
    for part in grade.parts:
        points = "  –" if part.reached is None else f"{part.reached:3g}"
        screen.row(f"{points} / {part.part.points:2}  {part.part.title}")
        if part.reached is None:
            for sentence in part.says:
                screen.paragraph(sentence, "dim", indent=12, width=_WIDTH)
    screen.say(f"{grade.sentence()}.", "bold")


def show_status(screen: Screen, where: Path, report: CourseReport) -> None:
    """One line for each session, and what comes next."""
    course = report.companion
    screen.say(f"{course.id} {course.title} ({where})", "bold")
    for each in report.sessions:
        mark = "✓" if each.is_done else ("·" if each.is_untouched else "✗")
        state = f"{each.right} of {len(each.tests)} tests"
        if each.missing:
            state = f"{listed(each.missing)} missing"
        extra = " (extra)" if each.session.is_extra else ""
        title = f"session {each.session.number}  {each.session.title}{extra}"
        screen.row(f"  {mark} {title:46.46} {each.session.minutes:3} min  {state}")
    following = report.next
    if following is None:
        screen.say("Everything is done. `report.md` is left, if your course wants one.", "green")
        return
    number = following.session.number
    first = next(test for test in following.tests if test.status not in ("right", "open"))
    screen.paragraph(
        f"Next: session {number}, {first.title}. {_sentence(first.sentence)}", width=_WIDTH
    )
    screen.say(f"`rl-toolkit course show {course.id} {number}` has the page.", "dim")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.startswith("my_") else f"{text}."
