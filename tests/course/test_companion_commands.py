"""Every command on a page of a companion can be typed, and says where it cannot run."""

from __future__ import annotations

import json
import shlex

import pytest

from rl_toolkit.cli import arguments
from rl_toolkit.course import companion, companions, start_course

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


def test_a_folder_is_checked_from_the_one_above_it(run, tmp_path):
    start_course(companion("A"), tmp_path / "course-a")
    (tmp_path / "report.md").write_text("Connect Four")
    checked = run("course", "check", str(tmp_path), "--session", "1", "--json")
    assert checked.code == 1, checked.err
    assert json.loads(checked.out)["course"] == "A"


def test_the_status_shows_titles_in_full(run, tmp_path):
    start_course(companion("A"), tmp_path)
    assert "Undo, time, levels, a book (extra) " in run("course", "status", str(tmp_path)).out


@pytest.mark.parametrize(
    "words",
    [("course", "check"), ("course", "status"), ("lab", "check"), ("lab", "grade-all", ".")],
)
def test_windows_needs_wsl(words, run, monkeypatch):
    monkeypatch.setattr(arguments, "ON_WINDOWS", True)
    refused = run(*words)
    assert refused.code == 1
    assert "on Windows use WSL" in refused.err
