"""The scripts of the pages as files: who may import whom, and what a page asks for early."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from rl_toolkit.web.serving.compression import without_comments

STATIC = Path(str(files("rl_toolkit.web"))) / "static"
#: A script imports from its own folder and from those before it; pages import from all of them.
LAYERS = ("base", "board", "model", "play", "views", "page")
IMPORT = re.compile(r'^(?:import|export) (?:.* from )?"(\.[^"]+)";', re.MULTILINE)


def imports_of(script):
    """The scripts that this one imports."""
    return [(script.parent / name).resolve() for name in IMPORT.findall(script.read_text("utf-8"))]


def layer_of(script):
    """The number of its folder; pages are above all of them."""
    parts = script.relative_to(STATIC / "js").parts
    return LAYERS.index(parts[0]) if len(parts) > 1 else len(LAYERS)


def all_behind(script):
    """The script and everything that is loaded with it."""
    waiting, seen = [script], set()
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            waiting += imports_of(one)
    return seen


def test_scripts_import_from_their_own_folder_and_those_below():
    scripts = sorted((STATIC / "js").rglob("*.js"))
    assert {layer_of(script) for script in scripts} == set(range(len(LAYERS) + 1))
    for script in scripts:
        for other in imports_of(script):
            assert other.is_file(), f"{script.name} imports {other.name}, which is not there"
            assert layer_of(other) <= layer_of(script), f"{script.name} imports {other.name}"


def test_what_is_loaded_later_is_loaded_ahead_once_the_page_is_used():
    tools = STATIC / "js" / "page" / "tools.js"
    text = tools.read_text("utf-8")
    (block,) = re.findall(r"const LATER = \[\n(.*?)\n\];", text, re.DOTALL)
    listed = {
        f"{folder}/{name}.js"
        for names, folder in re.findall(r"\.\.\.\[(.*?)\].*?\.\./(\w+)/", block)
        for name in re.findall(r'"([\w/]+)"', names)
    } | {name.removeprefix("../") for name in re.findall(r'"(\.\./[\w/]+\.js)"', block)}
    scripts = sorted((STATIC / "js").rglob("*.js"))
    wanted = {
        (script.parent / name).resolve()
        for script in scripts
        for name in re.findall(r'import\("(\.[^"]+)"\)', script.read_text("utf-8"))
    }
    wanted -= {STATIC / "js" / "base" / "sounds.js", STATIC / "js" / "board" / "text_board.js"}
    # What the first minute shows asks the server.
    wanted.remove(STATIC / "js" / "views" / "warm_up.js")
    at_once = all_behind(STATIC / "js" / "page.js")
    ahead = set().union(*(all_behind(STATIC / "js" / name) for name in listed))
    assert ahead - at_once == set().union(*map(all_behind, wanted)) - at_once


@pytest.mark.parametrize("script", sorted(STATIC.rglob("*.js")), ids=lambda each: each.name)
def test_comments_that_browsers_do_not_get_are_comments(script):
    """A line of a template literal may look like one; then these signs have another meaning."""
    text = script.read_text("utf-8")
    short = without_comments(text, "text/javascript")
    assert short.count("\n") == text.count("\n")
    inside = False
    for line, kept in zip(text.split("\n"), short.split("\n"), strict=True):
        assert line == kept or not inside
        inside ^= kept.count("`") % 2 == 1


@pytest.mark.parametrize(("template", "page"), [("game.html", "page.js")])
def test_a_page_asks_for_every_script_that_it_needs_ahead_of_time(template, page):
    text = (STATIC.parent / "templates" / template).read_text("utf-8")
    (listed,) = re.findall(r"for module in \[(.*?)\]", text, re.DOTALL)
    names = re.findall(r'"([\w/]+)"', listed)
    needed = all_behind(STATIC / "js" / page) - {STATIC / "js" / page}
    assert names == sorted(set(names))
    assert {f"{name}.js" for name in names} == {
        script.relative_to(STATIC / "js").as_posix() for script in needed
    }
