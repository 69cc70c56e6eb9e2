"""A student's own search over HTTP and on stage."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_running import running_server

from rl_toolkit.web import ServerLimits, create_app

pytest_plugins = ["web_browser"]
SOLUTIONS = Path(__file__).parents[2] / "course" / "solutions"
POSITION = "x1o/1x1/2o x"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Alpha-beta with a wrong cut, and a tree search with a wrong sign."""
    place = tmp_path_factory.mktemp("own")
    text = (SOLUTIONS / "c" / "my_game.py").read_text("utf-8")
    (place / "my_game.py").write_text(text.replace("if alpha >= beta:", "if alpha >= 0:", 1))
    text = (SOLUTIONS / "b" / "my_mcts.py").read_text("utf-8")
    right, wrong = "result * self._mover_into(node)", "result\n            result = -result"
    assert right in text
    (place / "my_mcts.py").write_text(text.replace(right, wrong))
    game = (SOLUTIONS / "b" / "my_connect_four.py").read_text("utf-8")
    (place / "my_connect_four.py").write_text(game)
    return place


@pytest.fixture(scope="module")
def client(folder):
    return create_app(own_folder=folder).test_client()


def test_a_trace_has_its_fault_and_a_sentence_for_each_event(client):
    body = {"engine": "own:my_game.py:alpha_beta", "game": "tictactoe", "position": POSITION}
    answer = client.post("/api/trace", json=body).get_json()
    (first, *_) = answer["faults"]
    assert first["text"].startswith("Wrong cut after b1 a2")
    told = answer["told"]
    at = told["event"].index(first["event"])
    assert told["texts"][told["text"][at]].startswith("Wrong cut")
    assert set(told["event"]) >= set(range(len(answer["trace"]["events"]["kind"])))


def test_windows_of_one_recording_fit_together(client):
    body = {"engine": "own:my_mcts.py", "game": "connect-four", "position": "4545451"}
    body |= {"simulations": 80, "count": 5}
    whole = client.post("/api/simulations", json={**body, "first": 0}).get_json()
    later = client.post("/api/simulations", json={**body, "first": 40, "tree": False}).get_json()
    assert later["tree"] is None
    paths = [row[0] for row in whole["tree"]["simulations"]]
    assert [row[0] for row in later["window"]["simulations"]] == paths[40:45]
    first = whole["faults"][0]
    assert (first["kind"], first["simulation"], first["place"]) == ("sign", 0, 1)
    assert first["text"].startswith("Wrong sign: simulation 1")
    assert "Erratum R27" in whole["faults"][0]["text"]
    assert all(len(steps) >= 3 for steps in later["window"]["sentences"])


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("own:other.py", "there is no search 'other.py' here; there is my_game.py:alpha_beta"),
        ("own:../my_game.py:minimax", "there is no search"),
    ],
)
def test_only_searches_of_the_folder_are_recorded(client, engine, words):
    answer = client.post("/api/trace", json={"engine": engine, "position": POSITION})
    assert answer.status_code == 400
    assert words in answer.get_json()["error"]


def test_a_server_without_a_folder_shows_none():
    client = create_app().test_client()
    answer = client.post("/api/trace", json={"engine": "own:my_game.py:minimax"})
    assert answer.status_code == 400
    assert "own:" not in client.get("/theatre/search").text
    assert "Your own searches" not in client.get("/theatre").text


def test_the_lobby_and_the_stages_offer_them(client):
    lobby = client.get("/theatre").text
    assert lobby.index("Your own searches") < lobby.index("The algorithms")
    assert "my_mcts.py" in lobby
    assert 'value="own:my_game.py:alpha_beta"' in client.get("/theatre/search").text
    assert 'value="own:my_mcts.py"' in client.get("/theatre/mcts").text


@pytest.fixture(scope="module")
def web_server(folder):
    with running_server(ServerLimits(), own_folder=folder) as server:
        yield f"http://127.0.0.1:{server.effective_port}"


def test_the_fault_is_shown_on_the_stage(open_page):
    page = open_page("/theatre/search?engine=own:my_game.py:alpha_beta")
    page.get_by_role("button", name="Show the place").click()
    assert page.locator("#sentence").inner_text().startswith("Wrong cut after b1 a2")
    assert page.locator(".say h2").inner_text().startswith("b1 a2")
    assert page.locator("#code-title").text_content() == "The textbook's lines"
    page.locator("#engine").select_option("")
    page.locator("#fault").wait_for(state="hidden")
    page.locator("#code-title", has_text="What runs").wait_for()


def test_the_wrong_sign_is_shown_on_the_stage(open_page):
    query = "engine=own:my_mcts.py&game=connect-four&position=4545451&simulations=60"
    page = open_page(f"/theatre/mcts?{query}")
    assert "Erratum R27" in page.locator("#fault-text").inner_text()
    page.get_by_role("button", name="Show the place").click()
    assert page.locator("#sentence").inner_text().startswith("Wrong sign: simulation 1")
    assert page.evaluate("theatre.recording.sims[0].backed") == [1, -1]
