"""MCTS on stage in a browser: every number against the search in Python, and the ways to move."""

import math
import re
from itertools import accumulate

import pytest
from web_page import FOREVER, PATIENCE, axe, hangs_out, small_print

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.traces import trace_search
from rl_toolkit.algorithms.traces.mcts import Simulation
from rl_toolkit.analysis import Limit
from rl_toolkit.explain.traces.trees import tell_ends, tell_steps
from rl_toolkit.players.advisers import readable_player
from rl_toolkit.records import read_position

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
POSITION, OPENING = "b2a2", "a1"
MOST_BYTES = 250_000

#: What is on stage, as a reader sees it.
READ = """async (moments) => {
  const seen = [];
  const text = (id) => document.querySelector(id).textContent;
  const open = (id) => !document.querySelector(id).closest('[hidden]');
  for (const t of moments) {
    theatre.transport.go(t);
    while (t && !theatre.recording.loaded(theatre.recording.at(t).s))  // its window is on its way
      await new Promise(resolve => setTimeout(resolve, 20));
    seen.push({
      said: text('#sentence'), done: text('#done'), size: text('#size'),
      lit: document.querySelector('#phases [aria-current=step]')?.dataset.phase ?? null,
      board: theatre.recording.boardAt(t).cells,
      knots: [...document.querySelectorAll('.knot')].map(k => [+k.dataset.node,
        k.querySelector('.name').textContent, k.querySelector('.in, .out').textContent,
        k.querySelector('.sub').textContent, k.classList.contains('proven'),
        +(k.querySelector('.more').textContent || 0),
        +k.querySelector('circle').getAttribute('r')]),
      rows: open('.uct') ? [...document.querySelectorAll('#choice tbody tr:not([hidden])')]
        .map(r => [+r.dataset.node, r.classList.contains('taken'),
          ...['visits', 'mean', 'bonus', 'sum']
            .map(c => r.querySelector('td.' + c).textContent)]) : [],
      formula: open('.formula') ? text('.formula') : '',
      priors: open('#priors') ? [...document.querySelectorAll('#priors tbody tr')].map(r =>
        [+r.dataset.node, r.cells[1].textContent]) : [],
      values: [...document.querySelectorAll('#values tr[data-node]')].map(r =>
        [+r.dataset.node, r.cells[1].textContent, r.cells[2].textContent]),
    });
  }
  return seen;
}"""


def shown(value, digits=2):
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if round(value, digits) else text.replace("-", "")


class Expected:
    """What must be on stage at each moment, worked out in Python from the search."""

    def __init__(self, env, trace):
        self.env, self.trace, self.nodes = env, trace, trace.data["nodes"]
        self.sims = [Simulation(*fields) for fields in trace.data["simulations"]]
        self.told = tell_steps(trace, 0, len(self.sims))
        self.view = 1 if trace.data["side"] == "X" else -1  # values are shown for the side to move
        self.moments = [(0, None, 0, 0)]  # simulation, phase, place, step
        for s, one in enumerate(self.sims):
            phases = [
                *((0, k) for k in range(len(one.terms))),
                *((1, 0) for _ in range(one.new >= 0)),
                *((2, k) for k in range(max(1, len(one.moves)))),
                *((3, k) for k in reversed(range(len(one.path)))),
            ]
            self.moments += [(s, *phase, step) for step, phase in enumerate(phases)]

    def tally(self, t):
        """Visits, sums and proofs at a moment."""
        s, phase, place, _ = self.moments[t]
        count = len(self.nodes["parent"])
        visits, totals, proven = [0] * count, [0.0] * count, {}
        for number, one in enumerate(self.sims[: s + 1]):
            result, fresh = one.result, {int(node): value for node, value in one.proven}
            leaf = one.path[-1]
            for k in reversed(range(len(one.path))):
                node = one.path[k]
                here = number < s or (phase == 3 and place <= k)
                known = here or (phase in (2, 3) and node == leaf)
                for each in (node, *(n for n in fresh if self.nodes["parent"][n] == node)):
                    if known and each in fresh and (each == node or each not in one.path):
                        proven[each] = fresh[each]
                if here:
                    result = proven.get(node, result)
                    visits[node] += 1
                    totals[node] += result
        return visits, totals, proven

    def reached(self, t):
        s, phase, place, _ = self.moments[t]
        if phase is None:
            return [0]
        return self.sims[s].path[: place + 2] if phase == 0 else self.sims[s].path

    def board(self, t):
        s, phase, place, _ = self.moments[t]
        env = self.env.copy()
        moves = [self.nodes["move"][node] for node in self.reached(t)[1:]]
        if phase == 2:
            moves += self.sims[s].moves[: place + 1]
        if phase == 3:
            moves += self.sims[s].moves
        for move in moves:
            env.step(move)
        return env.board.tolist()

    def sentence(self, t):
        s, phase, _, step = self.moments[t]
        start, end = tell_ends(self.trace)
        if phase is None:
            return start
        return self.told[s][step] + (f" {end}" if t == len(self.moments) - 1 else "")

    def check(self, t, seen):
        s, phase, place, _ = self.moments[t]
        visits, totals, proven = self.tally(t)
        before = {node for one in self.sims[:s] for node in one.path}
        live = {0, *self.reached(t)} | (set() if phase is None else before)
        assert seen["said"] == self.sentence(t)
        assert seen["done"] == str(visits[0])
        assert seen["size"] == str(len(live))
        assert seen["lit"] == (None if phase is None else str(phase))
        assert seen["board"] == self.board(t)
        drawn = {node for node, *_ in seen["knots"]}
        assert set(self.reached(t)) <= drawn <= live
        for node, name, count, mean, solid, more, radius in seen["knots"]:
            parent, move = self.nodes["parent"][node], self.nodes["move"][node]
            assert name == (self.trace.name(move) if node else "start")
            assert count == (str(visits[node]) if visits[node] else "")
            known = proven.get(node)
            average = shown(self.view * totals[node] / visits[node]) if visits[node] else ""
            assert mean == (average if known is None else f"= {shown(self.view * known, 0)}")
            assert solid == (known is not None)
            children = {n for n in live if self.nodes["parent"][n] == node}
            assert more == len(children - drawn)
            assert node == 0 or parent in drawn
            biggest = next(knot[-1] for knot in seen["knots"] if knot[0] == 0)
            if radius > 5.1 and visits[0]:  # area is in proportion to visits, but for the smallest
                assert radius**2 / biggest**2 == pytest.approx(visits[node] / visits[0], rel=0.05)
        for node, count, mean in seen["values"]:
            assert count == (str(visits[node]) if visits[node] else "–")
            known = proven.get(node)
            average = shown(self.view * totals[node] / visits[node]) if visits[node] else "–"
            assert mean == (average if known is None else f"= {shown(self.view * known, 0)}")
        self.check_choice(s, phase, place, seen)

    def check_choice(self, s, phase, place, seen):
        if seen["priors"]:
            leaf, nodes = self.sims[s].path[-1], self.nodes
            assert {nodes["parent"][node] for node, _ in seen["priors"]} == {leaf}
            for node, percent in seen["priors"]:
                assert abs(int(percent.removesuffix(" %")) - 100 * nodes["prior"][node]) <= 0.5
            return
        one = self.sims[s]
        at = -1 if phase is None else place if phase == 0 else len(one.terms) - 1
        if at < 0:
            assert seen["rows"] == []
            return
        terms = {int(child): rest for child, *rest in one.terms[at]}
        sign = 1 if self.nodes["side"][one.path[at]] == "X" else -1
        assert {node for node, *_ in seen["rows"]} <= set(terms)
        assert len(seen["rows"]) == min(9, len(terms))
        written = seen["formula"].partition(": ")[2].replace("−", "-").replace(",", "")
        product, _, told = written.partition(" = ")
        for sign_, word in (("·", "*"), ("√(ln", "math.sqrt(math.log"), ("√", "math.sqrt ")):
            product = product.replace(sign_, word)
        product = re.sub(r"math\.log (\d+)", r"math.log(\1)", product)
        product = re.sub(r"math\.sqrt (\d+)", r"math.sqrt(\1)", product)
        value = eval(product, {"math": math})
        assert value == pytest.approx(terms[one.path[at + 1]][2], abs=2e-3)
        assert float(told) == pytest.approx(value, abs=0.007)
        for node, taken, visits, mean, bonus, total in seen["rows"]:
            assert taken == (node == one.path[at + 1])
            assert visits == f"×{terms[node][0]}"
            digits = len(mean.partition(".")[2])
            assert 2 <= digits <= 4
            assert mean == shown(sign * terms[node][1], digits)
            assert bonus == shown(terms[node][2], digits)
            parts = [float(text.replace("−", "-")) for text in (mean, bonus)]
            assert total == shown(sum(parts), digits) + (" ◀" if taken else "")


def with_all_the_time(route):
    """Let the engine prove its values, however busy the machine is."""
    route.continue_(post_data={**route.request.post_data_json, "time": FOREVER})


def searched(game, position, spec, simulations):
    env = read_position(game, position)
    engine = readable_player(env, spec).engine
    return Expected(env, trace_search(env, engine, Limit(simulations=simulations)))


def compare(page, expected, moments):
    moments = list(moments)
    for t, seen in zip(moments, page.evaluate(READ, moments), strict=True):
        try:
            expected.check(t, seen)
        except AssertionError as error:
            raise AssertionError(f"at moment {t}: {expected.moments[t]}") from error


def test_every_number_on_stage_is_the_search_s(open_page):
    page = open_page(f"/theatre/mcts?game=tictactoe&position={POSITION}&simulations=60&at=2")
    expected = searched("tictactoe", POSITION, "mcts:proofs=off", 60)
    here = expected.moments.index((2, 0 if expected.sims[2].terms else 1, 0, 0))
    expect(page.locator(".moment")).to_have_text(f"step {here} of {len(expected.moments)}")
    last = len(expected.moments) - 1
    compare(page, expected, [*range(16), *range(16, last, 41), last - 1, last])
    # The tree after so many simulations is that of a search of so many, without a trace.
    for count in (1, 25, 60):
        solver = MCTSSolver(count, tactics=False, seed=0, proofs=False)
        analysis = solver.analyse(expected.env)
        moment = page.evaluate(f"theatre.recording.after({count})")
        values = page.evaluate(READ, [moment])[0]["values"]
        names = expected.nodes["move"]
        assert {names[node]: visits for node, visits, _ in values if visits != "–"} == {
            c.move: str(c.visits) for c in analysis.candidates if c.visits
        }


def test_discs_fall_and_turn_and_the_network_is_asked(open_page):
    page = open_page("/theatre/mcts?game=connect-four-4x4x3&simulations=20&playout=short")
    expected = searched("connect-four-4x4x3", "", "mcts:playout_depth=4,proofs=off", 20)
    compare(page, expected, range(0, len(expected.moments), 11))
    address = page.url.split("?")[0]
    page.goto(f"{address}?game=reversi-4&simulations=8")
    page.wait_for_selector("body[data-ready]")
    expected = searched("reversi-4", "", "mcts:proofs=off", 8)
    compare(page, expected, range(0, len(expected.moments), 17))
    page.goto(f"{address}?game=tictactoe&position={POSITION}&engine=alphazero&simulations=24")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#third")).to_have_text("Evaluate")
    options = "tactics=off,root_prior_power=1,batch=1"
    expected = searched("tictactoe", POSITION, f"alphazero:{options}", 24)
    compare(page, expected, [*range(12), *range(12, len(expected.moments), 7)])
    lit = [t for t, moment in enumerate(expected.moments) if moment[1] == 2][:3]
    assert all(seen["priors"] for seen in page.evaluate(READ, lit))
    chosen = [seen["formula"] for seen in page.evaluate(READ, list(range(12))) if seen["formula"]]
    assert chosen
    for formula in chosen:
        assert (
            "N counts this visit, a move without visits has the mean of the position; for"
            in formula
        )


def test_back_is_forward(open_page):
    page = open_page(f"/theatre/mcts?game=tictactoe&position={POSITION}&simulations=12")
    page.route("**/api/analyse", lambda route: route.fulfill(json={"candidates": [], "player": 1}))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#truth")).to_have_text("")  # nothing is still to come
    same = page.evaluate(
        """() => {
          const look = () => [...document.querySelectorAll('.knot, .link')].map(e => [
            e.dataset.node ?? '', e.style.transform, e.getAttribute('class'), e.getAttribute('d'),
            e.textContent].join('|')).sort().join('\\n')
            + document.querySelector('.side').innerText
            + document.querySelector('.badge').textContent;
          const forward = {}, T = theatre.recording.length;
          for (let t = 0; t < T; t++) {
            theatre.transport.go(t);
            if (t % 5 === 3) forward[t] = look();
          }
          const moments = Object.keys(forward).map(Number).reverse();
          const differ = [];
          for (const t of moments) {
            theatre.transport.go(t);
            if (look() !== forward[t]) differ.push([t, look(), forward[t]]);
          }
          return [differ, moments.length, new Set(Object.values(forward)).size];
        }"""
    )
    assert same[0] == []
    assert same[2] > 0.9 * same[1] > 12


def test_ways_to_move_truth_and_more_simulations(open_page):
    page = open_page("/theatre/mcts?game=tictactoe&position=a1&simulations=20", alone=True)
    page.route("**/api/analyse", with_all_the_time)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    done, moment = page.locator("#done"), page.locator(".moment")
    total = len(searched("tictactoe", OPENING, "mcts:proofs=off", 20).moments)
    for key, at in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", total)]:
        page.keyboard.press(key)
        expect(moment).to_have_text(f"step {at} of {total}")
    page.keyboard.press("Home")
    for key, count in [("n", "1"), ("n", "2"), ("t", "12")]:
        page.keyboard.press(key)
        expect(done).to_have_text(count)
    page.click("[data-do=plus100]")  # more than were recorded
    expect(done).to_have_text("112")
    page.keyboard.press("Home")
    expect(page.locator("#sentence")).to_contain_text("O to move")
    page.locator(".scrub").fill("300")  # a window that is not there yet
    expect(page.locator("#sentence")).not_to_contain_text("on their way")
    expected = searched(
        "tictactoe", OPENING, "mcts:proofs=off", page.evaluate("theatre.recording.sims.length")
    )
    compare(page, expected, [300, 303])
    sentence = page.locator("#sentence").inner_text()
    assert page.locator("[data-role=live]").inner_text() == sentence
    assert page.locator(".scrub").get_attribute("aria-valuetext") == sentence
    # The truth is hidden until somebody asks, and while there are questions. It is that of the
    # exact engine: O loses after every move but b2.
    truth = page.locator("#values .true")
    assert truth.count() == page.locator("#plot .truth").count() == 0
    page.click("#show-truth")
    expect(truth.first).to_have_text("−1")
    page.locator(".guess-switch input").check()
    expect(truth).to_have_count(0)
    expect(page.locator("#show-truth")).to_be_hidden()
    page.locator(".guess-switch input").uncheck()
    expect(truth.first).to_have_text("−1")
    assert sorted(truth.all_inner_texts()) == ["0"] + ["−1"] * 7
    assert page.locator("#plot .truth").count() == 2  # a line for each value
    assert page.locator("#plot .truth:not([class*=' c'])").count() == 1
    # Another constant: another search, after as many simulations.
    before = done.inner_text()
    page.locator("#c").fill("0.2")
    expect(page).to_have_url(re.compile(r"[?&]c=0\.2&"))
    expect(done).to_have_text(before)
    assert page.evaluate("theatre.recording.tree.engine.options.c") == 0.2
    # The board follows the node under the keyboard.
    page.locator(".knot[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    name = page.evaluate("document.activeElement.getAttribute('aria-label').split(':')[0]")
    expect(page.locator("#caption")).to_have_text(name)


def test_a_search_that_is_proven_ends_before_its_simulations_are_done(open_page):
    page = open_page(
        f"/theatre/mcts?game=tictactoe&position={POSITION}&simulations=300&at=300&proofs=on"
    )
    expected = searched("tictactoe", POSITION, "mcts", 300)
    count = len(expected.sims)
    assert count < 200
    expect(page.locator("#done")).to_have_text(str(count))
    expect(page.locator("#sentence")).to_have_text(expected.sentence(len(expected.moments) - 1))
    expect(page.locator("#ended")).to_have_text("The search ends here: its result is proven.")
    compare(page, expected, [len(expected.moments) - 1])
    assert page.locator(".knot.proven[data-node='0']").count() == 1
    page.keyboard.press("h")  # there are no more
    expect(page.locator("#done")).to_have_text(str(count))


def test_guess_first_asks_for_the_child_that_selection_takes(open_page):
    page = open_page(f"/theatre/mcts?game=tictactoe&position={POSITION}&simulations=60&at=30")
    expected = searched("tictactoe", POSITION, "mcts:proofs=off", 60)
    page.locator(".guess-switch input").check()
    before = page.locator(".moment").inner_text()
    page.keyboard.press("ArrowRight")
    guess = page.locator("#guess")
    expect(guess).to_contain_text("Which move does selection take?")
    expect(page.locator(".moment")).to_have_text(before)  # still the moment before
    assert set(page.locator("#choice tr:not([hidden]) td.bonus").all_inner_texts()) == {"?"}
    assert page.locator("#choice .taken").count() == 0
    one = expected.sims[30]
    name = expected.trace.name(expected.nodes["move"][one.path[1]])
    page.set_viewport_size({"width": 900, "height": 800})  # a change of size leaves it open
    expect(guess).to_be_visible()
    page.locator("#guess button", has_text=f" {name}: ").click()
    expect(guess).to_contain_text("Right")
    expect(guess).to_contain_text("1 of 1")
    expect(page.locator("#sentence")).to_have_text(expected.told[30][0])
    expect(page.locator("#choice .taken .move")).to_have_text(name)


def test_a_refusal_is_a_sentence_and_the_old_search_stays(open_page):
    page = open_page("/theatre/mcts?game=tictactoe-4x4&simulations=10", refusals=True)
    moment = page.locator(".moment").inner_text()
    page.select_option("#engine", "alphazero")
    expect(page.locator("#problem")).to_contain_text("There are networks for", ignore_case=True)
    expect(page.locator(".moment")).to_have_text(moment)
    page.select_option("#engine", "mcts")
    expect(page.locator("#problem")).to_be_hidden()
    bare = page.url.split("?")[0]
    page.goto(f"{bare}?engine=deep&playout=clever&c=7&simulations=10")
    wrong = "Not understood in the address: engine=deep, playout=clever."
    expect(page.locator("#problem")).to_have_text(wrong)
    expect(page.locator("#c-shown")).to_have_text("7.00")
    expect(page.locator(".moment")).to_contain_text("step 1 of")  # the usual search
    page.select_option("#playout", "tactics")
    expect(page.locator("#problem")).to_be_hidden()  # said once
    for constant in ("abc", "99"):
        page.goto(f"{bare}?c={constant}&simulations=10")
        expect(page.locator("#problem")).to_contain_text(f"address: c={constant}.")
        expect(page.locator("#c-shown")).to_have_text("1.41")
    page.goto(f"{bare}?position=zz9&simulations=10")  # nothing to show: no empty panels
    expect(page.locator("#problem")).to_contain_text("cannot be read")
    expect(page.locator("#choice")).to_be_hidden()
    page.fill("#position", "a1")
    page.click("#begin")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#choice")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(390, "dark"), pytest.param(1440, "light", marks=pytest.mark.full)],
)
def test_how_the_stage_stands_and_what_it_weighs(open_page, width, scheme):
    address = f"/theatre/mcts?game=tictactoe&position={POSITION}&simulations=90&at=80"
    page = open_page(address, width=width, height=844, color_scheme=scheme)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#choice .taken")).to_be_visible()
    assert axe(page) == []
    assert hangs_out(page) <= 0
    assert small_print(page) == []
    assert page.locator("#main [tabindex='0']").count() == 1  # the tree is one stop
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
            .filter(e => !e.name.includes('/api/')).map(e => e.decodedBodySize)"""
    )
    assert 60_000 < sum(weight) < MOST_BYTES, list(accumulate(weight))
    page.keyboard.press("p")  # large type hangs out nowhere either
    assert hangs_out(page) <= 0
    page.keyboard.press("p")
