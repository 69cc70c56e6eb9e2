"""Every example in a docstring, in docs/ and in the README does what it says."""

import contextlib
import doctest
import importlib
import pkgutil

import pytest
from markdown_examples import FLAGS, has_examples, run_page
from paths import ROOT

import rl_toolkit
import rl_toolkit.labs.engine
from rl_toolkit.envs import registry
from rl_toolkit.kernels.compiling import compile_news
from rl_toolkit.players import registry as engine_registry
from rl_toolkit.testing import check_engines

#: Pages that tests of their own run.
GUIDES = {
    ROOT / "docs" / "guides" / "write_a_game.md",
    ROOT / "docs" / "guides" / "adding_engines.md",
    ROOT / "docs" / "learn" / "errata.md",
    *ROOT.glob("docs/start/*.md"),
    *ROOT.glob("docs/howto/*.md"),
    ROOT / "projects" / "project_04.5_tictactoe" / "ADDING_NEW_GAMES.md",
}
PAGES = [
    ROOT / "README.md",
    *sorted(set(ROOT.glob("docs/**/*.md")) - GUIDES),
    *sorted(set(ROOT.glob("projects/*/*.md")) - GUIDES),
]
#: The modules that need libraries which may be missing.
ADAPTERS = "rl_toolkit.adapters."
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(rl_toolkit.__path__, "rl_toolkit.")
    if not module.name.endswith("__main__")
)


def _source_of(name):
    """The source of a module, which is not imported for it."""
    place = ROOT.joinpath(*name.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return file.read_text(encoding="utf-8")


#: The modules with examples.
TOLD = [name for name in MODULES if ">>>" in _source_of(name)]
#: Modules and pages whose examples search for seconds.
LONG = {
    "rl_toolkit.algorithms.reversi.reference",
    "rl_toolkit.algorithms.value_iteration",
    "docs/explanation/reversi.md",
    "docs/reference/web_api.md",
}


def _cases(values, name_of=str):
    """One case for each module or page, named after it."""
    return [
        pytest.param(value, id=name, marks=[pytest.mark.full] if name in LONG else [])
        for value in values
        for name in [name_of(value)]
    ]


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(monkeypatch, tmp_path):
    """Examples may register games and engines and write files; nothing outlives them."""
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    monkeypatch.setattr(engine_registry, "_KINDS", dict(engine_registry._KINDS))
    monkeypatch.setattr(compile_news, "NEWS", compile_news.CompileNews())
    monkeypatch.setattr(check_engines, "GRACE", 60.0)  # a busy machine is no fault of an example
    monkeypatch.chdir(tmp_path)


@contextlib.contextmanager
def _skipped_without(library, asks):
    """Skip where an optional library is missing; ``asks`` says whether this may need one."""
    try:
        yield
    except ImportError as error:
        if not asks:
            raise
        pytest.skip(f"{library}: {error}")


@pytest.mark.parametrize("name", _cases(TOLD))
def test_the_examples_of_a_module(name):
    with _skipped_without(name, asks=name.startswith(ADAPTERS)):
        module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("page", _cases(PAGES, lambda page: str(page.relative_to(ROOT))))
def test_the_examples_of_a_page(page, monkeypatch):
    monkeypatch.syspath_prepend(page.parent)  # a project's page imports the file beside it
    with _skipped_without(page.name, asks=page.stem == "adapters"):
        run_page(page)


def test_there_are_examples_to_run():
    """And none in a module that is left out, each of which can be imported."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = {
        name: sum(len(test.examples) for test in finder.find(importlib.import_module(name)))
        for name in MODULES
        if not name.startswith(ADAPTERS)
    }
    assert sum(examples.values()) > 50
    assert set(TOLD) | {str(page.relative_to(ROOT)) for page in PAGES} >= LONG
    assert {name for name, count in examples.items() if count} <= set(TOLD)
    assert sum(has_examples(page.read_text(encoding="utf-8")) for page in PAGES) >= 3


# --- the runner itself -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    [
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nassert False\n```\n",
        "```python\nprint('yes')\n```\n\n```output\nno\n```\n",
        "```python fragment\ndef (:\n```\n",
        "```python\nx = 1\n```\n\n```python\n>>> x\n2\n\n```\n",
    ],
)
def test_a_wrong_example_is_found(page, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    with pytest.raises((AssertionError, SyntaxError)):
        run_page(path)


def test_blocks_of_a_page_share_their_names_and_others_are_left_alone(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "```python\nx = 6\nprint(x)\n```\n\n```output\n6\n```\n\n"
        "```python\n>>> y = x * 7\n>>> y\n42\n\n```\n"
        "```sh\nexit 1\n```\n\n```python fragment\nnot_there(x)\n```\n",
        encoding="utf-8",
    )
    names = run_page(path)
    assert (names["x"], names["y"]) == (6, 42)
