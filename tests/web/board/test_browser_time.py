"""Clocks for people, on the page; the browser's own time is set forward by the tests."""

import pytest
from web_page import PATIENCE, Held, cell, halt_time

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


@pytest.fixture
def timed(open_page):
    """``timed(query)``: a page whose clock is at 30 seconds and runs when it is told to."""

    def opened(query=f"{TWO_PEOPLE}&clock=30", shows="0:30"):
        page = open_page("/tictactoe", alone=True)  # its time is that of the context
        halt_time(page)
        page.evaluate("query => (location.search = query)", query)
        expect(page.locator("time:visible").first).to_have_text(shows)
        return page

    return opened


def clock_of(page, seat="bottom"):
    """The clock beside a seat: X sits below where two people play."""
    return page.locator(f"#seat-{seat} time")


def test_every_move_has_its_own_time_and_a_side_that_lets_it_run_out_has_lost(timed):
    page = timed()
    page.clock.run_for(20_000)
    cell(page, "b2").click()
    expect(page.locator("#status")).to_have_text("O to move")
    expect(clock_of(page, "top")).to_have_text("0:30")
    page.clock.run_for(5_000)
    expect(clock_of(page, "top")).to_have_text("0:25")
    page.click("#to-start")  # looking back stops it
    page.clock.run_for(60_000)
    page.click("#to-end")
    expect(clock_of(page, "top")).to_have_text("0:25")
    page.click("#rematch")
    expect(page.locator("#status")).to_have_text("X to move")
    expect(clock_of(page)).to_have_text("0:30")

    page.clock.run_for(19_500)
    expect(clock_of(page)).to_have_text("0:11")
    expect(clock_of(page)).not_to_have_class("short")
    page.clock.run_for(1_000)
    expect(clock_of(page)).to_have_class("short")
    expect(page.locator("#announcer")).to_contain_text("10 seconds left.")
    page.clock.run_for(10_000)
    expect(page.locator("#status")).to_have_text("O wins on time")
    expect(page.locator("#announcer")).to_contain_text("O wins on time.")
    cell(page, "b2").click(force=True)
    assert page.locator(".piece").count() == 0
    page.reload()
    expect(page.locator("#status")).to_have_text("O wins on time")


def test_a_clock_for_the_game_adds_seconds_and_is_kept(timed):
    page = timed(f"{TWO_PEOPLE}&clock=60%2B2", "1:00")
    page.clock.run_for(10_000)
    cell(page, "b2").click()
    expect(page.locator("#status")).to_have_text("O to move")
    expect(clock_of(page)).to_have_text("0:52")
    page.clock.run_for(5_000)
    cell(page, "a1").click()
    expect(page.locator("#status")).to_have_text("X to move")
    expect(clock_of(page, "top")).to_have_text("0:57")
    page.clock.run_for(1_000)  # and it is saved
    page.evaluate("location.reload()")
    expect(clock_of(page, "top")).to_have_text("0:57")


def test_the_clock_binds_people_and_the_time_engines(timed):
    page = timed("x=human&o=greedy&moves=b2+a1&clock=30&time=0.5")
    held = Held(page, "/api/search")
    cell(page, "c3").click()
    expect(page.locator("body.thinking")).to_be_visible()
    expect(clock_of(page, "top")).to_be_hidden()
    held.wait()
    assert held.asked[0]["time"] == 0.5
