"""Every lab of the catalogue is sound: solution, skeleton, and each typical mistake named."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rl_toolkit.labs.checking.verify import FEWEST_MISTAKES, solution_files, verify_lab
from rl_toolkit.labs.folder.sheets import full_sheet
from rl_toolkit.labs.folder.student_folder import pictures_of
from rl_toolkit.labs.model.finding import labs
from rl_toolkit.labs.model.lab import Lab

LABS = [pytest.param(lab, id=lab.id) for lab in labs()]


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_is_sound(lab: Lab) -> None:
    verdict = verify_lab(lab, quick=True)
    assert verdict.problems == []
    open_mistakes = sum(note.startswith("mistake") for note in verdict.notes)
    assert len(verdict.named) + open_mistakes == len(lab.mistakes) >= FEWEST_MISTAKES


@pytest.mark.full
@pytest.mark.parametrize(
    "lab", [pytest.param(lab, id=lab.id) for lab in labs() if any(m.slow for m in lab.mistakes)]
)
def test_slow_mistakes_are_named_too(lab: Lab) -> None:
    verdict = verify_lab(lab)
    assert verdict.problems == []


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
    root = Path(__file__).resolve().parents[2]
    build = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    taken = [*wheel["only-include"], *build.get("force-include", {}), *wheel.get("include", [])]
    taken += wheel.get("force-include", {})
    assert "rl_toolkit" in taken
    assert not [path for path in taken if "tests" in Path(path).parts]
