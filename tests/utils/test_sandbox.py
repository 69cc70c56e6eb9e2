"""What a sandbox shows and hides; that ordinary code works inside; freezing."""

import os
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.kernels.compiling.code_cache import CodeCache
from rl_toolkit.players import make_engine
from rl_toolkit.protocols.gtp.client import GtpEngine
from rl_toolkit.protocols.program import Program
from rl_toolkit.utils.installation import CACHE_VARIABLE
from rl_toolkit.utils.isolation import (
    FINE,
    KINDS,
    SANDBOX_VARIABLE,
    IsolationError,
    NotStartedError,
    Sandbox,
    WorkerProcess,
    choosing,
    end_all,
    in_force,
    settle,
)
from rl_toolkit.utils.isolation.sandbox import confining
from rl_toolkit.utils.isolation.sandbox.confining import UNDECIDED
from rl_toolkit.utils.isolation.sandbox.layout import Layout, beside, python_layout

LONG = 60.0
#: A program that speaks GTP and thinks all the time.
COUNTING = """
import sys, threading
threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()
for line in sys.stdin:
    word = line.split()[0]
    answers = {"protocol_version": "2", "genmove": "b2"}
    answers["list_commands"] = "genmove\\nplay\\nboardsize\\nclear_board"
    print("=", answers.get(word, ""), end="\\n\\n", flush=True)
    if word == "quit":
        break
"""
WORKER = """
import os, subprocess, sys, tempfile, threading, time
import multiprocessing
from pathlib import Path
from rl_toolkit.kernels.compiling.code_cache import CodeCache

held = []

def start(processes, mb):
    for _ in range(processes):
        if os.fork() == 0:
            held.append(bytearray(b"x") * (mb << 20))
            time.sleep(60)
            os._exit(0)
    return True

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


def test_what_lies_beside_a_virtual_environment_is_not_shown(tmp_path, monkeypatch):
    for name in ("lib", "submissions"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))  # python -m venv . in the folder of a class
    shown = [path for path, is_shown in python_layout().steps() if is_shown]
    assert str(tmp_path / "lib") in shown
    assert not [path for path in shown if str(tmp_path / "submissions").startswith(path)]


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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sandboxes")
@pytest.mark.parametrize("kind", KINDS[:-1])
def test_a_bot_imports_its_neighbours_and_sees_no_other_file(tmp_path, monkeypatch, kind):
    monkeypatch.setenv(SANDBOX_VARIABLE, kind)
    if in_force().kind != kind:
        pytest.skip(f"this machine has no {kind}: {in_force().refused[kind]}")
    place = tmp_path / "bot"
    place.mkdir()
    (place / "neighbour.py").write_text("MOVE = 4\n")
    (place / ".secret").write_text("secret")
    (place / "bot.py").write_text(
        "import neighbour, os\n"
        f"hidden = ({str(place / '.secret')!r}, {str(tmp_path)!r})\n"
        "def choose(env):\n"
        "    for path, look in zip(hidden, (open, os.listdir)):\n"
        "        try:\n"
        "            if look(path) != ['bot']:\n"  # with mounts, the path to the bot is there
        "                return 0\n"
        "        except OSError:\n"
        "            continue\n"
        "    return neighbour.MOVE\n"
    )
    bot = make_engine(str(place / "bot.py"))
    assert bot.analyse(make_game("tictactoe")).best_move == 4
    bot.engine.close()


def test_ordinary_code_works_inside(ask):
    assert ask("subprocess.run(['echo', 'x'], capture_output=True).stdout.decode()") == "x\n"
    assert ask("(t := threading.Thread(target=print)).start() or t.join() or t.is_alive()") is False
    games = "__import__('rl_toolkit.envs', fromlist=['x']).make_game('reversi-8').name"
    assert ask(games) == "reversi-8"
    assert ask("__import__('numpy').arange(4).sum().item()") == 6


def test_compiled_engines_keep_their_machine_code(ask, module, tmp_path, monkeypatch):
    # Others may edit the kernels, or prune the cache of this machine, while the tests run.
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "kernel.py").touch()
    CodeCache(sources, "a compiler").note("kernel")  # it is there before the sandbox begins
    sandbox = Sandbox(files=(str(sources),))
    worker = WorkerProcess(module, sandbox=sandbox, imports=["colorsys"])  # a new supervisor
    cache = f"CodeCache(Path({str(sources)!r}), 'a compiler')"
    text = f"(cache := {cache}).has('kernel') and not cache.is_writable"
    assert worker.ask({"say": text}, LONG) == {"said": True}
    worker.end()


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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not show it")
@pytest.mark.parametrize("kind", KINDS)
def test_all_processes_together_use_no_more_memory_than_allowed(module, monkeypatch, kind):
    monkeypatch.setenv(SANDBOX_VARIABLE, kind)
    if in_force().kind != kind:
        pytest.skip(f"this machine has no {kind}: {in_force().refused[kind]}")
    worker = WorkerProcess(module, sandbox=Sandbox(total_mb=200))
    # Each of six processes holds 50 MB, and shares what Python needs: 300 MB, none above its limit.
    with pytest.raises(IsolationError, match="too much memory with all of its processes"):
        worker.ask({"say": "start(6, 50) and time.sleep(60)"}, LONG)
    settle()


def test_what_processes_share_counts_once(ask):
    ask("1", total_mb=200)
    ask("held.append(bytearray(b'x') * (60 << 20))")
    assert ask("start(6, 0) and time.sleep(1.5) or 'well'") == "well"


def test_a_confined_program_rests_until_it_is_asked(tmp_path):
    if in_force().kind != "namespaces":
        pytest.skip(f"{in_force().kind} cannot freeze")
    script = tmp_path / "engine.py"
    script.write_text(COUNTING)
    command = f"{sys.executable} {script}"
    env = make_game("tictactoe")
    with GtpEngine(command, sandbox=True) as engine:
        for _ in range(2):  # it goes on when it is asked again
            assert engine.analyse(env).best_move is not None
            stat = Path(f"/proc/{engine._program.pid}/stat")
            while stat.read_text().rpartition(") ")[2][0] != "T":
                time.sleep(0.001)
    with GtpEngine(command) as engine:  # it is trusted, and thinks when it likes
        engine.analyse(env)
        engine.analyse(env)
        assert Path(f"/proc/{engine._program.pid}/stat").read_text().rpartition(") ")[2][0] != "T"


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
    if os.geteuid() == 0:
        pytest.skip("as root every file below /proc is root's, so this shows nothing")
    ask("1")
    supervisor = ask.worker()._supervisor.process.pid
    assert os.stat(f"/proc/{supervisor}/environ").st_uid == 0
    assert os.stat(f"/proc/{os.getpid()}/environ").st_uid == 0


def test_a_busy_machine_gets_no_weaker_kind(monkeypatch):
    monkeypatch.setattr(choosing, "_found", {})
    if sys.platform == "linux":  # a trial that takes too long is ended by its alarm
        assert confining._in_fork(lambda: str(signal.raise_signal(signal.SIGALRM))) == UNDECIDED
        assert confining._in_fork(lambda: str(os.stat("/no/such/file"))) != UNDECIDED
    answers = [UNDECIDED] * 3 + [UNDECIDED, FINE]
    supervisor = SimpleNamespace(attempt=lambda confinement: answers.pop(0))
    monkeypatch.setattr(choosing, "ON_LINUX", True)
    monkeypatch.delenv(SANDBOX_VARIABLE, raising=False)
    with pytest.raises(NotStartedError, match="namespaces, the machine was too busy to try it"):
        in_force(supervisor)
    assert in_force(supervisor).kind == KINDS[0]
