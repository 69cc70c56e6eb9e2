"""Reversi on the page: what an engine knows and what a game cost, in discs."""

import re

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
    expect(costly).to_contain_text("2. White c1: blunder: 24 discs lost, a won game became lost")
    lost = page.locator("#discs-lost p")
    expect(lost).to_have_count(2)
    expect(lost.nth(1)).to_contain_text("(proven), most with 2. c1.")
    expect(page.locator("#review")).not_to_contain_text("was better")  # that is to be found first
    expect(page.locator("#run-review")).to_be_visible()  # it is over: nothing is drawn again
    dot = page.locator("#graph .dot title").nth(1)
    expect(dot).to_have_text("2. c1: Black wins by 14 discs, blunder")
    page.locator("#history button").first.click()
    costly.locator("button").click()
    cell(page, "a1").click()
    expect(page.locator("#try-text")).to_contain_text("a1 is right.")


def test_squares_show_discs(open_page):
    page = open_page(f"{ON_FOUR}b1")
    page.select_option("#kibitzer", "exact")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("exact: finished")
    expect(cell(page, "a1").locator(".hint.proven.best")).to_have_text("+10")
    expect(cell(page, "c1").locator(".hint.proven")).to_have_text("−14")
    expect(cell(page, "c1")).to_have_attribute(
        "aria-label", "c1, empty, engine: −14 loses by 14 discs"
    )
    expect(page.locator("#candidates .note").first).to_contain_text("White wins by 10 discs (13–3)")


def test_a_bound_looks_like_a_bound(open_page):
    page = open_page("/reversi?x=human&o=human&moves=f5+d6+c3")
    choose(page, "#kibitzer", "reversi:depth=6")
    choose(page, "#analyse-time", str(FOREVER))
    page.check("#analyse")
    expect(page.locator("#engine-state")).to_have_text("reversi:depth=6: finished")
    hints = page.locator(".hint")
    marks = hints.all_text_contents()
    bounds = [mark for mark in marks if mark.startswith("≤")]
    assert 0 < len(bounds) < len(marks)
    assert all(re.fullmatch(r"[≤≈][+−]?[0-9]+(\.[0-9])?", mark) for mark in marks), marks
    expect(page.locator("#candidates .estimate", has_text="≈ at ")).to_have_count(len(bounds))


def test_another_size_is_played_after_new_game(open_page):
    page = open_page("/reversi?x=human&o=human")
    expect(page.locator(".cell")).to_have_count(64)
    page.select_option("#field-size", "6")
    page.click("#new-game-form .primary")
    expect(page.locator(".cell")).to_have_count(36)
    expect(page).to_have_url(re.compile("game=reversi-6"))
    expect(page.locator("#field-size")).to_have_value("6")
    page.select_option("#field-size", "8")
    page.click("#new-game-form .primary")
    expect(page.locator(".cell")).to_have_count(64)
