"""The guide to labs: its commands run as written, and its tables name what there is."""

from __future__ import annotations

import doctest
import re
import shlex

from markdown_examples import FLAGS, blocks
from paths import ROOT

from rl_toolkit.cli.commands.lab.group import COMMANDS
from rl_toolkit.labs.checking import Check
from rl_toolkit.labs.model.names import (
    ARGUMENT_KINDS,
    BOARD_FORMS,
    CELL_FORMS,
    DERIVED_KINDS,
    RETURN_KINDS,
)

GUIDE = ROOT / "docs" / "guides" / "labs.md"
TEXT = GUIDE.read_text("utf-8")


def test_the_commands_run_as_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = 0
    for block in blocks(TEXT):
        if block.mark == "python fragment":
            compile(block.text, "labs.md", "exec")
        if not block.mark.startswith("console"):
            continue
        for part in block.text.split("$ ")[1:]:
            command, _, wanted = part.partition("\n")
            done = run(*shlex.split(command)[1:])
            assert done.code == (1 if "exit=1" in block.mark else 0)
            assert doctest.OutputChecker().check_output(wanted, done.out, FLAGS), done
            ran += 1
    assert ran == 4


def test_every_kind_and_form_is_named():
    for kind in (*ARGUMENT_KINDS, *DERIVED_KINDS, *RETURN_KINDS):
        assert f"`{kind}`" in TEXT
    assert all(form in TEXT for form in (*BOARD_FORMS, *CELL_FORMS))


def test_the_commands_of_students_and_teachers_are_explained():
    for name in ("list", "start", "check", "hint", "play", "submit", "new", "verify"):
        assert name in COMMANDS
        assert f"rl-toolkit lab {name}" in TEXT


def test_what_the_guide_says_of_a_check_there_is():
    named = set(re.findall(r"check\.([a-z_]+)", TEXT)) - {"py"}
    assert named >= {"call", "calls", "each", "equal", "fail", "new", "probe", "file", "open"}
    assert all(hasattr(Check, name) for name in named)
