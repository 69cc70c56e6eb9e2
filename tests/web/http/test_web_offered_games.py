"""Games of other libraries on the pages: those that the server was started with, and no others."""

import json

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from rl_toolkit.adapters.openspiel import OpenSpielGame
from rl_toolkit.envs import UnknownGameError
from rl_toolkit.records import GameRecord, from_transcript
from rl_toolkit.web import create_app

HEX = "openspiel:hex(board_size=3)"
OTHER = "openspiel:hex(board_size=4)"


@pytest.fixture(scope="module")
def client():
    return create_app(games=[HEX]).test_client()


def test_it_has_a_card_a_page_and_a_picture(client):
    assert "Hex (board_size=3)" in client.get("/").text
    page = client.get(f"/{HEX}")
    assert page.status_code == 200
    assert 'class="text-board"' in page.text
    picture = client.get(f"/preview/{HEX}-light.svg")
    assert picture.status_code == 200
    assert picture.text.count("<text") == 3  # the rows of the board
    assert HEX in [game["name"] for game in client.get("/api/games").get_json()["games"]]


def test_a_position_is_text_and_a_list_of_moves(client):
    asked = {"game": HEX, "moves": "b2 a1 c1 a2"}
    answer = client.post("/api/position", json=asked).get_json()
    assert answer["text"].split() == list("o.xox....")
    assert [entry["name"] for entry in answer["legal"]] == ["b1", "c2", "a3", "b3", "c3"]
    assert {entry["cell"] for entry in answer["legal"]} == {None}
    assert answer["names"] == ["b2", "a1", "c1", "a2"]
    assert answer["family"] == answer["game"] == HEX
    assert client.post("/api/position", json={"game": "tictactoe"}).get_json()["text"] is None
    best = client.post("/api/ai-move", json={**asked, "engine": "minimax"}).get_json()
    assert best["action"] in (6, 7)
    engines = client.get("/api/engines", query_string={"game": HEX}).get_json()
    assert "mcts" in [engine["name"] for engine in engines["engines"]]


def test_a_board_cannot_be_set_up(client):
    asked = {"game": HEX, "board": [0] * 9, "player": 1}
    answer = client.post("/api/position", json=asked)
    assert answer.status_code == 400
    assert "has no grid" in answer.get_json()["error"]


def test_a_request_can_name_no_other_game(client, monkeypatch):
    """Neither as a game, nor in an address, nor in a record; the library is not even asked."""
    record = json.loads(GameRecord.from_env(from_transcript(OTHER, "b2")).to_json())

    def loaded(name):
        assert f"openspiel:{name}" == HEX
        return OpenSpielGame(name)

    monkeypatch.setattr("rl_toolkit.adapters.openspiel.game.OpenSpielGame", loaded)
    for name in (OTHER, "openspiel:efg_game(filename=/etc/passwd)", f" {OTHER}", OTHER.upper()):
        for path in ("position", "ai-move", "analyse", "search", "game-tree", "review", "why-not"):
            answer = client.post(f"/api/{path}", json={"game": name, "moves": [0], "cell": 0})
            assert answer.status_code == 400, (path, name)
            assert "there is no game" in answer.get_json()["error"]
        assert client.get("/api/engines", query_string={"game": name}).status_code == 400
        assert client.get(f"/{name}").status_code == 404
        assert client.get(f"/preview/{name}-light.svg").status_code == 404
        page = client.get("/tictactoe", query_string={"game": name})
        assert page.status_code == 200
        assert "text-board" not in page.text
    for game in (OTHER, HEX, "tictactoe"):
        asked = {"game": game, "text": json.dumps(record)}
        answer = client.post("/api/record/open", json=asked)
        assert answer.status_code == 400
        assert "there is no game" in answer.get_json()["error"]


def test_a_server_is_not_started_with_a_wrong_game():
    for wrong in ("openspiel:kuhn_poker", "openspiel:nothing", "tictactoe"):
        with pytest.raises(UnknownGameError):
            create_app(games=[wrong])


def test_the_command_refuses_it_in_a_sentence(run):
    ran = run("web", "--game", "openspiel:kuhn_poker")
    assert ran.code == 2
    assert "it has chance moves" in ran.err
