"""What the page of puzzles asks: the next puzzle, answers, hints, sets, mistakes, progress."""

import time

import pytest
from web_requests import answer, post, refusal

from rl_toolkit.puzzles import shipped
from rl_toolkit.web import create_app


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


def attempt(puzzle, solved, when):
    about = {"puzzle": puzzle.name, "kind": puzzle.kind, "rating": puzzle.rating}
    return {**about, "time": when, "solved": solved, "seconds": 9.5, "hints": 0, "mode": "next"}


def test_a_puzzle_is_chosen_answered_and_hinted(client):
    first = answer(client, "/api/puzzles/next", game="connect-four", theme="win")["puzzle"]
    assert first["kind"] == "win"
    assert "line" not in first
    puzzle = next(each for each in shipped("connect-four") if each.name == first["name"])
    named = {"puzzle": first["name"]}
    right = answer(client, "/api/puzzles/answer", **named, before=[], move=puzzle.line[0])
    assert (right["right"], right["reply"]) == (True, puzzle.line[1])
    wrong = next(move for move in puzzle.env().get_legal_moves() if move != puzzle.line[0])
    refuted = answer(client, "/api/puzzles/answer", **named, before=[], move=wrong)
    assert not refuted["right"]
    assert refuted["refutation"]
    hints = [answer(client, "/api/puzzles/hint", **named, step=step) for step in range(4)]
    assert hints[-1]["last"]
    assert hints[-1]["sentence"] == f"Play {puzzle.env().move_name(puzzle.line[0])}."
    assert answer(client, "/api/puzzles/solution", **named)["line"] == list(puzzle.line)
    own = {**named, "line": puzzle.to_text()}
    assert answer(client, "/api/puzzles/one", **own)["puzzle"]["name"] == first["name"]


def test_what_was_missed_comes_back_and_is_rated(client):
    one, other = shipped("reversi-8")[:2]
    days_ago = time.time() - 3 * 86_400
    log = [attempt(one, False, days_ago), attempt(other, True, days_ago + 60)]
    found = answer(client, "/api/puzzles/next", game="reversi-8", attempts=log)
    assert found["puzzle"]["name"] == one.name
    assert found["standing"]["due"] == 1
    assert found["standing"]["rated"] == 2
    progress = answer(client, "/api/puzzles/progress", attempts=log)
    assert sum(each["tried"] for each in progress["themes"].values()) == 2
    assert len(progress["games"]["reversi-8"]["history"]) == 2
    daily = [answer(client, "/api/puzzles/next", mode="daily", date="2026-05-31") for _ in "ab"]
    assert daily[0]["puzzle"] == daily[1]["puzzle"]


def test_own_mistakes_are_found_and_asked(client):
    game = {"game": "connect-four", "moves": [0, 6, 1, 6, 2, 6, 3], "sides": [-1]}
    (puzzle,) = answer(client, "/api/puzzles/mistakes", **game)["puzzles"]
    own = [{"name": puzzle["name"], "line": puzzle["line"], "added": 1000}]
    found = answer(client, "/api/puzzles/next", mode="mine", own=own)["puzzle"]
    assert found["name"] == puzzle["name"]
    skipped = answer(client, "/api/puzzles/next", mode="mine", own=own, tried=[puzzle["name"]])
    assert skipped["puzzle"] is None
    assert skipped["why"].startswith("you skipped all")
    named = {"puzzle": puzzle["name"], "line": puzzle["line"]}
    assert answer(client, "/api/puzzles/answer", **named, before=[], move=3)["solved"]


def test_without_own_puzzles_there_is_a_sentence_and_no_refusal(client):
    found = answer(client, "/api/puzzles/next", mode="mine")
    assert found["puzzle"] is None
    assert found["why"].startswith("you have no puzzles of your own yet")


def test_a_game_that_no_engine_proves_has_no_puzzles(client):
    game = {"game": "tictactoe-9x9x5", "moves": [40, 0, 41, 1], "sides": [1, -1]}
    nothing = {"puzzles": [], "reasons": {}, "sentences": []}
    assert answer(client, "/api/puzzles/mistakes", **game) == nothing


def test_a_set_is_a_link_or_a_file(client):
    some = shipped("gomoku-15")[:3]
    names = f"gomoku-15:{','.join(each.number for each in some)}"
    linked = answer(client, "/api/puzzles/set", names=names)
    assert [each["name"] for each in linked["puzzles"]] == [each.name for each in some]
    text = "\n".join(["# puzzles of gomoku-15: Week 3", *(each.to_text() for each in some)])
    opened = answer(client, "/api/puzzles/set", text=text)
    assert opened["title"] == "Week 3"
    assert [each["line"] for each in opened["puzzles"]] == [each.to_text() for each in some]


@pytest.mark.parametrize(
    ("address", "fields", "words"),
    [
        ("answer", {"puzzle": "connect-four/00000000", "move": 1}, "there is no puzzle"),
        ("answer", {"puzzle": "reversi-8/x", "line": "bad", "move": 1}, "7 fields"),
        ("next", {"game": "chess"}, "chess"),
        ("next", {"attempts": [{"puzzle": "x"}]}, "an attempt"),
        ("next", {"date": "today"}, "date is written"),
        ("set", {"text": "hello"}, "begins with"),
        ("mistakes", {"game": "chess", "moves": [], "sides": [1]}, "chess"),
        ("progress", {"own": [{"name": "x", "added": "now"}]}, "this is not a puzzle"),
    ],
)
def test_refusals_are_sentences(client, address, fields, words):
    assert words in refusal(post(client, f"/api/puzzles/{address}", fields))


def test_a_long_search_cannot_be_asked_for(client):
    text = "00000000||d3|win|300||"
    asked = {"puzzle": "reversi-8/00000000", "line": text, "before": [], "move": 26}
    assert "number of this position" in refusal(post(client, "/api/puzzles/answer", asked))
    from rl_toolkit.envs import make_game
    from rl_toolkit.puzzles import number_of

    asked["line"] = text.replace("00000000", number_of(make_game("reversi")))
    assert "too much left" in refusal(post(client, "/api/puzzles/answer", asked))
