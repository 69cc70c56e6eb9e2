"""Chapters and figures in a browser: dragging, questions, keys, a projector, a phone, frames."""

import re

import pytest
from paths import ROOT
from web_page import PATIENCE, axe

from rl_toolkit.web import create_app
from rl_toolkit.web.learn.figures import FIGURE_KINDS

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
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
    part.locator(".ask").first.get_by_role("button", name="none").click()
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


def test_a_verdict_stays_whatever_is_done_to_the_figure_later(open_page):
    page = open_page(CHAPTER)
    part = at_section(page, 1)
    ask, sorted_ask = part.locator(".ask").all()
    expect(ask.locator("details")).to_be_hidden()
    ask.get_by_role("button", name="none").click()
    expect(ask.locator(".verdict")).to_have_text("Yes.")
    expect(ask.locator("details p").first).to_be_visible()
    expect(part.locator(".said")).to_contain_text("Cut: α = 3 ≥ β = 2.")
    sorted_ask.get_by_role("button", name="7, as in the first tree").click()
    leaf(part, "B1").focus()
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    expect(leaf(part, "B1")).to_have_attribute("aria-valuenow", "4")
    expect(part.locator(".said")).to_contain_text("7 leaves of 9 read")
    # B1 is above the line now; the question spoke of 2, and its answer stays right.
    expect(ask.locator("p").first).to_contain_text("B's first bar is 2.")
    expect(ask.locator(".is-right")).to_have_text("none")
    expect(ask.locator(".is-wrong")).to_have_count(0)
    expect(ask.locator(".verdict")).to_have_text("Yes.")
    expect(sorted_ask.locator(".is-wrong")).to_have_text("7, as in the first tree")
    expect(sorted_ask.locator(".verdict")).to_have_text("No.")


def test_a_guess_is_never_wrong_and_numbers_below_a_question_wait_for_its_answer(open_page):
    page = open_page("/learn/theory/bandits", height=800)
    part = at_section(page, 1)
    guess, ask = part.locator(".ask").all()
    mean = part.locator("[data-is='mean.C']").nth(1)  # of the scene after the guess
    pulls = part.locator("[data-is='pulls.C']").nth(1)  # after both questions
    for number in (mean, pulls):
        expect(number).to_have_css("font-size", "0px")
    guess.get_by_role("button", name="B").click()
    expect(guess.locator(".verdict")).to_have_text("A fair guess, but it is the one with the ✓.")
    expect(guess.locator(".is-wrong")).to_have_count(0)
    expect(guess.locator(".is-right")).to_have_text("C")
    expect(mean).not_to_have_css("font-size", "0px")
    expect(pulls).to_have_css("font-size", "0px")
    ask.locator(".skip-question").click()
    expect(pulls).not_to_have_css("font-size", "0px")


def test_a_typed_tree_is_drawn_or_refused_in_a_sentence(open_page):
    page = open_page("/figures/tree")
    page.get_by_text("Type a tree").click()
    field = page.get_by_role("textbox", name="Type a tree")
    for text, said in (("(3 5) (2 20)", "3 leaves of 4 read, 1 cut."), ("min (1 2) 0", "3 read")):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".said")).to_contain_text(said)
    for text, why in (("(3 5", "a parenthesis is not closed"), ("1 " * 40, "at most 32 leaves")):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".note")).to_contain_text(why)
    expect(page.locator(".said")).to_contain_text("of 3 read")


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


def test_a_dragged_reward_turns_the_best_way(open_page):
    page = open_page("/figures/gridworld")
    said = page.locator(".said")
    expect(said).to_contain_text("1.43: 7 steps to the far end.")
    near = page.get_by_role("slider", name="Reward of the near end")
    box = near.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - box["height"] / 2, steps=4)
    page.mouse.up()
    expect(said).to_contain_text(": 2 steps to the near end.")
    expect(near).to_be_focused()
    page.keyboard.press("Shift+ArrowDown")  # by keys back again
    expect(said).to_contain_text(": 7 steps to the far end.")
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="e1: 1.43")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".stage")).to_contain_text("From e1")
    page.get_by_role("button", name="Slippery").click()
    expect(said).to_contain_text("if none slips")


def test_a_prior_changed_by_keys_and_by_drag_guides_the_search(open_page):
    page = open_page("/figures/priors?priors=0.1+99.6+0.1+0.1+0.1&n=100")
    prior = page.get_by_role("slider", name="Prior of c2")
    prior.focus()
    for left in ("94.6", "89.6", "84.6"):  # the most visited move changes, the focus stays
        page.keyboard.press("Shift+ArrowDown")
        expect(prior).to_have_attribute("aria-valuenow", left)
    expect(prior).to_be_focused()
    expect(page.locator(".said")).to_contain_text("After 100 simulations c1")
    box = page.get_by_role("slider", name="Prior of c1").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, box["y"] - 400)
    page.mouse.up()
    expect(prior).to_have_attribute("aria-valuenow", "0.1")  # nothing is left for the others
    expect(page.locator(".said")).to_contain_text("c1, with a prior of 100 %, has the most visits")


def test_the_whole_game_can_be_walked_through(open_page):
    page = open_page("/figures/whole?order=1")
    page.locator("[data-walk]").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".said")).to_contain_text("it enters 1,464 of 549,946 nodes, 0.27 %.")
    expect(page.locator(".said")).to_contain_text("b1 a1: ")
    expect(page.locator("[data-walk]")).to_be_focused()


def test_a_question_that_can_be_seen_is_asked_before_its_scene_is_shown(open_page):
    page = open_page(CHAPTER, width=1440, height=900)
    part = at_section(page, 1)
    part.locator("h2").evaluate("e => e.scrollIntoView({block: 'start'})")
    top, next_top = (
        part.locator(f"[data-scene='pruning=on at={at}']").evaluate(
            "e => e.getBoundingClientRect().top"
        )
        for at in ("cut", "end")
    )
    page.evaluate("by => scrollBy(0, by)", top - 450)  # at the reading line
    expect(part.locator(".said")).to_have_text("A is MAX's best so far: 3. α rises to 3.")
    expect(part.locator(".ask").first).to_be_in_viewport()
    # Nor does a scene further below show its answer, as long as the question can be seen.
    page.evaluate("by => scrollBy(0, by)", next_top - top)
    expect(part.locator(".is-scene")).to_have_attribute("data-scene", "pruning=on at=A")
    expect(part.locator(".ask").first).to_be_in_viewport()
    expect(part.locator(".said")).to_have_text("A is MAX's best so far: 3. α rises to 3.")
    part.locator(".ask").first.get_by_role("button", name="none").click()
    expect(part.locator(".said")).to_contain_text("Cut: α = 3 ≥ β = 2.")


def test_fingers_drag_press_and_look(browser, web_server):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    touch = context.new_cdp_session(page)

    def at(locator):
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def finger(kind, *place):
        points = [{"x": place[0], "y": place[1]}] if place else []
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def shown(address):
        page.goto(web_server + address)
        page.wait_for_selector("body[data-ready]", state="attached")
        said = page.locator(".said")
        expect(said).not_to_be_empty()  # a figure speaks when its first frame is drawn
        return said

    said = shown("/figures/tree?at=end")  # the leaf across the α line
    expect(said).to_contain_text("7 leaves of 9 read, 1 cut.")
    x, y = at(page.locator("[data-handle='leaf:6'] rect").nth(2))
    finger("Start", x, y)
    for up in range(0, 120, 20):
        finger("Move", x, y - up)
    finger("End")
    expect(said).to_contain_text("9 leaves of 9 read, 0 cuts.")
    said = shown("/figures/proof")  # a proof that is contradicted
    expect(said).to_contain_text("Proven")
    for leaf in ("A1a", "A1b", "B1a"):
        page.touchscreen.tap(*at(page.locator(f"[aria-label^='Leaf {leaf}:']")))
    expect(page.locator("[aria-label^='Leaf A1a:']")).to_have_attribute(
        "aria-label", "Leaf A1a: no"
    )
    for kind, word in (("waves?sweep=0", ": "), ("whole?order=1", ":"), ("graph", "in the tree")):
        said = shown(f"/figures/{kind}")  # a dot, a pixel of the rings, a node
        before = said.inner_text()
        box = page.locator(".stage").bounding_box()
        place = box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.3
        if kind == "graph":
            place = at(page.locator(".stage circle").nth(40))
        page.touchscreen.tap(*place)
        expect(said).not_to_have_text(before)
        expect(said).to_contain_text(word)
    said = shown("/figures/whole?order=-1")  # the order, by its slider
    slider = page.locator("input[type=range]").first
    left = slider.bounding_box()
    finger("Start", left["x"] + 4, left["y"] + left["height"] / 2)
    for share in (0.3, 0.6, 1):
        finger("Move", left["x"] + left["width"] * share - 2, left["y"] + left["height"] / 2)
    finger("End")
    expect(said).to_contain_text(re.compile(r"moves (\d+ % )?best first"))
    context.close()


def test_a_remote_goes_through_scenes_and_questions_in_full_screen(open_page):
    page = open_page(CHAPTER, width=1024, height=768)
    part = page.locator("#part-1")
    # The picture shows the answer of a question: the figure begins with the first scene.
    expect(part.locator(".said")).to_contain_text("9 leaves of 9 read")
    page.keyboard.press("f")
    expect(part.locator(".is-full")).to_be_visible()
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
        # The drawing follows the window in a later frame; what stays cut off ends here.
        fitting = page.wait_for_function(
            f"() => {{ const [bad, share] = ({FITS})(); return !bad.length && [share]; }}",
            timeout=20_000,
        )
        assert fitting.json_value()[0] > least, (width, height)
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
    lefts = (
        "[...document.querySelectorAll('.words > *')].map((e) => e.getBoundingClientRect().left)"
    )
    assert min(page.evaluate(lefts)) >= 0  # a long line of code does not push the text out
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


def test_a_chapter_on_paper_has_all_figures_choices_and_answers(open_page):
    page = open_page(CHAPTER, alone=True)
    drawn = page.locator("figure[data-figure] .stage text:first-of-type")
    expect(page.locator("figure.live")).to_have_count(4)  # also those that nobody has scrolled to
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert drawn.first.is_visible()
    asks = page.locator(".ask")
    for number in range(asks.count()):
        assert asks.nth(number).locator("li button").first.is_visible()
        assert asks.nth(number).locator("details p").first.is_visible()
    assert not page.locator(".knobs").first.is_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert asks.first.locator("details").is_hidden()


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
    refused = client.get("/figures/tree.html?colour=red")
    assert (refused.status_code, refused.mimetype) == (400, "text/plain")
    assert refused.text.startswith("tree has no field 'colour': tree, at")
    assert client.get("/figures/nothing.html").status_code == 404
