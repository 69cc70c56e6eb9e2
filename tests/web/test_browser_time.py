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

    def opened(query=TWO_PEOPLE):
        page = open_page(f"/tictactoe?{query}", alone=True)  # its time is that of the context
        halt_time(page)
        page.select_option("#clock-time", "30")
        expect(page.locator("#clock")).to_have_text("0:30")
        return page

    return opened


def test_every_move_has_its_own_time_and_whoever_lets_it_run_out_has_lost(timed):
    page = timed()
    assert "clock=30" in page.url
    page.clock.run_for(20_000)
    cell(page, "b2").click()
    expect(page.locator("#status")).to_have_text("O to move.")
    expect(page.locator("#clock")).to_have_text("0:30")
    page.clock.run_for(5_000)
    expect(page.locator("#clock")).to_have_text("0:25")
    page.click("#first-ply")  # looking back stops it
    expect(page.locator("#clock")).to_be_hidden()
    page.clock.run_for(60_000)
    page.click("#last-ply")
    expect(page.locator("#clock")).to_have_text("0:25")
    page.click("#new")
    expect(page.locator("#status")).to_have_text("X to move.")
    expect(page.locator("#clock")).to_have_text("0:30")

    page.clock.run_for(19_500)
    expect(page.locator("#clock")).to_have_text("0:11")
    expect(page.locator("#clock")).not_to_have_class("short")
    page.clock.run_for(1_000)
    expect(page.locator("#clock")).to_have_class("short")
    expect(page.locator("#announcer")).to_contain_text("10 seconds left.")
    page.clock.run_for(10_000)
    expect(page.locator("#status")).to_have_text("O wins on time.")
    expect(page.locator("#clock")).to_be_hidden()
    expect(page.locator("#announcer")).to_contain_text("X ran out of time.")
    cell(page, "b2").click(force=True)
    assert page.locator(".piece").count() == 0
    page.reload()
    expect(page.locator("#status")).to_have_text("O wins on time.")


def test_the_clock_binds_people_and_the_time_engines(timed):
    page = timed("x=human&o=greedy&moves=b2+a1")
    held = Held(page, "/api/search")
    page.select_option("#time", "0.5")
    cell(page, "c3").click()
    expect(page.locator("body.thinking")).to_be_visible()
    expect(page.locator("#clock")).to_be_hidden()
    held.wait()
    assert held.asked[0]["time"] == 0.5
