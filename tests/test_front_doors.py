"""Every layer has a front door: few names, a sentence for each, and nothing imported beforehand."""

from __future__ import annotations

import ast
import builtins
import inspect
import subprocess
import sys
import textwrap
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from extras import skipped_without_extras

from rl_toolkit.utils.front_door import homes_of

ROOT = Path(__file__).parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
LAYERS = [layer.strip("()") for layer in CONTRACTS[0]["layers"]]
(SECOND,) = (contract["second_doors"] for contract in CONTRACTS if contract["type"] == "doors")
PACKAGES = [door for door in SECOND if (ROOT / door.replace(".", "/") / "__init__.py").is_file()]
MOST_NAMES = 35
#: Classes of exceptions that tell nobody what happened.
TOO_WIDE = {"Exception", "BaseException", "object"}


def source_of(package: str) -> str:
    module = import_module(package)
    assert module.__file__
    return Path(module.__file__).read_text()


def test_every_package_below_the_root_is_a_layer():
    folders = [path.parent.name for path in (ROOT / "rl_toolkit").glob("*/__init__.py")]
    assert sorted(f"rl_toolkit.{folder}" for folder in folders if folder != "data") == sorted(
        LAYERS
    )


@pytest.mark.parametrize("door", LAYERS + PACKAGES)
def test_a_door_offers_at_most_35_names_that_exist(door):
    module = import_module(door)
    assert len(module.__all__) <= MOST_NAMES
    assert len(set(module.__all__)) == len(module.__all__)
    assert set(module.__all__) <= set(dir(module))
    with skipped_without_extras():
        for name in module.__all__:
            assert getattr(module, name) is not None


def test_a_door_opens_where_pytest_has_loaded_an_installed_package(monkeypatch):
    """Its loader rewrites what belongs to a plugin's wheel, and cannot give its source."""
    module = import_module("rl_toolkit.utils")
    monkeypatch.setattr(module.__spec__, "loader", object())
    assert homes_of("rl_toolkit.utils")["shown"] == "rl_toolkit.utils.messages"


@pytest.mark.parametrize("door", LAYERS + PACKAGES)
def test_a_door_says_a_sentence_for_each_name(door):
    _, _, listed = source_of(door).partition("__all__")
    above = ""
    for line in listed.splitlines()[1:]:
        name, _, sentence = line.strip().partition("#")
        if name.startswith('"'):
            assert len(f"{above} {sentence}".split()) >= 2, f"{door}: {name} has no sentence"
            above = ""
        elif name:
            break
        else:
            above += sentence


def exceptions_of(function):
    """The names under which a docstring may announce each exception that a function raises itself.

    A base class announces it too. An exception that a helper makes is the one that the helper says
    it returns; a variable that holds an exception is left out.
    """
    known = vars(builtins) | function.__globals__
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        made = ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
        kind = known.get(made)
        if inspect.isfunction(kind):
            made = str(kind.__annotations__.get("return", ""))
            kind = kind.__globals__.get(made)
        if inspect.isclass(kind):
            yield {each.__name__ for each in kind.__mro__} - {
                "Exception",
                "BaseException",
                "object",
            }
        elif made.endswith("Error"):  # imported where it is needed
            yield {made}


def missing_from(thing):
    """What the docstring of a function or class owes to those who call it."""
    about = thing.__doc__ or ""
    if inspect.isclass(thing):
        own = (vars(thing).get("__init__"), vars(thing).get("__post_init__"))
        # Not what a dataclass or a protocol makes itself.
        made = [each for each in own if inspect.isfunction(each) and not_generated(each)]
        about += "".join(each.__doc__ or "" for each in made)
    else:
        made = [inspect.unwrap(thing)]
        answer = str(made[0].__annotations__.get("return", ""))
        if answer.endswith("| None") and "None" not in about and "none" not in about:
            yield "when it returns None"
    for names in (names for each in made for names in exceptions_of(each)):
        if not any(name in about for name in names):
            yield f"when it raises {min(names)}"


def not_generated(function):
    return "rl_toolkit" in function.__module__ and Path(function.__code__.co_filename).is_file()


@pytest.mark.parametrize("door", LAYERS + PACKAGES)
def test_a_docstring_says_what_is_raised_and_when_nothing_comes_back(door):
    silent = {}
    with skipped_without_extras():
        for name in import_module(door).__all__:
            thing = getattr(import_module(door), name)
            if inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing)):
                silent |= {f"{name}: {what}": thing for what in missing_from(thing)}
    assert not silent


def test_a_docstring_that_keeps_silent_is_found():
    def half(number: int) -> int | None:
        """Half of a number."""
        if number < 0:
            raise KeyError(number)
        return None if number % 2 else number // 2

    assert list(missing_from(half)) == ["when it returns None", "when it raises KeyError"]
    half.__doc__ = "Half of a number, ``None`` for an odd one; raises ``LookupError`` below 0."
    assert list(missing_from(half)) == []


@pytest.mark.parametrize("door", LAYERS + PACKAGES)
def test_no_module_hides_a_name_of_its_door(door):
    """Once a module ``door.x`` is imported, ``door.x`` is the module, whatever it was before."""
    folder = Path(next(iter(import_module(door).__path__)))
    modules = {path.stem for path in folder.glob("*.py")}
    modules |= {path.parent.name for path in folder.glob("*/__init__.py")}
    assert not modules & set(homes_of(door))


def test_importing_layers_imports_nothing_else():
    script = f"""
import sys
for layer in {LAYERS}:
    __import__(layer)
own = [name for name in sys.modules if name.split(".")[0] == "rl_toolkit"]
print(*own)
assert not {{"numpy", "numba", "flask", "click", "rich"}} & set(sys.modules), "libraries"
"""
    answer = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True)
    assert answer.returncode == 0, answer.stderr
    helpers = {"rl_toolkit", "rl_toolkit.utils.front_door"}
    assert set(answer.stdout.split()) == {*LAYERS, *helpers}


def test_modules_are_attributes_as_before():
    script = "import rl_toolkit.envs; print(rl_toolkit.envs.tictactoe.TicTacToe.__name__)"
    answer = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True)
    assert answer.stdout == "TicTacToe\n", answer.stderr


def test_what_is_replaced_in_its_module_is_replaced_at_the_door(monkeypatch):
    door, home = import_module("rl_toolkit.envs"), import_module("rl_toolkit.envs.registry")
    assert door.make_game is home.make_game
    monkeypatch.setattr(home, "make_game", "another")
    assert door.make_game == "another"


def test_a_name_that_is_not_offered():
    with pytest.raises(AttributeError, match=r"module 'rl_toolkit.envs' has no attribute 'tea'"):
        import_module("rl_toolkit.envs").tea  # noqa: B018
