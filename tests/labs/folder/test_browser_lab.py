"""The lab in the browser where Node or a browser is missing, and pages that never end."""

from __future__ import annotations

import pytest

from rl_toolkit.labs.catalogue.l19_browser import engines
from rl_toolkit.labs.checking.report import TaskReport
from rl_toolkit.labs.checking.run import check_work
from rl_toolkit.labs.checking.verify import solution_files
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.work import work_from


def checked(tasks: tuple[int, ...], **changes: tuple[str, str]) -> list[TaskReport]:
    """The reports on the solution after changes: file name with _ → old text, new text."""
    lab = lab_by_id("L19")
    files = solution_files(lab)
    for file, (old, new) in changes.items():
        name = file.replace("_", ".")
        assert files[name].count(old) == 1
        files[name] = files[name].replace(old, new)
    return list(check_work(lab, work_from(lab, files), tasks=tasks, seed=1).tasks)


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(engines, "find_browser", lambda: None)


@pytest.fixture
def no_node(monkeypatch):
    monkeypatch.setattr(engines, "find_node", lambda: None)


def test_without_node_and_browser_what_needs_them_stays_open(no_browser, no_node):
    reports = checked(())
    assert [report.status for report in reports] == ["open"] * 5 + ["right"]
    assert "no Node" in reports[0].say
    assert "no browser of the Chromium family" in reports[3].say


def test_without_a_browser_the_page_is_read(no_browser):
    (report,) = checked((4,), index_html=('<script src="page.js"></script>', ""))
    assert report.status == "wrong"
    assert "does not load page.js" in report.failure.sentence
    (report,) = checked((5,), page_js=("  if (move.valid) {", "+  if (move.valid) {"))
    assert "begins with +" in report.failure.sentence


@pytest.mark.skipif(engines.find_node() is None, reason="Node is not installed")
def test_a_syntax_error_is_shown_with_its_line():
    (report,) = checked((1,), game_js=("const X = 1;", "const X = ;"))
    assert report.failure.sentence.startswith("game.js line 8: SyntaxError")


@pytest.mark.skipif(engines.find_browser() is None, reason="there is no Chromium")
def test_a_browser_runs_the_model_where_node_is_missing(no_node):
    (report,) = checked((1,))
    assert report.status == "right", report


@pytest.mark.full
def test_loops_without_end_are_named():
    (report,) = checked((1,), game_js=("  const player = game.player;", "  while (true) {}"))
    if report.status != "open":
        assert "without end" in report.failure.sentence
    (report,) = checked((4,), page_js=("  board.replaceChildren();", "  while (true) {}"))
    if report.status != "open":
        assert "without end" in report.failure.sentence
