"""The workbench over HTTP: trees, answers, hints, solutions, and what is refused."""

import json
import re
from html import unescape
from urllib.parse import parse_qsl

import pytest
from web_requests import answer, post, refusal

from rl_toolkit.explain.tree_tasks import PUZZLES, TASKS, WorkedTree
from rl_toolkit.web import create_app

TREE, CHECK = "/api/workbench/tree", "/api/workbench/check"
TEXT = "(3 12 8) (2 4 6) (14 5 2)"


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


def test_a_tree_comes_with_all_that_is_needed_to_draw_it(client):
    found = answer(client, TREE, tree="[[3, 5], [2, 9]]", task="cuts")
    assert (found["tree"], found["task"], found["size"]) == (
        "(3 5) (2 9)",
        "cuts",
        "7 nodes, 4 leaves, 2 plies",
    )
    assert [node["parent"] for node in found["nodes"]] == [-1, 0, 1, 1, 0, 4, 4]
    assert [node["side"] for node in found["nodes"]] == ["MAX", "MIN", "", "", "MIN", "", ""]
    assert [node["value"] for node in found["nodes"] if not node["side"]] == [3, 5, 2, 9]
    assert found["question"] == TASKS["cuts"].question


def test_the_page_offers_every_puzzle_and_every_puzzle_can_be_solved(client):
    page = client.get("/theatre/workbench").get_data(as_text=True)
    for puzzle in PUZZLES:
        assert f'value="{puzzle.name}"' in page
        found = answer(client, TREE, puzzle=puzzle.name)
        assert (found["task"], found["title"]) == (puzzle.task, puzzle.title)
        asked = {"tree": found["tree"], "task": found["task"]}
        solution = answer(client, CHECK, **asked, ask="solution")["answer"]
        told = answer(client, CHECK, **asked, answer=solution)
        assert told["solved"], puzzle.name


def test_a_new_tree_of_a_seed_is_the_same_again(client):
    first, second, other = (
        answer(client, TREE, level=2, seed=seed, task="visits")["tree"] for seed in (7, 7, 8)
    )
    assert first == second != other


def test_an_answer_is_judged_with_the_sentence_of_the_trace(client):
    told = answer(client, CHECK, tree=TEXT, task="cuts", answer=[7, 12])
    assert not told["solved"]
    assert told["summary"] == "1 right, 1 not cut, 1 branch more to find."
    worked = WorkedTree(TEXT)
    right, wrong = told["remarks"]
    assert right == {
        "node": 7,
        "mark": "right",
        "text": f"B2. {worked.sentences[worked.cuts[7]]}",
    }
    assert wrong["mark"] == "wrong"
    assert wrong["text"].startswith("C3 is visited: when MIN comes to it, α = 3 and β = 5.")
    assert answer(client, CHECK, tree=TEXT, task="cuts", answer=[7, 8])["solved"]


def test_an_order_comes_back_with_what_it_cuts(client):
    told = answer(client, CHECK, tree="(2 9) (3 5)", task="order", answer={})
    assert (told["solved"], told["cut"]) == (False, [])
    told = answer(client, CHECK, tree="(2 9) (3 5)", task="order", answer={"0": [4, 1]})
    assert (told["solved"], told["cut"]) == (True, [3])


def test_a_hint_and_the_solution(client):
    asked = {"tree": TEXT, "task": "values"}
    (hint,) = answer(client, CHECK, **asked, answer={}, ask="hint")["remarks"]
    assert hint["text"] == "Look at C: its children are worth 14, 5 and 2. MIN takes the smallest."
    solved = answer(client, CHECK, **asked, ask="solution")
    assert solved["answer"] == {"0": 3, "1": 3, "5": 2, "9": 2}


@pytest.mark.parametrize(
    ("address", "body", "sentence"),
    [
        (TREE, {"tree": "(3 5"}, "character 1: this '(' is not closed"),
        (TREE, {"tree": ""}, "there is no tree here"),
        (TREE, {"tree": 5}, "tree is text, not 5"),
        (TREE, {"tree": "1 " * 2500}, "at most 4000 are read"),
        (TREE, {"tree": "1 2 3 " * 9}, "a node has at most 26 children"),
        (TREE, {"tree": "(1 2 3) " * 9}, "at most 25 leaves and 8 plies"),
        (
            TREE,
            {"tree": "3 5", "task": "sort"},
            "task is values, cuts, visits, windows, bounds or order",
        ),
        (TREE, {"puzzle": "../secret"}, "there is no puzzle '../secret'"),
        (TREE, {"puzzle": "textbook", "tree": "3 5"}, "tree does not go with the other fields"),
        (TREE, {"level": 4}, "level is a whole number from 1 to 3"),
        (TREE, {"level": 1, "seed": -1}, "seed is a whole number"),
        (TREE, {"level": 1, "file": "x"}, "there is no field 'file'"),
        (CHECK, {"tree": "3 5"}, "task is values, cuts, visits, windows, bounds or order"),
        (CHECK, {"tree": "3 5", "task": "cuts", "answer": "all"}, "a list of nodes"),
        (CHECK, {"tree": "3 5", "task": "cuts", "answer": [9]}, "numbers from 0 to 2"),
        (CHECK, {"tree": "3 5", "task": "cuts", "answer": [0] * 501}, "a list of nodes"),
        (CHECK, {"tree": "3 5", "task": "values", "answer": {"1": 3}}, "A is a leaf"),
        (CHECK, {"tree": "3 5", "task": "values", "answer": {}, "ask": "win"}, "ask is check"),
        (CHECK, {"tree": "3 5", "task": "order", "answer": {"0": [1, 1]}}, "each child once"),
        ("/api/trace", {"tree": "(3"}, "character 1"),
        ("/api/trace", {"tree": "3 5", "game": "tictactoe"}, "give tree or game, not both"),
        ("/api/trace", {"tree": "3 5", "engine": "mcts"}, "only minimax searches a tree"),
        ("/api/trace", {"tree": "3 5", "depth": 1}, "a tree is searched to its leaves"),
    ],
)
def test_what_is_refused_gets_a_sentence(client, address, body, sentence):
    assert sentence in refusal(post(client, address, body))


def test_a_typed_tree_is_traced_with_its_sentences(client):
    found = answer(client, "/api/trace", tree=TEXT)
    assert (found["trace"]["game"], found["trace"]["position"]) == ("tree", TEXT)
    assert found["trace"]["answer"]["value"] == 3
    assert "A leaf: 14 for MAX." in found["told"]["texts"]
    assert found["look"]["has_grid"] is False


@pytest.mark.parametrize("lab", ["L04", "L07"])
def test_lab_sheets_link_to_tasks_that_there_are(client, lab):
    sheet = client.get(f"/learn/labs/{lab}").get_data(as_text=True)
    links = re.findall(r'href="/theatre/workbench\?([^"]+)"', sheet)
    assert links
    for link in links:
        asked = dict(parse_qsl(unescape(link)))
        assert answer(client, TREE, **asked)["nodes"]


def test_the_largest_tree_is_answered_in_few_bytes(client):
    text = "(1 2 3 4 5) " * 5
    response = post(client, TREE, tree=text, task="order")
    assert len(response.data) < 6_000
    worst = json.dumps({"tree": text, "task": "cuts", "ask": "solution"})
    response = client.post(CHECK, data=worst, content_type="application/json")
    assert response.status_code == 200
    assert len(response.data) < 10_000
