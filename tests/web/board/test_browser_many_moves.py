"""A game on a board in which several moves end on one square: the page asks which one is meant."""

import re

import pytest
from breakthrough_game import Breakthrough
from web_page import PATIENCE, cell
from web_running import eventually

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import register_game, registry  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "/breakthrough?x=human&o=human"


@pytest.fixture(autouse=True)
def _breakthrough(monkeypatch, web_server):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Breakthrough)


def history(page):
    return page.locator("#moves .move b").all_inner_texts()


def test_a_click_that_fits_several_moves_opens_a_list_of_their_names(open_page):
    page = open_page(TWO_PEOPLE)
    cell(page, "c3").click()
    dialog = page.get_by_role("dialog", name="Which move to c3?")
    assert dialog.locator("[data-move]").all_inner_texts() == ["b2c3", "c2c3", "d2c3"]
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(cell(page, "c3")).to_be_focused()
    assert history(page) == []
    cell(page, "c3").click()
    dialog.get_by_role("button", name="b2c3").click()
    expect(page.locator("#moves .move")).to_have_count(1)
    expect(page.locator("#moves .move")).to_contain_text("b2c3")
    expect(page.locator("#announcer")).to_contain_text("White (X) played b2c3.")
    expect(cell(page, "b2").locator(".piece")).to_have_count(0)


def test_the_keyboard_chooses_too_and_a_single_move_needs_no_list(open_page):
    page = open_page(f"{TWO_PEOPLE}&moves=c2c3")
    cell(page, "d3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choose-move [data-move]").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#choose-move")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#choose-move [data-move]").last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#moves .move").last).to_contain_text("d4d3")
    cell(page, "b4").click()  # only c3 can take there
    expect(page.locator("#moves .move").last).to_contain_text("c3b4")


def test_a_piece_moves_from_its_square_to_one_that_is_lit(open_page):
    page = open_page(TWO_PEOPLE)
    cell(page, "c2").click()
    expect(page.locator("#notice")).to_have_text("From c2 to b3, c3, d3.")
    expect(page.locator(".cell.target")).to_have_count(3)
    expect(page.locator(".cell.lifted")).to_have_count(1)
    cell(page, "b2").click()  # another piece
    expect(page.locator("#notice")).to_have_text("From b2 to a3, b3, c3.")
    cell(page, "b2").click()  # laid down again
    expect(page.locator(".cell.target")).to_have_count(0)
    cell(page, "c2").click()
    cell(page, "d3").click()
    expect(page.locator("#moves .move b")).to_have_text(["c2d3"])
    expect(page.locator(".cell.target")).to_have_count(0)


def test_the_keyboard_lifts_a_piece_and_escape_lays_it_down(open_page):
    page = open_page(f"{TWO_PEOPLE}&mode=analyse")
    cell(page, "c2").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # the arrows are the board's now
    page.keyboard.press("Enter")
    expect(page.locator(".cell.lifted")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".cell.lifted")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves .move b")).to_have_text(["c2c3"])


def test_an_engine_answers_and_the_next_piece_can_be_lifted(open_page):
    page = open_page("/breakthrough?x=human&o=first")
    cell(page, "c2").click()
    cell(page, "c3").click()
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("Your move")
    cell(page, "b2").click()
    expect(page.locator(".cell.lifted")).to_have_count(1)


def test_a_square_where_no_move_ends_says_so(open_page):
    page = open_page(TWO_PEOPLE)
    cell(page, "c1").click(force=True)
    expect(page.locator("#notice")).to_have_text("c1: no move ends here now.")


def test_names_in_the_list_of_moves_are_those_of_their_positions(open_page):
    page = open_page(f"{TWO_PEOPLE}&moves=d2d3+c4d3+c2d3")
    for ply, name in enumerate(["d2d3", "c4d3", "c2d3"]):
        expect(page.locator("#moves .move b").nth(ply)).to_have_text(name)


def test_values_stand_on_the_pieces_and_on_the_squares_of_the_one_that_is_lifted(open_page):
    page = open_page(f"{TWO_PEOPLE}&moves=c2c3+c4d3&mode=analyse")
    arrow = page.locator(".overlay .arrow.best")
    expect(arrow).to_have_count(1)  # from the piece to where it goes
    on = "chips => chips.map(chip => chip.parentElement?.ariaLabel.slice(0, 2))"
    expect(page.locator(".hint")).to_have_count(6)
    movable = {"a2", "b2", "c3", "b1", "c1", "d1"}
    # A later round of the search may draw them again meanwhile.
    assert eventually(lambda: set(page.locator(".hint").evaluate_all(on)) == movable)
    cell(page, "c3").click()
    expect(page.locator(".cell.target > .hint")).to_have_count(3)
    expect(page.locator(".hint")).to_have_count(3)
    expect(cell(page, "c4")).to_have_attribute("aria-label", re.compile("engine: .*c3c4"))
    page.keyboard.press("Escape")
    expect(page.locator(".hint")).to_have_count(6)
