"""Before a class: every stage fits the projector, and what a lesson needs is at hand."""

from pathlib import Path

import pytest
from web_page import PATIENCE

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TEXTBOOK = "tree=(3 12 8) (2 4 6) (14 5 2)"
DEEP = "tree=(((8 2) (5 9)) ((4 7) (3 1))) (((6 9) (7 8)) ((2 1) (9 4)))"
FIRST_CUTS = "game=tictactoe&position=x1o/1x1/2o x"
#: Stage, sentence and transport of each page, what is drawn there, and its share of the window.
STAGES = {
    f"/theatre/search?{TEXTBOOK}&t=18": ("#stage", "#sentence", "#transport", ".card", 0.5),
    f"/theatre/search?{DEEP}&t=72": ("#stage", "#sentence", "#transport", ".card, .window", 0.5),
    f"/theatre/search?{FIRST_CUTS}&t=97": ("#stage", "#sentence", "#transport", ".card", 0.5),
    "/theatre/search?game=connect-four&position=4453&depth=3&t=90": (
        "#stage",
        "#sentence",
        "#transport",
        ".card",
        0.5,
    ),
    f"/theatre/search?{FIRST_CUTS}&compare=on": ("#rivals", "#rivals", "#transport", ".rival", 0.4),
    "/theatre/deepening?game=connect-four&position=4453&depth=5&t=300": (
        "#depths",
        "#sentence",
        "#transport",
        "#depths > div",
        0.4,
    ),
    "/theatre/mcts?position=a1": ("#board", "#sentence", "#transport", "#board-picture", 0.1),
    "/theatre/mcts?position=a1&at=120&step=1": (
        "#box",
        "#sentence",
        "#transport",
        ".knot, #choice, #choice tr",
        0.25,
    ),
    "/theatre/mcts?game=connect-four&position=44455554&engine=alphazero&step=1": (
        "#box",
        "#sentence",
        "#transport",
        "#choice, #choice th, #choice td",
        0.25,
    ),
    "/theatre/mcts?game=connect-four&position=44455554&engine=alphazero&at=199": (
        "#box",
        "#sentence",
        "#transport",
        ".knot, .badge, #choice th",
        0.25,
    ),
    "/theatre/mcts?position=a1&seed=1&at=30&plot=large": (
        "#plot",
        "#sentence",
        "#transport",
        "#plot text, #values tr, #rule, #show-truth",
        0.1,
    ),
    "/theatre/bandits?means=0.2,0.5,0.8&policy=ucb1&at=20": (
        "#arms",
        "#sentence",
        "#transport",
        ".arm, #regret",
        0.2,
    ),
    "/theatre/bandits?arms=3&seed=5": ("#arms", "#sentence", "#hand-row", ".arm, #reveal", 0.2),
    "/theatre/proofs?at=10": (".stage", ".said", ".knobs", ".stage text", 0.5),
    "/theatre/training?position=x2/3/3 o&generation=10&n=40&truth=on": (
        ".stage",
        ".said",
        ".knobs",
        ".stage text",
        0.5,
    ),
    "/theatre/workbench?puzzle=textbook": ("#box", "#told", ".acts", ".node", 0.3),
    "/theatre/workbench?puzzle=red-and-blue": ("#box", "#told", ".acts", ".node", 0.3),
    **dict.fromkeys(
        [f"/theatre/workbench?task={task}&seed=1" for task in ("uct", "puct", "sweep")],
        ("#hand", "#told", ".acts", "#hand :is(td, input)", 0.1),
    ),
    "/theatre/workbench?set=values@two-branches;values@red-and-blue;cuts@textbook": (
        "#box",
        "#told",
        ".acts",
        ".node, #set",
        0.3,
    ),
}
#: What is cut off, by the window or by the box that it is drawn in.
CLIPPED = """([stage, sentence, transport, drawn]) => {
  const box = (e) => e.getBoundingClientRect();
  const shown = (e) => box(e).width > 0 && getComputedStyle(e).visibility !== 'hidden';
  const within = (e, frame) => box(e).left >= frame.left - 1 && box(e).right <= frame.right + 1
    && box(e).top >= frame.top - 1 && box(e).bottom <= frame.bottom + 1;
  const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const parts = [stage, sentence, transport].map((name) => document.querySelector(name));
  const cut = parts.filter((e) => !shown(e) || !within(e, page)).map((e) => e.id || e.className);
  for (const e of parts[2].querySelectorAll('button, label, .moment'))
    if (shown(e) && !within(e, page)) cut.push(e.textContent);
  const said = parts[1].closest('.panel') ?? parts[1];
  if (said.scrollHeight > said.clientHeight + 1) cut.push('the sentence');
  for (const e of document.querySelectorAll(drawn))
    if (shown(e) && !within(e, e.closest(stage) ? box(parts[0]) : page)) cut.push(e.outerHTML);
  for (const card of document.querySelectorAll('.card.best')) { // the star leaves the name free
    const [star, name] = ['.star', '.move'].map((part) => box(card.querySelector(part)));
    if (name.right - star.left > 3 && star.bottom - name.top > 8 && name.bottom - star.top > 8)
      cut.push('a star over ' + card.textContent);
  }
  for (const card of document.querySelectorAll('.card')) { // nor does a badge cover the name
    const [name, badge] = ['.move', '.badge rect'].map((part) => box(card.querySelector(part)));
    if (name.right > badge.left + 1 && badge.bottom > name.bottom && badge.top < name.top + 4)
      cut.push('a badge over ' + card.textContent);
  }
  for (const text of document.querySelectorAll('.row .window, .row .who')) { // heads of rows
    const fresh = text.querySelector('.new');
    if (fresh && getComputedStyle(fresh).textDecorationLine !== 'none') cut.push('underlined');
    for (const frame of document.querySelectorAll('.card .frame')) {
      const [a, b] = [box(text), box(frame)];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (shown(text) && wide > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
        cut.push('a card over ' + text.textContent);
    }
  }
  const tools = document.querySelector('.top');
  for (const e of parts[2].querySelectorAll('button, label, .moment'))
    if (shown(e) && box(e).right > box(tools).left && box(e).bottom > box(tools).top)
      cut.push('below the tools: ' + e.textContent);
  if (document.documentElement.scrollHeight > innerHeight) cut.push('the page is higher');
  if (document.documentElement.scrollWidth > innerWidth) cut.push('the page is wider');
  return [cut, box(parts[0]).width * box(parts[0]).height / (innerWidth * innerHeight)];
}"""


@pytest.mark.parametrize(
    ("width", "height"), [(1024, 768), pytest.param(1280, 720, marks=pytest.mark.full)]
)
def test_every_stage_fits_the_projector(open_page, width, height):
    page = open_page(f"/theatre/search?{TEXTBOOK}&presenter", width=width, height=height)
    server = page.url.partition("/theatre")[0]
    for address, (stage, sentence, transport, drawn, share) in STAGES.items():
        page.goto(f"{server}{address}&presenter")
        page.wait_for_selector("body[data-ready]", state="attached")
        if "compare" in address:
            expect(page.locator(".rival.done")).to_have_count(4)
        # Sizes follow the window a moment later; what stays clipped ends here.
        clipped = page.wait_for_function(
            f"parts => {{ const [cut, share] = ({CLIPPED})(parts); return !cut.length && [share]}}",
            arg=[stage, sentence, transport, drawn],
            timeout=20_000,
        )
        assert clipped.json_value()[0] > share, address
        if "task=" in address:  # nor is anything of the way to the answer cut off
            page.click("#solve")
            expect(page.locator("#told li")).to_have_count(page.locator("#hand input").count())
            over = "e => e.scrollHeight - e.clientHeight"
            assert page.locator("#told").evaluate(over) <= 1, address
            assert page.locator("#hand").evaluate(over) <= 1, address


def test_the_picture_of_many_runs_is_beside_the_arms(open_page):
    page = open_page("/theatre/bandits?means=0.2,0.8&pulls=20&presenter", width=1024, height=768)
    page.select_option("#many-pulls", "100")
    page.click("#run-many")
    expect(page.locator("#chart .for-light img")).to_be_visible()
    boxes = page.evaluate(
        "['#arms', '.many', '#chart .for-light img'].map((name) => document.querySelector(name)"
        ".getBoundingClientRect().toJSON())"
    )
    assert max(box["right"] for box in boxes) <= 1024
    assert boxes[0]["right"] < boxes[1]["left"]
    assert boxes[2]["width"] > 400
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_a_figure_is_a_stage_with_the_keys_of_the_others(open_page):
    page = open_page("/theatre/proofs?at=0")
    step = page.locator(".knobs output").first
    expect(step).to_have_text("0 / 42")
    for key, shown in (("ArrowRight", "1"), ("PageDown", "2"), ("ArrowLeft", "1"), ("End", "42")):
        page.keyboard.press(key)
        expect(step).to_have_text(f"{shown} / 42")
    expect(page.locator(".said")).to_contain_text("X wins by fours after 42 steps")
    page.keyboard.press(" ")  # at the end it plays from the start
    expect(step).not_to_have_text("42 / 42")
    page.keyboard.press("End")
    page = readied(page, "/theatre/training?position=x2/3/3 o")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".said")).to_contain_text("After generation 3 ")
    page.get_by_role("link", name="chapter", exact=True).click()
    expect(page.locator("h1")).to_contain_text("AlphaZero")


def readied(page, address):
    page.goto(page.url.partition("/theatre")[0] + address)
    page.wait_for_selector("body[data-ready]", state="attached")
    return page


def count(page, selector):
    return int(page.locator(selector).inner_text().replace(",", ""))


def test_a_hit_of_the_table_has_mark_key_arrow_and_board(open_page):
    page = open_page(f"/theatre/search?{FIRST_CUTS}&memoization=on")
    page.keyboard.press("h")
    hit = page.evaluate("theatre.model.hitEvents[0]")
    expect(page.locator(".moment")).to_contain_text(f"event {hit + 1} of")
    expect(page.locator(".why.hit")).to_be_visible()
    expect(page.locator("#twin")).to_be_visible()
    line = page.locator("#twin-title").inner_text().removeprefix("Seen after ")
    expect(page.locator("#sentence")).to_contain_text(f"Seen before, after {line}:")
    same = "n => JSON.stringify(theatre.model.board({ node: n }).cells)"
    twin, here = page.evaluate(f"[theatre.model.twin({hit}), theatre.model.node[{hit}]]")
    assert twin != here
    assert page.evaluate(same, twin) == page.evaluate(same, here)
    marked = """() => {
      const strip = document.querySelector('#strip'), probe = document.createElement('i');
      probe.style.color = 'var(--hit)';
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
      const { data } = strip.getContext('2d').getImageData(0, 0, strip.width, 9);
      let found = 0;
      for (let k = 0; k < data.length; k += 4)
        found += wanted.every((part, c) => Math.abs(part - data[k + c]) < 4);
      return found;
    }"""
    assert page.evaluate(marked) > 10
    page.keyboard.press("Shift+H")  # there is none before: the start
    expect(page.locator(".moment")).to_contain_text("event 1 of")
    expect(page.locator("#twin")).to_be_hidden()
    # What was visited, cut and spared adds up to plain minimax.
    page.keyboard.press("End")
    parts = [count(page, f"#{name}") for name in ("seen", "saved", "spared")]
    assert min(parts) > 0
    assert sum(parts) == count(page, "#plain")


def test_options_keep_the_moment_and_the_end_shows_the_best_line(open_page):
    page = open_page(f"/theatre/search?{FIRST_CUTS}")
    for _ in range(3):
        page.keyboard.press("c")
    here = "theatre.model.line(theatre.model.node[theatre.transport.t])"
    place = page.evaluate(here)
    ordering = page.locator("[data-option=ordering]")
    changed = "on => theatre.model.data.engine.options.ordering === on"
    ordering.check()
    page.wait_for_function(changed, arg=True)
    assert (place, page.evaluate(here)) == ("b1 b3", "b1 b3")  # in the new search it comes later
    assert page.locator("#problem").is_hidden()
    ordering.uncheck()
    page.wait_for_function(changed, arg=False)
    page.keyboard.press("c")
    assert page.evaluate(here) == "a2 b1 b3"
    ordering.check()  # the new search does not come there: the page shows the cut instead
    page.wait_for_function(changed, arg=True)
    expect(page.locator("#problem")).to_have_text(
        "With these options b1 after a2 is left out: this is the cut."
    )
    reached = page.evaluate(here)
    assert reached == "a2"
    assert page.evaluate("theatre.model.data.events.kind[theatre.transport.t]") == "C"
    ordering.uncheck()
    page.wait_for_function(changed, arg=False)
    page.locator("[data-option=memoization]").check()
    expect(page.locator("body:not(.waiting)")).to_be_visible()
    assert page.evaluate(here) == reached  # a table leaves the order as it is
    page.keyboard.press("End")
    names = page.evaluate(
        "theatre.model.data.answer.line.map((move) => theatre.model.data.names[move])"
    )
    told = page.locator(".card.pv .move").all_text_contents()
    assert told[0] == "start"
    assert told[1:] == names[: len(told) - 1]
    assert len(told) > 2
    links = "[...document.querySelectorAll('.link.pv')]"
    drawn = f"{links}.filter((link) => link.style.display !== 'none').length"
    assert page.evaluate(drawn) == len(told) - 1
    # The sentence stays when the stage has the whole width.
    page.keyboard.press("w")
    expect(page.locator("#code")).to_be_hidden()
    expect(page.locator("#sentence")).to_be_visible()


def test_a_counter_more_moves_nothing(open_page):
    page = open_page("/theatre/search?game=connect-four&position=4453&depth=3", width=1440)
    top = "document.querySelector('#stage').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.locator("[data-option=memoization]").check()
    expect(page.locator(".counts .hits")).to_be_visible()
    assert page.evaluate(top) == before
    for select in page.locator("select:visible").all():
        assert select.evaluate("e => e.scrollWidth <= e.offsetWidth")


def test_leaves_strips_and_a_picture_for_slides(open_page):
    page = open_page(f"/theatre/search?{TEXTBOOK}&t=18")
    cards = """[...document.querySelectorAll('.card')].map((card) =>
      [card.querySelector('.move').textContent, card.querySelector('.badge').textContent])"""
    assert dict(page.evaluate(cards))["B2"] == "cut"
    page.check("#leaves")
    badges = dict(page.evaluate(cards))
    leaves = {"A1": "3", "B1": "2", "B2": "4", "B3": "6", "C1": "14", "C2": "5", "C3": "2"}
    assert {name: badges[name] for name in leaves} == leaves
    with page.expect_download() as saved:
        page.click("#save")
    picture = Path(saved.value.path()).read_text("utf-8")
    assert picture.startswith("<svg")
    assert not [word for word in ("var(", "light-dark", "class=", "script") if word in picture]
    assert ">14<" in picture
    with page.expect_download() as saved:
        page.click("#save-png")
    pixels = Path(saved.value.path()).read_bytes()
    assert pixels.startswith(b"\x89PNG")
    wide = int.from_bytes(pixels[16:20], "big")
    assert wide == 2 * round(page.evaluate("theatre.stage.root.getBoundingClientRect().width"))
    # Each strip has its own switches: the same search without and with an order, side by side.
    readied(page, f"/theatre/search?{FIRST_CUTS}&compare=on&strips=p,po,p4")
    expect(page.locator(".rival.done")).to_have_count(3)
    shown = page.locator(".rival b")
    expect(shown).to_have_text(["88", "51", shown.nth(2).inner_text()])
    assert 0 < count(page, ".rival:nth-of-type(3) b") < 88
    page.locator(".rival").first.get_by_text("Null windows").click()
    expect(page.locator(".rival h3").first).to_have_text("Alpha-beta with null windows")
    expect(page).not_to_have_url("strips=p,")
    page.click("#add-strip")
    expect(page.locator(".rival.done")).to_have_count(4)
    page.get_by_role("button", name="Remove strip 1").click()
    expect(page.locator(".rival.done")).to_have_count(3)
    assert "strips=po%2Cp4%2Cp4" in page.url


def test_ties_links_and_rules_of_tree_search(open_page):
    address = "/theatre/mcts?game=tictactoe&position=a1&at=8&presenter"
    page = open_page(address, width=1024, height=768)
    expect(page.locator("#values .true")).to_have_count(0)
    page.locator(".guess-switch input").check()
    page.keyboard.press("ArrowRight")
    page.locator("#guess button", has_text=" b2: ").click()
    expect(page.locator("#guess .is-right")).to_contain_text("a tie with")
    taken = page.locator("#choice .taken .move").inner_text()
    assert taken != "b2"  # one of several greatest sums, and each of them is right
    # The reason is as long as reasons get, and nothing of it is cut off before a class.
    assert page.locator("#guess").evaluate("e => e.scrollHeight - e.clientHeight") <= 1
    page.keyboard.press("p")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".guess-switch input").uncheck()
    sentence, moment = page.locator("#sentence").inner_text(), page.locator(".moment").inner_text()
    page.click("#link")
    assert "at=8&step=1" in page.url
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#sentence")).to_have_text(sentence)
    expect(page.locator(".moment")).to_have_text(moment)
    # After 30 simulations the rules part; the star goes with the rule.
    readied(page, "/theatre/mcts?game=tictactoe&position=a1&seed=1&at=30")
    tally = """() => [...document.querySelectorAll('#values tr[data-node]')].map((row) => [
      row.querySelector('th').textContent.replace(' ★', ''), Number(row.cells[1].textContent),
      Number(row.cells[2].textContent.replace('−', '-'))])"""
    rows = page.evaluate(tally)
    most = max(visits for _, visits, _ in rows)
    by = {
        "visits": max(rows, key=lambda row: row[1])[0],
        "mean": max(rows, key=lambda row: row[2])[0],
        "mixture": max((row for row in rows if row[1] >= most / 4), key=lambda row: row[2])[0],
    }
    assert len(set(by.values())) > 1
    for rule, name in by.items():
        page.select_option("#rule", rule)
        star = page.locator("#values th", has_text="★")
        expect(star).to_have_text(f"{name} ★")
        word = {"visits": "Most visits", "mean": "best mean", "mixture": "mixture"}[rule]
        expect(page.locator("#rules-now")).to_contain_text(f"{word} plays {name}")
    # The large plot takes the place of the tree, and is a picture that says which curve is which.
    page.click("#large-plot")
    page.wait_for_function(
        "() => document.querySelector('#plot svg').clientWidth > 0.4 * innerWidth"
    )
    expect(page.locator("#plot .name:not([hidden])")).to_have_count(8)
    expect(page.locator("#large-plot")).to_be_focused()
    with page.expect_download() as saved:
        page.click("#save")
    picture = Path(saved.value.path()).read_text("utf-8")
    assert ">b2</text>" in picture
    assert 'height="100%" fill="rgb(' in picture
    # At the start there is as much room for it as later: nothing of it is cut off.
    page.set_viewport_size({"width": 1024, "height": 768})
    readied(page, "/theatre/mcts?game=tictactoe&position=a1&presenter")
    page.keyboard.press("v")
    page.wait_for_function(
        """() => {
          const [plot, panel] = ['#plot svg', '.curves'].map((part) =>
            document.querySelector(part).getBoundingClientRect());
          return plot.bottom < panel.bottom && plot.height > 0.3 * innerHeight;
        }"""
    )
    page.set_viewport_size({"width": 1440, "height": 900})
    # More simulations than were recorded: curves and table show the new ones.
    readied(page, "/theatre/mcts?game=tictactoe&position=a1&simulations=40&at=40")
    page.keyboard.press("n")
    expect(page.locator("#done")).to_have_text("41")
    expect(page.locator("#values tbody td").first).not_to_have_text("")
    shown = "Number(document.querySelector('#so-far rect').getAttribute('width'))"
    assert page.evaluate(shown) > 0
    readied(page, "/theatre/bandits?means=0.2,0.5,0.8&seed=1&policy=ucb1&pulls=50")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    sentence = page.locator("#sentence").inner_text()
    page.click("#link")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#sentence")).to_have_text(sentence)
    expect(page.locator(".moment")).to_have_text("moment 7 of 51")
