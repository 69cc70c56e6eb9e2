"""Typical mistakes, planted into right solutions: each test of a companion sees at least one.

The mistakes stand in ``faults/``. A test that no mistake can turn red tests nothing.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from rl_toolkit.course import check_course, companion, companions, start_course
from rl_toolkit.labs.catalogue.l19_browser.engines import find_browser

HERE = Path(__file__).parent
#: Words of an exception that no sentence for a student needs.
UNKIND = re.compile(r"Traceback|NoneType|object at 0x|\bAttributeError\b|\bNameError\b")


@dataclass(frozen=True)
class Fault:
    """A change of a right solution, and the test that sees it.

    ``changes`` are (file, right, wrong); ``says`` are words of the sentence.
    """

    letter: str
    name: str
    changes: tuple[tuple[str, str, str], ...]
    session: int
    test: str
    says: str
    is_quick: bool

    @property
    def needs_browser(self) -> bool:
        return self.test.startswith("page_")

    @property
    def needs_node(self) -> bool:
        return any(file.endswith(".js") for file, _, _ in self.changes) and not self.needs_browser


def _faults(letter: str) -> list[Fault]:
    data = tomllib.loads((HERE / "faults" / f"{letter.lower()}.toml").read_text("utf-8"))
    found = []
    for file, planted in data.items():
        for each in planted:
            changes = [(file, each["right"], each["wrong"])]
            if "also" in each:
                changes.append(tuple(each["also"]))
            session, test = each["sees"].split()
            rest = int(session), test, each["says"], each.get("quick", False)
            found.append(Fault(letter, each["name"], tuple(changes), *rest))
    return found


FAULTS = [fault for course in companions() for fault in _faults(course.id)]


def _marked(fault: Fault) -> object:
    marks = [] if fault.is_quick else [pytest.mark.full]
    if fault.needs_browser:
        marks.append(pytest.mark.skipif(find_browser() is None, reason="needs Chromium"))
    if fault.needs_node:
        marks.append(pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js"))
    return pytest.param(fault, marks=marks, id=f"{fault.letter}-{fault.test}-{fault.name}")


def planted(fault: Fault, folder: Path) -> Path:
    """The folder of a companion with the right solution and this fault in it."""
    start_course(companion(fault.letter), folder)
    shutil.copytree(HERE / "solutions" / fault.letter.lower(), folder, dirs_exist_ok=True)
    for file, right, wrong in fault.changes:
        text = (folder / file).read_text("utf-8")
        assert text.count(right) == 1, (file, right)
        (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    return folder


@pytest.mark.parametrize("fault", [_marked(fault) for fault in FAULTS])
def test_a_planted_fault_is_named(fault, tmp_path):
    report = check_course(planted(fault, tmp_path), sessions=[fault.session], tests=[fault.test])
    (result,) = report.sessions[0].tests
    assert result.status == "wrong"
    assert fault.says in result.sentence
    assert not UNKIND.search(result.sentence)
    assert not report.all_right


def test_every_test_of_a_companion_sees_a_fault():
    seen = {(fault.letter, fault.session, fault.test) for fault in FAULTS}
    for course in companions():
        for session in course.sessions:
            text = course.tests()[session.test_file]
            names = re.findall(r"^def (test_\w+)\(", text, re.M)
            names += [f"page_{scene}" for scene in session.page_tests]
            names += [f"{lab}_task_{number}" for lab, number in session.lab_tasks]
            unseen = [name for name in names if (course.id, session.number, name) not in seen]
            assert unseen == [], f"companion {course.id}, session {session.number}"
