"""Handout B, lab 4: a page that shows your search while it grows."""

import json
from pathlib import Path

from companion import NotYet, Wrong, equal, javascript, require, take

FILES = ["page.js"]
EVALUATIONS = {
    "0": {"value": -0.2, "visits": 10, "uct_score": 0.7, "reasoning": "", "is_best": False},
    "3": {"value": 0.4, "visits": 70, "uct_score": 0.8, "reasoning": "", "is_best": True},
    "6": {"value": 0.1, "visits": 20, "uct_score": None, "reasoning": "", "is_best": False},
}


def test_landing_cell():
    """a piece lands on the lowest empty cell: 3, then 10; a full column is null"""
    code = """
const empty = Array(42).fill(0);
const one = empty.slice(); one[3] = 1;
const full = empty.map((_, cell) => (cell % 7 === 3 ? 1 : 0));
answer = [cellOf(empty, 3), cellOf(one, 3), cellOf(one, 6), cellOf(full, 3) ?? null, one[10]];
"""
    equal(javascript(FILES, code), [3, 10, 6, None, 0], "cells of columns d, d, g, full d; board")


def test_rows():
    """most visited first: d 70, g 20, a 10, with shares and names"""
    rows = javascript(FILES, f"answer = rowsOf({json.dumps(EVALUATIONS)});")
    require(isinstance(rows, list) and len(rows) == 3, f"rowsOf must return three rows, not {rows}")
    equal([row.get("name") for row in rows], ["d", "g", "a"], "names, most visited first")
    equal([row.get("visits") for row in rows], [70, 20, 10], "visits")
    equal([round(row.get("share", 0), 3) for row in rows], [0.7, 0.2, 0.1], "shares")
    equal([row.get("best") for row in rows], [True, False, False], "best")
    equal([row.get("uct") for row in rows], [0.8, None, 0.7], "uct; null for an infinite score")


def test_rows_of_nothing():
    """a search without visits has shares of 0, not NaN"""
    nothing = {"2": {"value": 0, "visits": 0, "uct_score": None, "is_best": True}}
    rows = javascript(FILES, f"answer = rowsOf({json.dumps(nothing)});")
    equal([row.get("share") for row in rows], [0], "share without visits")


def test_counts():
    """50, 100, 200 … 3200, and no further"""
    code = (
        "let n = 50; answer = []; for (let k = 0; k < 8; k++) { answer.push(n); n = nextCount(n); }"
    )
    equal(javascript(FILES, code), [50, 100, 200, 400, 800, 1600, 3200, 3200], "simulations")


def test_evaluations_are_json():
    """what your search says of its moves can be sent to a page"""
    game = take("my_connect_four.py", "ConnectFour", 1)()
    solver = take("my_mcts.py", "MCTSSolver", 2)(num_simulations=60)
    found = solver.get_candidate_evaluations(game)
    for entry in found.values():
        for name, value in entry.items():
            if hasattr(value, "dtype"):
                kind = "bool" if value.dtype == bool else "float"
                raise Wrong(
                    f"{name} is a value of NumPy, which JSON cannot hold: write {kind}(…) round it"
                )
    try:
        json.dumps({str(move): entry for move, entry in found.items()}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise Wrong(f"JSON cannot hold your evaluations: {error}") from None


def test_page():
    """index.html asks /api/ai-move for connect-four, with show_thinking and simulations"""
    path = Path(__file__).resolve().parent.parent / "index.html"
    text = path.read_text("utf-8") if path.is_file() else ""
    if "fetch(" not in text:
        raise NotYet("index.html does not ask for a move yet: session 4 writes fetch(…)")
    for word in ("/api/ai-move", "connect-four", "show_thinking", "simulations"):
        require(word in text, f"index.html does not say {word}")
