"""Programs as engines run with limits, in a folder of their own, and leave nothing behind."""

import json
import os
import pickle
import shlex
import sys
import time
from pathlib import Path

import pytest
from protocol_programs import python, scripted, served

from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, make_engine
from rl_toolkit.protocols.gtp.client import GtpEngine
from rl_toolkit.protocols.program import (
    LIMITS,
    ProgramEndedError,
    ProgramError,
    full_command,
)

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")

#: A GTP program that plays a1 and writes what it sees of its surroundings to a file.
LOOKS = """
import json, os, resource, sys
seen = {"folder": os.getcwd(), "files": os.listdir(), "environment": dict(os.environ),
        "memory": resource.getrlimit(resource.RLIMIT_AS)[0] >> 20,
        "file": resource.getrlimit(resource.RLIMIT_FSIZE)[0] >> 20,
        "arguments": sys.argv[2:]}
json.dump(seen, open(sys.argv[1], "w"))
answers = {"protocol_version": "2", "list_commands": "play", "genmove": "A1"}
for line in sys.stdin:
    print(f"= {answers.get(line.split()[0], '')}\\n", flush=True)
"""


def looks(folder, *arguments):
    """The command of a program that looks around, and the file to which it writes."""
    (folder / "looks.py").write_text(LOOKS)
    words = ["-I", "-S", str(folder / "looks.py"), str(folder / "seen.json"), *arguments]
    return f"{python()} {shlex.join(words)}", folder / "seen.json"


def seen_by(cmd, file, **options):
    with GtpEngine(cmd, **options) as engine:
        assert engine.analyse(make_game("tictactoe")).best.name == "a1"
    return json.loads(file.read_text())


def marked(mark):
    """The processes that have ``mark`` in their environment."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = Path(f"/proc/{entry}/environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in text:
            found.append(int(entry))
    return found


def test_a_program_has_an_empty_folder_limits_and_the_real_home(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    monkeypatch.setenv("HOME", "/home/somebody")
    seen = seen_by(*looks(tmp_path))
    environment = seen["environment"]
    assert (seen["files"], seen["memory"], seen["file"]) == ([], LIMITS.memory_mb, LIMITS.file_mb)
    assert environment["TMPDIR"] == seen["folder"]
    assert environment["HOME"] == "/home/somebody"
    assert "SECRET" not in environment
    assert not os.path.exists(seen["folder"])


def test_a_program_can_have_a_folder_and_more_memory(tmp_path):
    home = tmp_path / "program"
    home.mkdir()
    (home / "eval.dat").touch()
    cmd, file = looks(tmp_path)
    seen = seen_by(cmd, file, folder=str(home), max_memory_mb=8000)
    assert (seen["folder"], seen["files"]) == (str(home), ["eval.dat"])
    assert seen["environment"]["TMPDIR"] != str(home)
    assert seen["memory"] == 8000
    assert (home / "eval.dat").exists()
    player = make_engine(f'gtp:cmd="{cmd}",folder={home},memory=8000')
    again = pickle.loads(pickle.dumps(player.engine))
    assert (again.folder, again.max_memory_mb) == (str(home), 8000)
    with pytest.raises(SpecError, match=r"cannot run in .*nowhere, which is not a folder"):
        make_engine(f'gtp:cmd="{cmd}",folder={tmp_path}/nowhere')


def test_files_in_a_command_are_those_of_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cmd, file = looks(tmp_path, "net.bin", "missing.bin", "both.bin")
    (tmp_path / "net.bin").touch()
    (tmp_path / "both.bin").touch()
    home = tmp_path / "home"
    home.mkdir()
    (home / "both.bin").touch()
    (tmp_path / "start").write_text(f"#!/bin/sh\nexec {cmd}")
    (tmp_path / "start").chmod(0o755)
    here = str(tmp_path)
    assert full_command(["./start", "net.bin"]) == [f"{here}/start", f"{here}/net.bin"]
    engine = GtpEngine(cmd, folder="home")
    monkeypatch.chdir("/")  # later changes do not matter
    with engine:
        engine.analyse(make_game("tictactoe"))
    seen = json.loads(file.read_text())
    assert seen["arguments"] == [f"{here}/net.bin", "missing.bin", "both.bin"]
    assert [path.name for path in engine.files[1:]] == [
        "looks.py",
        "seen.json",
        "net.bin",
        "both.bin",
    ]
    monkeypatch.chdir(tmp_path)
    assert seen_by("./start", file)["arguments"] == ["net.bin", "missing.bin", "both.bin"]
    # A program beside its data can be named from there.
    (home / "engine").symlink_to(tmp_path / "start")
    assert seen_by("./engine", file, folder="home")["folder"] == str(home)


def test_a_program_that_misses_its_files_is_told_of_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scripted(tmp_path, {}, name="my_program")
    cmd = f"{python()} -m my_program"
    with pytest.raises(
        ProgramEndedError,
        match=r"No module named my_program \(it ran in an empty folder; folder=\. ",
    ):
        GtpEngine(cmd).analyse(make_game("tictactoe"))
    with pytest.raises(ProgramError, match=r"did not answer within 0\.3 s"):
        GtpEngine(cmd, folder=".", start=0.3).analyse(make_game("tictactoe"))


def test_a_program_that_fills_memory_ends_with_its_last_words(tmp_path):
    file = tmp_path / "fills.py"
    file.write_text("kept = []\nwhile True: kept.append(bytes(1 << 20))")
    engine = GtpEngine(f"{python()} -I -S {file}", max_memory_mb=100)
    with pytest.raises(ProgramEndedError, match=r"it said: .*MemoryError"):
        engine.analyse(make_game("tictactoe"))


@linux
def test_nothing_survives_a_match(tmp_path):
    script = tmp_path / "leaves.sh"
    server = served("gtp", "tictactoe", "--engine", "first")
    script.write_text(f"setsid sleep 6666 &\n(setsid sleep 6666 &)\nexec {server}\n")
    mark = f"LEFT_BY={tmp_path}"
    engine = f'gtp:cmd="env {mark} sh {script}",start=60'
    result = play_match(Match("tictactoe", (engine, "first"), pairs=1, random_plies=1))
    assert result.complete
    assert result.forfeits == (0, 0)
    assert marked(mark) == []


@linux
def test_what_left_the_session_ends_when_the_engine_is_closed(tmp_path):
    server = scripted(tmp_path, {"protocol_version": "= 2\n\n"}, otherwise="= a1\n\n")
    mark = f"LEFT_BY={tmp_path}"
    leave = "setsid sleep 6666 & (setsid sleep 6666 &)"
    engine = GtpEngine(f"env {mark} sh -c '{leave}; exec {server}'")
    engine.analyse(make_game("tictactoe"))
    while len(marked(mark)) != 3:  # the program and two that may still be starting
        time.sleep(0.01)
    engine.close()
    assert marked(mark) == []
