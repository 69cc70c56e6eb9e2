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


# Plays the first move, and claims to win by any.
BOASTER = """
class Boaster:
    def search(self, env):
        return env.get_legal_moves()[0]

    def get_candidate_evaluations(self, env):
        return {move: {"value": -1.0, "reasoning": "I win"} for move in env.get_legal_moves()}
"""


@pytest.fixture(scope="module")
def web_server(tmp_path_factory):
    """A server that was started with two bots."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "last.py").write_text("def choose(env): return env.get_legal_moves()[-1]")
    (folder / "broken.py").write_text("def choose(env): return 1 / 0")
    (folder / "boaster.py").write_text(BOASTER)
    given = [str(folder / "last.py"), f"Trouble={folder / 'broken.py'}", str(folder / "boaster.py")]
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


def test_a_bot_says_what_it_claimed_about_the_move_that_it_played(open_page):
    page = open_page("/tictactoe?x=human&o=boaster.py")
    cell(page, "b2").click()
    expect(cell(page, "a1").locator(".piece")).to_be_visible()
    page.get_by_role("button", name="Analyse").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("tab", name="Engines").click()
    page.locator("#kibitzer").select_option("boaster.py")
    page.locator("#ask").click()
    table = page.locator("#candidates")
    expect(table).to_contain_text("I win")
    expect(table).to_contain_text("but it loses")  # b1 does, with best play


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
