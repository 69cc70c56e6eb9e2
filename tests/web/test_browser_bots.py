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


# Plays the first move, claims to win by any, and keeps a tree of one ply.
BOASTER = """
class Node:
    def __init__(self, move, visits, children=()):
        self.move, self.visits, self.total_value, self.children = move, visits, 0.0, children

class Boaster:
    def search(self, env):
        moves = env.get_legal_moves()
        self.root = Node(None, 60, [Node(move, 50 - 5 * k) for k, move in enumerate(moves)])
        return moves[0]

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


def test_the_first_bot_is_the_opponent_and_plays(open_page):
    page = open_page("/tictactoe")
    page.click("#new")
    for bot in ("last.py", "Trouble", "boaster.py"):
        expect(page.locator(f'#opponents [value="{bot}"]')).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator("#seat-top b")).to_have_text("last.py")
    cell(page, "b2").click()
    expect(cell(page, "c3").locator(".piece")).to_be_visible()
    assert pieces(page) == {"b2": "x", "c3": "o"}


def test_a_bot_says_what_it_claimed_about_the_move_that_it_played(open_page):
    page = open_page("/tictactoe?x=human&o=boaster.py", refusals=True)
    cell(page, "b2").click()
    expect(cell(page, "a1").locator(".piece")).to_be_visible()
    page.get_by_role("button", name="Analyse").click()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("tab", name="Engines").click()
    expect(page.locator("#kibitzer")).to_have_value("last.py")  # the first that was named
    page.locator("#kibitzer").select_option("boaster.py")
    page.locator("#ask").click()
    table = page.locator("#candidates")
    expect(table).to_contain_text("I win")
    expect(table).to_contain_text("but it loses")  # b1 does, with best play
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator("#tree-engine")).to_have_value("last.py")
    page.locator("#tree-engine").select_option("boaster.py")
    expect(page.locator("#tree .node[data-path]")).to_have_count(5)  # the root and four moves
    expect(page.locator("#tree-state")).to_contain_text("boaster.py: ")
    page.locator("#tree-engine").select_option("last.py")
    expect(page.locator("#tree-state")).to_contain_text("last.py keeps no search tree")


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
