"""A bot in a file, on the page: it is offered, plays, and its failure is a sentence."""

import pytest
from web_page import FOREVER, PATIENCE, cell, pieces
from web_running import running_server

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

from rl_toolkit.players.bots import engine as bot_engine  # noqa: E402
from rl_toolkit.players.bots import process as bot_process  # noqa: E402
from rl_toolkit.web import ServerLimits  # noqa: E402

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def web_server(tmp_path_factory):
    """A server that was started with two bots."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "last.py").write_text("def choose(env): return env.get_legal_moves()[-1]")
    (folder / "broken.py").write_text("def choose(env): return 1 / 0")
    given = [str(folder / "last.py"), f"Trouble={folder / 'broken.py'}"]
    with running_server(ServerLimits(time=FOREVER, usual_time=FOREVER), engines=given) as server:
        yield f"http://127.0.0.1:{server.effective_port}"
    bot_engine.forget_parked()
    bot_process.settle()


def test_a_bot_is_chosen_on_the_page_and_plays(open_page):
    page = open_page("/tictactoe?x=human&o=last.py")
    expect(page.locator("#seat-top b")).to_have_text("last.py")
    cell(page, "b2").click()
    expect(cell(page, "c3").locator(".piece")).to_be_visible()
    assert pieces(page) == {"b2": "x", "c3": "o"}


def test_a_bot_that_fails_is_a_sentence(open_page):
    page = open_page("/tictactoe?x=human&o=Trouble", refusals=True)
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_contain_text("broken.py raised ZeroDivisionError")
    assert pieces(page) == {"b2": "x"}


def test_a_link_that_names_a_file_is_a_sentence(open_page):
    page = open_page("/tictactoe?x=human&o=/tmp/other.py", refusals=True)
    cell(page, "b2").click()
    expect(page.locator("#complaint")).to_contain_text("cannot name files or programs")
    assert pieces(page) == {"b2": "x"}
