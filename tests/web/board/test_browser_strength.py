"""The slider for any strength, in a real browser."""

import re

import pytest
from web_page import PATIENCE, cell

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)


def test_a_strength_is_chosen_by_a_slider_and_plays(open_page):
    page = open_page("/tictactoe?x=human&o=human")
    page.click("#new")
    expect(page.locator("#strength")).to_be_hidden()
    page.check("#opponents [value=strength]", force=True)
    slider = page.locator("#rating")
    slider.focus()
    slider.press("Home")
    expect(page.locator("#strength output")).to_have_text("0 Elo above random")
    slider.press("ArrowRight")
    expect(page.locator("#strength output")).to_have_text("25 Elo above random")
    page.click("#setup-form [type=submit]")
    expect(page).to_have_url(re.compile("o=25$|o=25&"))
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(2)


def test_a_link_with_a_rating_shows_it_on_the_slider(open_page):
    page = open_page("/tictactoe?o=450")
    expect(page.locator("#seat-top small")).to_contain_text("rated 450")
    page.click("#new")
    expect(page.locator("#strength output")).to_have_text("450 Elo above random")


def test_levels_with_the_same_engine_are_one_choice(open_page):
    page = open_page("/tictactoe?x=human&o=hard")
    page.click("#new")
    chosen = page.locator("#opponents input:checked")
    expect(chosen).to_have_value("perfect")
    names = page.locator("#opponents input").evaluate_all("all => all.map(one => one.value)")
    assert names == ["beginner", "easy", "medium", "perfect", "strength", "human", "custom"]
    page.click("#setup >> text=About the levels")
    expect(page.locator("#levels dt").last).to_have_text("perfect or expert or hard")


def test_a_first_game_can_be_won(open_page):
    page = open_page("/tictactoe")
    expect(page.locator("#seat-top b")).to_have_text("easy")
