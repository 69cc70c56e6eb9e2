"""The library as a visitor meets it: a game is finished, found, looked at, opened, searched for."""

import re

import pytest
from web_page import FOREVER, PATIENCE, axe, cell, pieces
from web_running import eventually, running_server

from rl_toolkit.library import Library
from rl_toolkit.records import GameRecord
from rl_toolkit.web import ServerLimits

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)


def play(page, *cells):
    for number, name in enumerate(cells):
        assert eventually(lambda number=number: len(pieces(page)) == number)
        cell(page, name).click()


def test_from_a_finished_game_to_the_same_position_in_the_library(browser, tmp_path):
    path = tmp_path / "library.db"
    with Library(path) as library:
        library.add(
            GameRecord(
                "tictactoe",
                (0, 4, 8),
                players=("Ada", "Max"),
                comments={2: "the centre"},
                headers={"black rating": "1712", "white rating": "1488"},
            )
        )
    limits = ServerLimits(**dict.fromkeys(("time", "patience"), FOREVER))
    with (
        running_server(limits, library=path) as server,
        browser.new_context(viewport={"width": 1280, "height": 800}) as context,
    ):
        site = f"http://127.0.0.1:{server.effective_port}"
        page, problems = context.new_page(), []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))

        # A game that somebody finishes is saved, which is said once.
        page.goto(f"{site}/tictactoe?x=human&o=human")
        page.wait_for_selector("body[data-ready]")
        play(page, "a1", "a2", "b1", "b2", "c1")
        expect(page.locator("#card-kept")).to_contain_text("saved in your library")
        page.click("#card-kept a")

        # It is in the table; its board is shown beside it.
        rows = page.locator("#rows tbody tr")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("X won")
        rows.first.hover()
        expect(page.locator("#look img:visible")).to_have_attribute(
            "src", "/library/2.svg?theme=light"
        )
        assert eventually(
            lambda: page.locator("#look img:visible").evaluate("(i) => i.naturalWidth")
        )
        assert axe(page) == []

        # The filters, and Back.
        page.fill("[name=player]", "ada")
        page.press("[name=player]", "Enter")
        expect(rows).to_have_count(1)
        page.go_back()
        expect(rows).to_have_count(2)

        # A pattern, put together on a board: O in the centre, and a corner.
        page.click("#edit-pattern")
        expect(page.locator("#refused")).to_contain_text("Choose a game first")
        page.select_option("[name=game]", "tictactoe")
        expect(page.locator("#refused")).to_be_hidden()
        page.click("#edit-pattern")
        squares = page.locator("#pattern button")
        for _ in range(2):
            squares.nth(4).click()
        squares.nth(2).click()
        expect(squares.nth(4)).to_have_attribute("aria-label", "b2: O")
        page.click("#find-pattern")
        expect(rows).to_have_count(2)
        squares.nth(6).click()  # the two corners on either side of it: only Ada's game
        page.click("#find-pattern")
        expect(rows).to_have_count(1)

        # Opened on the board, whole, after the move at which the pattern was there.
        rows.first.locator("a").click()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#moves")).to_contain_text("the centre")
        expect(page.locator("#facts")).to_contain_text("Ada")
        page.click("#tab-review")
        expect(page.locator("#accuracy b")).to_have_text(["Ada", "Max"])
        page.click("#to-start")
        page.click("#tab-explorer")
        expect(page.locator("#explorer-note")).to_contain_text("2 games of the library have")
        expect(page.locator("#explorer-rows .result-bar").first).to_be_visible()
        expect(page.locator("#explorer-rows")).to_contain_text(re.compile(r"rated \d+"))
        expect(page.locator("#explorer-rows")).to_contain_text(re.compile(r"last \d{4}-"))
        right = "(name) => document.querySelector(name).getBoundingClientRect().right"
        for width, height in ((640, 360), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(right, "#explorer-rows") <= page.evaluate(right, "#explorer")
        page.wait_for_selector("body[data-saved=yes]")
        kept = page.evaluate("history.state.id")
        page.goto(f"{site}/tictactoe?library=1")  # once more: the same game, not a copy
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#facts")).to_contain_text("Ada")
        assert page.evaluate("history.state.id") == kept
        page.click("#to-start")
        page.click("#tab-explorer")
        page.click("text=Games with this position")
        expect(rows).to_have_count(2)
        expect(page.locator("#sought")).to_contain_text("the position of the board")

        # Switched off in the preferences, a game stays out.
        page.evaluate("localStorage.setItem('preferences', JSON.stringify({keep: 'no'}))")
        page.goto(f"{site}/tictactoe?x=human&o=human")
        page.wait_for_selector("body[data-ready]")
        play(page, "a1", "a2", "b1", "b2", "c1")
        expect(page.locator("#end-card")).to_be_visible()
        with Library(path) as library:
            assert len(library) == 2
        assert problems == []
