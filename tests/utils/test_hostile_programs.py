"""Hostile programs in every kind of sandbox that this machine has.

The table is in `hostile_programs`. From its weakest kind on, a program is stopped; below that kind
it succeeds, and the test says so: a kind that prevents more than the guide says is an error too.
Every look waits for something that happens if there was harm, and for something else if there was
none; what does not come within a minute is not decided, and the program runs again.
"""

from __future__ import annotations

import hashlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_programs import PROGRAMS

import rl_toolkit
from rl_toolkit.envs import make_game
from rl_toolkit.labs.grading import Results, key_file
from rl_toolkit.players import make_engine
from rl_toolkit.utils.isolation import (
    CROWDED,
    FINE,
    KINDS,
    SANDBOX_VARIABLE,
    IsolationError,
    Limits,
    Sandbox,
    TooSlowError,
    WorkerProcess,
    end_all,
    settle,
    tried,
)
from rl_toolkit.utils.isolation.sandbox.confining import UNDECIDED
from rl_toolkit.utils.isolation.supervisor import END_SECONDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has sandboxes")

#: Some of each sort; `full` runs all.
QUICK = (
    "stops_the_opponent",
    "searches_proc_for_the_opponent",
    "rewrites_a_row_of_the_store",
    "writes_through_a_link",
    "connects_to_an_abstract_socket",
    "uses_memory_that_no_limit_counts",
    "fills_the_disk",
    "leaves_a_daemon",
    "keeps_itself_awake",
    "looks_for_open_files",
)
WORKER = "hostile_programs"
RESULTS = "Ada 100"
#: Another student's bot, which answers before, between and after hostile programs.
ADA = """
asked = 0

def choose(env):
    global asked
    asked += 1
    moves = env.get_legal_moves()
    return moves[(asked + sum(map(abs, env.board.tolist()))) % len(moves)]
"""
LONG = 60.0
#: A program runs so often until it is decided whether it was stopped, and has so many seconds to
#: stop itself: on a busy machine it may need more than the first time.
UNTIL_LATE = (1.0, 10.0, LONG)
#: Seconds of processor time: a process that is to be frozen has so many for the way of the order,
#: and one that is not frozen has done harm after so many.
UNTIL_FROZEN, HARM = 20.0, 0.2


class UndecidedError(Exception):
    """The machine was too busy for a look."""


@pytest.fixture(scope="module")
def trials():
    return tried()


@pytest.fixture(scope="module", autouse=True)
def ended():
    yield
    end_all()


class Scene:
    """An opponent, results, a store, a secret and sockets, which programs are to leave alone."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.mark = f"rl-toolkit-hostile-{os.getpid()}-{kind}"
        self.results, self.secret = folder / "results", folder / "secret"
        self.store = folder / "store"
        with Results(self.store) as store:  # the store of a class, with its key
            store.put("grade", "ada", {"points": 100})
        self.pristine = (self.store / "results.db").read_bytes()
        self.secret.write_text("secret")
        self.secret.chmod(0o600)
        self.submissions = folder / "submissions"
        self.submissions.mkdir()
        (self.submissions / "ada.py").write_text(ADA)
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
            os.close(self.mouth)
            self.opponent.kill()
            self.opponent.communicate()
            self.opponent = None

    def _opponent_is_stopped(self) -> bool:
        """Whether it was stopped: if not, it answers; a signal that is on its way comes first."""
        assert self.opponent is not None
        assert self.opponent.stdout is not None
        os.write(self.mouth, b"?")
        for _ in range(int(LONG / 0.1)):
            if select.select([self.opponent.stdout], [], [], 0.1)[0]:
                assert os.read(self.opponent.stdout.fileno(), 1) == b"?", "the opponent ended"
                return False
            if _state(self.opponent.pid) in ("T", "t"):
                return True
        raise UndecidedError("the opponent neither answers nor is it stopped")

    def reset(self) -> None:
        self._end_opponent()
        ear, self.mouth = os.pipe()
        with open(self.secret) as handle:
            self.opponent = subprocess.Popen(  # it says again what it hears
                [self.mark, f"/dev/fd/{ear}"],
                executable="/bin/cat",
                cwd=self.folder,
                stdin=handle,
                stdout=subprocess.PIPE,
                pass_fds=[ear],
            )
        os.close(ear)
        assert not self._opponent_is_stopped()
        for left in self.folder.glob("results*"):
            left.unlink()
        self.results.write_text(RESULTS)
        self.results.chmod(0o644)
        (self.store / "results.db").write_bytes(self.pristine)
        Path(f"/dev/shm/{self.mark}").unlink(missing_ok=True)

    def known(self) -> dict[str, object]:
        """What a program may know."""
        assert self.opponent is not None
        return {
            "opponent": self.opponent.pid,
            "ours": [os.getpid(), self.opponent.pid],
            "processes": os.readlink("/proc/self/ns/pid"),
            "mark": self.mark,
            "kind": self.kind,
            "results": str(self.results),
            "store": str(self.store / "results.db"),
            "key": str(key_file()),
            "secret": str(self.secret),
            "submissions": str(self.submissions),
            "package": rl_toolkit.__file__,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "socket": str(self.folder / "socket"),
        }

    def _a_datagram_arrived(self) -> bool:
        """Whether one did that is not ours; those of one processor arrive in their order."""
        allowed, arrived = os.sched_getaffinity(0), set()
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                for processor in allowed:
                    os.sched_setaffinity(0, {processor})
                    sender.sendto(b"ours %d" % processor, self.udp.getsockname())
        finally:
            os.sched_setaffinity(0, allowed)
        ours = {b"ours %d" % processor for processor in allowed}
        while not arrived >= ours:
            if not select.select([self.udp], [], [], LONG)[0]:
                raise UndecidedError("our own datagrams do not arrive")
            arrived.add(self.udp.recv(10))
        return arrived > ours

    def harm(self) -> set[str]:
        """What can be seen from outside."""
        seen = set()
        if self._opponent_is_stopped():
            seen.add("opponent stopped")
        if not self.results.exists():
            seen.add("results changed")
        elif self.results.stat().st_mode & 0o777 != 0o644:
            seen.add("mode changed")
        elif self.results.read_text() != RESULTS:
            seen.add("results changed")
        elif self.results.stat().st_mtime == 0:
            seen.add("time changed")
        if (self.store / "results.db").read_bytes() != self.pristine:
            seen.add("store changed")
            with Results(self.store) as store:  # it is noticed, and not believed
                assert "changed from outside" in store.remarks[0]
                assert store.rows("grade") == {}
        if Path(f"/dev/shm/{self.mark}").exists():
            seen.add("file left behind")
        if self._a_datagram_arrived():
            seen.add("datagram arrived")
        for pid in _running(f"{self.mark}-daemon"):
            seen.add("daemon survived")
            os.kill(pid, signal.SIGKILL)
        return seen

    def run(self, name: str) -> tuple[bool, str]:
        """Whether a program was stopped, and what was seen or said; as often as in `UNTIL_LATE`."""
        for seconds in UNTIL_LATE[:-1]:
            try:
                return self._run(name, seconds)
            except UndecidedError:
                continue
        return self._run(name, UNTIL_LATE[-1])

    def _run(self, name: str, until_late: float) -> tuple[bool, str]:
        self.reset()
        program = PROGRAMS[name]
        limits = Limits(memory_mb=1024, file_mb=16)
        worker = WorkerProcess(WORKER, limits, Sandbox(folder_mb=8))
        supervisor, seen, said = worker._supervisor, set(), ""
        assert supervisor is not None
        through = False
        # One that stops itself is noticed at once only with namespaces.
        seconds = until_late if name == "stops_itself" else LONG
        late: TooSlowError | None = None
        try:
            given = {**self.known(), "supervisor": supervisor.process.pid}
            answer = worker.ask({"run": name, "given": given}, seconds)
            through, said = answer["through"] is True, answer.get("refused", "")
            if program.seen == "computed" and _computes(worker.pid, worker._freezes):
                seen.add("computed")
        except TooSlowError as error:
            late, said = error, str(error)
        except IsolationError as error:
            said = str(error)
        finally:
            worker.end()
        for _ in range(int(LONG / END_SECONDS)):  # one look waits for that time
            settle()
        if supervisor._is_running and supervisor.alive:
            raise UndecidedError("its processes have not ended")
        if not supervisor.alive:
            seen.add("supervisor ended")
        seen |= self.harm()
        if late is not None and late.cause != "signal":  # that it stands still is seen, not guessed
            raise UndecidedError(said)
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


def _computes(pid: int, is_to_be_frozen: bool) -> bool:
    """Whether a process uses the processor while it is not asked; one that is stopped does not."""
    most = int((UNTIL_FROZEN if is_to_be_frozen else HARM) * 1e9)

    def used() -> int:
        return sum(
            int((task / "schedstat").read_text().split()[0])
            for task in Path(f"/proc/{pid}/task").iterdir()
        )

    def is_frozen() -> bool:
        tasks = Path(f"/proc/{pid}/task")
        return all(_state(f"{pid}/task/{task.name}") == "T" for task in tasks.iterdir())

    begun, ends = used(), time.monotonic() + 5 * LONG
    was_at = -1
    while time.monotonic() < ends:
        # It takes a moment until all threads are frozen, and until what they used is counted.
        now = used()
        if now - begun > most:
            return True
        if is_frozen():
            if now == was_at:
                return False
            was_at = now
            time.sleep(0.3)
        else:
            was_at = -1
            time.sleep(0.01)
    raise UndecidedError("it is neither frozen nor does it compute")


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
    assert trials[kind] != UNDECIDED
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
    kept = [home, scene.submissions, key_file().parent]
    kept += [Path(rl_toolkit.__file__).parent]
    before = _digest(*kept)
    wrong, answers = [], []
    ada = make_engine(str(scene.submissions / "ada.py"))  # one process for the whole time
    env = make_game("tictactoe")
    try:
        for name in names:
            answers.append(ada.analyse(env).best_move)
            expected = is_stopped(name, kind)
            if not expected and PROGRAMS[name].never_below:
                continue
            stopped, seen = scene.run(name)
            if stopped != expected and not (stopped and PROGRAMS[name].system_may_refuse):
                wrong.append(f"{name} was {'' if stopped else 'not '}stopped: {seen}")
        answers.append(ada.analyse(env).best_move)
    finally:
        ada.engine.close()
        scene.close()
    assert wrong == []
    assert answers == [(asked + 1) % 9 for asked in range(len(answers))]
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
