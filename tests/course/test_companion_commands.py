"""Every command on a page of a companion can be typed, and says where it cannot run."""

from __future__ import annotations

import shlex

import pytest

from rl_toolkit.cli import arguments
from rl_toolkit.course import companions

TYPED = sorted(
    {
        command
        for course in companions()
        for session in course.sessions
        for command, _ in session.commands
        if command.startswith("rl-toolkit ")
    }
)


@pytest.mark.parametrize("command", TYPED)
def test_a_command_of_a_page_has_the_options_that_it_names(command, run):
    words = shlex.split(command)[1:]
    shown = run(*words, "--help")  # unknown commands and options are refused before the help
    assert shown.code == 0, shown.err
    assert shown.out.startswith("Usage: rl-toolkit")


def test_an_option_that_is_not_there_is_noticed(run):
    assert run("analyse", "tictactoe", "--verbose", "--help").code == 2


@pytest.mark.parametrize(
    "words",
    [("course", "check"), ("course", "status"), ("lab", "check"), ("lab", "grade-all", ".")],
)
def test_windows_needs_wsl(words, run, monkeypatch):
    monkeypatch.setattr(arguments, "ON_WINDOWS", True)
    refused = run(*words)
    assert refused.code == 1
    assert "on Windows use WSL" in refused.err
