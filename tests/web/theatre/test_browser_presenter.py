"""Before a class: every stage fits the projector, and what a lesson needs is at hand."""

import pytest
from web_page import PATIENCE

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TEXTBOOK = "tree=(3 12 8) (2 4 6) (14 5 2)"
DEEP = "tree=(((8 2) (5 9)) ((4 7) (3 1))) (((6 9) (7 8)) ((2 1) (9 4)))"
FIRST_CUTS = "game=tictactoe&position=x1o/1x1/2o x"
#: Stage, sentence and transport of each page, what is drawn on the stage, and its share of the window.
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
    "/theatre/mcts?position=a1&at=120&step=1": (
        "#box",
        "#sentence",
        "#transport",
        ".knot, #choice, #choice tr",
        0.25,
    ),
    "/theatre/bandits?means=0.2,0.5,0.8&policy=ucb1&at=20": (
        "#arms",
        "#sentence",
        "#transport",
        ".arm, #regret",
        0.2,
    ),
    "/theatre/workbench?puzzle=textbook": ("#box", "#told", ".acts", ".node", 0.3),
    "/theatre/workbench?puzzle=red-and-blue": ("#box", "#told", ".acts", ".node", 0.3),
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
  const tools = document.querySelector('.top');
  for (const e of parts[2].querySelectorAll('button, label, .moment'))
    if (shown(e) && box(e).right > box(tools).left && box(e).bottom > box(tools).top)
      cut.push('below the tools: ' + e.textContent);
  if (document.documentElement.scrollHeight > innerHeight) cut.push('the page is higher');
  if (document.documentElement.scrollWidth > innerWidth) cut.push('the page is wider');
  return [cut, box(parts[0]).width * box(parts[0]).height / (innerWidth * innerHeight)];
}"""


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 720)])
def test_every_stage_fits_the_projector(open_page, width, height):
    page = open_page(f"/theatre/search?{TEXTBOOK}&presenter", width=width, height=height)
    server = page.url.partition("/theatre")[0]
    for address, (stage, sentence, transport, drawn, share) in STAGES.items():
        page.goto(f"{server}{address}&presenter")
        page.wait_for_selector("body[data-ready]", state="attached")
        if "compare" in address:
            expect(page.locator(".rival.done")).to_have_count(4)
        clipped = page.wait_for_function(
            f"(parts) => {{ const found = ({CLIPPED})(parts); return found[0].length ? null : found; }}",
            arg=[stage, sentence, transport, drawn],
            timeout=20_000,
        )
        assert clipped.json_value()[1] > share, address
