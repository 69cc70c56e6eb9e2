"""Plugins: what a worker process loads so that it knows games and engines from outside."""

import os
import sys

import pytest

from rl_toolkit.envs import (
    GameTraits,
    TicTacToe,
    UnknownGameError,
    game_families,
    make_game,
    register_game,
    registry,
)
from rl_toolkit.players import SpecError, engine_kinds, make_engine
from rl_toolkit.players import registry as engine_registry
from rl_toolkit.utils import plugins
from rl_toolkit.utils.plugins import (
    PluginError,
    load_file,
    load_plugin,
    load_plugins,
    loaded_plugins,
    remember_plugin,
)

GAME = '''
from rl_toolkit.envs import GameTraits, TicTacToe

class Noughts(TicTacToe):
    """Tic-Tac-Toe by another name."""

    traits = GameTraits(name="{name}")
'''
REGISTERED = GAME + "from rl_toolkit.envs import register_game\nregister_game(Noughts)\n"


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A process that knows the built-in games only; call it again for a new worker."""

    def forget(*modules):
        monkeypatch.setattr(registry, "_FAMILIES", dict(built_in))
        monkeypatch.setattr(plugins, "_loaded", {})
        monkeypatch.setattr(plugins, "_discovered", set())
        for module in modules:
            sys.modules.pop(module, None)

    built_in = dict(registry._FAMILIES)
    forget()
    yield forget
    for module in [name for name in sys.modules if name.startswith("plugin_of_a_test")]:
        del sys.modules[module]


def plugin_in(folder, monkeypatch, source, name="plugin_of_a_test"):
    monkeypatch.syspath_prepend(str(folder))
    (folder / f"{name}.py").write_text(source.format(name="noughts"))
    return __import__(name)


@pytest.mark.parametrize("source", [GAME, REGISTERED], ids=["by its user", "by itself"])
def test_a_worker_registers_what_was_registered(tmp_path, monkeypatch, fresh, source):
    module = plugin_in(tmp_path, monkeypatch, source)
    if source == GAME:
        register_game(module.Noughts)
    sent = loaded_plugins()
    fresh("plugin_of_a_test")
    with pytest.raises(UnknownGameError):
        make_game("noughts")
    load_plugins(sent)
    assert type(make_game("noughts")).__name__ == "Noughts"
    load_plugins(sent)  # a worker asks before each task


def test_a_file_that_has_changed_is_refused(tmp_path, monkeypatch, fresh):
    plugin_in(tmp_path, monkeypatch, REGISTERED)
    sent = loaded_plugins()
    fresh("plugin_of_a_test")
    (tmp_path / "plugin_of_a_test.py").write_text("# another one\n")
    with pytest.raises(PluginError, match=r"plugin_of_a_test\.py has changed since this run began"):
        load_plugins(sent)


def test_a_module_that_is_not_there_is_named(tmp_path, monkeypatch, fresh):
    plugin_in(tmp_path, monkeypatch, REGISTERED)
    sent = loaded_plugins()
    fresh("plugin_of_a_test")
    (tmp_path / "plugin_of_a_test.py").unlink()
    with pytest.raises(PluginError, match="plugin_of_a_test cannot be loaded here"):
        load_plugins(sent)


def test_a_file_that_fails_leaves_nothing_behind(tmp_path, monkeypatch, fresh):
    plugin_in(tmp_path, monkeypatch, REGISTERED + "import os\nassert 'SPOILT' not in os.environ\n")
    sent = loaded_plugins()
    fresh("plugin_of_a_test")
    monkeypatch.setenv("SPOILT", "1")
    with pytest.raises(AssertionError):
        load_plugins(sent)
    assert "plugin_of_a_test" not in sys.modules


def test_a_script_is_loaded_under_another_name_and_does_not_run_again(tmp_path, monkeypatch, fresh):
    script = tmp_path / "script.py"
    script.write_text(REGISTERED.format(name="noughts") + "assert __name__ != '__main__'\n")
    sent = [plugins.Plugin("__main__", str(script), plugins._digest(script), "Noughts")]
    monkeypatch.delitem(sys.modules, "__mp_main__", raising=False)
    load_plugins(sent)
    assert make_game("noughts").name == "noughts"
    del sys.modules["_plugin_script"]


def test_what_workers_cannot_load_is_not_sent():
    remember_plugin("rl_toolkit.envs.reversi", "Reversi", register_game)
    remember_plugin("builtins")  # no file
    remember_plugin(__name__, "test.<locals>.Game", register_game)
    register_game(type("MadeByType", (TicTacToe,), {"traits": GameTraits()}))
    assert loaded_plugins() == ()


# --------------------------------------------------------------------------- files and packages

ENGINE = """
from rl_toolkit.players import EngineKind, register_engine
from rl_toolkit.algorithms.simple import RandomEngine

KIND = EngineKind("shuffle", "plays at random", RandomEngine)
{call}
"""


def file_of(folder, source, name="plugin_of_a_test"):
    path = folder / f"{name}.py"
    path.write_text(source.replace("{name}", "noughts"))
    return path


@pytest.fixture
def engines(monkeypatch):
    """The engines of the toolkit alone, before and after."""
    monkeypatch.setattr(engine_registry, "_KINDS", dict(engine_registry._KINDS))


def test_a_file_is_loaded_once_under_its_name(tmp_path):
    path = file_of(tmp_path, REGISTERED)
    module = load_plugin(path)
    assert module.__name__ == "plugin_of_a_test"
    assert load_plugin(str(path)) is module
    assert type(make_game("noughts")) is module.Noughts
    assert {plugin.module for plugin in loaded_plugins()} == {"plugin_of_a_test"}


IMPORTED = """
from rl_toolkit.envs import register_game
from plugin_of_a_test_neighbour import {what}
"""
MADE = """
def made():
    return type("Other", (Noughts,), dict(traits=Noughts.traits))
"""


@pytest.mark.parametrize(
    ("neighbour", "plugin"),
    [
        (GAME, IMPORTED.format(what="Noughts") + "register_game(Noughts)\n"),
        (GAME + MADE, IMPORTED.format(what="made") + "register_game(made())\n"),
        (REGISTERED, "import plugin_of_a_test_neighbour\n"),
    ],
    ids=["imported class", "made by a function", "registered by the other"],
)
def test_a_file_may_register_what_is_defined_elsewhere(
    tmp_path, monkeypatch, fresh, neighbour, plugin
):
    monkeypatch.setattr(sys, "path", list(sys.path))
    neighbour = file_of(tmp_path, neighbour, "plugin_of_a_test_neighbour")
    path = file_of(tmp_path, plugin)
    module = load_plugin(path)
    assert load_plugin(path) is module
    assert make_game("noughts").name == "noughts"
    sent = loaded_plugins()
    assert sent[0].file == str(path)
    fresh(module.__name__, "plugin_of_a_test_neighbour")
    load_plugins(sent)
    load_plugins(sent)  # a worker asks before each task
    assert loaded_plugins() == sent  # which it sends in this order to the processes of its bots
    assert make_game("noughts").name == "noughts"
    assert load_plugin(path).__name__ == module.__name__  # the variable names it there too
    fresh(module.__name__, "plugin_of_a_test_neighbour")
    if len(sent) > 1:
        neighbour.write_text(neighbour.read_text() + "# changed\n")
        with pytest.raises(PluginError, match=r"neighbour\.py has changed since this run began"):
            load_plugins(sent)


def test_importing_the_toolkit_registers_nothing(tmp_path):
    source = "import rl_toolkit.players.registry\nimport rl_toolkit.players.kinds.builtin\n"
    with pytest.raises(PluginError, match="registers nothing"):
        load_plugin(file_of(tmp_path, source))


def test_a_file_with_the_name_of_another_module_gets_another_one(tmp_path):
    names = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        names.append(load_file(file_of(tmp_path / folder, "x = 1", "random")).__name__)
    assert names[0] == "_plugin_random"
    assert names[1].startswith("_plugin_random_")
    for name in names:
        del sys.modules[name]


def test_a_file_may_import_its_neighbours(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    file_of(tmp_path, "word = 'beside'", "plugin_of_a_test_neighbour")
    module = load_file(file_of(tmp_path, "from plugin_of_a_test_neighbour import word"))
    assert module.word == "beside"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1", "plugin_of_a_test.py registers nothing; it should end with register_game"),
        ("x = (", "plugin_of_a_test.py, line 1: '(' was never closed"),
        ("\nx = 1 / 0", "plugin_of_a_test.py, line 2: ZeroDivisionError: division by zero"),
        ("import nosuchmodule", "plugin_of_a_test.py, line 1: ModuleNotFoundError: No module"),
        (
            "\n\ninput('Your move? ')",
            "plugin_of_a_test.py, line 3 asks for input when it is",
        ),
        ("raise SystemExit", "plugin_of_a_test.py, line 1 ends the program"),
    ],
)
def test_a_file_that_cannot_be_loaded(tmp_path, source, sentence, capsys):
    with pytest.raises(PluginError) as caught:
        load_plugin(file_of(tmp_path, source))
    assert str(caught.value).startswith(sentence)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nix.py", "there is no file "), ("nix.txt", "nix.txt is not a Python file")],
)
def test_a_file_that_is_not_there(tmp_path, name, sentence):
    with pytest.raises(PluginError, match=sentence):
        load_file(tmp_path / name)


def test_what_a_file_prints_goes_to_stderr(tmp_path, capsys):
    load_file(file_of(tmp_path, "print('hello')"))
    assert capsys.readouterr() == ("", "hello\n")


def test_the_environment_variable_names_files(tmp_path, monkeypatch, engines):
    game = file_of(tmp_path, REGISTERED)
    call = ENGINE.replace("{call}", "register_engine(KIND)")
    engine = file_of(tmp_path, call, "plugin_of_a_test_engine")
    monkeypatch.setenv("RL_TOOLKIT_PLUGINS", os.pathsep.join([str(game), str(engine)]))
    assert make_game("noughts").name == "noughts"
    assert make_engine("shuffle").analyse(make_game("noughts")).best_move is not None


def test_a_wrong_file_in_the_variable_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("RL_TOOLKIT_PLUGINS", str(tmp_path / "nix.py"))
    with pytest.raises(PluginError, match="RL_TOOLKIT_PLUGINS: there is no file"):
        game_families()


def test_the_command_line_says_which_file_is_wrong(tmp_path, monkeypatch, run):
    monkeypatch.setenv("RL_TOOLKIT_PLUGINS", str(tmp_path / "nix.py"))
    refused = run("games")
    assert (refused.code, "RL_TOOLKIT_PLUGINS: there is no file" in refused.err) == (2, True)
    assert run("--help").code == 0


def package(folder, monkeypatch, entry_points):
    """A folder on the path that looks like an installed package."""
    info = folder / "a_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.parametrize(
    ("target", "source"),
    [
        ("plugin_of_a_test:Noughts", GAME),
        ("plugin_of_a_test:Noughts", REGISTERED),
        ("plugin_of_a_test", REGISTERED),
    ],
)
def test_a_package_brings_games(tmp_path, monkeypatch, target, source):
    file_of(tmp_path, source)
    package(tmp_path, monkeypatch, f"[rl_toolkit.games]\nnoughts = {target}\n")
    assert make_game("noughts").name == "noughts"
    assert "noughts" in [family.name for family in game_families()]


@pytest.mark.parametrize("call", ["", "def add(): register_engine(KIND)"])
def test_a_package_brings_engines(tmp_path, monkeypatch, engines, call):
    with pytest.raises(SpecError):
        make_engine("shuffle")
    monkeypatch.setattr(plugins, "_discovered", set())
    file_of(tmp_path, ENGINE.replace("{call}", call), "plugin_of_a_test_engine")
    what = "add" if call else "KIND"
    text = f"[rl_toolkit.engines]\nshuffle = plugin_of_a_test_engine:{what}\n"
    package(tmp_path, monkeypatch, text)
    assert "shuffle" in [kind.name for kind in engine_kinds()]
    assert make_engine("shuffle").name


PLAIN = """
class Strip:
    def __init__(self):
        self.board, self.turn, self.winner = ["."] * 5, "x", None

    def legal_moves(self):
        return [k for k in range(5) if self.board[k] == "."]

    def play(self, k):
        self.board[k] = self.turn
        if k == 2:
            self.winner = self.turn
        self.turn = "o" if self.turn == "x" else "x"
"""


def test_what_a_package_brings_is_known_everywhere(tmp_path, monkeypatch, engines, run):
    from rl_toolkit.web import create_app

    file_of(tmp_path, GAME + PLAIN)
    file_of(tmp_path, ENGINE.replace("{call}", ""), "plugin_of_a_test_engine")
    package(
        tmp_path,
        monkeypatch,
        "[rl_toolkit.games]\nnoughts = plugin_of_a_test:Noughts\nstrip = plugin_of_a_test:Strip\n"
        "[rl_toolkit.engines]\nshuffle = plugin_of_a_test_engine:KIND\n",
    )
    assert [word in run("games").out for word in ("noughts", "Strip")] == [True, True]
    assert "shuffle" in run("engines", "strip").out
    for game in ("noughts", "strip"):
        played = run("match", game, "shuffle", "first", "--games", "2", "--json")
        assert (played.code, '"shuffle"' in played.out) == (0, True)
    shown = run("play", "strip", "--o", "shuffle", stdin="c1\nquit\n")
    assert (shown.code, "X wins" in shown.out) == (0, True)
    client = create_app().test_client()
    assert client.get("/strip").status_code == 200
    asked = {"game": "noughts", "moves": [0], "engine": "shuffle"}
    assert client.post("/api/ai-move", json=asked).json["action"] in range(1, 9)


@pytest.mark.filterwarnings("default:rl_toolkit.games")
def test_a_package_that_cannot_be_loaded_is_one_sentence_on_the_command_line(
    tmp_path, monkeypatch, run
):
    package(tmp_path, monkeypatch, "[rl_toolkit.games]\nnix = plugin_of_a_test_gone:Game\n")
    listed = run("games")
    assert (listed.code, listed.err) == (
        0,
        "Warning: rl_toolkit.games 'nix' of a-package cannot be loaded: "
        "No module named 'plugin_of_a_test_gone'\n",
    )


def test_a_package_that_cannot_be_loaded_is_a_warning(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, "[rl_toolkit.games]\nnix = plugin_of_a_test_gone:Game\n")
    with pytest.warns(UserWarning, match=r"rl_toolkit.games 'nix' of a-package cannot be loaded"):
        game_families()
    assert make_game("tictactoe").name == "tictactoe"


def test_a_module_of_a_package_is_imported_with_its_package(tmp_path, monkeypatch, fresh):
    folder = tmp_path / "plugin_of_a_test_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "words.py").write_text("NAME = 'noughts'")
    source = GAME.replace('"{name}"', "NAME") + "\nfrom rl_toolkit.envs import register_game\n"
    (folder / "game.py").write_text(f"from .words import NAME\n{source}register_game(Noughts)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("plugin_of_a_test_package.game")
    sent = loaded_plugins()
    fresh(*[name for name in sys.modules if name.startswith("plugin_of_a_test")])
    load_plugins(sent)
    assert make_game("noughts").name == "noughts"
