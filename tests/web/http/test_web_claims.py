"""The claims of a bot over HTTP: after its move, beside the truth, with its tree."""

from __future__ import annotations

import pytest

from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.web import create_app

BOT = """
class Node:
    def __init__(self, env, move=None):
        self.move, self.visits, self.value, self.children = move, 5, 0.0, []
        if move is None:
            for each in env.get_legal_moves():
                self.children.append(Node(env, each))

class Searcher:
    def search(self, env):
        self.root = Node(env)
        return 1

    def get_candidate_evaluations(self, env):
        return {m: {"value": 0.0, "visits": 30, "uct_score": 0.4, "reasoning": "Balanced"}
                for m in env.get_legal_moves()}
"""
CORNERS = {"game": "tictactoe", "position": "x2/1o1/2x o", "engine": "bot.py"}


@pytest.fixture
def client(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    with create_app(engines=[str(tmp_path / "bot.py")]).test_client() as client:
        yield client
    bot_engine.forget_parked()


def asked(client, path, **more):
    return client.post(f"/api/{path}", json={**CORNERS, **more}).get_json()


def test_a_bot_says_what_it_claims_to_those_who_look(client):
    found = asked(client, "analyse", tree={"depth": 2, "top": 9})
    assert found["claims"]["view"] == "mover"
    worst = next(entry for entry in found["claims"]["moves"] if entry["name"] == "c1")
    assert worst["truth"] == {"outcome": "loss", "distance": 4}
    assert (worst["visits"], worst["uct"], worst["says"]) == (30, 0.4, "Balanced")
    assert found["simulations"] == 180
    assert [child["name"] for child in found["tree"]["children"]] == [
        "b1", "c1", "a2", "c2", "a3", "b3",
    ]  # fmt: skip


def test_a_bot_that_plays_is_not_asked_until_the_page_asks(client):
    played = asked(client, "analyse", play=True)
    assert "claims" not in played
    assert played["best"] == 1
    after = asked(client, "claims", move=1, tree={"depth": 2, "top": 9})
    assert after["best"] == 1
    assert after["claims"]["engine"] == "bot.py"
    assert len(after["tree"]["children"]) == 6  # of the search that chose the move
    assert "is the legal move" in asked(client, "claims")["error"]
    assert "is the legal move" in asked(client, "claims", move=0)["error"]
    assert asked(client, "claims", engine="minimax", move=1) is None


def test_the_courses_answer_has_the_bots_own_sentence(client):
    found = asked(client, "ai-move", show_thinking=True)
    entry = {"value": 0.0, "reasoning": "Balanced", "is_best": True, "visits": 30, "uct_score": 0.4}
    assert found == {"action": 1, "evaluations": {**found["evaluations"], "1": entry}}
