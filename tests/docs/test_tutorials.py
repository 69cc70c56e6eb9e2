"""Tutorials and recipes, step by step in an empty folder: files, commands and Python."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from markdown_examples import FENCE, FLAGS, Guide, blocks
from paths import ROOT

import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`, once for all tests
from rl_toolkit.cli.program.group import cli
from rl_toolkit.envs import registry
from rl_toolkit.players import registry as engine_registry
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.testing import check_engines

START = sorted((ROOT / "docs" / "start").glob("*.md"))
RECIPES = sorted((ROOT / "docs" / "howto").glob("*.md"))
#: Pages whose steps take seconds.
LONG = {"first_bot"}


def cases(pages):
    return [
        pytest.param(page, id=page.stem, marks=[pytest.mark.full] if page.stem in LONG else [])
        for page in pages
        if page.stem != "index"
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", programs)  # `rl-toolkit` as after an installation
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    monkeypatch.setattr(engine_registry, "_KINDS", dict(engine_registry._KINDS))
    for patient in (bot_process, check_engines):  # a busy machine is not the page's fault
        monkeypatch.setattr(patient, "GRACE", 60.0)
    yield tmp_path
    bot_engine.forget_parked()
    bot_process.settle()


class Ran(NamedTuple):
    """What a program wrote, as the fixture `run` has it."""

    code: int
    out: str
    err: str


def python(arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    return Ran(done.returncode, done.stdout, done.stderr)


def session(run):
    """A function that runs the commands of a block and compares what each writes."""

    def check(text, code):
        for part in text.split("$ ")[1:]:
            command, _, wanted = part.partition("\n")
            program, *arguments = shlex.split(command)
            assert program in ("rl-toolkit", "python")
            ran = run(*arguments) if program == "rl-toolkit" else python(arguments)
            assert ran.code == code, (command, ran)
            written = ran.out or ran.err
            assert doctest.OutputChecker().check_output(wanted, written, FLAGS), (command, ran)

    return check


@pytest.mark.parametrize("page", cases(START + RECIPES))
def test_every_step_works(page, folder, run):
    Guide(page, folder, session(run)).follow()


def test_a_step_that_fails_is_found(tmp_path, run):
    page = tmp_path / "page.md"
    for wrong in ("```console\n$ rl-toolkit games\nchess\n```\n", "```python\n1 / 0\n```\n"):
        page.write_text(wrong)
        with pytest.raises((AssertionError, ZeroDivisionError)):
            Guide(page, tmp_path, session(run)).follow()


# --- commands that are only shown --------------------------------------------------------------

SHOWN = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *sorted(ROOT.glob("projects/*/*.md")),
]


def unknown_parts(command):
    """The words and options of a command line that the command does not have."""
    words = shlex.split(command, comments=True)[1:]
    at, context = cli, None
    while words and isinstance(at, click.Group):
        found = at.get_command(context, words[0])
        if found is None and at is not cli:
            found = at.get_command(context, "start")  # `train GAME` is short for `train start GAME`
        elif found is not None:
            words = words[1:]
        if found is None:
            is_any = words[0].startswith("-") or words[0].isupper()  # COMMAND stands for any
            return [] if is_any else [words[0]]
        at = found
    known = {name for option in at.params for name in (*option.opts, *option.secondary_opts)}
    known |= {"-h", "--help", "--version", "--plugin"}
    either = [part for word in words for part in word.split("|")]  # --svg|--png
    options = [part.partition("=")[0] for part in either if re.match(r"--[a-z]", part)]
    return [option for option in options if option not in known]


def shown_commands(text):
    """The command lines of ``rl-toolkit`` in blocks and between backquotes."""
    for block in blocks(text):
        if block.mark.split()[:1] in (["sh"], ["bash"], ["console"], []):
            prompt = "$ " if block.mark.startswith("console") else ""
            for line in block.text.replace("\\\n", " ").splitlines():
                if line.strip().startswith(f"{prompt}rl-toolkit "):
                    yield line.strip().removeprefix(prompt)
    prose = FENCE.sub("", text)
    yield from (" ".join(span.split()) for span in re.findall(r"`(rl-toolkit [^`]+)`", prose))


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_exist(page):
    text = page.read_text("utf-8")
    wrong = [(line, part) for line in shown_commands(text) for part in unknown_parts(line)]
    assert wrong == []


def test_a_command_that_does_not_exist_is_found():
    assert unknown_parts("rl-toolkit pray tictactoe") == ["pray"]
    assert unknown_parts("rl-toolkit play tictactoe --opponent hard  # no such option") == [
        "--opponent"
    ]
    assert unknown_parts("rl-toolkit train tictactoe --out runs/x") == []
    assert unknown_parts("rl-toolkit lab check --task 2") == []
