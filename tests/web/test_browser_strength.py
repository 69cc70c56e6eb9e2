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
    expect(page.locator("#strength-o")).to_be_hidden()
    page.select_option("#seat-o", "strength")
    slider = page.locator("#rating-o")
    slider.focus()
    slider.press("Home")
    expect(page.locator("#strength-o output")).to_have_text("0 Elo above random")
    slider.press("ArrowRight")
    expect(page.locator("#strength-o output")).to_have_text("25 Elo above random")
    expect(page).to_have_url(re.compile("o=25$|o=25&"))
    cell(page, "b2").click()
    expect(page.locator(".piece")).to_have_count(2)
    page.select_option("#seat-o", "perfect")
    expect(page.locator("#strength-o")).to_be_hidden()


def test_a_link_with_a_rating_shows_it_on_the_slider(open_page):
    page = open_page("/tictactoe?o=450")
    expect(page.locator("#seat-o")).to_have_value("strength")
    expect(page.locator("#strength-o output")).to_have_text("450 Elo above random")
    expect(page.locator("#seat-o option[value=perfect]")).to_have_text(
        re.compile(r"perfect \(\d+\)")
    )


def test_levels_with_the_same_engine_are_one_choice(open_page):
    page = open_page("/tictactoe?x=human&o=hard")
    expect(page.locator("#seat-o")).to_have_value("perfect")
    levels = page.locator("#seat-o optgroup").first
    expect(levels).to_have_attribute("label", "Levels (Elo above random)")
    names = [option.get_attribute("value") for option in levels.locator("option").all()]
    assert names == ["beginner", "easy", "medium", "perfect", "strength"]
    page.click("#help-open")
    expect(page.locator("#levels dt").last).to_have_text("perfect or expert or hard")


def test_a_first_game_can_be_won_and_the_strongest_level_is_named(open_page):
    page = open_page("/tictactoe")
    expect(page.locator("#seat-o")).to_have_value("easy")
    expect(page.locator("#strongest-level")).to_have_text("perfect")
