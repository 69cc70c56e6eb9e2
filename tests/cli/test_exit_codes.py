"""Output that cannot be written, closed streams, folders without permission: a sentence, a code.

These are real processes, because the streams of this one belong to pytest.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rl_toolkit.records import GameRecord
from rl_toolkit.utils.installation import STATE_VARIABLE

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")

FULL = "Error: cannot write: No space left on device.\n"
CLOSED = "Error: cannot write: Bad file descriptor.\n"


def in_shell(command: str, stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """Run a line of shell in which ``rl-toolkit`` is this toolkit: exit code, stdout, stderr."""
    line = f'rl-toolkit() {{ "{sys.executable}" -m rl_toolkit "$@"; }}; {command}'
    ran = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        input=stdin,
        text=True,
        env=os.environ | environment,
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    GameRecord("tictactoe", (4, 0)).save(path)
    return path


@pytest.mark.parametrize("command", ["--help", "engines", "game convert {saved}"])
def test_a_full_disk_is_told_and_ends_with_code_1(command, saved):
    assert in_shell(f"rl-toolkit {command.format(saved=saved)} >/dev/full") == (1, "", FULL)


@pytest.mark.parametrize("command", ["--help", "engines", "game convert {saved}"])
def test_a_closed_stdout_is_told_and_ends_with_code_1(command, saved):
    assert in_shell(f"rl-toolkit {command.format(saved=saved)} >&-") == (1, "", CLOSED)


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_without_stderr_data_are_written_and_errors_keep_their_code(stream):
    code, out, _ = in_shell(f"rl-toolkit games {stream}")
    assert code == 0
    assert "tictactoe" in out
    assert in_shell(f"rl-toolkit play chess {stream}") == (2, "", "")


def test_a_closed_stdin_is_the_end_of_the_input(tmp_path):
    code, out, err = in_shell("rl-toolkit play tictactoe <&-", RL_TOOLKIT_STATE_DIR=str(tmp_path))
    assert (code, err) == (0, "")
    assert "X to move" in out


def test_a_game_that_cannot_be_shown_ends_with_code_1(tmp_path):
    line = "rl-toolkit play tictactoe --x human --o human >/dev/full"
    code, _, err = in_shell(line, "b2\n", RL_TOOLKIT_STATE_DIR=str(tmp_path))
    assert (code, err) == (1, FULL)


@pytest.mark.parametrize("command", ["play tictactoe --x human --o human", "games"])
def test_without_a_home_everything_works(command, tmp_path):
    shell = f"unset {STATE_VARIABLE} XDG_STATE_HOME; rl-toolkit {command}"
    code, out, err = in_shell(shell, "b2\n", HOME="/proc/nowhere")
    assert (code, err) == (0, "")
    assert "Traceback" not in out
    if "play" in command:
        assert "The game cannot be saved: " in out
        assert "The game is not saved. Its moves were b2" in out
        assert "--resume" not in out


def test_sigterm_ends_a_tournament_with_the_standings_as_ctrl_c_does(tmp_path):
    saved = tmp_path / "games.jsonl"
    asked = ["tournament", "tictactoe", "random", "greedy", "--openings", "start"]
    ran = subprocess.Popen(
        [sys.executable, "-m", "rl_toolkit", *asked, "--games", "200000", "--save", str(saved)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (saved.exists() and saved.read_text().count("\n") > 2):  # pairs of games
        assert ran.poll() is None
        time.sleep(0.05)
    ran.send_signal(signal.SIGTERM)
    out, err = ran.communicate()
    assert ran.returncode == 143
    assert out.startswith("2 players on tictactoe")
    assert "Stopped. The games played are in" in err
    assert "Traceback" not in err
