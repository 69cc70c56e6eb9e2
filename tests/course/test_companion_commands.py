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


def test_start_within_a_folder_needs_no_letter(run, tmp_path, monkeypatch):
    start_course(companion("B"), tmp_path)
    (tmp_path / "session-2.md").unlink()
    monkeypatch.chdir(tmp_path)
    assert run("course", "start").code == 0
    assert (tmp_path / "session-2.md").is_file()
    assert not (tmp_path / "course-b").exists()


def test_show_within_a_folder_needs_no_letter(run, tmp_path, monkeypatch):
    start_course(companion("B"), tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run("course", "show", "2").out == run("course", "show", "B", "2").out
    assert run("course", "show").out == run("course", "show", "B").out
    assert run("course", "show", "9").code == 2


def test_start_elsewhere_asks_for_a_letter(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = run("course", "start")
    assert refused.code == 2
    assert "`rl-toolkit course start A`" in refused.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("course", "start", "A"), ("lab", "start", "L03")])
def test_a_printed_command_with_a_folder_can_be_typed(words, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    started = run(*words, "my course é's")
    (command,) = (line for line in started.out.splitlines() if line.startswith("  cd "))
    assert shlex.split(command) == ["cd", "my course é's"]


def test_a_sentence_with_a_command_quotes_its_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my game"
    folder.mkdir()
    (folder / "game.py").write_text("hello = 1\n")
    refused = run("course", "check", "my game")
    assert "`rl-toolkit course start A 'my game'`" in " ".join(refused.err.split())
    made = run("lab", "new", "my lab")
    assert "rl-toolkit lab verify 'my lab'" in made.out
