"""No request can name a file, a module, a command or an address, at any address of the server."""

import socket
import subprocess
import sys

import pytest
from web_requests import answer, events, post, refusal

from rl_toolkit.players import SpecError
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.records import GameRecord
from rl_toolkit.web.app import create_app

#: Every address that takes an engine, a game, a position or a record.
THINKING = ("/api/ai-move", "/api/analyse", "/api/search", "/api/review")
ADDRESSES = (
    *THINKING,
    "/api/position",
    "/api/why-not",
    "/api/game-tree",
    "/api/record",
    "/api/record/open",
)


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A file that leaves a mark when its code runs, in the folder where the server is."""
    mark = tmp_path / "it-ran"
    code = f"open({str(mark)!r}, 'w').close()\ndef choose(env): return 0\n"
    (tmp_path / "my_bot.py").write_text(code)
    (tmp_path / "weights.npz").write_text("not read")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    started, loaded = [], set(sys.modules)
    for module, name in ((subprocess, "Popen"), (socket, "create_connection")):
        monkeypatch.setattr(module, name, lambda *a, **k: started.append((a, k)))
    yield tmp_path
    assert not mark.exists()
    assert started == []
    assert not {"my_bot", "pyspiel"} & (set(sys.modules) - loaded)


def specs(folder):
    return [
        "my_bot.py",
        " my_bot.py ",
        "MY_BOT.py:choose",
        "my_bot.py:choose,time=1",
        f"{folder}/my_bot.py",
        f"{folder}/missing.py",
        "../my_bot.py",
        "~/my_bot.py",
        "file-bot",
        "file-bot:file=my_bot.py",
        "FILE-BOT: file=my_bot.py",
        "my_bot:choose",
        "my_bot",
        "Alice=my_bot.py",
        "gtp:cmd=touch it-ran",
        "GTP: cmd = touch it-ran",
        "gomocup:cmd=./my_bot.py",
        "nboard:cmd=python my_bot.py",
        "gtp:cmd=nc localhost 80",
        "http://localhost:80/my_bot.py",
        "file:///my_bot.py",
        "openspiel:tic_tac_toe",
        "alphazero:weights=weights.npz",
        "reversi:weights=weights.npz",
        "alphazero: Weights = /etc/passwd",
    ]


GAMES = [
    "my_bot.py",
    "my_bot.py:choose",
    "./my_bot.py:Game",
    "my_bot:Game",
    "openspiel:tic_tac_toe",
    "OpenSpiel: hex(board_size=3)",
    "file:my_bot.py",
    "http://localhost/game",
]


@pytest.mark.parametrize("field", ["engine", "level"])
@pytest.mark.parametrize("address", THINKING)
def test_an_engine_is_never_a_file_a_module_a_command_or_an_address(trap, address, field):
    client = create_app().test_client()
    for game in ("tictactoe", "reversi-6"):
        for spec in specs(trap):
            fields = {"game": game, "moves": "b2" if game == "tictactoe" else "e3"}
            assert refusal(post(client, address, **fields, **{field: spec}))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_game_is_never_a_file_or_a_module(trap, address):
    client = create_app().test_client()
    more = {"/api/why-not": {"cell": 0}, "/api/record/open": {"text": "b2"}}.get(address, {})
    for game in GAMES:
        assert refusal(post(client, address, game=game, **more))
        assert refusal(post(client, address, game=game, board_size=3, **more))


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_field_names_one_either(trap, address):
    client = create_app().test_client()
    for name in ("plugin", "file", "path", "module", "cmd", "command", "url", "weights"):
        for value in ("my_bot.py", f"{trap}/my_bot.py", "touch it-ran"):
            body = {"moves": "b2", "text": "b2", "cell": 0, name: value}
            assert 400 <= post(client, address, body=body).status_code < 500
    for field in ("position", "start", "moves", "text"):
        for value in ("my_bot.py", f"{trap}/my_bot.py", "@my_bot.py", "file:my_bot.py"):
            assert refusal(post(client, address, body={field: value}))


def test_addresses_and_queries(trap):
    client = create_app().test_client()
    for game in GAMES:
        found = client.get("/api/engines", query_string={"game": game})
        assert refusal(found)
        page = client.get("/tictactoe", query_string={"game": game, "x": "my_bot.py", "o": game})
        assert page.status_code in (200, 302)
        assert 400 <= client.get(f"/{game}").status_code < 500
        assert 400 <= client.get(f"/preview/{game}-light.svg").status_code < 500
        assert 400 <= client.get(f"/rules/{game}-1-light.svg").status_code < 500
    for path in ("/static/../my_bot.py", "/static/%2e%2e/app.py", "/my_bot.py", "/..%2fmy_bot.py"):
        assert 400 <= client.get(path).status_code < 500


def test_reading_a_record_runs_nothing(trap):
    client = create_app().test_client()
    record = GameRecord("tictactoe", moves=[4, 0], players=("my_bot.py", "gtp:cmd=touch it-ran"))
    opened = answer(client, "/api/record/open", text=record.to_json())
    assert opened["players"] == ["my_bot.py", "gtp:cmd=touch it-ran"]
    for game in GAMES:
        text = record.to_json().replace('"tictactoe"', f'"{game}"')
        assert refusal(post(client, "/api/record/open", text=text))


# ----------------------------------------------------------- engines named at the start


@pytest.fixture
def bots(tmp_path):
    """A server with two bots."""
    (tmp_path / "corner.py").write_text("def choose(env): return env.get_legal_moves()[-1]")
    (tmp_path / "broken.py").write_text("def choose(env): return 1 / 0")
    given = [f"{tmp_path}/corner.py", f"Trouble={tmp_path}/broken.py:choose"]
    yield create_app(engines=given).test_client()
    bot_engine.forget_parked()
    bot_process.settle()


def test_a_bot_named_at_the_start_is_offered_under_its_name_alone(bots, tmp_path):
    assert answer(bots, "/api/ai-move", engine="corner.py", moves="b2")["action"] == 8
    text = post(bots, "/api/search", engine="corner.py", moves="b2").get_data(as_text=True)
    assert events(text)[-1][1]["best"] == 8
    listed = bots.get("/api/engines?game=tictactoe").get_json()["engines"]
    mine = [engine for engine in listed if engine["name"] in ("corner.py", "Trouble")]
    assert [engine["name"] for engine in mine] == ["corner.py", "Trouble"]
    assert str(tmp_path) not in str(listed)
    for spec in ("CORNER.py", "corner", "corner.py:choose", "corner.py:time=1", "broken.py"):
        assert refusal(post(bots, "/api/ai-move", engine=spec))
    for spec in (f"{tmp_path}/corner.py", "./corner.py", "Trouble:time=1"):
        assert refusal(post(bots, "/api/ai-move", engine=spec))


def test_a_bot_that_fails_is_a_sentence_and_the_server_goes_on(bots):
    failed = refusal(post(bots, "/api/ai-move", engine="Trouble"))
    assert failed == (
        "broken.py:choose raised ZeroDivisionError: division by zero (broken.py, line 1) "
        "(position 3/3/3 x)"
    )
    text = post(bots, "/api/search", engine="Trouble").get_data(as_text=True)
    assert events(text)[-1] == ("error", {"error": failed, "refused": True})
    text = post(bots, "/api/review", engine="Trouble", moves="b2").get_data(as_text=True)
    assert events(text)[-1] == ("error", {"error": failed})
    assert answer(bots, "/api/ai-move", level="easy", seed=1)["action"] in range(9)


@pytest.mark.parametrize(
    ("engines", "words"),
    [
        (["missing.py"], "missing.py: No such file or directory"),
        (["zork"], "no engine 'zork'"),
        (["mcts"], "there is already an engine mcts; write NAME=mcts"),
        (["perfect=mcts"], "there is already an engine perfect"),
        (["a=mcts", "a=random"], "there is already an engine a; write NAME=a=random"),
    ],
)
def test_what_cannot_be_offered(engines, words):
    with pytest.raises(SpecError, match=words):
        create_app(engines=engines)


def test_the_command_refuses_it_too(run):
    ran = run("web", "--engine", "missing.py", "--port", "0")
    assert (ran.code, "missing.py: No such file" in ran.err) == (2, True)
