"""What the README and the tour show can be typed by people who check their types strictly."""

from typing import get_type_hints

import pytest
from markdown_examples import blocks
from mypy import api
from paths import ROOT

from rl_toolkit.analysis import Analysis, Candidate


def test_the_best_candidate_can_be_read_without_asking_whether_there_is_one():
    assert get_type_hints(Analysis.best.fget)["return"] is Candidate
    assert get_type_hints(Analysis.best_move.fget)["return"] == int | None


@pytest.mark.full
def test_the_readme_and_the_tour_pass_mypy_strict(tmp_path):
    pages = [ROOT / "README.md", ROOT / "docs" / "start" / "tour.md"]
    code = [
        block.text
        for page in pages
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.mark == "python"
    ]
    assert len(code) >= 4
    program = tmp_path / "readme.py"
    program.write_text("\n".join(code), encoding="utf-8")
    told, errors, status = api.run(
        ["--strict", "--config-file=", f"--cache-dir={tmp_path}", str(program)]
    )
    assert (status, errors) == (0, ""), told
