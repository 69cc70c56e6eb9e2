"""Games in files that are named on the command line, as students have them."""

import inspect
import json
import sys

import course_games
import pytest

from rl_toolkit.adapting import is_game_file, typed_name
from rl_toolkit.envs import (
    AdaptationError,
    UnknownGameError,
    game_families,
    load_game,
    make_game,
    registry,
)
from rl_toolkit.utils import plugins
from rl_toolkit.utils.plugins import PluginError, load_plugins, loaded_plugins


def source_of(*names):
    """A file with these classes of the helpers, and what they need."""
    head = "import numpy as np\nfrom rl_toolkit.envs import BaseGameEnv\n"
    lines = f"LINES = {course_games.LINES}\n"
    parts = [inspect.getsource(getattr(course_games, name)) for name in ("winner_among", *names)]
    return "\n\n".join([head + lines, *parts])


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """Forget the games of a test; call it to be a new process."""
    built_in, modules = dict(registry._FAMILIES), set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def forget_now():
        monkeypatch.setattr(registry, "_FAMILIES", dict(built_in))
        monkeypatch.setattr(plugins, "_loaded", {})
        for name in set(sys.modules) - modules:
            if name.startswith("my_"):
                del sys.modules[name]

    forget_now()
    yield forget_now
    forget_now()


@pytest.fixture
def my_game(tmp_path):
    """The second handout's class, called ConnectFour as there."""
    path = tmp_path / "my_game.py"
    text = source_of("PlainConnectFour").replace("PlainConnectFour", "ConnectFour")
    path.write_text(text, encoding="utf-8")
    return path


def test_a_class_of_a_file_becomes_a_game(my_game):
    assert load_game(f"{my_game}:ConnectFour") == "my-connect-four"
    assert load_game(str(my_game)) == "my-connect-four"  # the only one, and loaded once
    env = make_game("my-connect-four")
    env.step("d")
    assert (env.traits.title, env.history) == ("My Connect Four", [3])
    assert make_game("connect-four").kernel_spec() is not None


def test_workers_know_it(my_game, forget):
    load_game(str(my_game))
    sent = loaded_plugins()
    assert len(sent) == 1
    forget()
    with pytest.raises(UnknownGameError):
        make_game("my-connect-four")
    load_plugins(sent)
    assert make_game("my-connect-four").num_moves == 7


def test_classes_on_the_base_go_before_others_and_keep_free_names(tmp_path):
    path = tmp_path / "my_two.py"
    path.write_text(source_of("HandoutTicTacToe", "ListOfRows"), encoding="utf-8")
    assert load_game(str(path)) == "handout-tic-tac-toe"
    assert load_game(f"{path}:ListOfRows") == "list-of-rows"
    path = tmp_path / "my_other.py"
    text = source_of("HandoutTicTacToe").replace("HandoutTicTacToe", "TicTacToe")
    path.write_text(text, encoding="utf-8")
    assert load_game(str(path)) == "my-tic-tac-toe"


def test_a_class_with_sizes_has_variants(tmp_path):
    path = tmp_path / "my_hex.py"
    path.write_text(
        "from hex_game import Hex as Parent\n"
        "from rl_toolkit.envs import GameTraits\n"
        "class Hex(Parent):\n    traits = GameTraits(sizes=(3, 5))\n"
    )
    env = make_game(load_game(f"{path}:Hex-3"))
    assert (env.rows, typed_name(env)) == (3, f"{path}:Hex-3")


def test_what_to_type_to_name_a_game_again(my_game, run, forget):
    assert typed_name(make_game("reversi-6")) == "reversi-6"
    assert typed_name(make_game(load_game(str(my_game)))) == str(my_game)
    left = run("play", str(my_game), "--o", "first", stdin="d\nquit\n")
    said = "".join(left.out.split())  # lines are wrapped, long paths too
    assert f"Continuewith`rl-toolkitplay{my_game}--resume`." in said
    again = run("play", str(my_game), "--resume", stdin="quit\n")
    assert (again.code, " X " in again.out) == (0, True)
    forget()
    lost = run("play", "--resume")
    assert "no unfinished game; to continue one of yours, name its file" in lost.err


@pytest.mark.parametrize(
    ("text", "is_file"),
    [
        ("my_game.py", True),
        ("a folder/my_game.py:Hex", True),
        ("C:\\games\\my_game.py:Hex-5", True),
        ("connect-four", False),
        ("openspiel:hex(board_size=5)", False),
        ("my_game.py:", False),
        ("my_game.python", False),
    ],
)
def test_what_is_a_file(text, is_file):
    assert is_game_file(text) == is_file


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        (":Conectfour", UnknownGameError, "my_game.py has no class Conectfour; did you mean Con"),
        (":Zork", UnknownGameError, "my_game.py has no class Zork; its games are ConnectFour"),
        ("x", UnknownGameError, "a game in a file is written my_game.py:MyGame"),
    ],
)
def test_a_class_that_is_not_there(my_game, name, error, sentence):
    with pytest.raises(error, match=sentence):
        load_game(f"{my_game}{name}")


def test_files_without_a_game_and_with_several(tmp_path):
    path = tmp_path / "my_games.py"
    path.write_text(source_of("ListOfRows", "OneAndTwo"), encoding="utf-8")
    with pytest.raises(UnknownGameError, match="several games: ListOfRows and OneAndTwo; write"):
        load_game(str(path))
    path = tmp_path / "my_nothing.py"
    path.write_text("x = 1")
    with pytest.raises(UnknownGameError, match="has no game: write a class on Board"):
        load_game(str(path))
    path = tmp_path / "my_bad.py"
    path.write_text(
        "class Game:\n    board = None\n    def step(self, m): pass\n    moves = 1\n"
        "    def get_legal_moves(self): return [0]\n"
    )
    with pytest.raises(AdaptationError, match="Game cannot be played yet: its board is None"):
        load_game(str(path))
    with pytest.raises(PluginError, match="there is no file"):
        load_game(str(tmp_path / "nix.py"))


def test_a_name_never_loads_a_file(my_game):
    """Records, matches and requests name games by `make_game`."""
    for name in (str(my_game), f"{my_game}:ConnectFour"):
        with pytest.raises(UnknownGameError):
            make_game(name)
    assert loaded_plugins() == ()


# -------------------------------------------------------------------------- on the command line


def test_commands_take_a_file(my_game, run):
    game = f"{my_game}:ConnectFour"
    analysed = run("analyse", game, "d d", "--engine", "minimax:depth=2", "--json")
    assert json.loads(analysed.out)["game"] == "my-connect-four", analysed.err
    matched = run("match", game, "random:seed=1", "first", "--games", "2", "--json")
    assert json.loads(matched.out)["game"] == "my-connect-four", matched.err
    played = run("play", game, "--x", "human", "--o", "first", stdin="d\nresign\n")
    assert played.code == 0, played.err
    assert "my-connect-four" in played.out


def test_the_command_line_says_what_is_wrong(tmp_path, run):
    missing = run("analyse", str(tmp_path / "nix.py"))
    assert (missing.code, "there is no file" in missing.err) == (2, True)
    broken = tmp_path / "my_broken.py"
    broken.write_text("class Game(\n")
    assert "my_broken.py, line 1: '(' was never closed" in run("play", str(broken)).err


def test_plugins_on_the_command_line(my_game, run, tmp_path):
    assert "my-connect-four" in run("--plugin", str(my_game), "games").out  # its only class
    empty = tmp_path / "my_empty.py"
    empty.write_text("x = 1")
    listed = run("--plugin", str(empty), "games")
    assert (listed.code, "my_empty.py registers nothing" in listed.err) == (2, True)
    path = tmp_path / "my_plugin.py"
    text = source_of("ListOfRows")
    path.write_text(f"{text}\nfrom rl_toolkit import register_game\nregister_game(ListOfRows)\n")
    listed = run("--plugin", str(path), "games")
    assert (listed.code, "list-of-rows" in listed.out) == (0, True), listed.err
    analysed = run("--plugin", str(path), "analyse", "list-of-rows", "--engine", "first", "--json")
    assert json.loads(analysed.out)["game"] == "list-of-rows"


def test_the_pages_show_a_game_of_a_file(my_game):
    from rl_toolkit.web import create_app

    name = load_game(str(my_game))
    assert name in [family.name for family in game_families()]
    client = create_app().test_client()
    assert "My Connect Four" in client.get("/").text
    assert client.get(f"/{name}").status_code == 200
    asked = {"game": name, "moves": "dcdcdc", "engine": "minimax:depth=2", "show_thinking": True}
    assert client.post("/api/ai-move", json=asked).get_json()["action"] == 3
    refused = client.post("/api/ai-move", json={"game": f"{my_game}:ConnectFour", "moves": ""})
    assert 400 <= refused.status_code < 500


def test_the_web_command_takes_files(my_game, run, monkeypatch):
    served = []
    monkeypatch.setattr(
        "rl_toolkit.web.server.serve", lambda *where, **how: served.append((how["page"], how))
    )
    assert run("web", f"{my_game}:ConnectFour", "reversi").code == 0
    assert run("web", "--game", "othello-6").code == 0
    assert run("web").code == 0
    assert [page for page, _ in served] == ["my-connect-four", "reversi", ""]
    assert not any(how["games"] for _, how in served)  # those of other libraries
    assert "My Connect Four" in [family.title for family in game_families()]
    assert run("web", "nix.py").code == 2


@pytest.mark.parametrize(
    "plain",
    [
        "TopDown",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("PlainReversi", "HandoutTicTacToe")
        ),
    ],
)
def test_the_pages_explain_moves_of_a_course_class(plain):
    from rl_toolkit.web import create_app

    name = registry.register_game(getattr(course_games, plain)).name
    env = make_game(name)
    for _ in range(3):
        env.step(env.get_legal_moves()[0])
    moves = " ".join(make_game(name).line_names(env.history))
    client = create_app().test_client()
    for path in ("position", "analyse", "ai-move", "review"):
        asked = {"game": name, "moves": moves}
        if path in ("analyse", "ai-move", "review"):
            asked["engine"] = "minimax:depth=2"
        answer = client.post(f"/api/{path}", json=asked)
        assert (path, answer.status_code) == (path, 200), answer.text
        assert "went wrong" not in answer.text
    board = {"game": name, "board": env.board.tolist(), "player": env.current_player}
    assert client.post("/api/ai-move", json=board | {"engine": "greedy"}).status_code == 200
