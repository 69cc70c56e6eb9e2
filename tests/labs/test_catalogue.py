"""Every lab of the catalogue is sound: solution, skeleton, and each typical mistake named."""

from __future__ import annotations

import pytest

from rl_toolkit.labs.checking.verify import FEWEST_MISTAKES, verify_lab
from rl_toolkit.labs.folder.sheets import full_sheet
from rl_toolkit.labs.folder.student_folder import pictures_of
from rl_toolkit.labs.model.finding import labs
from rl_toolkit.labs.model.lab import Lab

LABS = [pytest.param(lab, id=lab.id) for lab in labs()]


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_is_sound(lab: Lab) -> None:
    verdict = verify_lab(lab)
    assert verdict.problems == []
    open_mistakes = sum(note.startswith("mistake") for note in verdict.notes)
    assert len(verdict.named) + open_mistakes == len(lab.mistakes) >= FEWEST_MISTAKES


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
