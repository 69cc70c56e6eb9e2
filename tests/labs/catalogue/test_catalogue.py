"""Every lab of the catalogue is sound: solution, skeleton, and each typical mistake named."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from rl_toolkit.labs.checking import verify
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.verify import FEWEST_MISTAKES, solution_files, verify_lab
from rl_toolkit.labs.folder.sheets import full_sheet
from rl_toolkit.labs.folder.student_folder import pictures_of
from rl_toolkit.labs.model.finding import labs
from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.labs.model.work import work_from

LABS = [pytest.param(lab, id=lab.id) for lab in labs()]
#: Tasks whose check plays many games or long ones with right code.
LONG_TASKS = {
    "L05": {3},
    "L07": {2},
    "L10": {3},
    "L11": {3},
    "L14": {1},
    "L16": {6},
    "L17": {3, 4},
    "L18": {3, 4},
    "L19": {3, 5},
    "L20": {5},
}


@pytest.fixture
def _short_tasks_of_solutions(monkeypatch):
    """A solution is not checked in the long tasks; mistakes and the skeleton are, in all."""

    def checked(lab, work, **options):
        if work.files == work_from(lab, solution_files(lab)).files:
            numbers = {task.number for task in lab.tasks}
            options["tasks"] = sorted(numbers - LONG_TASKS.get(lab.id, set()))
        return check_work(lab, work, **options)

    monkeypatch.setattr(verify, "check_work", checked)


@pytest.mark.usefixtures("_short_tasks_of_solutions")
@pytest.mark.parametrize("lab", LABS)
def test_a_lab_is_sound(lab: Lab) -> None:
    """Every mistake has its fingerprint; one for each task is checked here, the others below."""
    tasks = [None if mistake.slow else mistake.task for mistake in lab.mistakes]
    some = tuple(
        replace(mistake, slow=mistake.slow or mistake.task in tasks[:number])
        for number, mistake in enumerate(lab.mistakes)
    )
    verdict = verify_lab(replace(lab, mistakes=some), quick=True)
    assert verdict.named
    assert verdict.problems == []
    open_mistakes = sum(note.startswith("mistake") for note in verdict.notes)
    assert len(verdict.named) + open_mistakes == len(lab.mistakes) >= FEWEST_MISTAKES


@pytest.mark.full
@pytest.mark.parametrize("lab", LABS)
def test_all_mistakes_are_named(lab: Lab) -> None:
    verdict = verify_lab(lab)
    assert verdict.problems == []
    assert len(verdict.named) == len(lab.mistakes)


@pytest.mark.parametrize("lab", LABS)
def test_a_sheet_shows_pictures_that_there_are(lab: Lab) -> None:
    pictures = pictures_of(lab)
    assert pictures
    sheet = full_sheet(lab)
    for name, svg in pictures.items():
        assert f"(pictures/{name})" in sheet
        assert svg.startswith("<svg")
    assert sheet.count("(pictures/") == len(pictures)


def test_ids_are_unique_and_links_lead_to_labs() -> None:
    ids = [lab.id for lab in labs()]
    assert len(set(ids)) == len(ids)
    catalogue = {f"L{number:02}" for number in range(1, 21)}
    for lab in labs():
        assert {*lab.needs, *lab.next} <= catalogue | set(ids)


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("lab", LABS)
def test_no_hint_contains_a_line_of_the_solution(lab: Lab) -> None:
    given = {squeezed(line) for text in lab.start_files().values() for line in text.splitlines()}
    lines = {
        squeezed(line) for text in solution_files(lab).values() for line in text.splitlines()
    } - given
    hints = [squeezed(hint) for task in lab.tasks for hint in task.hints]
    assert [line for line in lines if len(line) > 20 and any(line in hint for hint in hints)] == []


@pytest.mark.parametrize("lab", LABS)
def test_no_solution_is_in_the_package(lab: Lab) -> None:
    start = lab.start_files()
    solved = {text for name, text in solution_files(lab).items() if start.get(name) != text}
    assert solved
    for path in lab.folder.rglob("*"):
        assert not path.name.startswith(("solution", "mistake"))
        if path.is_file() and path.suffix != ".pyc":
            assert path.read_text("utf-8") not in solved


def test_a_wheel_takes_nothing_from_the_tests() -> None:
    root = Path(__file__).resolve().parents[3]
    build = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    taken = [*wheel["only-include"], *build.get("force-include", {}), *wheel.get("include", [])]
    taken += wheel.get("force-include", {})
    assert "rl_toolkit" in taken
    assert not [path for path in taken if "tests" in Path(path).parts]
