"""What a lesson does before a class: nothing has to be excused, scrolled or guessed at."""

from itertools import pairwise

import pytest
from test_browser_presenter import TEXTBOOK, readied
from web_page import PATIENCE

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)


def test_a_tree_that_somebody_shouts_is_typed_before_the_class(open_page):
    address = f"/theatre/search?{TEXTBOOK}&t=18&presenter"
    page = open_page(address, width=1024, height=768, refusals=True)
    field, problem = page.locator("#position"), page.locator("#problem")
    expect(field).to_be_hidden()
    page.keyboard.press("o")
    page.select_option("#game", "tree")
    field.fill("min ((3 5) (6 9)) ((8 9) (4 8)) ((12 1) (7 7))")
    assert field.evaluate("e => e.scrollWidth - e.clientWidth") <= 0  # all of it can be read
    field.press("Enter")
    expect(field).to_be_hidden()  # the class sees the tree at once
    expect(page.locator("#sentence")).to_contain_text("MIN to move.")
    expect(page.locator(".moment")).to_contain_text("event 1 of")
    for key, event in (("PageDown", 2), ("PageDown", 3), ("PageUp", 2)):  # a remote
        page.locator("body").press(key)
        expect(page.locator(".moment")).to_contain_text(f"event {event} of")
    page.locator("body").press("c")
    expect(page.locator("#sentence")).to_contain_text("Cut: α = ")
    assert "tree=min" in page.url
    # One with a mistake: why stands where it can be read, and the tree from before stays.
    page.keyboard.press("o")
    field.fill("min ((3 5) (6")
    field.press("Enter")
    expect(problem).to_contain_text("Character 12: this '(' is not closed")
    on_top = """e => {
      const { left, top, width, height } = e.getBoundingClientRect();
      return e.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }"""
    assert problem.evaluate(on_top)
    expect(field).to_be_visible()
    field.fill("(1 2) (3 4)")
    field.press("Enter")
    expect(field).to_be_hidden()
    expect(problem).to_be_hidden()
    # Tree and sentence beside the code: no line of it is cut off.
    page.keyboard.press("w")
    expect(page.locator("#sentence")).to_be_visible()
    lines = "[...document.querySelectorAll('.code li')].map((e) => e.scrollWidth - e.clientWidth)"
    assert max(page.evaluate(lines)) <= 0
    # Of a game a large board stands there, too.
    readied(page, "/theatre/search?game=connect-four&position=4453&depth=3&t=90&presenter")
    page.keyboard.press("w")
    assert page.locator("#board svg").bounding_box()["height"] > 100
    assert max(page.evaluate(lines)) <= 0
    assert page.locator(".side").evaluate("e => e.scrollHeight - e.clientHeight") <= 0


@pytest.mark.parametrize(("means", "at"), [("0.2,0.5,0.8", 5), ("0.2,0.5,0.8,0.6,0.3", 8)])
def test_a_question_leaves_the_arms_whole(open_page, means, at):
    address = f"/theatre/bandits?means={means}&policy=ucb1&at={at}&presenter"
    page = open_page(address, width=1024, height=768)
    page.locator(".guess-switch input").check()
    page.keyboard.press("ArrowRight")
    over = """() => {
      const bottom = (e) => e.getBoundingClientRect().bottom;
      const top = document.querySelector('#guess').getBoundingClientRect().top;
      const parts = [...document.querySelectorAll('.arm, .arm *')];
      const low = Math.max(...parts.map(bottom)) - top;
      return [low, bottom(document.querySelector('#transport')) - innerHeight];
    }"""
    for told in (0, 1):
        expect(page.locator("#guess .answers button").first).to_be_visible()
        expect(page.locator("#guess .is-answer")).to_have_count(told)
        assert max(page.evaluate(over)) <= 1
        page.keyboard.press("1")


def test_a_path_that_is_too_long_is_folded_around_the_running_node(open_page):
    address = "/theatre/mcts?game=connect-four&position=44455554&engine=alphazero&at=190&presenter"
    page = open_page(address, width=1024, height=768)
    page.keyboard.press("End")
    expect(page.locator("#done")).to_have_text("200")
    fold = page.locator(".more", has_text="⋮")
    plies = page.evaluate("theatre.recording.sims[199].path.length")
    folded = int(fold.text_content().split()[1])
    drawn = page.locator(".knot.here").count() and page.evaluate(
        """() => [...document.querySelectorAll('.knot')].map((e) => Number(e.dataset.node))
                 .filter((n) => theatre.recording.sims[199].path.includes(n)).length"""
    )
    assert folded == plies - drawn > 3
    # A longer sentence leaves less room for the tree, which is drawn again in the next frame.
    fits = """() => document.querySelectorAll('.knot.here').length === 1
                    && box.scrollHeight === box.clientHeight"""
    for _ in range(0, plies, 2):  # back through the back-up: the running node is always drawn
        page.wait_for_function(fits)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")


def test_an_experiment_is_run_before_a_class_without_scrolling(open_page):
    address = "/theatre/experiments/value-iteration?presenter"
    page = open_page(address, width=1024, height=768)
    page.click("#run")
    expect(page.locator("#state")).to_have_text("Done.")
    expect(page.locator("#chart .for-light img")).to_be_visible()
    low = "e => e.getBoundingClientRect().bottom - innerHeight"
    for part in ("#run", "#table", "#chart"):
        assert page.locator(part).evaluate(low) <= 0, part
    assert page.locator(".table-box").evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_on_a_phone_each_depth_has_its_row(open_page):
    page = open_page("/theatre/deepening?game=connect-four&position=4453&depth=4", width=390)
    page.keyboard.press("End")
    expect(page.locator("#sentence")).to_contain_text("All depths together")
    rows = page.evaluate(
        """() => [...document.querySelectorAll('#depths > div, .deepening .say')].map((row) => [
             row.getBoundingClientRect().top,
             Math.max(...[row, ...row.querySelectorAll('*')].map(
               (e) => e.getBoundingClientRect().bottom)),
           ])"""
    )
    assert len(rows) == 5
    assert all(low <= top + 1 for (_, low), (top, _) in pairwise(rows))
