"""Every entry of the errata has a program, and it prints what the page says."""

import contextlib
import io
import re
import shutil
import subprocess
from functools import cache

import pytest
from markdown_examples import blocks
from paths import ROOT

from rl_toolkit.algorithms import value_iteration

PAGE = ROOT / "docs" / "learn" / "errata.md"
#: A date: no program shows it.
WITHOUT_PROGRAM = {"R45"}
ENTRIES = {
    re.match(r"### (R\d+): ", text)[1]: text
    for text in re.split(r"^(?=### )", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
}
PROGRAMS = {
    name: found for name, text in ENTRIES.items() if (found := blocks(text.split("\n## ")[0]))
}
NODE = shutil.which("node") or shutil.which("nodejs")


def programs(*marks):
    return [name for name, (program, *_) in PROGRAMS.items() if program.mark in marks]


@cache
def _states(family, start):
    return _state_space(_states.waiting)


_state_space = value_iteration.state_space


@pytest.fixture(autouse=True)
def _states_are_found_once(monkeypatch, tmp_path):
    """Many programs begin with the states of Tic-Tac-Toe, which do not change."""
    monkeypatch.chdir(tmp_path)

    def state_space(env):
        _states.waiting = env
        return _states(env.name, env.get_state_hash())

    monkeypatch.setattr(value_iteration, "state_space", state_space)


def check(name, run):
    program, output = PROGRAMS[name]
    assert output.mark == "output"
    printed = "\n".join(line.rstrip() for line in run(program.text).splitlines())
    assert printed.strip() == output.text.strip()


def run_python(text):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, PAGE.name, "exec"), {"__name__": "program"})
    return printed.getvalue()


def run_javascript(text):
    done = subprocess.run([NODE, "-e", text], capture_output=True, text=True, check=True)
    return done.stdout


def test_every_entry_is_there_with_a_program():
    assert sorted(ENTRIES, key=lambda name: int(name[1:])) == [f"R{n}" for n in range(1, 48)]
    assert set(ENTRIES) - set(PROGRAMS) == WITHOUT_PROGRAM
    for name, (program, *_) in PROGRAMS.items():
        assert program.mark in ("python", "python long", "python browser", "js"), name
        assert program.text.count("\n") <= 45, f"{name} is not a few lines"


@pytest.mark.parametrize("name", programs("python"))
def test_a_program_prints_what_the_page_says(name):
    check(name, run_python)


@pytest.mark.full
@pytest.mark.parametrize("name", programs("python long"))
def test_a_longer_program_prints_what_the_page_says(name):
    check(name, run_python)


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("chromium"), reason="no Chromium on this machine")
@pytest.mark.parametrize("name", programs("python browser"))
def test_a_program_for_the_browser_prints_what_the_page_says(name):
    pytest.importorskip("playwright.sync_api")
    check(name, run_python)


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize("name", programs("js"))
def test_a_script_prints_what_the_page_says(name):
    check(name, run_javascript)
