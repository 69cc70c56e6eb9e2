"""What would waste hours is refused before the first game, with one sentence."""

import errno
import os
import shutil
from collections import namedtuple

import pytest

from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs import journal

Usage = namedtuple("Usage", "total used free")


def test_a_disk_without_room_is_noticed_before_the_first_game(run, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 10_000))
    saved = tmp_path / "games.jsonl"
    for words in (
        ("match", "tictactoe", "random", "first", "--games", "400"),
        ("tournament", "tictactoe", "random", "first", "greedy", "--games", "400"),
        ("calibrate", "tictactoe", "--hours", "0.1"),
    ):
        ran = run(*words, "--save", str(saved))
        assert ran.code == 1
        said = " ".join(ran.err.split())
        assert "the disk has 0.0 MB left, and about" in said
        assert said.count("Error") == 1
        assert not saved.exists()
    assert (
        run("match", "tictactoe", "random", "first", "--games", "4", "--save", str(saved)).code == 0
    )


def test_a_disk_that_fills_up_ends_the_run_and_keeps_what_was_written(run, tmp_path, monkeypatch):
    saved, writes = tmp_path / "games.jsonl", iter(range(1000))
    real = os.fsync

    def fill(file):
        if next(writes) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file)

    words = ("match", "tictactoe", "random", "greedy", "--games", "20", "--save", str(saved))
    monkeypatch.setattr(journal, "_SYNC_EVERY", 0.0)
    monkeypatch.setattr(journal.os, "fsync", fill)
    ran = run(*words)
    assert ran.code == 1
    assert "cannot write: No space left on device" in " ".join(ran.err.split())
    monkeypatch.setattr(journal.os, "fsync", real)
    plan = Match("tictactoe", ("random", "greedy"), 10)
    resumed = play_match(plan, save=saved, if_changed="keep")
    whole = play_match(plan)
    assert [(g.pair, g.moves) for g in resumed.games] == [(g.pair, g.moves) for g in whole.games]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random", "no-such", "first"), "'no-such' is neither a level nor an engine"),
        (("random", "first", "random"), "'random' is there twice"),
        (("400", "first", "400.0"), "'400' and '400.0' have the same name"),
        (("random", "first", "--clock", "0+1"), "a clock needs more than 0 seconds, not 0"),
        (("random", "first", "--clock", "1+-1"), "the increment of a clock cannot be -1"),
        (("random", "first", "--clock", "fast"), "SECONDS or SECONDS+INCREMENT"),
        (("random", "first", "--limit", "time=-1"), "time must be a positive number of seconds"),
        (("random", "first", "--clock", "5", "--limit", "time=1"), "not both"),
        (("random", "first", "--openings", "missing.sgf"), "or the name of a file, not"),
        (("random", "first", "--openings", "balanced:9"), "is over within 9 random moves"),
        (("random", "first", "--adjudicate", "-1"), "--adjudicate"),
    ],
)
def test_bad_input_of_a_tournament_is_one_sentence_and_changes_nothing(
    run, tmp_path, words, message
):
    saved = tmp_path / "games.jsonl"
    ran = run("tournament", "tictactoe", *words, "--games", "2", "--save", str(saved))
    assert ran.code == 2
    said = " ".join(ran.err.split())
    assert message in said
    assert said.count("Error") == 1
    assert "Traceback" not in said
    assert not saved.exists()


def test_two_runs_cannot_write_one_file(run, tmp_path):
    pytest.importorskip("fcntl")
    saved = tmp_path / "games.jsonl"
    words = ("match", "tictactoe", "random", "first", "--games", "2", "--save", str(saved))
    with journal.Journal(saved, "match", {}):
        before = saved.read_bytes()
        ran = run(*words)
        assert ran.code == 2
        assert "another run is writing to" in " ".join(ran.err.split())
        assert saved.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("calibrate", "tictactoe", "--output", "missing/x.json"),
            "--output missing/x.json: the folder missing does not exist",
        ),
        (("tournament", "--html", "/dev/full"), "--html /dev/full: this is not a regular file"),
        (("tournament", "--html", "/proc/x.html"), "no file can be written to /proc"),
        (("scorecard", "random", "--html", "/proc/x.html"), "written to /proc"),
        (("tournament", "--records", "t.sgf"), "--records t.sgf: "),
        (("tournament", "--save", "/dev/full"), "/dev/full is not a regular file"),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_files_that_cannot_be_written_are_refused_before_the_first_game(
    run, tmp_path, monkeypatch, words, message
):
    def never(*arguments):
        raise AssertionError("a game was played")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rl_toolkit.arena.runs.playing.play_paired_game", never)
    if words[0] == "tournament":
        words = ("tournament", "tictactoe", "random", "first", *words[1:])
    ran = run(*words)
    assert ran.code in (1, 2)
    assert message in " ".join(ran.err.split())
    assert not list(tmp_path.iterdir())


def test_games_are_written_even_if_the_report_cannot_be(run, tmp_path, monkeypatch):
    def full(path, text):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    target = "rl_toolkit.cli.commands.measure.tournament.write_text_atomically"
    monkeypatch.setattr(target, full)
    records = tmp_path / "games.jsonl"
    files = ("--html", str(tmp_path / "report.html"), "--records", str(records))
    ran = run("tournament", "tictactoe", "random", "first", "--games", "2", *files)
    assert ran.code == 1
    assert "No space left on device" in " ".join(ran.err.split())
    assert len(records.read_text().splitlines()) == 2


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_the_help_says_who_loses_by_a_limit(run, command):
    said = " ".join(run(command, "--help").out.split())
    assert "An engine that takes longer, or reports more work, loses the game." in said


@pytest.mark.parametrize("option", ["--records", "--html"])
def test_reports_do_not_overwrite_the_games_of_a_run(run, tmp_path, option):
    saved = tmp_path / "games.jsonl"
    game = ("tournament", "tictactoe", "random", "first", "--games", "2", "--accuracy", "0")
    assert run(*game, "--save", str(saved)).code == 0
    before = saved.read_bytes()
    ran = run(*game, "--seed", "5", option, str(saved))
    assert ran.code == 2
    assert "this file holds the games of a run; choose another one" in ran.err
    assert saved.read_bytes() == before


@pytest.mark.parametrize("names", [("Hard", "hard"), ("Random", "random"), ("400", "400.0")])
def test_one_player_under_two_spellings_is_refused(run, names):
    ran = run("tournament", "tictactoe", *names, "--games", "2")
    assert ran.code != 0
    assert "have the same name" in ran.err


def test_openings_are_not_drawn_for_a_folder_that_is_not_there(run, tmp_path):
    file = tmp_path / "none" / "x.txt"
    ran = run("openings", "make", "tictactoe", "--plies", "1", "--save", str(file))
    assert ran.code != 0
    assert "does not exist" in ran.err
    assert "openings" not in ran.err.split("--save")[0]  # nothing was drawn
