"""Hostile programs in every kind of sandbox that this machine has.

The table is in `hostile_programs`. From its weakest kind on, a program is stopped; below that kind
it succeeds, and the test says so: a kind that prevents more than the guide says is an error too.
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_programs import PROGRAMS

import rl_toolkit
from rl_toolkit.utils.isolation import (
    CROWDED,
    FINE,
    KINDS,
    SANDBOX_VARIABLE,
    IsolationError,
    Limits,
    Sandbox,
    WorkerProcess,
    end_all,
    settle,
    tried,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sandboxes")

#: Some of each sort; `full` runs all.
QUICK = (
    "stops_the_opponent",
    "searches_proc_for_the_opponent",
    "rewrites_the_results",
    "writes_through_a_link",
    "connects_to_an_abstract_socket",
    "uses_memory_that_no_limit_counts",
    "fills_the_disk",
    "leaves_a_daemon",
    "thinks_in_the_time_of_others",
    "looks_for_open_files",
)
WORKER = "hostile_programs"
RESULTS = "Ada 100"
LONG = 60.0


@pytest.fixture(scope="module")
def trials():
    return tried()


@pytest.fixture(scope="module", autouse=True)
def ended():
    yield
    end_all()


class Scene:
    """An opponent, results, a secret and sockets, which programs are to leave alone."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.mark = f"rl-toolkit-hostile-{os.getpid()}-{kind}"
        self.results, self.secret = folder / "results", folder / "secret"
        self.secret.write_text("secret")
        self.secret.chmod(0o600)
        self.submissions = folder / "submissions"
        self.submissions.mkdir()
        (self.submissions / "ada.py").write_text("def best_move(board):\n    return 4\n")
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.udp.setblocking(False)
        self.unix, self.abstract = (socket.socket(socket.AF_UNIX) for _ in range(2))
        here = os.getcwd()
        os.chdir(folder)  # the path of a socket must be short
        self.unix.bind("socket")
        os.chdir(here)
        self.abstract.bind("\0" + self.mark)
        for listener in (self.unix, self.abstract):
            listener.listen(50)
        self.opponent: subprocess.Popen[bytes] | None = None

    def close(self) -> None:
        for each in (self.tcp, self.udp, self.unix, self.abstract):
            each.close()
        self._end_opponent()

    def _end_opponent(self) -> None:
        if self.opponent is not None:
            self.opponent.kill()
            self.opponent.wait()

    def reset(self) -> None:
        self._end_opponent()
        with open(self.secret) as handle:
            command = [self.mark, "600"]
            self.opponent = subprocess.Popen(
                command, executable="/bin/sleep", cwd=self.folder, stdin=handle
            )
        for left in self.folder.glob("results*"):
            left.unlink()
        self.results.write_text(RESULTS)
        self.results.chmod(0o644)
        Path(f"/dev/shm/{self.mark}").unlink(missing_ok=True)

    def known(self) -> dict[str, object]:
        """What a program may know."""
        assert self.opponent is not None
        return {
            "opponent": self.opponent.pid,
            "mark": self.mark,
            "kind": self.kind,
            "results": str(self.results),
            "secret": str(self.secret),
            "submissions": str(self.submissions),
            "package": rl_toolkit.__file__,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "socket": str(self.folder / "socket"),
        }

    def harm(self) -> set[str]:
        """What can be seen from outside."""
        assert self.opponent is not None
        seen = set()
        if _state(self.opponent.pid) in ("T", "t"):
            seen.add("opponent stopped")
        if not self.results.exists():
            seen.add("results changed")
        elif self.results.stat().st_mode & 0o777 != 0o644:
            seen.add("mode changed")
        elif self.results.read_text() != RESULTS:
            seen.add("results changed")
        elif self.results.stat().st_mtime == 0:
            seen.add("time changed")
        if Path(f"/dev/shm/{self.mark}").exists():
            seen.add("file left behind")
        try:
            self.udp.recv(10)
            seen.add("datagram arrived")
        except BlockingIOError:
            pass
        for pid in _running(f"{self.mark}-daemon"):
            seen.add("daemon survived")
            os.kill(pid, signal.SIGKILL)
        return seen

    def run(self, name: str) -> tuple[bool, str]:
        """Whether a program was stopped, and what was seen or said."""
        self.reset()
        program = PROGRAMS[name]
        limits = Limits(memory_mb=1024, file_mb=16)
        worker = WorkerProcess(WORKER, limits, Sandbox(folder_mb=8))
        supervisor, seen, said = worker._supervisor, set(), ""
        assert supervisor is not None
        through = False
        # One that stops itself is noticed at once only with namespaces.
        seconds = 1.0 if name == "stops_itself" else LONG
        try:
            answer = worker.ask({"run": name, "given": self.known()}, seconds)
            through, said = answer["through"] is True, answer.get("refused", "")
            if program.seen == "computed" and _computes(worker.pid):
                seen.add("computed")
        except IsolationError as error:
            said = str(error)
        worker.end()
        settle()
        if not supervisor.alive:
            seen.add("supervisor ended")
        seen |= self.harm()
        through = program.seen in seen if program.seen else through
        return not through, ", ".join([*sorted(seen), said])


def _state(pid: int | str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""


def _running(mark: str) -> list[int]:
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{entry}/cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and _state(int(entry)) not in ("Z", "X", ""):
            found.append(int(entry))
    return found


def _computes(pid: int) -> bool:
    """Whether a process uses the processor while it is not asked; one that is stopped does not."""

    def used() -> int:
        return sum(
            int((task / "schedstat").read_text().split()[0])
            for task in Path(f"/proc/{pid}/task").iterdir()
        )

    begun = used()
    tasks = Path(f"/proc/{pid}/task")
    # It takes a moment until all of its threads are frozen.
    while any(_state(f"{pid}/task/{task.name}") != "T" for task in tasks.iterdir()):
        if used() - begun > 200_000_000:
            return True
        time.sleep(0.01)
    before = used()
    time.sleep(0.3)
    return used() > before


def _digest(*folders: Path) -> str:
    """The contents of folders, and modes."""
    made = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                made.update(f"{path}\0{path.stat().st_mode}\0".encode())
                made.update(path.read_bytes())
    return made.hexdigest()


def is_stopped(name: str, kind: str) -> bool:
    """What the table says of a program in a kind."""
    program = PROGRAMS[name]
    if program.unless_root and os.geteuid() == 0 and kind != "namespaces":
        return False
    return KINDS.index(kind) <= KINDS.index(program.weakest)


def check(kind: str, names, trials, folder: Path, monkeypatch) -> None:
    if trials[kind] not in (FINE, CROWDED):
        pytest.skip(f"this machine has no {kind}: {trials[kind]}")
    monkeypatch.setenv(SANDBOX_VARIABLE, kind)
    home = folder / "home"
    home.mkdir()
    (home / "diary.txt").write_text("private")
    monkeypatch.setenv("HOME", str(home))
    place = folder / "class"
    place.mkdir()
    scene = Scene(place, kind)
    kept = [home, scene.submissions, Path(rl_toolkit.__file__).parent]
    before = _digest(*kept)
    wrong = []
    try:
        for name in names:
            expected = is_stopped(name, kind)
            if not expected and PROGRAMS[name].never_below:
                continue
            stopped, seen = scene.run(name)
            if stopped != expected and not (stopped and PROGRAMS[name].system_may_refuse):
                wrong.append(f"{name} was {'' if stopped else 'not '}stopped: {seen}")
    finally:
        scene.close()
    assert wrong == []
    assert _digest(*kept) == before


def test_there_are_forty_programs_and_some_for_every_kind():
    assert len(PROGRAMS) >= 40
    assert set(QUICK) <= PROGRAMS.keys()
    assert {program.weakest for program in PROGRAMS.values()} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_some_hostile_programs(kind, trials, tmp_path, monkeypatch):
    check(kind, QUICK, trials, tmp_path, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_all_hostile_programs(kind, trials, tmp_path, monkeypatch):
    check(kind, PROGRAMS, trials, tmp_path, monkeypatch)
