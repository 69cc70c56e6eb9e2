"""A game without a grid on the page: its text, and a button for each move."""

import pytest
from nim_game import Nim
from web_page import PATIENCE, axe

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import register_game, registry  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "/nim?game=nim-7&x=human&o=human"


@pytest.fixture(autouse=True)
def _nim(monkeypatch, web_server):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Nim)


def moves(page):
    return page.locator(".move-buttons button span:first-child").all_inner_texts()


def play(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_moves_are_buttons_and_the_position_is_text(open_page):
    page = open_page(TWO_PEOPLE)
    expect(page.locator("#board pre")).to_have_text("o o o o o o o")
    assert moves(page) == ["Take-1", "Take-2", "Take-3"]
    expect(page.locator("#flip")).to_be_hidden()  # what needs squares is not offered
    expect(page.locator("#first")).to_be_hidden()
    expect(page.locator(".cell")).to_have_count(0)
    play(page, "Take-3")
    expect(page.locator("#board pre")).to_have_text("o o o o")
    expect(page.locator("#status")).to_contain_text("First")  # another turn of the same side
    play(page, "Take-2")
    expect(page.locator("#status")).to_contain_text("Second")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#moves .move b").last).to_have_text("Take-2")
    assert moves(page) == ["Take-1", "Take-2"]
    assert "moves=Take-3+Take-2" in page.url
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#board pre")).to_have_text("o o")
    page.click("#back")
    expect(page.locator("#board pre")).to_have_text("o o o o")
    page.click("#forward")
    expect(page.locator("#board pre")).to_have_text("o o")
    play(page, "Take-2")
    expect(page.locator("#status")).to_have_text("Second wins")
    assert moves(page) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_axe_finds_nothing(open_page, scheme):
    page = open_page(f"{TWO_PEOPLE}&moves=Take-3&mode=analyse", color_scheme=scheme)
    expect(page.locator(".move-buttons .best")).to_have_count(1)
    assert axe(page) == []


def test_the_keyboard_plays(open_page):
    page = open_page(TWO_PEOPLE)
    stops = page.locator(".move-buttons button[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#board pre")).to_have_text("o o o o o")
    # The focus stays among the moves, so that play goes on.
    page.keyboard.press("Enter")
    expect(page.locator("#board pre")).to_have_text("o o o o")


def test_an_engine_answers_and_values_are_on_the_buttons(open_page):
    page = open_page("/nim?game=nim-7&x=human&o=first")
    play(page, "Take-1")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#board pre")).to_have_text("o o o o o")
    page.click("#hint")  # five stones: taking three and then the last two wins
    expect(page.locator("#notice")).to_contain_text("Take-3 is the move.")
    expect(page.locator(".move-buttons .hinted")).to_contain_text("Take-3")
    page.click("#mode-analyse")
    expect(page.locator(".move-buttons .best")).to_have_text("Take-3 W")


def test_the_home_page_has_a_picture_of_it(open_page):
    page = open_page("/")
    card = page.locator(".card", has_text="Nim")
    picture = card.locator(".for-light")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
