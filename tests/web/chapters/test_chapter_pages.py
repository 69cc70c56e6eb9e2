"""Chapters and figures in a browser: dragging, questions, keys, a projector, a phone, frames."""

from pathlib import Path

import pytest
from paths import ROOT
from web_page import PATIENCE

from rl_toolkit.web import create_app
from rl_toolkit.web.learn.figures import FIGURE_KINDS

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
AXE = Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js"
CHAPTER = "/learn/theory/alpha_beta"
CHAPTERS = [
    f"/learn/theory/{path.stem}"
    for path in sorted((ROOT / "docs" / "learn").glob("*.md"))
    if '"live: ' in path.read_text("utf-8")
]
#: What of a figure is cut off or too small to read; how much of the window the drawing has.
FITS = """() => {
  const figure = document.querySelector('.live');
  const stage = figure.querySelector('.stage').getBoundingClientRect();
  const bad = [];
  const root = document.documentElement;
  const { scrollWidth, scrollHeight } = root;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) bad.push('the page scrolls');
  for (const part of figure.querySelectorAll('.said, .knobs > *, .figure-tools')) {
    const box = part.getBoundingClientRect();
    if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1) bad.push(part.textContent);
  }
  for (const text of figure.querySelectorAll('.stage text')) {
    const box = text.getBoundingClientRect();
    if (!box.width) continue;
    const aside = box.left < stage.left - 1 || box.right > stage.right + 1;
    const below = box.top < stage.top - 1 || box.bottom > stage.bottom + 1;
    if (aside || below) bad.push(text.textContent);
    if (parseFloat(getComputedStyle(text).fontSize) < 9) bad.push('small: ' + text.textContent);
  }
  return [bad, stage.width * stage.height / innerWidth / innerHeight];
}"""


def axe(page):
    """The violations that axe finds."""
    page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate(
        "async () => (await axe.run()).violations.map(v => [v.id, v.nodes[0].html])"
    )


def leaf(page, name):
    return page.get_by_role("slider", name=f"Leaf {name}")


def at_section(page, number):
    page.locator(f"#part-{number}").scroll_into_view_if_needed()
    page.locator(f"#part-{number} .stage text").first.wait_for()
    return page.locator(f"#part-{number}")


def test_a_leaf_dragged_across_the_alpha_line_changes_the_search(open_page):
    page = open_page(CHAPTER)
    part = at_section(page, 1)
    read = part.locator("[data-is=leaves]").nth(1)
    expect(read).to_have_text("7")
    part.locator("[data-scene='pruning=on at=end']").evaluate(
        "e => e.scrollIntoView({block: 'center'})"
    )
    expect(part.locator(".said")).to_contain_text("7 leaves of 9 read, 1 cut.")
    bar = part.locator("[data-handle='leaf:6'] rect").nth(2)  # the grip of B1
    box = bar.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 3
    page.mouse.move(x, y)
    page.mouse.down()
    counts = set()
    for up in range(0, 90, 6):
        page.mouse.move(x, y - up)
        page.evaluate("new Promise(requestAnimationFrame)")
        counts.add((part.locator(".said").inner_text().rsplit(": ", 1)[1], read.inner_text()))
    page.mouse.up()
    assert counts == {
        ("11 positions visited, 13 by plain minimax. 7 leaves of 9 read, 1 cut.", "7"),
        ("13 positions visited. 9 leaves of 9 read, 0 cuts.", "9"),
    }
    # The text of another scene is not touched by it, and scrolling no longer changes the figure.
    first = part.locator("[data-scene='pruning=off at=end']")
    expect(first.locator("[data-is=value]")).not_to_have_text("")
    tree = part.locator(".said").inner_text()
    first.evaluate("e => e.scrollIntoView({block: 'center'})")
    expect(part.locator(".said")).to_have_text(tree)
    first.get_by_role("button", name="Show this").click()
    expect(part.locator(".said")).to_contain_text("9 leaves of 9 read, 0 cuts.")
    expect(read).to_have_text("7")


def test_a_question_is_judged_by_the_figure(open_page):
    page = open_page(CHAPTER)
    part = at_section(page, 1)
    ask = part.locator(".ask").first
    expect(ask.locator("details")).to_be_hidden()
    ask.get_by_role("button", name="both").click()
    expect(ask.locator(".verdict")).to_have_text("No.")
    expect(ask.locator(".is-right")).to_have_text("none")
    expect(ask.locator("details p").first).to_be_visible()
    expect(part.locator(".said")).to_contain_text("Cut: α = 3 ≥ β = 2.")
    leaf(part, "B1").focus()
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    # B1 is 4 now, above the line: the key has changed with the figure.
    expect(leaf(part, "B1")).to_have_attribute("aria-valuenow", "4")
    expect(ask.locator(".is-right")).to_have_text("both")
    expect(ask.locator(".verdict")).to_have_text("Yes.")


def test_one_tab_stop_for_the_drawing_and_arrows_inside(open_page):
    page = open_page("/figures/tree")
    leaf(page, "A1").wait_for()
    assert page.locator(".stage [tabindex='0']").count() == 1
    leaf(page, "A1").focus()
    page.keyboard.press("ArrowRight")
    expect(leaf(page, "A2")).to_be_focused()
    page.keyboard.press("End")
    expect(leaf(page, "C3")).to_be_focused()
    page.keyboard.press("Shift+ArrowUp")
    expect(leaf(page, "C3")).to_have_attribute("aria-valuenow", "7")
    expect(leaf(page, "C3")).to_be_focused()
    assert page.locator(".stage [tabindex='0']").count() == 1
    expect(page.locator(".live > [aria-live]")).to_contain_text("The value is")


def test_the_whole_game_can_be_walked_through(open_page):
    page = open_page("/figures/whole?order=1")
    page.locator("[data-walk]").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".said")).to_contain_text("it enters 1,464 of 549,946 nodes, 0.27 %.")
    expect(page.locator(".said")).to_contain_text("b1 a1: ")
    expect(page.locator("[data-walk]")).to_be_focused()


def test_a_remote_goes_through_scenes_and_questions_in_full_screen(open_page):
    page = open_page(CHAPTER, width=1024, height=768)
    part = at_section(page, 1)
    page.keyboard.press("f")
    expect(part.locator(".is-full")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(part.locator(".said")).to_contain_text("9 leaves of 9 read")
    page.keyboard.press("PageDown")
    expect(part.locator(".said")).to_have_text("A is MAX's best so far: 3. α rises to 3.")
    page.keyboard.press("PageDown")  # the question, before its answer
    expect(part.locator(".asked")).to_contain_text("How many of B's other bars must be read?")
    assert part.locator(".asked .is-right").count() == 0
    page.keyboard.press("PageDown")
    expect(part.locator(".asked .is-right")).to_have_text("none")
    expect(part.locator(".said")).to_contain_text("Cut:")
    page.keyboard.press("Escape")
    expect(part.locator(".is-full")).to_have_count(0)


@pytest.mark.parametrize("kind", [
    kind if kind in ("tree", "uct") else pytest.param(kind, marks=pytest.mark.full)
    for kind in FIGURE_KINDS
])  # fmt: skip
def test_a_figure_alone_fits_projectors_and_phones(open_page, kind):
    page = open_page(f"/figures/{kind}")
    for width, height, least in ((1024, 768, 0.6), (1280, 720, 0.6), (390, 844, 0.5)):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(2):
            page.evaluate("new Promise(requestAnimationFrame)")
        bad, share = page.evaluate(FITS)
        assert bad == [], (width, height)
        assert share > least, (width, height)
    assert axe(page) == []


@pytest.mark.parametrize(("address", "width", "scheme"), [
    (CHAPTER, 1024, "light"),
    ("/learn/theory/order", 390, "dark"),
    *(
        pytest.param(address, width, scheme, marks=pytest.mark.full)
        for address in CHAPTERS
        for width, scheme in ((390, "light"), (1024, "dark"))
    ),
])  # fmt: skip
def test_a_chapter_is_light_fits_and_is_accessible(open_page, address, width, scheme):
    page = open_page(address, width=width, height=768, color_scheme=scheme, alone=True)
    for number in range(1, 1 + page.locator(".part").count()):
        if page.locator(f"#part-{number} figure").count():
            at_section(page, number)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert axe(page) == []
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
                 .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    pictures = page.evaluate(
        """() => performance.getEntriesByType('resource').filter((e) => e.initiatorType === 'img')
                 .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    )
    assert weight - pictures < 80_000


def test_a_chapter_can_be_read_without_scripts(browser, web_server):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(web_server + CHAPTER)
    text = page.inner_text("main")
    assert "the search reads 7 of 9 bars, with 1 cut." in text
    assert page.locator("noscript img, figure img").count() >= 4
    page.locator("details summary").first.click()
    assert page.locator("details p").first.is_visible()
    context.close()


def test_only_figures_may_be_framed_and_they_ask_for_nothing():
    client = create_app().test_client()
    headers = client.get("/figures/tree?at=cut").headers
    assert "X-Frame-Options" not in headers
    assert "frame-ancestors" not in headers["Content-Security-Policy"]
    assert "connect-src" not in headers["Content-Security-Policy"]
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    for address in (CHAPTER, "/learn", "/figures/nothing"):
        assert client.get(address).headers["X-Frame-Options"] == "DENY"
    assert client.get("/figures/nothing").status_code == 404
    saved = client.get("/figures/tree.html?at=cut")
    assert saved.headers["Content-Disposition"] == 'attachment; filename="tree.html"'
    assert "&quot;at&quot;: &quot;cut&quot;" in saved.text
    assert client.get("/figures/tree.html?colour=red").status_code == 404
