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


#: The others search for longer; one in the quick run is enough to notice that notebooks break.
QUICK = "analysis.ipynb"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.name, marks=[] if path.name == QUICK else [pytest.mark.full])
        for path in NOTEBOOKS
    ],
)
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


def test_what_is_stored_has_the_numbers_of_the_course():
    stored = nbformat.read(ROOT / "notebooks" / "bot_battle.ipynb", as_version=4)
    expected = printed(stored)
    assert any("549,946" in text for text in expected)
    assert "bot O: 681 games, 498 won, 183 drawn, 0 lost" in "".join(expected)
    assert not any("projects" in cell.source for cell in stored.cells if cell.cell_type == "code")
    assert sum("picture" in text for text in expected) >= 3


def test_there_are_three_notebooks_and_each_shows_something():
    assert {path.name for path in NOTEBOOKS} >= {QUICK, "bot_battle.ipynb", "mcts_and_truth.ipynb"}
    for path in NOTEBOOKS:
        shown = printed(nbformat.read(path, as_version=4))
        assert any("picture" in text for text in shown), path.name
