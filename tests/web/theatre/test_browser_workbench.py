"""The workbench in a browser: tasks are answered by mouse or keyboard, and it is told why."""

import re

import pytest
from web_page import PATIENCE, axe, hangs_out

from rl_toolkit.explain.hand_tasks import made

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
PAGE = "/theatre/workbench"
#: After one mistake and a solution.
SCORE = "Solved 1, 0 without a mistake or help. Mistakes: 1."


def node(page, name):
    """The node of that name."""
    return page.locator(".node", has=page.locator(f'.name:text-is("{name}")'))


def told(page):
    return page.locator("#told")


def type_value(page, name, value):
    node(page, name).locator("input").fill(value)
    page.keyboard.press("Enter")


def test_values_are_typed_and_checked_at_once(open_page):
    page = open_page(f"{PAGE}?puzzle=two-branches")
    type_value(page, "A", "5")
    expect(told(page)).to_contain_text(
        "A: MIN moves here and takes the smallest of 3 and 5, not the largest."
    )
    expect(node(page, "A")).to_contain_class("is-wrong")
    type_value(page, "A", "3")
    expect(node(page, "A")).to_contain_class("is-right")
    type_value(page, "B", "2")
    expect(told(page)).to_contain_text("2 right, 1 to do.")
    type_value(page, "root", "3")
    expect(told(page)).to_contain_text("All values are right. The root is worth 3.")
    expect(page.locator("#score")).to_have_text(SCORE)
    page.click("#next")
    expect(page.locator("#title")).to_have_text("The first cut: Branches that are cut")
    expect(page).to_have_url(re.compile("puzzle=first-cut"))


def test_the_score_outlives_a_reload_until_it_is_cleared(open_page):
    page = open_page(f"{PAGE}?tree=3 5&task=values")
    clear = page.locator("#clear-score")
    expect(clear).to_be_hidden()
    type_value(page, "root", "3")
    expect(page.locator("#score")).to_contain_text("Mistakes: 1.")
    type_value(page, "root", "5")
    expect(page.locator("#score")).to_have_text(SCORE)
    page.reload()
    expect(page.locator("#score")).to_have_text(SCORE)
    clear.click()
    expect(page.locator("#score")).to_have_text("")
    expect(clear).to_be_hidden()
    page.reload()
    expect(page.locator("#title")).not_to_have_text("Task")  # it is there again
    expect(page.locator("#score")).to_have_text("")
    page.evaluate("sessionStorage.setItem('rl-toolkit workbench score', '{\"solved\": -1}')")
    page.reload()  # what somebody else wrote there is not a score
    expect(page.locator("#title")).not_to_have_text("Task")
    expect(page.locator("#score")).to_have_text("")


def test_cuts_are_marked_with_the_keyboard_and_the_reason_is_the_trace_s(open_page):
    page = open_page(f"{PAGE}?tree=(3 12 8) (2 4 6) (14 5 2)&task=cuts")
    node(page, "A").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(node(page, "B2")).to_be_focused()
    page.keyboard.press("Space")
    expect(told(page)).to_contain_text(
        "B2. Cut: α = 3 ≥ β = 2. Here MIN holds MAX to 2 or less; but at the root MAX already has A"
    )
    expect(told(page)).to_contain_text("1 right, 1 branch more to find.")
    expect(node(page, "B2")).to_have_attribute("aria-pressed", "true")
    node(page, "C").click()
    expect(told(page)).to_contain_text("C is visited: when MAX comes to it, α = 3 and β = +∞.")
    expect(node(page, "C3")).to_contain_class("is-cut")  # with all below
    node(page, "C").click()
    expect(node(page, "C3")).not_to_contain_class("is-cut")
    node(page, "B3").click()
    expect(told(page)).to_contain_text("Right: 2 branches cut, 7 of 9 leaves visited.")


def test_a_leaf_that_is_not_visited_is_not_taken(open_page):
    page = open_page(f"{PAGE}?tree=(3 5) (2 9)&task=visits")
    node(page, "A1").click()
    expect(told(page)).to_contain_text("Right so far: 1 leaf.")
    node(page, "B1").click()
    expect(told(page)).to_contain_text("B1 comes later: after A1 there is a leaf further")
    expect(node(page, "B1").locator(".flag")).to_have_text("")
    for number, name in enumerate(("A2", "B1"), 2):
        node(page, name).click()
        expect(node(page, name).locator(".flag")).to_have_text(str(number))
    expect(told(page)).to_contain_text("Right: 3 of 4 leaves are visited.")


def test_children_are_moved_until_most_is_cut(open_page):
    page = open_page(f"{PAGE}?tree=(2 9) (3 5)&task=order")
    node(page, "B").click()
    page.click("#left")
    expect(told(page)).to_contain_text("3 leaves visited (it was 4): no order does with fewer.")
    expect(node(page, "A2")).to_contain_class("is-cut")
    left = [node(page, name).bounding_box()["x"] for name in ("B", "A")]
    assert left[0] < left[1]
    expect(node(page, "B")).to_be_focused()
    page.keyboard.press("Shift+ArrowRight")
    expect(told(page)).to_contain_text("4 leaves visited; 3 are enough.")
    page.click("#hint")
    expect(told(page)).to_contain_text("At the root MAX tries A first.")
    page.click("#solve")
    expect(told(page)).to_contain_text("The answer:")
    expect(node(page, "A2")).to_contain_class("is-cut")


def test_a_typed_tree_is_used_shared_and_watched_or_refused_at_its_place(open_page):
    page = open_page(PAGE, refusals=True)
    page.click("#typing summary")
    page.fill("#tree", "(3 5) (2 nine)")
    page.click("#choice [type=submit]")
    expect(page.locator("#typed")).to_contain_text("Character 10: 'nine' is not a number")
    assert page.evaluate("document.activeElement.id + document.activeElement.selectionStart") == (
        "tree9"
    )
    page.fill("#tree", "min Left:(3 5) Right:(2 9)")
    page.click("#choice [type=submit]")
    expect(node(page, "Right")).to_be_visible()
    assert page.input_value("#puzzle") == ""
    page.goto(page.locator("#share").evaluate("link => link.href"))
    expect(node(page, "Left1")).to_be_visible()
    assert page.input_value("#tree") == "min Left:(3 5) Right:(2 9)"
    watch = page.locator("#to-stage").evaluate(
        "link => new URL(link.href).searchParams.get('tree')"
    )
    assert watch == "min Left:(3 5) Right:(2 9)"


def test_an_address_that_asks_for_no_tree_says_so(open_page):
    page = open_page(f"{PAGE}?tree=(3", refusals=True)
    expect(page.locator("#told")).to_contain_text("Character 1: this '(' is not closed.")
    expect(page.locator("#tree")).to_have_value("(3")


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_axe_finds_nothing_and_nothing_hangs_out(open_page, width, scheme):
    page = open_page(f"{PAGE}?puzzle=red-and-blue-cuts", width=width, color_scheme=scheme)
    node(page, "H").click()
    expect(told(page)).to_contain_text("1 right")
    node(page, "C").click()
    expect(told(page)).to_contain_text("1 not cut")
    if scheme == "dark":
        assert axe(page) == []
    assert hangs_out(page) <= 0
    page.select_option("#task", "values")
    expect(node(page, "A").locator("input")).to_be_visible()
    if scheme == "light":
        assert axe(page) == []
    page.goto(f"{page.url.split('?')[0]}?set=cuts@far-bound;cuts@textbook")
    expect(page.locator("#set-list button")).to_have_text(
        ["A bound from far above", "The textbook tree"]
    )
    names = page.locator(".node .name")
    expect(names.first).to_be_visible()
    cut_off = "all => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"
    assert names.evaluate_all(cut_off) == []  # on a phone B1a1 and B1a2 were both “B1…”
    items = page.locator("#set-list button").first
    assert items.evaluate("e => e.offsetHeight") < 50  # nor is there a letter for each line
    for task in ("uct", "puct", "sweep"):  # a number that is cut off would be another number
        page.select_option("#task", task)
        table = page.locator(".hand .given")
        expect(table).to_be_visible()
        assert table.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    sizes = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".reduce((sum, each) => sum + each.decodedBodySize, 0)"
    )
    assert sizes < 250_000


def test_a_set_is_worked_through_and_its_results_stay_in_the_browser(open_page):
    page = open_page("/theatre/workbench?set=windows@(3 5) (2 9);uct@1")
    items = page.locator("#set-list li")
    expect(items).to_have_count(2)
    for name, (alpha, beta) in {
        "the root": ("-inf", "inf"),
        "A": ("-inf", "inf"),
        "B": ("3", "inf"),
    }.items():
        for letter, text in (("α", alpha), ("β", beta)):
            page.get_by_label(f"{letter} of {name},").fill(text)
            page.keyboard.press("Tab")
            if letter == "α":  # half of a node is no mistake
                expect(told(page)).to_contain_text("to do.")
    expect(page.locator("#told .solved")).to_have_text("All of them are right.")
    expect(items.first).to_contain_text("✓")
    expect(page.locator("#score")).to_have_text(
        "Solved 1, 1 without a mistake or help. Mistakes: 0."
    )
    page.click("#next")
    expect(page.locator("#title")).to_have_text("One simulation of UCT", ignore_case=True)
    page.fill('[data-blank="sum a"]', "9")
    page.keyboard.press("Tab")
    expect(page.locator("#told .is-wrong")).to_contain_text("Score of a: not 9.")
    blanks = {blank.name: blank.written for blank in made("uct", 1).blanks}
    for name, text in blanks.items():
        page.fill(f'[data-blank="{name}"]', text)
        page.keyboard.press("Tab")
    expect(page.locator("#told .solved")).to_have_text("All fields are right.")
    page.reload()
    expect(page.locator("#set-list li", has_text="✓")).to_have_count(2)
    page.select_option("#task", "sweep")
    expect(page.locator("[data-blank]")).to_have_count(4)
    page.click("#add")
    expect(items).to_have_count(3)
    assert "sweep%401" in page.url
    page.click("#set-sheet")
    expect(page.locator(".task")).to_have_count(3)
