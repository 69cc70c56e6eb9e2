"""No request can name a file, a module, a command or an address, at any address of the server."""

import socket
import subprocess
import sys

import pytest
from stopping import PATIENCE
from web_requests import answer, events, post, refusal

from rl_toolkit.envs import registry as games
from rl_toolkit.players import EngineKind, SpecError, register_engine, registry
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.players.kinds.kind import Knowledge
from rl_toolkit.records import GameRecord
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.app import create_app
from rl_toolkit.web.exchange.offered import OfferedEngines

#: Every address that takes an engine, a game, a position or a record.
THINKING = ("/api/ai-move", "/api/analyse", "/api/search", "/api/review")
ADDRESSES = (
    *THINKING,
    "/api/position",
    "/api/why-not",
    "/api/game-tree",
    "/api/record",
    "/api/record/open",
    "/api/trace",
    "/api/workbench/tree",
    "/api/workbench/check",
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
    """A server with two bots, which have all the time to start and to answer."""
    (tmp_path / "corner.py").write_text("def choose(env): return env.get_legal_moves()[-1]")
    (tmp_path / "broken.py").write_text("def choose(env): return 1 / 0")
    load = f"load={PATIENCE:g}"
    given = [f"{tmp_path}/corner.py:{load}", f"Trouble={tmp_path}/broken.py:choose,{load}"]
    limits = ServerLimits(time=PATIENCE, usual_time=PATIENCE, review_time=PATIENCE)
    yield create_app(limits, engines=given).test_client()
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


def trouble(response):
    """The sentence of a 502: the request was right, and a bot of the server failed."""
    assert response.status_code == 502
    body = response.get_json()
    assert set(body) == {"error"}
    return body["error"]


def test_a_bot_that_fails_is_a_sentence_and_the_server_goes_on(bots):
    failed = trouble(post(bots, "/api/ai-move", engine="Trouble"))
    assert failed == (
        "broken.py:choose raised ZeroDivisionError: division by zero (broken.py, line 1) "
        "(position 3/3/3 x)"
    )
    assert trouble(post(bots, "/api/analyse", engine="Trouble")) == failed
    text = post(bots, "/api/search", engine="Trouble").get_data(as_text=True)
    assert events(text)[-1] == ("error", {"error": failed})
    text = post(bots, "/api/review", engine="Trouble", moves="b2").get_data(as_text=True)
    assert events(text)[-1] == ("error", {"error": failed})
    assert answer(bots, "/api/ai-move", level="easy", seed=1)["action"] in range(9)


def test_a_bot_whose_file_has_gone_is_the_servers_trouble(bots, tmp_path):
    (tmp_path / "corner.py").unlink()
    failed = trouble(post(bots, "/api/ai-move", engine="corner.py"))
    assert failed.startswith("corner.py cannot be used: ")
    assert failed.endswith("corner.py: No such file or directory")


def test_a_bot_is_offered_only_for_the_games_that_it_plays(tmp_path):
    source = "GAMES = ['connect-four', 'reversi-6']\ndef choose(env): return 1 / 0"
    (tmp_path / "only.py").write_text(source)
    client = create_app(engines=[f"{tmp_path}/only.py"]).test_client()

    def is_offered(game):
        listed = client.get("/api/engines", query_string={"game": game}).get_json()["engines"]
        return "only.py" in [engine["name"] for engine in listed]

    games = ("connect-four", "connect-four-5x5x4", "reversi-6", "reversi", "tictactoe")
    assert [is_offered(game) for game in games] == [True, True, True, False, False]
    refused = refusal(post(client, "/api/ai-move", engine="only.py", game="reversi"))
    assert refused == "only.py does not play reversi-8"
    listed = client.get("/api/engines").get_json()["engines"][-1]
    assert (listed["name"], listed["games"]) == ("only.py", ["connect-four", "reversi-6"])


# ----------------------------------------------------------- what is fixed at the start


class Greeter:
    name = "greeter"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise AssertionError("it was asked")


def test_an_engine_registered_later_is_not_offered(monkeypatch):
    client, game = create_app().test_client(), "tictactoe-4x3x3"  # its ladder has no "perfect"
    before = client.get(f"/api/engines?game={game}").get_json()
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    knows_all = {"knows": lambda env: Knowledge.EXACT, "perfect": lambda env: "greeter"}
    register_engine(EngineKind("greeter", "came later", Greeter, **knows_all))
    after = client.get(f"/api/engines?game={game}").get_json()
    names = [[engine["name"] for engine in found["engines"]] for found in (before, after)]
    assert names[0] == names[1]
    assert [*before["levels"]] == [*after["levels"], "perfect"]
    assert [*before["about"]] == [*after["about"], "perfect"]
    assert (before["adviser"], after["adviser"]) == ("minimax", None)  # it would be the new one
    for address in ("/api/ai-move", "/api/analyse", "/api/search"):
        for asked in ({"engine": "greeter"}, {"engine": "Greeter: "}, {"level": "perfect"}):
            refused = refusal(post(client, address, game=game, **asked))
            assert "the engine 'greeter' is not one of this server" in refused
    # Requests that name nobody are answered by somebody else.
    assert answer(client, "/api/ai-move", game=game, moves="b2")["action"] in range(12)
    assert answer(client, "/api/game-tree", game=game, moves="b2a1c3b1b3")["tree"]["children"]
    assert events(post(client, "/api/review", moves="b2").get_data(as_text=True))[-1][0] == "done"


def test_an_engine_that_was_replaced_is_not_offered(monkeypatch):
    client = create_app().test_client()
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    del registry._KINDS["greedy"]
    register_engine(EngineKind("greedy", "another of that name", Greeter))
    assert "is not one of this server" in refusal(post(client, "/api/ai-move", engine="greedy"))
    del registry._KINDS["greedy"]
    assert refusal(post(client, "/api/ai-move", engine="greedy"))


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


def test_the_name_of_a_file_may_have_an_equals_sign(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b.py").write_text("def choose(env): return env.get_legal_moves()[0]")
    assert [*OfferedEngines.named(["a=b.py"]).specs] == ["a=b.py"]
    assert [*OfferedEngines.named(["c=a=b.py:choose"]).specs] == ["c"]


def test_the_command_refuses_it_too(run):
    ran = run("web", "--engine", "missing.py", "--port", "0")
    assert (ran.code, "missing.py: No such file" in ran.err) == (2, True)


# ------------------------------------------------------------- games named at the start

GAME_FILE = """
class Noughts:
    def __init__(self):
        self.reset()
    def reset(self):
        self.board, self.current_player, self.done, self.winner = [0] * 9, 1, False, None
    def get_legal_actions(self):
        return [cell for cell in range(9) if not self.board[cell] and not self.done]
    def step(self, cell):
        self.board[cell] = self.current_player
        if cell == 8 or 0 not in self.board:
            self.done, self.winner = True, self.current_player
        self.current_player *= -1
    def copy(self):
        other = Noughts()
        other.__dict__.update(self.__dict__, board=list(self.board))
        return other
"""


def test_a_game_in_a_file_has_a_page(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "_FAMILIES", dict(games._FAMILIES))
    (tmp_path / "noughts.py").write_text(GAME_FILE)
    client = create_app(games=[f"{tmp_path}/noughts.py:Noughts"]).test_client()
    assert client.get("/noughts").status_code == 200
    assert answer(client, "/api/ai-move", game="noughts", engine="minimax")["action"] == 8
    for wrong, said in (("nix.py", "nix.py"), (f"{tmp_path}/noughts.py:Zork", "no class Zork")):
        with pytest.raises(ValueError, match=said):
            create_app(games=[wrong])
    for name in (f"{tmp_path}/noughts.py", "noughts.py:Noughts"):
        assert refusal(post(client, "/api/position", game=name))
