"""The corpus of wrong versions: every one is a program that runs and is wrong."""

from __future__ import annotations

import ast

import pytest
from wrong_versions import (
    FOLDER,
    answer,
    checked,
    sentences,
    solution,
    variants,
    write_program,
)

LABS = sorted({path.stem for path in FOLDER.glob("*/*.toml")})


def test_every_version_can_be_made_from_its_solution():
    """Each change fits its solution once, and each name is used once in its lab."""
    versions = list(variants())
    assert {version.lab for version in versions} == set(LABS)
    assert len({(version.lab, version.name) for version in versions}) == len(versions)
    for version in versions:
        assert version.wrong.endswith(".")


def test_a_version_is_checked_as_a_student_s_work_is(tmp_path):
    (version,) = [each for each in variants("L01") if each.name == "lists-taken-cells"]
    report = checked(version, tmp_path / "work", tasks=[version.task])
    assert (report.lab, report.reached) == ("L01", 0)
    assert len(sentences(report)) == 1


@pytest.mark.full
@pytest.mark.parametrize("lab", LABS)
def test_a_witness_tells_a_wrong_version_from_the_solution(lab, tmp_path):
    """Each version is Python, and answers its own witness otherwise than the solution does."""
    write_program(lab, solution(lab), tmp_path / "right")
    same = []
    for version in variants(lab):
        for name, text in version.files.items():
            if name.endswith(".py"):
                ast.parse(text)
        if not version.witness:
            continue
        folder = tmp_path / version.name
        write_program(lab, version.files, folder)
        right = answer(tmp_path / "right", version.witness, version.typed)
        if answer(folder, version.witness, version.typed) == right:
            same.append(f"{version.name}: {right}")
    assert same == []
