"""Alpha-beta on stage in a browser: every number against the search, and the ways to move."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from web_page import PATIENCE, Held, axe, hangs_out, small_print

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import WIN
from rl_toolkit.algorithms.traces import events, trace_search
from rl_toolkit.analysis import Limit
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import tell
from rl_toolkit.players.advisers import readable_player
from rl_toolkit.records import read_position

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
POSITION = "x1o/1x1/2o x"
#: What is on stage, as a reader sees it.
READ = """(moments) => moments.map(t => {
  theatre.transport.go(t);
  const text = (id) => document.querySelector(id).textContent;
  const shown = (e) => e.style.display !== 'none';
  return {
    said: text('#sentence'), seen: text('#seen'), saved: text('#saved'), cuts: text('#cuts'),
    hits: text('#hits'),
    stack: [...document.querySelectorAll('#calls tr')]
      .map(row => [...row.cells].map(c => c.textContent)),
    cards: Object.fromEntries([...document.querySelectorAll('.card')].filter(shown).map(c => [
      c.dataset.key,
      [c.querySelector('.move').textContent, c.querySelector('.badge').textContent,
       ['ahead', 'open', 'done', 'cut'].find(s => c.classList.contains(s)),
       c.classList.contains('origin'), c.classList.contains('running')]])),
    windows: [...document.querySelectorAll('.row.head:not(.idle, .empty) .window')]
      .filter(shown).map(w => w.textContent),
    why: shown(document.querySelector('.why:not(.hit)') ?? document.createElement('i'))
      && Boolean(document.querySelector('.why:not(.hit)')),
    line: text('[aria-current=step]'),
  };
})"""


class Expected:
    """What must be on stage at each event of a trace, worked out from the steps in Python."""

    def __init__(self, trace):
        self.data = trace.data
        self.steps = list(events.steps_of(trace.data))
        self.lines = {}
        event = 0
        for line in tell(trace):
            event = max(event, line.event)
            self.lines.setdefault(event, []).append(line.text)
        texts = zip(map(float, self.data["values"]), self.data["texts"], strict=True)
        self.text = dict(texts)
        self.parents, path = {}, []
        self.before = {}  # the child of the same parent that was entered before
        latest = {}
        for step in self.steps:
            del path[step.ply :]
            if step.kind in events.ENTRIES:
                parent = path[-1] if path else None
                self.parents[step.node] = parent
                self.before[step.node] = latest.get(parent, 0)
                latest[parent] = step.node
            path.append(step.node)

    def known(self, node, value):
        low, high = self.data["nodes"]["lo"][node], self.data["nodes"]["hi"][node]
        if low == high:
            return self.text[value]
        is_upper = float(self.data["values"][high]) == value
        if not self.data.get("free_results") and (value if is_upper else -value) >= self.most(node):
            return "?"  # no result is higher, or none is lower: a bound that says nothing
        return f"{'≤' if is_upper else '≥'} {self.text[value]}"

    def most(self, node):
        """The score of the earliest win after a node that is not the end of the game."""
        plies = 1
        while self.data["engine"]["options"]["distance"] and node:
            node, plies = self.parents[node], plies + 1
        return WIN - plies if self.data["engine"]["options"]["distance"] else WIN

    def best_line(self):
        """The nodes of the line of best play, as far as it was searched."""
        nodes = [0]
        for move in self.data["answer"]["line"]:
            moves = self.data["nodes"]["move"]
            below = [n for n, up in self.parents.items() if up == nodes[-1] and moves[n] == move]
            if not below:
                break
            nodes.append(below[-1])
        return nodes

    def at(self, t):
        past, kinds = self.steps[: t + 1], self.data["events"]["kind"]
        last, closed, opened, came, best, owner = {}, {}, set(), {}, {}, {}
        saved = cuts = 0
        for step in past:
            node = step.node
            last[node] = step
            opened.add(node)
            if step.kind in events.LEAVES or step.kind == events.RETURN:
                closed[node] = best[node] = step.value
                came[self.parents[node]] = node
            elif step.kind in (events.BETTER, events.SOFT):
                best[node] = step.value
            if step.kind == events.BETTER:
                owner[node] = came[node]
            if step.kind == events.CUT:
                cuts += 1
                saved += sum(self.data["cuts"][str(step.number)]["saved"])
        running, path = self.steps[t].node, []
        node = running
        while node is not None:
            path.insert(0, node)
            node = self.parents[node]
        cut = self.data["cuts"].get(str(t))
        cards = {}
        on_stage = self.best_line() if t == len(self.steps) - 1 else path
        for above in (None, *on_stage):
            for node, parent in self.parents.items():
                if parent != above:
                    continue
                move = self.data["nodes"]["move"][node]
                name = self.data["names"][str(move)] if node else "start"
                if node in closed:
                    badge, state = self.known(node, closed[node]), "done"
                elif node in opened:
                    badge = f"{self.text[best[node]]} …" if node in best else "…"
                    state = "open"
                else:
                    badge, state = "", "ahead"
                if node and self.data["nodes"]["move"][self.before.get(node, 0)] == move:
                    name += " ↻"  # searched again, with a wider window
                is_origin = bool(cut and cut["from"] >= 0 and owner[cut["from"]] == node)
                cards[str(node)] = [name, badge, state, is_origin, node == running]
            for number, left in self.data["cuts"].items():
                if above is None or self.steps[int(number)].node != above:
                    continue
                for move, positions in zip(left["left"], left["saved"], strict=True):
                    happened = int(number) <= t
                    badge = f"cut {positions}" if positions > 1 else "cut"
                    state = ["cut", "ahead"][not happened]
                    name = self.data["names"][str(move)]
                    cards[f"{above}-{move}"] = [name, badge * happened, state, False, False]
        window = [(self.text[last[n].alpha], self.text[last[n].beta]) for n in path]
        mark = ["▼", "▲"]
        side = self.data["nodes"]["side"]
        return {
            "said": " ".join(self.lines[t]),
            "seen": str(sum(step.kind in events.ENTRIES for step in past)),
            "saved": str(saved),
            "cuts": str(cuts),
            "hits": str(kinds[: t + 1].count(events.HIT)),
            "stack": [
                [
                    f"{mark[side[n] == 'X']} {cards[str(n)][0].removesuffix(' ↻')}",
                    *window[d],
                    self.text[best[n]] if n in best else "–",
                ]
                for d, n in enumerate(path)
            ],
            "cards": cards,
            "windows": [
                f"α {self.text[last[n].alpha]}β {self.text[last[n].beta]}"
                for n in on_stage
                if self.data["board"] or n in self.parents.values()  # leaves of a tree have none
            ],
            "why": bool(cut and cut["from"] >= 0),
        }


def compare(page, trace, moments):
    expected = Expected(trace)
    for t, shown in zip(moments, page.evaluate(READ, moments), strict=True):
        wanted = expected.at(t)
        if page.locator("#whole[aria-pressed=true]").count():  # cards off the path stand there too
            shown["cards"] = {key: shown["cards"][key] for key in wanted["cards"]}
        assert {name: shown[name] for name in wanted} == wanted, f"at event {t}"


def badges(trace, t):
    return [badge for _, badge, *_ in Expected(trace).at(t)["cards"].values()]


def spread(trace, some):
    """The first and last moments, all that is told on the way to the first cut, and some more."""
    count = len(trace.data["events"]["kind"])
    cuts = [int(number) for number in trace.data["cuts"]]
    return sorted({0, count - 1, *cuts[:6], *range(0, count, max(1, count // some))})


def test_every_number_on_stage_is_the_search_s(open_page):
    page = open_page(f"/theatre/search?game=tictactoe&position={POSITION}")
    env = read_position("tictactoe", POSITION)
    trace = trace_search(env, MinimaxSolver(use_memoization=False))
    assert page.locator("#plain").inner_text() == str(trace.answer["plain"])
    compare(page, trace, spread(trace, 20))
    says_nothing = next(t for t in range(200) if "?" in badges(trace, t))  # "≥ −1"
    compare(page, trace, [says_nothing])
    for box in ("memoization", "symmetry", "pvs"):  # one after the other: each asks the server
        page.locator(f"[data-option={box}]").check()
        expect(page.locator("body:not(.waiting)")).to_be_visible()
    spec = "minimax:memoization=on,symmetry=on,pvs=on"
    trace = trace_search(env, readable_player("tictactoe", spec).engine)
    expect(page.locator(".moment")).to_contain_text(f"of {len(trace.data['events']['kind'])}")
    assert page.evaluate("theatre.model.data.engine.options") == trace.data["engine"]["options"]
    compare(page, trace, spread(trace, 15))


def test_estimates_columns_and_typed_trees(open_page):
    page = open_page("/theatre/search?game=connect-four&position=4453&depth=2")
    env, solver = read_position("connect-four", "4453"), MinimaxSolver(use_memoization=False)
    trace = trace_search(env, solver, Limit(depth=2))
    compare(page, trace, spread(trace, 12))
    # Red is to move; its piece in column a falls to the lowest row, which is drawn at the bottom.
    cells = page.evaluate("theatre.model.board({node: 1})")
    after = env.copy()
    after.step(trace.data["nodes"]["move"][1])
    assert cells == {"cells": after.board.tolist(), "last": [after.last_cell]}
    tree = "(3 12 8) (2 4 6) (14 5 2)"
    page.select_option("#game", "tree")
    page.fill("#position", tree)
    page.click("main >> text=Watch")
    expect(page.locator(".moment")).to_contain_text("of 33")
    compare(page, trace_search(HandTreeGame(tree), solver), range(33))


def test_back_is_forward_and_keys_do_what_buttons_do(open_page):
    page = open_page(f"/theatre/search?game=tictactoe&position={POSITION}&t=3")
    expect(page.locator(".moment")).to_have_text("event 3 of 284")
    same = page.evaluate(
        """() => {
          const stage = document.querySelector('#stage svg');
          const calls = document.querySelector('.side');
          const shown = (e) => e.style.display !== 'none';
          const look = () => [...stage.querySelectorAll('.card, .link, .row, .row > *, .why')]
            .filter(e => shown(e) && shown(e.parentNode))
            .map(e => [e.dataset.key ?? '', e.getAttribute('transform'), e.getAttribute('class'),
                       e.getAttribute('d'), e.matches('g.row') || e.textContent].join('|'))
            .sort().join('\\n')
            + calls.innerHTML;
          const forward = {}, T = theatre.model.T;
          for (let t = 0; t < T; t += 1) {
            theatre.transport.go(t);
            if (t % 7 === 3) forward[t] = look();
          }
          const moments = Object.keys(forward).map(Number).reverse();
          let equal = 0;
          for (const t of moments) {
            theatre.transport.go(t);
            equal += look() === forward[t];
          }
          return [equal, moments.length, new Set(Object.values(forward)).size];
        }"""
    )
    assert same[0] == same[1] == 41
    assert same[2] > 0.9 * same[1]
    moment = page.locator(".moment")
    model = "theatre.model"
    cut = page.evaluate(f"{model}.cutEvents[1]") + 1
    for key, event in [
        ("Home", 1),
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("ArrowDown", page.evaluate(f"{model}.closes[1]") + 1),
        ("ArrowUp", page.evaluate(f"{model}.closes[1]") + 2),
        ("End", 284),
        ("Home", 1),
        ("c", page.evaluate(f"{model}.cutEvents[0]") + 1),
        ("c", cut),
        ("Shift+C", page.evaluate(f"{model}.cutEvents[0]") + 1),
    ]:
        page.keyboard.press(key)
        expect(moment).to_have_text(f"event {event} of 284")
    page.click("[data-do=nextCut]")
    expect(moment).to_have_text(f"event {cut} of 284")
    # The sentence is read out, and the strip says where it is.
    sentence = page.locator("#sentence").inner_text()
    assert page.locator("[data-role=live]").inner_text() == sentence
    assert page.locator("#strip").get_attribute("aria-valuetext") == sentence
    assert page.locator("#strip").get_attribute("aria-valuenow") == str(cut)
    # The board follows the card that is looked at, by pointer or keyboard.
    title = page.locator("#board-title")
    page.keyboard.press("Shift+ArrowUp")
    looked = page.locator(".card.looked .move").text_content()
    expect(title).to_contain_text(looked)
    start = page.locator(".card.on-path").first
    where = "card => getComputedStyle(card).transform"
    place = start.evaluate(where)
    start.hover()
    expect(title).to_have_text("Board at the start")
    assert start.evaluate(where) == place  # it does not flee from the pointer
    # A step, Enter and Escape let go of it: the board is that of the search again.
    page.mouse.move(0, 0)
    looked = page.locator(".card.looked")
    for keys in (["ArrowRight"], ["Enter"], ["Enter", "Home", "ArrowRight"], ["Escape"]):
        page.locator("#stage").focus()
        page.keyboard.press("Home")
        for key in ["c", "c", "c", "Shift+ArrowLeft", "Shift+ArrowUp"]:
            page.keyboard.press(key)
        expect(looked).to_have_count(1)
        for key in keys:
            page.keyboard.press(key)
        expect(looked).to_have_count(0)
        here = page.evaluate(f"{model}.line({model}.node[theatre.transport.t])")
        where = "at the start" if here == "start" else f"after {here}"
        expect(title).to_have_text(f"Board {where}")
    page.locator("#stage").focus()  # on a button, Space would press that one
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator("[data-do=play]")).to_have_text("Pause")
    expect(moment).not_to_have_text("event 1 of 284")
    page.keyboard.press("Space")
    expect(page.locator("[data-do=play]")).to_have_text("Play")


def test_guess_first_keeps_score_and_the_picture_does_not_tell(open_page):
    page = open_page(f"/theatre/search?game=tictactoe&position={POSITION}")
    trace = trace_search(read_position("tictactoe", POSITION), MinimaxSolver(use_memoization=False))
    kinds = trace.data["events"]["kind"]
    page.locator(".guess-switch input").check()
    first = next(t for t, kind in enumerate(kinds) if kind in events.OFFERS)
    page.evaluate(f"theatre.transport.go({first - 1})")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#guess")).to_contain_text("What now?")
    expect(page.locator(".moment")).to_have_text(f"event {first} of 284")  # still the one before
    assert page.evaluate("theatre.strip.blind")
    assert kinds[first] + kinds[first + 1] == "BR"  # α rises, and no move is left
    page.keyboard.press("3")
    expect(page.locator("#guess")).to_contain_text("Right")
    expect(page.locator("#guess")).to_contain_text("1 of 1")
    cut = kinds.index("C")
    page.evaluate(f"theatre.transport.go({cut - 2})")
    page.keyboard.press("ArrowRight")
    page.locator("#guess button").nth(3).click()  # "stays" is wrong
    expect(page.locator("#guess")).to_contain_text("Not so")
    expect(page.locator("#guess")).to_contain_text("1 of 2")
    expect(page.locator("#sentence")).to_contain_text("Cut:")  # shown at once
    page.keyboard.press("Home")  # a jump asks nothing, and the answer is not about that moment
    expect(page.locator("#guess")).to_be_hidden()


def test_side_by_side_and_a_refusal(open_page):
    page = open_page(f"/theatre/search?game=tictactoe&position={POSITION}&compare=on")
    expect(page.locator(".rival.done")).to_have_count(4)
    env = read_position("tictactoe", POSITION)
    shown = page.locator(".rival b").all_inner_texts()
    nodes = [
        trace_search(env, MinimaxSolver(use_pruning=pruning, use_memoization=memory)).answer[
            "nodes"
        ]
        for pruning, memory in [(False, False), (False, True), (True, False), (True, True)]
    ]
    assert shown == [str(count) for count in nodes]
    assert nodes[0] == 186
    page.evaluate("theatre.transport.go(49)")
    assert page.locator(".rival b").all_inner_texts() == ["50"] * 4
    page.locator("#compare").uncheck()
    expect(page.locator("#stage .card.running")).to_be_visible()


def test_a_refusal_is_a_sentence_and_the_old_search_stays(open_page):
    page = open_page(f"/theatre/search?position={POSITION}", refusals=True)
    page.fill("#position", "zz9")
    page.click("main >> text=Watch")
    expect(page.locator("#problem")).to_contain_text("cannot be read")
    expect(page.locator("#problem")).to_contain_text("The search shown is the one before.")
    expect(page.locator(".moment")).to_have_text("event 1 of 284")
    page.evaluate("theatre.transport.go(4)")
    page.click("#link")  # of what is shown, not of what was refused
    expect(page).to_have_url(re.compile("[?&]t="))
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["position"], asked["t"]) == ([POSITION], ["5"])

    def folded(route):
        answer = route.fetch().json()
        answer["trace"]["notes"] = ["Only the first 3 plies are told"]
        route.fulfill(json=answer)

    page.route("**/api/trace", folded)
    page.fill("#position", POSITION)
    page.click("main >> text=Watch")
    expect(page.locator("#problem.note")).to_have_text("Only the first 3 plies are told.")


def test_a_long_search_can_be_stopped_and_the_old_one_stays(open_page):
    page = open_page(f"/theatre/search?position={POSITION}", refusals=True)
    held = Held(page, "/api/trace")  # never answered
    page.fill("#position", "b2")
    page.click("main >> text=Watch")
    held.wait()
    expect(page.locator("#searching")).to_contain_text("Searching …")
    page.click("#stop")
    expect(page.locator("#searching")).to_be_hidden()
    expect(page.locator("body:not(.waiting)")).to_be_visible()
    expect(page.locator("#problem")).to_have_text("Stopped. The search shown is the one before.")
    expect(page.locator(".moment")).to_have_text("event 1 of 284")
    assert len(held.asked) == 1
    page.unroute("**/api/trace")
    page.locator("#compare").check()  # the next one is asked for as ever
    expect(page.locator(".rival b").first).to_have_text(re.compile("[1-9]"))


def test_what_the_address_says_amiss_is_named_once(open_page):
    page = open_page(f"/theatre/search?position={POSITION}&depth=abc&pruning=yes&t=-1")
    problem = page.locator("#problem.note")
    wrong = "depth=abc, t=-1"
    expect(problem).to_have_text(f"Not understood in the address: pruning=yes, {wrong}.")
    expect(page.locator(".moment")).to_have_text("event 1 of 284")  # the usual search
    page.locator("[data-option=ordering]").check()
    expect(page.locator("#problem")).to_be_hidden()


def test_a_first_search_that_is_refused_leaves_its_sentence_on_the_stage(open_page):
    page = open_page("/theatre/search?tree=5", refusals=True)
    expect(page.locator("#problem")).to_contain_text("one number alone")
    for empty in ("#strip", ".side", ".counts", "#link"):
        expect(page.locator(empty)).to_be_hidden()
    page.select_option("#example", label="First cuts")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#stage .card.running")).to_be_visible()
    expect(page.locator("#strip")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_how_the_stage_stands(open_page, width, scheme):
    page = open_page("/theatre/search", width=width, height=844, color_scheme=scheme)
    page.keyboard.press("c")
    assert axe(page) == []
    assert hangs_out(page) <= 0
    assert small_print(page) == []
    page.keyboard.press("p")
    expect(page.locator("#presenter")).to_have_attribute("aria-pressed", "true")
    assert hangs_out(page) <= 0
    page.keyboard.press("o")  # a student names a tree
    page.select_option("#game", "tree")
    page.fill("#position", "(3 5) (2 9)")
    page.keyboard.press("Enter")
    expect(page.locator(".moment")).to_have_text("event 1 of 18")
    page.keyboard.press("Escape")
    expect(page.locator("#position")).to_be_hidden()


def test_what_stands_in_one_line_on_a_phone_does_not_touch(open_page):
    page = open_page("/theatre/search", width=390, height=844)
    page.keyboard.press("c")
    apart = page.evaluate(
        """() => [...document.querySelectorAll('.row.head:not(.idle, .empty)')].map(row => {
          const [who, window, line] = ['.who', '.window', '.axis']
            .map(part => row.querySelector(part).getBoundingClientRect());
          return Math.min(window.left - who.right, line.left - window.right);
        })"""
    )
    assert len(apart) > 2
    assert min(apart) > 0
    tops = "[...document.querySelectorAll('.top nav a')].map(a => a.getBoundingClientRect())"
    assert page.evaluate(f"new Set({tops}.map(r => r.top)).size") == 1  # one line
    here = page.locator(".top nav [aria-current]").bounding_box()
    assert here["x"] >= 0
    assert here["x"] + here["width"] <= 390
    # Nor do the names of a whole tree.
    page.goto(page.url.split("?")[0] + "?tree=((8 2) (5 9)) ((4 7) (3 1))&t=40")
    expect(page.locator(".card.done")).not_to_have_count(0)
    touching = page.evaluate(
        """() => {
          const box = (e) => e.getBoundingClientRect();
          const names = [...document.querySelectorAll('.card .move')].map(box);
          const meet = (a, b) => a.left < b.right && b.left < a.right
            && a.top < b.bottom && b.top < a.bottom;
          return [names.some((a, k) => names.some((b, j) => j > k && meet(a, b))), names.length];
        }"""
    )
    assert touching == [False, 13]  # 15 positions, and two below a cut


def test_pages_of_the_theatre_are_light(open_page):
    page = open_page("/theatre/search", alone=True)
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
                 .filter(e => !e.name.includes('/api/'))
                 .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""
    )
    assert 20_000 < weight < 250_000


def test_the_page_of_a_game_links_to_the_search_of_its_position(open_page):
    page = open_page("/tictactoe?x=human&o=human&moves=b2a1&mode=analyse")
    page.click("#tab-tree")
    page.locator("#watch a").first.click()
    expect(page.locator(".moment")).to_contain_text("event 1 of")
    assert page.locator("#position").input_value() == "o2/1x1/3 x"
    loaded = "performance.getEntriesByType('resource').map(e => e.name)"
    page.go_back()
    expect(page.locator("body[data-ready]")).to_be_visible()
    assert not [name for name in page.evaluate(loaded) if "theatre" in name]
