"""The notebook of a lab runs from top to bottom, and its last cell shows the report."""

from __future__ import annotations

import json

import pytest
from paths import ROOT

from rl_toolkit.labs.folder.notebook import notebook
from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.model.finding import find_lab


@pytest.mark.full
@pytest.mark.parametrize(
    ("solved", "points"), [(False, "0 of 100 points"), (True, "100 of 100 points")]
)
def test_a_notebook_is_checked_in_its_folder(tmp_path, solved, points):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    lab = find_lab("L05")
    start_folder(lab, tmp_path)
    book = nbformat.reads(json.dumps(notebook(lab)), as_version=4)
    if solved:
        cell = next(c for c in book.cells if c.source.startswith("%%writefile"))
        solution = (ROOT / "tests" / "labs" / "L05" / "solution.py").read_text("utf-8")
        cell.source = f"%%writefile minimax.py\n{solution}"
    client = nbclient.NotebookClient(book, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    assert points in book.cells[-1].outputs[0]["data"]["text/html"]
