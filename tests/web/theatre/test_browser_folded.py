"""Searches too large to tell in full: what the page counts is what the search did."""

import json

import pytest
from web_page import PATIENCE

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import TraceBounds, trace_search
from rl_toolkit.records import read_position

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
COUNTS = """async (trace) => {
  const { Model } = await import("/static/theatre/search/model.js");
  const model = new Model({ trace, told: null, look: {} });
  const counts = ["seen", "cutCount", "saved", "hitCount"].map((name) => [...model[name]]);
  return { counts, known: model.countsSaved };
}"""


def test_the_counts_of_a_folded_search_are_those_of_the_whole_search(open_page):
    page = open_page("/theatre/search?tree=(3 5) (2 9)")
    env = read_position("tictactoe", "x2/1o1/3 x")
    for memory in (False, True):
        solver = MinimaxSolver(use_memoization=memory)
        whole = page.evaluate(COUNTS, trace_search(env, solver).data)
        part = trace_search(env, solver, bounds=TraceBounds(events=300))
        found = page.evaluate(COUNTS, part.data)
        assert part.notes
        assert found["known"]
        moments = set(zip(*whole["counts"], strict=True))
        ends = [place for place, kind in enumerate(part.data["events"]["kind"]) if kind in "FC"]
        told = list(zip(*found["counts"], strict=True))
        assert ends
        assert {told[place] for place in ends} <= moments
        answer = part.answer
        assert [told[-1][k] for k in (0, 1, 3)] == [answer[k] for k in ("nodes", "cuts", "hits")]
        if not memory:
            assert told[-1][2] == answer["plain"] - answer["nodes"]


def test_what_is_not_known_below_a_fold_is_not_counted_as_nothing(open_page):
    page = open_page("/theatre/search?tree=(3 5) (2 9)")
    env = read_position("tictactoe", "x2/1o1/3 x")
    data = trace_search(env, MinimaxSolver(), bounds=TraceBounds(events=300)).data
    next(iter(data["below"].values()))[1] = None
    assert not page.evaluate(COUNTS, data)["known"]


def test_side_by_side_names_the_count_of_a_search_that_is_too_long_to_show(open_page):
    page = open_page("/theatre/search?game=tictactoe&position=x1o/1x1/2o x", refusals=True)

    def refuse_plain(route):
        if "pruning=off,memoization=off" in json.loads(route.request.post_data)["engine"]:
            route.fulfill(status=400, json={"error": "too long; use pruning and memoization"})
        else:
            route.continue_()

    page.route("**/api/trace", refuse_plain)
    page.locator("#compare").check()
    expect(page.locator(".rival.done")).to_have_count(3)
    plain = page.locator(".rival").first
    expect(plain).to_contain_text("186 positions")
    expect(plain).to_contain_text("too many to show step by step")
    expect(plain).not_to_contain_text("use pruning")
    expect(page.locator(".rival").last).to_contain_text("% of plain minimax")
