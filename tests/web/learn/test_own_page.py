"""A student's own page: their files and nothing else, their solver, our script on the way out."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from werkzeug.test import Client

from rl_toolkit.course import companion, start_course
from rl_toolkit.web import create_app
from rl_toolkit.web.own_page.site import OwnSite, make_own_server, toolkit_at

pytest_plugins = ["web_browser"]
SOLUTIONS = Path(__file__).parents[2] / "course" / "solutions"
PAGE = "<!doctype html>\n<html><head><title>Mine</title></head><body><h1>Mine</h1></body></html>"
CORNER = {"board": [1, 0, 0, 0, 0, 0, 0, 0, 0], "player": -1, "board_size": 3}


@pytest.fixture
def folder(tmp_path):
    own = tmp_path / "own"
    (own / "pictures").mkdir(parents=True)
    (own / "index.html").write_text(PAGE)
    (own / "pictures" / "x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (own / ".secret.html").write_text("hidden")
    (own / "my_notes.py").write_text("print(1)")
    (tmp_path / "outside.html").write_text("outside")
    (own / "link.html").symlink_to(tmp_path / "outside.html")
    (own / "inside.html").symlink_to(own / "index.html")
    (own / "away").symlink_to(tmp_path)
    return own


@pytest.fixture
def site(folder):
    heard = []
    made = OwnSite(folder, create_app(), heard.append)
    made.heard = heard
    yield made
    made.solver.close()


@pytest.fixture
def client(site):
    return Client(site)


def take(folder, *names):
    for name in names:
        (folder / Path(name).name).write_text((SOLUTIONS / name).read_text("utf-8"), "utf-8")


def test_the_stage_is_named_where_there_is_a_search(folder):
    assert toolkit_at("http://localhost:1/", folder) == "The toolkit: http://localhost:1/"
    take(folder, "b/my_mcts.py")
    assert toolkit_at("http://localhost:1/", folder).endswith("http://localhost:1/theatre")


def test_pages_get_our_script_and_files_stay_as_they_are(client, folder):
    answer = client.get("/")
    assert answer.status_code == 200
    assert '<head><script src="/__rl_toolkit/page.js"></script><title>' in answer.text
    assert answer.text.count("\n") == PAGE.count("\n")  # line numbers stay right
    assert (folder / "index.html").read_text() == PAGE
    assert "'unsafe-inline'" in answer.headers["Content-Security-Policy"]
    assert not any(name.startswith("Access-Control") for name, _ in answer.headers)
    assert client.get("/pictures/x.svg").headers["Content-Type"] == "image/svg+xml"
    assert client.get("/inside.html").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        *("/../outside.html", "/%2e%2e/outside.html", "/pictures/../../outside.html"),
        *("/.secret.html", "/my_notes.py", "/link.html", "/away/outside.html", "/away/own/x"),
        *("/pictures", "/pictures//x.svg", "/..%5coutside.html", "/%00.html", "/" + "a" * 500),
    ],
)
def test_nothing_outside_the_folder_and_nothing_hidden(client, address):
    answer = client.get(address)
    assert answer.status_code in (404, 308)
    assert "outside" not in answer.text.replace("outside.html", "")


def test_large_files_and_missing_pages_are_sentences(client, folder, monkeypatch):
    monkeypatch.setattr("rl_toolkit.web.own_page.site.LARGEST", 10)
    assert client.get("/index.html").status_code == 413
    answer = client.get("/other.html")
    assert "There is no other.html in your folder. There is index.html" in answer.text


def test_another_host_is_refused(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_a_saved_file_is_another_version(client, folder):
    before = client.get("/__rl_toolkit/version").text
    assert client.get("/__rl_toolkit/version").text == before
    (folder / "style.css").write_text("body {}")
    assert client.get("/__rl_toolkit/version").text != before


def test_what_the_page_says_reaches_the_terminal_without_control_signs(client, site):
    client.post("/__rl_toolkit/said", json={"text": "x is used\x1b[2J, but\nnothing defines it"})
    (text,) = site.heard
    assert text.startswith("page: x is used")
    assert text.isprintable()
    for number in range(100):
        client.post("/__rl_toolkit/said", json={"text": f"again {number}"})
    assert len(site.heard) == 30
    assert client.post("/__rl_toolkit/said", data="not JSON").status_code == 204


def test_skeletons_of_a_companion_say_what_is_missing(client, site, folder):
    start_course(companion("A"), folder)
    assert site.solver.who() == "my_minimax.py"
    answer = client.post("/api/ai-move", json=CORNER)
    assert "my_minimax.py is not finished yet" in answer.get_json()["error"]
    assert "Tic-Tac-Toe" not in client.get("/").text  # their index.html stays


def test_the_toolkit_answers_where_there_is_no_solver(client, site):
    assert site.solver.who() == ""
    assert client.post("/api/ai-move", json=CORNER).get_json()["action"] == 4
    assert client.get("/api/health").get_json()["status"] == "ok"
    assert client.post("/api/ai-move", json=CORNER | {"board": [1]}).status_code == 400


def test_the_students_own_server_answers(client, site, folder):
    take(folder, "a/my_server.py", "a/my_minimax.py", "a/my_tictactoe.py")
    assert site.solver.who() == "my_server.py"
    answer = client.post("/api/ai-move", json=CORNER | {"show_thinking": True})
    assert answer.get_json()["action"] == 4
    assert answer.get_json()["evaluations"]["1"]["reasoning"] == "Cannot prevent loss"
    refused = client.post("/api/ai-move", json={"board": []})
    assert (refused.status_code, refused.get_json()["error"]) == (
        400,
        "a board and a player are needed",
    )


def test_an_error_of_the_students_own_server_is_a_sentence_with_its_line(client, site, folder):
    take(folder, "a/my_server.py", "a/my_minimax.py", "a/my_tictactoe.py")
    source = (folder / "my_server.py").read_text("utf-8")
    (folder / "my_server.py").write_text(source.replace("MinimaxSolver()", "Solver()"))
    answer = client.post("/api/ai-move", json=CORNER)
    assert answer.status_code == 500
    assert answer.get_json()["error"].startswith("my_server.py stopped with NameError: name 'Sol")
    assert "my_server.py, line 20" in site.heard[0]


def test_the_students_own_search_answers_and_grows_with_one_seed(client, site, folder):
    take(folder, "b/my_mcts.py", "b/my_connect_four.py")
    assert site.solver.who() == "my_mcts.py"
    body = {"game": "connect-four", "board": [0] * 42, "player": 1, "show_thinking": True}
    found = [
        client.post("/api/ai-move", json=body | {"simulations": count}).get_json()
        for count in (30, 60, 60)
    ]
    visits = [sum(entry["visits"] for entry in each["evaluations"].values()) for each in found]
    assert visits == [30, 60, 60]
    assert found[1] == found[2]
    best = max(found[1]["evaluations"], key=lambda move: found[1]["evaluations"][move]["visits"])
    assert str(found[1]["action"]) == best
    assert client.post("/api/ai-move", json=body | {"player": 7}).status_code == 400


def test_a_solver_that_fails_is_a_sentence_on_both_sides(client, site, folder):
    (folder / "my_bot.py").write_text(
        "class Bot:\n    def search(self, env):\n        return env.wrong\n"
    )
    answer = client.post("/api/ai-move", json=CORNER)
    assert answer.status_code == 500
    assert "my_bot.py, line 3" in answer.get_json()["error"]
    assert "my_bot.py stopped with AttributeError" in site.heard[0]
    (folder / "my_bot.py").write_text("class Bot:\n    def search(self, env):\n        return 0\n")
    answer = client.post("/api/ai-move", json=CORNER)
    assert "answers 0, which is not a legal move here" in answer.get_json()["error"]


def test_the_page_says_what_is_wrong_and_reloads(browser, folder):
    (folder / "index.html").write_text(
        PAGE.replace("</body>", "<script>\nsetTimeout(() => turnNumber + 1);</script></body>")
    )
    heard = []
    server = make_own_server(folder, create_app(), 0, heard.append)
    threading.Thread(target=server.run, daemon=True).start()
    try:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.effective_port}/")
            bar = page.locator("[data-rl-toolkit] [role=alert]")
            bar.wait_for(timeout=60_000)
            words = "turnNumber is used, but nothing defines it (index.html, line 3)"
            assert words in bar.inner_text()
            (folder / "index.html").write_text(PAGE.replace("<h1>Mine", "<h1>Newer"))
            page.get_by_role("heading", name="Newer").wait_for(timeout=60_000)
            assert bar.count() == 0
        assert heard[0] == f"page: {words}"
    finally:
        server.close()
