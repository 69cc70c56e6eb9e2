"""Reversi on the page: what an engine knows and what a game cost, in discs."""

import pytest
from web_page import FOREVER, PATIENCE, cell, choose

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
# O answers b1 by c1, which loses 24 discs; what follows is worse for nobody.
ON_FOUR = "/reversi?game=reversi-4&x=human&o=human&moves="


def test_a_game_is_reviewed_in_discs(open_page):
    page = open_page(f"{ON_FOUR}b1+c1+d1+a1")
    page.click("#tab-review")
    page.select_option("#kibitzer", "exact")
    choose(page, "#review-time", str(FOREVER))
    page.click("#run-review")
    costly = page.locator("#mistakes li.blunder").first
    expect(costly).to_contain_text("2. O c1: blunder, −24 discs")
    lost = page.locator("#discs-lost p")
    expect(lost).to_have_count(2)
    expect(lost.nth(1)).to_contain_text("(proven), most with 2. c1.")
    expect(page.locator("#review")).not_to_contain_text("was better")  # that is to be found first
    expect(page.locator("#graph .dot title").nth(1)).to_have_text("2. O c1: +14 discs for X")
    page.locator("#history button").first.click()
    costly.locator("button").click()
    cell(page, "a1").click()
    expect(page.locator("#try-text")).to_contain_text("a1 is right.")


def test_squares_show_discs(open_page):
    page = open_page(f"{ON_FOUR}b1")
    page.select_option("#kibitzer", "exact")
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("exact: finished")
    expect(cell(page, "a1").locator(".hint.proven.best")).to_have_text("+10")
    expect(cell(page, "c1").locator(".hint.proven")).to_have_text("−14")
    expect(cell(page, "c1")).to_have_attribute("aria-label", "c1, empty, engine: −14 discs")
    expect(page.locator("#candidates .note").first).to_contain_text("wins 13–3 with best play")


def test_no_number_stands_where_only_a_bound_is_known(open_page):
    page = open_page("/reversi?x=human&o=human&moves=f5+d6+c3")
    choose(page, "#kibitzer", "reversi:depth=6")
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("reversi:depth=6: finished")
    hints = page.locator(".hint")
    told = [hint for hint in hints.all_text_contents() if hint not in "<>"]
    assert 0 < len(told) < hints.count()
    assert all(abs(int(hint.replace("−", "-"))) <= 20 for hint in told)
    bounds = page.locator("#candidates td.num", has_text="≤ ")
    expect(bounds).to_have_count(hints.count() - len(told))
