"""Supervised processes: framed answers within a time, limits, and an end that leaves nothing."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from rl_toolkit.utils.isolation import (
    Command,
    EndedError,
    IsolationError,
    Limits,
    NotStartedError,
    StoppedError,
    TooSlowError,
    WorkerProcess,
    end_all,
    held_up,
    settle,
    supervisor,
)

LONG = 60.0  # seconds that no test waits for
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")

WORKER = """
import os, signal, subprocess, sys, time
imported_in = os.getpid()

def serve(channel):
    while (message := channel.receive()) is not None:
        do = message["do"]
        if do == "look":
            channel.send({"here": os.getcwd(), "files": os.listdir(), "stdin": sys.stdin.read(),
                          "environment": dict(os.environ), "session": os.getsid(0) == os.getpid(),
                          "imported": imported_in == os.getppid(),
                          "inherited": os.get_inheritable(channel.fileno())})
        elif do == "print":
            print(message["text"])
            channel.send({"done": True})
        elif do == "sleep":
            while not (message.get("listens") and channel.receive()):
                time.sleep(999)
            channel.send({"stopped": True})
        elif do == "progress":
            channel.send({"progress": 1})
            channel.send({"done": True})
        elif do == "start":
            child = subprocess.Popen(
                ["/bin/sleep", "6666"], start_new_session=True, env=message.get("environment")
            )
            channel.send({"pid": child.pid})
        elif do == "kill":
            child = subprocess.Popen(["sleep", "6666"], start_new_session=True)
            print(child.pid, flush=True)
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(999)
        elif do == "freeze":
            os.kill(os.getppid(), signal.SIGSTOP)
            time.sleep(999)
        elif do == "exit":
            os._exit(message["code"])
        elif do == "crash":
            os.kill(os.getpid(), message["signal"])
        elif do == "compute":
            while True: pass
        elif do == "babble":
            channel.connection.sendall(b"not a message")
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The name of a worker module, which new supervisors can import."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "isolated_worker.py").write_text(WORKER)
    with pytest.MonkeyPatch.context() as changed:
        changed.syspath_prepend(str(folder))
        yield "isolated_worker"
    end_all()


@pytest.fixture
def worker(module):
    started = WorkerProcess(module)
    yield started
    started.end()
    settle()


def is_alive(pid):
    """Whether the process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pid):
    """A process that was killed may take a moment to vanish."""
    deadline = time.monotonic() + LONG
    while is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} is still there"
        time.sleep(0.001)


class WhenStopped:
    """A stop signal that is set once a process has been stopped by SIGSTOP."""

    def __init__(self, pid):
        self._stat = Path(f"/proc/{pid}/stat")

    def is_set(self):
        return self._stat.read_text().rpartition(")")[2].split()[0] == "T"


def test_a_worker_sees_an_empty_folder_and_little_else(module, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    worker = WorkerProcess(module)
    seen = worker.ask({"do": "look"}, LONG)
    environment = seen["environment"]
    assert (seen["files"], seen["stdin"], seen["session"], seen["imported"]) == ([], "", True, True)
    assert environment["HOME"] == environment["TMPDIR"] == seen["here"]
    assert not seen["inherited"]  # by programs that the worker starts
    assert "SECRET" not in environment
    worker.end()
    worker.end()  # a second time does nothing
    settle()
    assert not os.path.exists(seen["here"])


def test_questions_prints_and_progress(worker):
    assert worker.ask({"do": "print", "text": "hello"}, LONG) == {"done": True}
    assert worker.printed == "hello\n"
    reports = []
    assert worker.ask({"do": "progress"}, LONG, on_progress=reports.append) == {"done": True}
    assert (reports, worker.printed) == ([1], "")
    worker.ask({"do": "print", "text": "x" * 100_000}, LONG)
    assert worker.printed.endswith("… and 34,465 bytes more")
    assert worker.alive


def test_a_worker_that_does_not_answer_is_ended(worker):
    with pytest.raises(TooSlowError, match=r"^did not answer within 0\.02 s$"):
        worker.ask({"do": "sleep"}, 0.0199991, grace=0.0)
    assert not worker.alive
    settle()
    assert not is_alive(worker.pid)


def test_a_worker_can_be_stopped(module):
    stop = threading.Event()
    stop.set()
    worker = WorkerProcess(module)
    assert worker.ask({"do": "sleep", "listens": True}, LONG, stop=stop, grace=LONG) == {
        "stopped": True
    }
    with pytest.raises(StoppedError, match="was stopped before it had an answer"):
        worker.ask({"do": "sleep"}, LONG, stop=stop, grace=0.0)


@pytest.mark.parametrize(
    ("question", "words", "code"),
    [
        ({"do": "exit", "code": 3}, "ended (exit code 3)", 3),
        ({"do": "crash", "signal": 11}, "crashed (signal SIGSEGV)", -11),
        (
            {"do": "crash", "signal": 9},
            "was killed (signal SIGKILL), as happens when the machine has no memory left",
            -9,
        ),
    ],
)
def test_a_worker_that_ends_says_how(worker, question, words, code):
    with pytest.raises(EndedError) as ended:
        worker.ask(question, LONG)
    assert (str(ended.value), ended.value.code) == (words, code)


def test_what_is_not_a_message_is_an_error(worker):
    with pytest.raises(IsolationError, match="sent something that is not an answer"):
        worker.ask({"do": "babble"}, LONG)


def test_processor_time_is_limited(module):
    worker = WorkerProcess(module, Limits(cpu_seconds=1))
    with pytest.raises(EndedError, match="used too much processor time"):
        worker.ask({"do": "compute"}, LONG)


def test_a_forgotten_worker_ends(module):
    worker = WorkerProcess(module)
    pid = worker.pid
    del worker
    settle()
    assert not is_alive(pid)


def test_a_worker_that_is_still_there_at_the_end_leaves_nothing_open(module):
    code = (
        "from rl_toolkit.utils.isolation import WorkerProcess\n"
        f"kept = WorkerProcess({module!r})\n"
        "print(kept.pid)\n"
    )
    command = [sys.executable, "-W", "default::ResourceWarning", "-c", code]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    assert not is_alive(int(ran.stdout))


@linux
def test_what_a_worker_has_started_ends_with_it(worker):
    child = worker.ask({"do": "start"}, LONG)["pid"]
    assert is_alive(child)
    worker.end()
    settle()
    assert not is_alive(child)


@linux
def test_nothing_is_left_by_a_worker_that_kills_its_supervisor(worker):
    with pytest.raises(EndedError, match="closed its connection"):
        worker.ask({"do": "kill"}, LONG)
    wait_until_gone(int(worker.printed))
    wait_until_gone(worker.pid)


@linux
def test_a_stopped_supervisor_is_replaced(worker, module, monkeypatch):
    monkeypatch.setattr(supervisor, "END_SECONDS", 0.1)
    stopped = worker._supervisor
    with pytest.raises(StoppedError):
        worker.ask({"do": "freeze"}, LONG, stop=WhenStopped(stopped.process.pid), grace=0.0)
    again = WorkerProcess(module)
    assert again.ask({"do": "look"}, LONG)["files"] == []
    again.end()
    assert stopped not in supervisor.supervisors
    wait_until_gone(worker.pid)


@linux
def test_a_supervisor_that_must_be_killed_leaves_nothing(module):
    worker = WorkerProcess(module)
    child = worker.ask({"do": "start", "environment": {}}, LONG)["pid"]
    left = worker._supervisor
    os.kill(left.process.pid, signal.SIGSTOP)  # as if it had no processor
    left.close(seconds=0.05)
    wait_until_gone(worker.pid)
    wait_until_gone(child)  # it has no mark
    worker.end()


@linux
def test_a_process_that_becomes_another_program_is_looked_at_again(monkeypatch, tmp_path):
    def process(number, environment, arguments, memory):
        folder = tmp_path / number
        folder.mkdir(exist_ok=True)
        (folder / "environ").write_bytes(environment)
        (folder / "cmdline").write_bytes(arguments)
        (folder / "statm").write_text(f"{memory} 0 0 0 0 0 0\n")

    monkeypatch.setattr(supervisor, "_PROCESSES", tmp_path)
    (tmp_path / "self").mkdir()
    process("2", b"", b"", 0)  # of the kernel
    process("7", b"A=1\0", b"cat\0", 12)
    process("8", b"", b"cat\0", 12)  # its environment is empty
    assert supervisor._marked(b"MARK=5") == (set(), True)
    process("9", b"", b"", 33)
    assert supervisor._marked(b"MARK=5") == (set(), False)
    process("9", b"A=1\0MARK=5\0", b"sleep\0", 1400)
    assert supervisor._marked(b"MARK=5") == ({9}, True)


@linux
def test_a_process_whose_supervisor_ended_before_it_ran_ends():
    code = (
        "import os\n"
        "from rl_toolkit.utils.isolation.child import _leave_the_supervisor\n"
        "_leave_the_supervisor(os.getppid())\n"
        "print('goes on', flush=True)\n"
        "os.setsid = lambda: None\n"
        "_leave_the_supervisor(os.getppid() + 1)\n"
        "print('goes on')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("goes on\n", "", 1)


def test_a_module_that_cannot_be_imported_has_no_process():
    with pytest.raises(NotStartedError, match="No module named 'no_such_worker'"):
        WorkerProcess("no_such_worker")


# ------------------------------------------------------------------------ commands


def run(script, **options):
    return Command(["/bin/sh", "-c", script], {"PATH": os.environ["PATH"]}, **options)


def output(command):
    """All that a command writes to stdout, and its exit code."""
    with open(command.stdout, "rb") as stdout:
        text = stdout.read().decode()
    os.close(command.stdin)
    os.close(command.stderr)
    code = command.exit_code(LONG)
    command.end()
    return text.splitlines(), code


def test_a_command_runs_in_an_empty_folder_with_the_given_environment(tmp_path):
    lines, code = output(run("pwd; ls -A; echo $TMPDIR; echo $HOME; ulimit -v; exit 3"))
    assert (lines[0], lines[2:], code) == (lines[1], ["", str(2048 * 1024)], 3)
    assert os.path.dirname(lines[0]) == tempfile.gettempdir()
    assert not os.path.exists(lines[0])
    (tmp_path / "data").touch()
    lines, _ = output(run("pwd; ls", folder=str(tmp_path)))
    assert lines == [str(tmp_path), "data"]
    assert tmp_path.exists()


def test_a_command_has_no_other_files_open():
    # 0, 1, 2 and the folder that `ls` reads
    lines, _ = output(Command(["/bin/ls", "/proc/self/fd"], {}))
    assert lines == ["0", "1", "2", "3"]


def test_commands_that_cannot_be_started(tmp_path, monkeypatch):
    with pytest.raises(NotStartedError, match="cannot be started: No such file or directory"):
        run("exit", folder=str(tmp_path / "missing"))
    with pytest.raises(NotStartedError, match="cannot be started: Permission denied"):
        Command([str(tmp_path)], {})
    with monkeypatch.context() as changed:
        changed.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
        with pytest.raises(NotStartedError, match="has no folder to run in"):
            run("exit")
    assert output(run("echo next"))[0] == ["next"]  # the supervisor works on


@linux
def test_a_command_ends_with_everything_that_left_its_session():
    command = run("setsid sleep 6666 & echo $!; exec sleep 6666")
    with open(command.stdout) as stdout:
        child = int(stdout.readline())
        while Path(f"/proc/{child}/comm").read_text() != "sleep\n":  # it has left the session
            time.sleep(0.001)
        command.end()
    assert not is_alive(child)
    assert not is_alive(command.pid)
    assert command.exit_code() is None
    os.close(command.stdin)
    os.close(command.stderr)


@linux
def test_nothing_is_left_by_a_command_that_kills_its_supervisor():
    command = run("setsid sleep 6666 & echo $!; read go; kill -9 $PPID; exec sleep 6666")
    with open(command.stdout) as stdout:
        child = int(stdout.readline())
        os.write(command.stdin, b"go\n")
        assert command.exit_code(LONG) is None
        command.end()
    wait_until_gone(child)
    wait_until_gone(command.pid)
    os.close(command.stdin)
    os.close(command.stderr)


@linux
def test_a_command_that_kills_its_supervisor_at_once_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    try:
        command = run("kill -9 $PPID; exec sleep 6666")
    except NotStartedError:  # it was faster than the report of its start
        pass
    else:
        for file in (command.stdin, command.stdout, command.stderr):
            os.close(file)
        command.end()
    assert list(tmp_path.iterdir()) == []


# --- who is to blame -------------------------------------------------------------------------

SECOND = 10**9


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ({"1": (SECOND // 10, 3 * SECOND)}, "waited 3 s of 4 s for a processor"),
        ({"1": (3 * SECOND, SECOND)}, ""),  # it is slow
        ({"1": (0, 0)}, ""),  # it sleeps
        ({"1": (0, SECOND), "2": (0, SECOND)}, ""),  # neither waited for long
        # Its own threads take the processors from each other.
        ({str(n): (SECOND, 3 * SECOND) for n in range(8)}, ""),
        ({}, ""),
    ],
)
def test_what_held_a_process_up(now, words):
    cause, text = held_up.waited(4.0, {"1": (0, 0)}, now)
    assert text.startswith(words) if words else text == ""
    assert cause == ("machine" if words else "")


def test_a_moment_of_bad_luck_is_not_a_busy_machine():
    assert held_up.waited(0.2, {}, {"1": (0, SECOND // 5)}) == ("", "")


def test_times_before_the_question_do_not_count():
    before = {"1": (SECOND, 9 * SECOND)}
    assert held_up.waited(4.0, before, {"1": (SECOND, 10 * SECOND)}) == ("", "")


@linux
@pytest.mark.parametrize(("busy", "cause"), [(0, "machine"), (1, "machine"), (9, "")])
def test_a_process_cannot_starve_itself(monkeypatch, busy, cause):
    at = [0.0]
    # Process 1 waits all the time; the others, which it has started, run or sleep.
    others = range(2, 12)

    def times(pid):
        wants = int(at[0] * SECOND) if pid < 2 + busy or pid == 1 else 0
        return {str(pid): (0, wants) if pid == 1 else (wants // 10, wants - wants // 10)}

    def sleep(seconds):
        at[0] += seconds

    monkeypatch.setattr(held_up, "_times", times)
    monkeypatch.setattr(held_up, "is_stopped", lambda pid: False)
    monkeypatch.setattr(held_up, "descendants", lambda pid: [1, *others] if pid == 99 else [])
    monkeypatch.setattr(held_up.time, "monotonic", lambda: at[0])
    monkeypatch.setattr(held_up.time, "sleep", sleep)
    watch = held_up.Watch(1, 99)
    at[0] = 4.0
    assert watch.held_up().cause == cause


@linux
def test_what_a_process_has_started_is_below_it():
    command = ["/bin/sh", "-c", "sleep 60 & echo $!; exec sleep 60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as started:
        below = int(started.stdout.readline())
        assert {started.pid, below} <= {*held_up.descendants(os.getpid())}
        assert held_up.descendants(started.pid) == [below]
        os.kill(below, 9)
        started.kill()


@linux
def test_the_times_of_a_process_can_be_read(monkeypatch):
    monkeypatch.undo()
    assert all(ran >= 0 <= waited for ran, waited in held_up._times(os.getpid()).values())
    assert str(os.getpid()) in held_up._times(os.getpid())
    assert not held_up.is_stopped(os.getpid())


@pytest.mark.parametrize(
    ("code", "cause"), [(-9, "signal"), (-15, "signal"), (-11, ""), (1, ""), (None, "")]
)
def test_a_process_that_was_killed_has_not_ended_by_itself(code, cause):
    assert EndedError("ended", code).cause == cause
    assert NotStartedError("no").cause == "machine"
    assert TooSlowError("late").cause == ""
