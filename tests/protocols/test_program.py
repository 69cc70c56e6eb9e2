"""`Program`: lines in both directions, limits, and an end that leaves nothing behind."""

import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rl_toolkit.protocols import program as programs
from rl_toolkit.protocols.program import (
    Program,
    ProgramEndedError,
    ProgramError,
    ProgramSilentError,
    StoppedError,
    find_program,
    minimal_environment,
    split_command,
)

LONG = 60.0  # seconds that no test waits for


def shell(script, **options):
    return Program(["sh", "-c", script], **options)


def repeat(action, *arguments, **options):
    """Do something until it is an error."""
    while True:
        action(*arguments, **options)


def is_alive(pid):
    """Whether the process exists and is not a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it is gone, or goes while it is read
        return False


def wait_until_gone(pid):
    deadline = time.monotonic() + LONG
    while is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} is still there"
        time.sleep(0.01)


def test_it_reads_and_writes_lines():
    with shell('while read line; do echo "<$line>"; done') as program:
        for line in ("hello", "", "größer"):
            program.send(line)
            assert program.receive(LONG) == f"<{line}>"
        assert program.is_running
    assert not program.is_running


def test_an_unfinished_last_line_counts_and_then_the_program_has_ended():
    with shell("printf 'one\\r\\ntwo'") as program:
        assert [program.receive(LONG), program.receive(LONG)] == ["one", "two"]
        for _ in range(2):
            with pytest.raises(ProgramEndedError, match=r"^sh ended with exit code 0$"):
                program.receive(LONG)


def test_the_error_of_a_dead_program_has_its_exit_code_and_its_last_words():
    with shell("echo 'no book found' >&2; exit 3") as program:
        with pytest.raises(ProgramEndedError, match="exit code 3; it said: no book found"):
            program.receive(LONG)
        with pytest.raises(ProgramEndedError, match="exit code 3"):
            repeat(program.send, "x" * 1000)


def test_the_error_of_a_killed_program_names_the_signal():
    with shell("kill -9 $$") as program, pytest.raises(ProgramEndedError, match="signal 9"):
        program.receive(LONG)


@pytest.mark.parametrize(
    ("end", "by"),
    [
        ("kill -9 $$", "killed"),
        ("kill -15 $$", "killed"),
        ("kill -11 $$", "forfeit"),
        ("exit 3", "forfeit"),
    ],
)
def test_a_program_that_was_killed_has_not_failed(end, by):
    with shell(end) as program, pytest.raises(ProgramEndedError) as ended:
        program.receive(LONG)
    assert ended.value.by == by


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not show it")
def test_a_program_that_was_stopped_has_not_failed():
    with shell("kill -STOP $$; echo awake") as program:
        while "T (stopped)" not in Path(f"/proc/{program.pid}/status").read_text():
            time.sleep(0.001)
        with pytest.raises(ProgramSilentError, match="it was stopped by a signal") as silent:
            program.receive(0.01)
    assert silent.value.by == "killed"


def test_a_silent_program_is_an_error():
    with shell("exec sleep 100") as program:
        with pytest.raises(ProgramSilentError, match=r"sh did not answer within 0\.01 s$") as late:
            program.receive(0.01)
        assert late.value.by == "forfeit"
        with pytest.raises(ProgramSilentError, match="did not read its input"):
            repeat(program.send, "x" * 10_000, seconds=0.01)


def test_a_stop_signal_ends_the_wait():
    stop = threading.Event()
    stop.set()
    with shell("exec sleep 100") as program, pytest.raises(StoppedError):
        program.receive(LONG, stop)


def test_lines_and_output_are_limited(monkeypatch):
    monkeypatch.setattr(programs, "LONGEST_LINE", 1000)
    monkeypatch.setattr(programs, "MOST_OUTPUT", 5000)
    too_long = pytest.raises(ProgramError, match="a line of more than 1,000 bytes")
    with shell("printf '%02000d' 0; exec sleep 100") as program, too_long:
        program.receive(LONG)
    too_much = pytest.raises(ProgramError, match="more than 5,000 bytes")
    with shell("yes; exec sleep 100") as program, too_much:
        repeat(program.receive, LONG)


def test_output_that_is_read_does_not_count(monkeypatch):
    monkeypatch.setattr(programs, "MOST_OUTPUT", 500)
    with shell("while read line; do printf '%0300d\\n' 0; done") as program:
        for _ in range(10):
            program.send("more")
            assert len(program.receive(LONG)) == 300


def test_a_farewell_lets_it_end_by_itself(tmp_path):
    kept = tmp_path / "kept"
    program = shell(f'read line; echo "$line" > {kept}; exec sleep 0')
    program.close("quit", seconds=LONG)
    assert kept.read_text() == "quit\n"
    program.close("quit")  # a second time does nothing


def test_closing_ends_the_whole_group_and_leaves_no_zombie():
    program = shell("sleep 1000 & echo $!; trap '' TERM HUP; while :; do sleep 1000; done")
    child = int(program.receive(LONG))
    assert is_alive(program.pid)
    assert is_alive(child)
    program.close("quit", seconds=0.01)
    wait_until_gone(child)
    assert not os.path.exists(f"/proc/{program.pid}")


def test_a_forgotten_program_ends():
    program = shell("sleep 1000 & echo $!; wait")
    pid, child = program.pid, int(program.receive(LONG))
    del program
    gc.collect()
    wait_until_gone(child)
    assert not os.path.exists(f"/proc/{pid}")


def test_programs_end_with_this_process():
    code = (
        "from rl_toolkit.protocols.program import Program\n"
        "kept = Program(['sh', '-c', 'trap \"\" HUP; sleep 1000 & echo $!; wait'])\n"
        "print(kept.pid, kept.receive(60), flush=True)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for pid in map(int, ran.stdout.split()):
        wait_until_gone(pid)
    assert ran.stderr == ""


def test_it_sees_a_minimal_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SECRET_KEY", "hidden")
    monkeypatch.setenv("LANG", "C.UTF-8")
    with Program(["sh", "-c", "pwd; env"], folder=tmp_path) as program:
        assert program.receive(LONG) == str(tmp_path)
        lines = []
        with pytest.raises(ProgramEndedError):
            repeat(lambda: lines.append(program.receive(LONG)))
    seen = dict(line.partition("=")[::2] for line in lines)
    assert "SECRET_KEY" not in seen
    assert seen["LANG"] == "C.UTF-8"
    assert seen["PATH"] == minimal_environment()["PATH"]


def test_it_has_a_group_of_its_own():
    with shell("read line") as program:
        assert os.getpgid(program.pid) == program.pid != os.getpgid(0)


def test_programs_that_cannot_be_started(tmp_path):
    with pytest.raises(ProgramError, match=r"^no-such-program is not installed"):
        Program(["no-such-program"])
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"\x7fELF nonsense")
    nonsense.chmod(0o755)
    with pytest.raises(ProgramError, match="nonsense cannot be started"):
        Program([str(nonsense)])


def test_commands_are_one_line():
    with shell("read line; echo $line") as program, pytest.raises(ValueError, match="one line"):
        program.send("play black a1\nquit")


def test_commands_are_split_into_words():
    assert split_command("a 'b c' --d=\"e f\"") == ["a", "b c", "--d=e f"]
    with pytest.raises(ValueError, match="is not a command: No closing quotation"):
        split_command("a 'b")
    with pytest.raises(ValueError, match="needs the name of a program"):
        split_command("  ")


def test_programs_are_found():
    assert find_program("sh")
    assert find_program("no-such-program") is None


def test_errors_can_be_pickled():
    error = ProgramEndedError("sh", "ended", "3/3/3 x")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (ProgramEndedError, "sh ended (position 3/3/3 x)")
