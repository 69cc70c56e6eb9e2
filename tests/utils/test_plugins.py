"""Plugins: what a worker process loads so that it knows games and engines from outside."""

import sys

import pytest

from rl_toolkit.envs import (
    GameTraits,
    TicTacToe,
    UnknownGameError,
    make_game,
    register_game,
    registry,
)
from rl_toolkit.utils import plugins
from rl_toolkit.utils.plugins import PluginError, load_plugins, loaded_plugins, remember_plugin

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
