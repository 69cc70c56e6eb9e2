"""The course in a browser: saving shows ✓ and ✗, hints, the board; and how the pages look."""

import pytest
from web_lab import NO_DIAGONALS, SOLUTION, SYNTAX_ERROR, save, started, watched
from web_page import PATIENCE, axe, cell, halt_time, hangs_out
from web_running import running_server

from rl_toolkit.labs.folder.progress import read_progress
from rl_toolkit.utils.installation import STATE_VARIABLE
from rl_toolkit.web import ServerLimits

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
LAB = "/learn/labs/MY01"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A student's folder; the environment says where the user's files are."""
    place = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STATE_VARIABLE, str(place / "state"))
        yield started(place)[0]


@pytest.fixture(scope="module")
def web_server(folder):
    """A server for that folder, which `open_page` opens pages of."""
    with running_server(ServerLimits(), lab_folder=folder) as server, watched(server.app):
        yield f"http://127.0.0.1:{server.effective_port}"


@pytest.fixture(scope="module")
def skeleton(folder):
    return (folder / "winner.py").read_text("utf-8")


@pytest.fixture
def file(folder, skeleton):
    """The file to write into, as it is at the start."""
    path = folder / "winner.py"
    save(path, skeleton)
    return path


def status(page, name):
    """The task in that state, once a check is over: then nothing more is drawn or announced."""
    return page.locator(f'body:not([data-checks=""]) #task-1[data-status="{name}"]:not(.old)')


def test_saving_shows_what_is_wrong_and_what_is_right(open_page, file, folder):
    page = open_page(LAB)
    expect(status(page, "todo")).to_contain_text("winner is not written yet.")
    save(file, NO_DIAGONALS)
    expect(status(page, "wrong")).to_contain_text("Rows and columns are found, diagonals are not.")
    case = page.locator("#task-1 .case")
    width = "picture => picture.decode().then(() => picture.naturalWidth)"
    assert case.locator("img").evaluate(width) > 100
    expect(case.locator(".yours")).to_have_text("None")
    expect(case.locator(".should")).to_have_text("'X'" if "X" in case.inner_text() else "'O'")
    expect(page.locator("#task-1 pre")).to_have_text("looking")
    expect(page.locator("#announcer")).to_have_text(
        "0 of 10 points. Task 1: Rows and columns are found, diagonals are not."
    )
    assert axe(page) == []
    save(file, SYNTAX_ERROR)
    expect(page.locator("#problem")).to_contain_text("winner.py cannot be loaded: SyntaxError")
    save(file, SOLUTION)
    expect(status(page, "right")).to_be_visible()
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#points")).to_have_text("10 of 10 points")
    expect(page.locator("#state")).to_have_text("All right. Well done!")
    assert page.title() == "✓ MY01 Who has won?"
    save(folder / "answers.md", "## Question 1\n\nThe board has everything that matters.\n")
    page.locator("#questions summary").click()
    expect(page.locator("#questions")).to_contain_text("Three in a row is a property")


def test_the_keyboard_takes_hints_and_keeps_its_place(open_page, file, folder):
    page = open_page(LAB)
    expect(status(page, "todo")).to_be_visible()
    button = page.get_by_role("button", name="Hint for task 1")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hint-list li")).to_have_count(1)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".hint-list li")).to_have_count(2)
    expect(page.locator("#announcer")).to_contain_text("Hint 2 of 3: LINES has the cells")
    assert dict(read_progress(folder).hints) == {1: 2}


def test_the_program_plays_on_the_page_of_its_game(open_page, file):
    save(file, SOLUTION)
    page = open_page(LAB)
    expect(status(page, "right")).to_be_visible()  # the link moves when a result is drawn above it
    page.get_by_role("link", name="Play my program").click()
    cell(page, "b2").click()
    expect(cell(page, "a1").locator(".piece.o")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width", "address"), [
    ("light", 390, "/learn/theory/alpha_beta"),
    ("dark", 1280, "/learn"),
    ("dark", 390, LAB),
    *(
        pytest.param(scheme, width, address, marks=pytest.mark.full)
        for scheme, width in (("light", 1280), ("dark", 320))
        for address in (LAB, "/learn", "/learn/theory/errata", "/learn/labs/L05")
    ),
])  # fmt: skip
def test_pages_fit_and_are_accessible(open_page, file, scheme, width, address):
    page = open_page(address, width=width, color_scheme=scheme)
    if address == LAB:
        expect(status(page, "todo")).to_be_visible()
    assert axe(page) == []
    assert hangs_out(page) <= 0


def test_reduced_motion_is_respected(open_page, file):
    page = open_page(LAB, reduced_motion="reduce")
    seconds = page.locator("#bar i").evaluate("i => getComputedStyle(i).transitionDuration")
    assert float(seconds.removesuffix("s")) < 0.001


def test_the_page_is_light_and_code_can_be_copied(open_page):
    page = open_page("/learn/theory/alpha_beta", alone=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
                 .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    assert 5_000 < weight < 250_000
    halt_time(page)  # the word stands there for a moment only
    page.locator(".copy").first.click()
    expect(page.locator(".copy").first).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("from rl_toolkit.algorithms.game_tree import TreeNode, alpha_beta\n")
    assert page.locator(".code:has(.language-output) .copy").count() == 0
