"""Experiments in a browser: run, stop and keep, save; and how the pages look."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from web_page import PATIENCE, axe, hangs_out

from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.description import Progress

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
PAGE = "/theatre/experiments"


def text_of(download):
    return Path(download.path()).read_text("utf-8")


def test_an_experiment_runs_and_its_table_can_be_saved(open_page):
    page = open_page(f"{PAGE}/positions", refusals=True)
    page.fill("[name=depth]", "3")
    page.click("#run")
    expect(page.locator("#state")).to_have_text("Done.")
    rows = page.locator("#table tbody tr")
    expect(rows).to_have_count(5)
    assert rows.nth(3).inner_text().split() == ["3", "252", "38", "6.6×", "0"]
    expect(page.locator("#command")).to_have_text("rl-toolkit experiment positions --depth 3")
    expect(page).to_have_url(re.compile(r"/positions\?depth=3$"))
    shown = page.locator("#chart .for-light img")
    # A picture is loaded a moment after it stands on the page.
    assert shown.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 300
    with page.expect_download() as saved:
        page.click("#csv")
    table = list(csv.reader(io.StringIO(text_of(saved.value))))
    assert saved.value.suggested_filename == "positions.csv"
    assert table[4] == ["3", "252", "38", str(252 / 38), "0"]
    with page.expect_download() as saved:
        page.click("#svg")
    assert text_of(saved.value).startswith("<svg")
    page.fill("[name=depth]", "99")
    page.click("#run")
    expect(page.locator("#refused")).to_have_text(
        "depth takes a whole number, from 1 to 6, not '99'"
    )
    expect(rows).to_have_count(5)  # what was there stays


def test_a_long_one_is_stopped_and_keeps_its_rows(open_page, monkeypatch):
    described = EXPERIMENTS["branching"]

    def endless(games, seed):
        """The games of the experiment, again and again: it ends only if it is stopped."""
        while True:
            for step in described.measure(games=1, seed=seed):
                yield step._replace(total=None) if isinstance(step, Progress) else step

    monkeypatch.setitem(EXPERIMENTS, "branching", replace(described, measure=endless))
    page = open_page(f"{PAGE}/branching?run")
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator("#table tbody tr").first).to_be_visible()  # while it runs
    page.click("#stop-run")
    expect(page.locator("#stopped")).to_contain_text("Stopped after ")
    expect(page.locator("#run")).to_be_enabled()
    expect(page.locator("#announcer")).to_contain_text("Stopped after ")
    assert page.locator("#table tbody tr").count() >= 1


@pytest.mark.parametrize(("scheme", "width", "address"), [
    ("light", 390, f"{PAGE}/regret?pulls=50&runs=20&run"),
    pytest.param("light", 1440, PAGE, marks=pytest.mark.full),
    *(
        pytest.param(scheme, width, f"{PAGE}/{name}", marks=pytest.mark.full)
        for scheme, width in (("light", 390), ("dark", 1440))
        for name in ("node-counts?run", "mcts-values", "depths", "strength-by-c")
    ),
])  # fmt: skip
def test_experiment_pages_fit_and_are_accessible(open_page, scheme, width, address):
    page = open_page(address, width=width, color_scheme=scheme)
    if address.endswith("run"):
        expect(page.locator("#state")).to_have_text("Done.")
        page.locator(".questions summary").first.click()
    assert axe(page) == []
    assert hangs_out(page) <= 0
