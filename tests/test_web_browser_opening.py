"""Games that are opened or halted, in a real browser: files, links, and going on afterwards."""

import pytest
from web_page import PATIENCE, cell, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.envs import make_game  # noqa: E402
from rl_toolkit.records import GameRecord  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


def paste(page, text):
    if not page.locator("#paste").is_visible():
        page.click("summary")
    page.fill("#paste", text)
    page.click("#paste-open")


def record(*players, moves):
    env = make_game("tictactoe")
    for move in moves:
        env.step(env.parse_move(move))
    return GameRecord.from_env(env, players=players).to_json()


# --- going on ----------------------------------------------------------------------------------


def test_an_opened_game_goes_on_where_the_engine_is_to_move(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, record("human", "greedy", moves=["b2"]))
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("X: your move.")


def test_an_opened_game_of_two_engines_waits_for_the_button(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    paste(page, record("random", "random", moves=["b2"]))
    expect(page.locator("#pause")).to_have_text("Resume")
    assert pieces(page) == {"b2": "x"}
    page.click("#pause")
    expect(page.locator("#status[data-turn=over]")).to_be_visible()


def test_resume_outlives_whatever_draws_the_page_again(open_page):
    page = open_page("/connect-four?x=human&o=mcts:time=9")
    cell(page, "d1").click()
    expect(page.locator("body.thinking")).to_be_visible()
    page.click("#stop")
    page.click("#flip")
    expect(page.locator("#pause")).to_have_text("Resume")
    page.locator("#history button").first.click()
    expect(page.locator("#pause")).to_be_visible()
    page.click("#pause")
    expect(page.locator("body.thinking")).to_be_visible()
    expect(page.locator("#pause")).to_be_hidden()
