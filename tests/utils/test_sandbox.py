"""What a sandbox shows and hides; that ordinary code works inside; freezing."""

import os
import sys
import time
from pathlib import Path

import pytest

from rl_toolkit.protocols.program import Program
from rl_toolkit.utils.isolation import Sandbox, WorkerProcess, end_all, in_force, settle
from rl_toolkit.utils.isolation.sandbox.layout import Layout, beside, python_layout

LONG = 60.0
WORKER = """
import os, subprocess, sys, tempfile, threading
import multiprocessing

def serve(channel):
    while (message := channel.receive()) is not None:
        try:
            said = eval(message["say"])
        except Exception as error:
            said = type(error).__name__
        channel.send({"said": said})
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    (folder / "sandboxed_worker.py").write_text(WORKER)
    with pytest.MonkeyPatch.context() as changed:
        changed.syspath_prepend(str(folder))
        yield "sandboxed_worker"
    end_all()


@pytest.fixture
def ask(module):
    """A function that evaluates text in a sandbox; skipped where there is none."""
    if in_force().kind == "limits":
        pytest.skip("this machine has no sandbox")
    started = []

    def ask(text, **sandbox):
        if not started:
            started.append(WorkerProcess(module, sandbox=Sandbox(**sandbox)))
        return started[0].ask({"say": text}, LONG)["said"]

    ask.worker = lambda: started[0]
    yield ask
    for worker in started:
        worker.end()
    settle()


def test_steps_show_and_hide_in_order(tmp_path):
    for name in ("a/hidden/shown", "b"):
        (tmp_path / name).mkdir(parents=True)
    at = {name: str(tmp_path / name) for name in ("a", "a/hidden", "a/hidden/shown", "b", "none")}
    layout = Layout((at["a"], at["a/hidden/shown"], at["b"], at["none"]), (at["a/hidden"],))
    assert layout.steps() == [
        (at["a"], True),
        (at["a/hidden"], False),
        (at["a/hidden/shown"], True),
        (at["b"], True),
    ]
    # Landlock can only add: what is hidden is left out.
    assert layout.without_hidden() == [at["a/hidden/shown"], at["b"], at["none"]]


def test_a_home_is_never_shown_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("bot.py", "helper.py", "diary.txt", ".ssh"):
        (tmp_path / name).write_text("")
    wanted = [str(tmp_path / "bot.py"), str(tmp_path / "helper.py")]
    assert beside(str(tmp_path / "bot.py")) == wanted
    shown = python_layout([str(tmp_path)]).readable
    assert str(tmp_path) not in shown
    assert set(wanted) <= set(shown)
    other = tmp_path / "project"
    other.mkdir()
    for name in ("bot.py", "data.json", ".git"):
        (other / name).write_text("")
    assert beside(str(other / "bot.py")) == [str(other / "bot.py"), str(other / "data.json")]


def test_files_that_were_named_are_there_and_no_others(ask, tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "data").write_text("data")
    (tmp_path / "secret").write_text("secret")
    named = {"files": (str(tmp_path / "bot"),)}
    assert ask(f"open({str(tmp_path / 'bot' / 'data')!r}).read()", **named) == "data"
    assert "Error" in str(ask(f"open({str(tmp_path / 'secret')!r}).read()"))
    assert "Error" in str(ask(f"open({str(tmp_path / 'bot' / 'new')!r}, 'w')"))
    assert ask("open('own', 'w').write('abc')") == 3
    assert ask("tempfile.gettempdir() == os.getcwd() == os.environ['HOME']") is True


def test_ordinary_code_works_inside(ask):
    assert ask("subprocess.run(['echo', 'x'], capture_output=True).stdout.decode()") == "x\n"
    assert ask("(t := threading.Thread(target=print)).start() or t.join() or t.is_alive()") is False
    games = "__import__('rl_toolkit.envs', fromlist=['x']).make_game('reversi-8').name"
    assert ask(games) == "reversi-8"
    assert ask("__import__('numpy').arange(4).sum().item()") == 6


def test_compiled_engines_keep_their_machine_code(ask):
    cache = "__import__('rl_toolkit.kernels.jit', fromlist=['x'])._cache"
    assert ask(f"{cache}.folder() is not None and not {cache}.is_writable") is True


def test_a_worker_is_frozen_between_questions_unless_it_may_ponder(ask, module):
    if in_force().kind != "namespaces":
        pytest.skip(f"{in_force().kind} cannot freeze")
    ask("threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()")
    stat = Path(f"/proc/{ask.worker().pid}/stat")
    while stat.read_text().rpartition(") ")[2][0] != "T":
        time.sleep(0.001)
    assert ask("1 + 1") == 2  # and it goes on when it is asked
    free = WorkerProcess(module, sandbox=Sandbox(freezes=False))
    free.ask({"say": "1"}, LONG)
    free.ask({"say": "1"}, LONG)
    assert Path(f"/proc/{free.pid}/stat").read_text().rpartition(") ")[2][0] != "T"
    free.end()


def test_a_program_can_be_confined(tmp_path):
    if in_force().kind == "limits":
        pytest.skip("this machine has no sandbox")
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "speak.py").write_text(
        "import os, sys\n"
        "for line in sys.stdin:\n"
        "    path, home = line.strip(), os.environ['HOME'] == os.environ['TMPDIR']\n"
        "    try:\n"
        "        print('read', open(path).read(), home, flush=True)\n"
        "    except OSError:\n"
        "        print('refused', flush=True)\n"
    )
    (tmp_path / "engine" / "data").write_text("data")
    (tmp_path / "secret").write_text("secret")
    command = [sys.executable, str(tmp_path / "engine" / "speak.py")]
    with Program(command, is_confined=True) as program:
        program.send(str(tmp_path / "engine" / "data"))
        assert program.receive(LONG) == "read data True"
        program.send(str(tmp_path / "secret"))
        assert program.receive(LONG) == "refused"
    with Program(command) as program:
        program.send(str(tmp_path / "secret"))
        assert program.receive(LONG).startswith("read secret")


def test_our_own_process_and_its_supervisors_cannot_be_traced(ask):
    ask("1")
    supervisor = ask.worker()._supervisor.process.pid
    assert os.stat(f"/proc/{supervisor}/environ").st_uid == 0
    assert os.stat(f"/proc/{os.getpid()}/environ").st_uid == 0
