"""The notebooks run from their first cell to their last and show what they showed."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbclient import NotebookClient
from paths import ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
SECONDS = re.compile(r" *[0-9.]+ s$", re.MULTILINE)


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells print, without how long they took; and which of them show a picture."""
    seen = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", ())
        text = "".join(output.get("text", "") for output in outputs)
        pictures = sum("image/svg+xml" in output.get("data", {}) for output in outputs)
        seen.append(SECONDS.sub("", text) + "picture " * pictures)
    return seen


each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@each_notebook
def test_a_notebook_runs_and_shows_what_is_stored_in_it(path):
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.from_dict(stored)
    client = NotebookClient(
        fresh,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    )
    expected = printed(stored)
    client.execute()
    assert printed(fresh) == expected


@each_notebook
def test_what_is_stored_in_a_notebook_has_the_numbers_of_the_course(path):
    stored = nbformat.read(path, as_version=4)
    expected = printed(stored)
    assert any("549,946" in text for text in expected)
    assert "bot O: 681 games, 498 won, 183 drawn, 0 lost" in "".join(expected)
    assert not any("projects" in cell.source for cell in stored.cells if cell.cell_type == "code")
    assert sum("picture" in text for text in expected) >= 3


def test_there_is_a_notebook():
    assert NOTEBOOKS
