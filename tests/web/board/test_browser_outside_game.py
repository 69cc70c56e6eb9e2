"""A game that the package does not have, registered by its class, gets everything on the page."""

import pytest
from hex_game import Hex
from web_page import FOREVER, PATIENCE, cell, choose, new_game, pieces

pytest_plugins = ["web_browser", "web_engines"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import register_game, registry  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"
ON_THREE = f"/hex?game=hex-3&{TWO_PEOPLE}"
NEAR_THE_END = f"{ON_THREE}&moves=b2+a1+b3+c3"  # Blue connects at b1 or c1


@pytest.fixture(autouse=True)
def _hex(monkeypatch, web_server):
    """Registered after the server was started."""
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Hex)


def test_the_home_page_has_a_card_that_leads_to_the_page(open_page):
    page = open_page("/")
    card = page.locator(".card", has_text="Hex")
    picture = card.locator(".for-light")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    card.click()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("h1")).to_have_text("Hex")
    expect(page.locator("nav [aria-current]")).to_have_text("Play")
    expect(page.locator(".cell")).to_have_count(25)
    expect(page.locator("#status")).to_have_text("Your move")


def test_a_person_plays_an_engine_in_two_requests_per_move(open_page):
    page = open_page("/hex?x=human&o=easy")
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition("/api/")[2]))
    for turn, name in enumerate(("c3", "d2"), 1):
        free = name if name not in pieces(page) else "a1"
        cell(page, free).click()
        expect(page.locator("#moves .move")).to_have_count(2 * turn)
        expect(page.locator("#status")).to_have_text("Your move")
    assert list(filter(None, asked)) == ["line", "search"] * 2
    assert list(pieces(page).values()).count("o") == 2


def test_its_sizes_are_in_the_form_and_its_rules_on_the_page(open_page):
    page = open_page(f"/hex?{TWO_PEOPLE}")
    page.click("#new")
    expect(page.locator("#field-size")).to_have_value("5")
    assert page.locator("#field-size option").all_inner_texts() == ["3 × 3", "5 × 5", "7 × 7"]
    new_game(page, size="7")
    expect(page.locator(".cell")).to_have_count(49)
    assert "game=hex-7" in page.url
    expect(page.locator(".rules li").first).to_be_hidden()
    page.click("#help-open")
    expect(page.locator(".rules li")).to_have_text(list(Hex.traits.rules))
    expect(page.locator("#paste-help")).to_contain_text("moves such as c3 b2")


def test_the_winning_cells_are_marked(open_page):
    page = open_page(NEAR_THE_END)
    cell(page, "b1").click()
    expect(page.locator("#status")).to_have_text("Blue wins")
    won = page.locator(".cell.win").evaluate_all("cells => cells.map(c => c.dataset.cell)")
    assert won == ["1", "4", "7"]


def test_analysis(open_page):
    page = open_page(f"{NEAR_THE_END}&mode=analyse")
    expect(page.locator("#verdict")).to_have_text("Blue wins in 1 move")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
    assert set(page.locator(".hint.proven.best").all_inner_texts()) == {"W1"}
    expect(page.locator("#why")).not_to_have_text("")


@pytest.mark.usefixtures("patient_trees")
def test_both_trees(open_page):
    page = open_page(f"{NEAR_THE_END}&mode=analyse")
    page.click("#tab-tree")
    page.click("#grow-mcts")
    expect(page.locator("#tree-state")).to_contain_text("mcts: ")
    assert page.locator("#tree circle").count() > 1
    page.select_option("#tree-levels", "1")
    page.click("#grow-game")
    expect(page.locator("#tree-state")).to_contain_text("minimax: Blue wins in 1 move.")
    expect(page.locator("#tree rect")).to_have_count(6)


def test_a_review_finds_the_blunder(open_page):
    page = open_page(f"{ON_THREE}&moves=b2+c1+c3+b1&mode=analyse")  # c3 lets Red have the row
    page.click("#tab-review")
    choose(page, "#review-time", str(FOREVER))
    page.click("#run-review")
    expect(page.locator("#run-review")).to_have_text("Review again")
    expect(page.locator("#mistakes li")).to_have_text(
        ["??3. c3a won game became lost. Let a double threat happen"]
    )
    expect(page.locator("#accuracy .o .percent")).to_have_text("100 %")
