"""Guess first: every question about minimax has the answer of the trace, and keys answer it."""

import random

import pytest
from tree_game import random_bush
from web_page import PATIENCE

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import events, trace_search
from rl_toolkit.algorithms.traces.events import steps_of
from rl_toolkit.envs.hand_trees import HandTreeGame, tree_of
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)

ASK_ALL = """async (trace) => {
  const { Model } = await import("/static/theatre/search/model.js");
  const { handedUp, whatNow } = await import("/static/theatre/questions/minimax.js");
  const model = new Model({ trace, told: null, look: {} });
  return Array.from({ length: model.T }, (_, event) => {
    const found = whatNow(event, model) ?? handedUp(event, model);
    return found && { ...found, to: found.to ?? event };
  });
}"""


def traces():
    rng = random.Random(2)
    plain = MinimaxSolver(use_pruning=False, use_memoization=False)
    alpha_beta = MinimaxSolver(use_memoization=False)
    for number in range(6):
        bush = [random_bush(rng, 3, 3) for _ in range(3)]
        yield trace_search(HandTreeGame(tree_of(bush, max_first=number % 2 == 0)), alpha_beta)
    env = read_position("tictactoe", "xx1/oo1/3 x")
    for solver in (alpha_beta, plain, MinimaxSolver(use_pvs=True)):
        yield trace_search(env, solver)


def expected(trace):
    """By event, the answer that the events and the sentences of the trace tell."""
    said = {line.event: line.text for line in tell(trace)}
    steps, found = list(steps_of(trace.data)), {}
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        if step.kind in events.OFFERS and trace.data["engine"]["options"]["pruning"]:
            is_max = trace.data["nodes"]["side"][step.node] == "X"
            name, verb = ("α", "rises") if is_max else ("β", "falls")
            cut = after is not None and after.kind == events.CUT
            # Left at once, and nothing is cut: the child that came back was the last.
            last = after is not None and (after.kind, after.node) == (events.RETURN, step.node)
            moved = f"{name} {verb}, {'and cut' if cut else 'go on'}"
            moved = f"{name} {verb}, and no move is left" if last else moved
            assert (moved.split(",")[0] in said[step.number]) == (step.kind == events.BETTER)
            found[step.number] = moved if step.kind == events.BETTER else f"{name} stays"
        elif step.kind == events.RETURN:
            sides = trace.data["sides"]["X"]
            found[step.number] = said[step.number].partition(": ")[2].partition(f" for {sides}")[0]
    return found


def test_every_question_has_the_answer_of_the_trace(open_page):
    page = open_page("/theatre/search?tree=(3 5) (2 9)")
    kinds = set()
    for trace in traces():
        answers = expected(trace)
        for event, question in enumerate(page.evaluate(ASK_ALL, trace.data)):
            if question is None:
                continue
            assert question["answer"] == answers[event], question
            assert question["options"].count(question["answer"]) == 1
            assert len(set(question["options"])) == len(question["options"]) >= 2
            kinds.add(question["answer"].split(",")[-1].strip())
        asked = [event for event, kind in enumerate(trace.data["events"]["kind"]) if kind in "BbW"]
        if trace.data["engine"]["options"]["pruning"]:
            assert set(asked) <= set(answers)
    assert {"go on", "and cut", "and no move is left", "α stays", "β stays"} <= kinds
    assert {kind[0] for kind in kinds} >= {"≤", "≥"}
    # The textbook's C3: the window closes, but C3 is the last move, so there is nothing to cut.
    tree = HandTreeGame("(3 12 8) (2 4 6) (14 5 2)")
    trace = trace_search(tree, MinimaxSolver(use_memoization=False))
    question = page.evaluate(ASK_ALL, trace.data)[29]
    assert question["answer"] == "β falls, and no move is left"
    assert "α = 3 ≥ β = 2, but C3 was the last move" in question["why"]


def test_keys_answer_and_the_score_is_kept(open_page):
    page = open_page("/theatre/search?tree=(3 5) (2 9)")
    expect(page.locator("#work-on")).to_have_attribute(
        "href", "/theatre/workbench?tree=%283+5%29+%282+9%29&task=cuts"
    )
    page.get_by_label("Guess first").check()
    guess = page.locator("#guess")
    step = page.locator('[data-do="step"]')
    moment = page.locator(".transport .moment")
    for number in (2, 3, 4):
        step.click()
        expect(moment).to_have_text(f"event {number} of 18")
    step.click()
    expect(guess).to_contain_text(
        "A1 comes back with 3. Its parent is a MIN node with α = −∞, β = +∞. What now?"
    )
    expect(moment).to_have_text("event 4 of 18")
    page.keyboard.press("1")
    expect(guess).to_contain_text("Right. Now α = −∞, β = 3.")
    expect(guess.locator(".score")).to_have_text("1 of 1")
    expect(moment).to_have_text("event 5 of 18")
    for number in (6, 7):
        step.click()
        expect(moment).to_have_text(f"event {number} of 18")
    step.click()
    expect(guess).to_contain_text("A2 comes back with 5.")
    page.keyboard.press("2")
    expect(guess).to_contain_text("Not so: β stays. 5 is not below β = 3.")
    expect(guess.locator(".score")).to_have_text("1 of 2")
    step.click()
    expect(guess).to_contain_text("A is a MIN node, and all its moves are back.")
    expect(guess.locator(".answers button")).to_have_text(["1 3", "2 5"])
    page.keyboard.press("1")
    expect(guess).to_contain_text("Right. At A: 3 for MAX.")
    expect(guess.locator(".score")).to_have_text("2 of 3")


ASK_ARMS = """async (answer) => {
  const { Pulls } = await import("/static/theatre/bandits/tally.js");
  const { whichArm } = await import("/static/theatre/questions/bandits.js");
  const pulls = new Pulls(answer);
  return Array.from({ length: pulls.length + 1 }, (_, t) => whichArm(t, { pulls, policy: "UCB1" }));
}"""


def test_the_arm_that_is_asked_for_is_the_one_pulled(open_page, web_app):
    page = open_page("/theatre/bandits?means=0.2,0.5,0.8&seed=3")
    asked = {"means": [0.2, 0.5, 0.8], "seed": 3, "policy": "ucb1", "count": 30}
    answer = web_app.test_client().post("/api/bandits/pulls", json=asked).get_json()
    questions = page.evaluate(ASK_ARMS, answer)
    assert questions[-1] is None
    counted = 0
    for (arm, _, _, scores), question, told in zip(
        answer["pulls"], questions, answer["told"], strict=False
    ):
        known = sorted(score for score in scores if score is not None)
        if question is None:
            assert len(known) < 3 or known[-1] == known[-2]  # untried arms, or a tie
            continue
        counted += 1
        assert question["answer"] == question["options"][arm]
        assert scores[arm] == known[-1]
        assert question["why"] == told
    assert counted > 5
    page.click("#by-policy")
    page.select_option("#policy", "ucb1")
    expect(page.locator('#arms[data-policy="ucb1"]')).to_be_visible()  # not the policy before
    expect(page.locator(".transport .moment")).to_contain_text("moment 1 of")
    page.get_by_label("Guess first").check()
    first = next(number for number, question in enumerate(questions) if question)
    for number in range(2, first + 1):
        page.locator('[data-do="step"]').click()
        expect(page.locator(".transport .moment")).to_contain_text(f"moment {number} of")
    page.locator('[data-do="step"]').click()
    expect(page.locator("#guess")).to_contain_text(f"UCB1 has pulled {first} times.")
    page.keyboard.press(str(answer["pulls"][first][0] + 1))
    expect(page.locator("#guess")).to_contain_text(f"Right. {answer['told'][first]}")
