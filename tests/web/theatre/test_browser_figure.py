"""The figure of a trace in a browser: without a server, alone and beside others."""

import pytest
from web_page import PATIENCE, axe

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import trace_search
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def traces():
    solver = MinimaxSolver(use_memoization=False)
    tree = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
    board = read_position("tictactoe", "xx1/oo1/3 x")
    return trace_search(tree, solver), trace_search(board, solver)


@pytest.fixture(scope="module")
def document(traces, tmp_path_factory):
    """A file with two figures, as a notebook shows them."""
    file = tmp_path_factory.mktemp("notebook") / "figures.html"
    parts = "".join(trace._repr_html_() for trace in traces)
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
    file.write_text(f"{head}<main><h1>Figures</h1>{parts}</main></html>", encoding="utf-8")
    return file.as_uri()


def test_figures_step_without_disturbing_each_other(browser, document, traces):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(document)
    first, second = page.locator(".figure").nth(0), page.locator(".figure").nth(1)
    told = [line.text for line in tell(traces[0]) if line.event >= 0]
    step = first.get_by_role("button", name="Step")
    for number, text in enumerate(told[:4]):
        expect(first.locator(".said")).to_have_text(text)
        expect(first.locator(".at")).to_have_text(f"step {number + 1} of {len(told)}")
        step.click()
    seen = step.evaluate(
        """(button, count) => [...Array(count)].map(() => {
          const read = (part) => button.closest('.figure').querySelector(part).textContent;
          const shown = [read('.said'), read('.at')];
          button.click();
          return shown;
        })""",
        len(told) - 5,
    )
    assert seen == [
        [text, f"step {number + 1} of {len(told)}"] for number, text in enumerate(told[4:-1], 4)
    ]
    expect(second.locator(".at")).to_contain_text("step 1 of")
    first.get_by_role("button", name="|◀").click()
    first.get_by_role("button", name="Next cut").click()
    expect(first.locator(".said.cut")).to_contain_text("Cut: α = 3 ≥ β = 2.")
    expect(first.locator(".card.cut")).to_have_text(["B2 ✂", "B3 ✂"])
    expect(first.locator(".card.open")).to_have_text(["B"])
    expect(first.locator(".card.ahead")).to_have_text(["C"])
    first.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(first.locator(".said")).to_have_text(told[16])
    # The board of the other one: c1 is the first move that X tries.
    second.get_by_role("button", name="Step").click()
    expect(second.locator(".board .last")).to_have_text("✕")
    expect(page.locator("details[open]")).to_have_count(0)
    assert axe(page) == []
    assert problems == []
    page.close()


def test_without_scripts_the_sentences_are_read(browser, document, traces):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(document)
        expect(page.locator("details[open] pre").first).to_contain_text("A leaf: 14 for MAX.")
