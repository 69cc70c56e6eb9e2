"""Our side of a supervisor: a process that starts and ends one supervised process after the other.

Supervisors are kept for the next process, since starting one takes longer than starting what it
supervises. All of them end with this process.
"""

from __future__ import annotations

import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.util import Finalize
from pathlib import Path

from rl_toolkit.utils.installation import CACHE_VARIABLE, cache_folder
from rl_toolkit.utils.isolation.child import MARK, ON_LINUX, Job
from rl_toolkit.utils.isolation.errors import IsolationError, NotStartedError
from rl_toolkit.utils.isolation.held_up import descendants
from rl_toolkit.utils.isolation.sandbox import syscalls
from rl_toolkit.utils.isolation.sandbox.confining import Confinement
from rl_toolkit.utils.strict_json import FramedJson, JsonObject

#: Seconds in which a supervisor must have started, with the imports of its worker module.
START_SECONDS = 60.0
#: Seconds in which a supervisor must have ended everything.
END_SECONDS = 10.0
#: Supervisors that are kept for the next processes.
_MOST_IDLE = 4
#: What supervisors and workers see of the environment.
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_ON_WINDOWS = os.name == "nt"
_PROCESSES = Path("/proc")


class Supervisor:
    """A running supervisor; ``modules`` are those that it has imported, a worker's first."""

    def __init__(self, *modules: str) -> None:
        if _ON_WINDOWS:
            raise NotStartedError("needs Linux or macOS to run in; on Windows use WSL")
        ours, theirs = socket.socketpair()
        self.modules = modules
        self._mark = secrets.token_hex(16)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the supervisor
        command = [sys.executable, "-P", "-m", "rl_toolkit.utils.isolation.supervisor_main"]
        with theirs:
            self.process = subprocess.Popen(
                [*command, str(theirs.fileno()), *modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env={**_environment(), MARK: self._mark},
                cwd=os.path.abspath(os.sep),
                start_new_session=True,
            )
        if ON_LINUX:  # nor can other processes of the user trace this one from now on
            syscalls.prctl(syscalls.DUMPABLE, 0)
        self.control = FramedJson(ours)
        self._is_ready = self._is_running = False
        self._exit_code: int | None = None
        #: Whether the process was ended because of the memory of all that it had started.
        self.used_too_much = False
        self._folder = ""
        self._lock = threading.Lock()
        supervisors.add(self)
        # At the end of this process, and, unlike `atexit`, of one of multiprocessing's too.
        self._finalizer = Finalize(None, self.close, exitpriority=10)

    def start(self, job: Job, files: Sequence[int]) -> int:
        """Start a process with open files (see `child.become`); return its number.

        It gets a new empty folder. Raises `NotStartedError` if it cannot be started.
        """
        self._be_ready()
        try:
            self._folder = tempfile.mkdtemp(prefix="rl-toolkit-")
        except OSError as error:
            raise NotStartedError(f"has no folder to run in ({error.strerror})") from error
        self._exit_code, self.used_too_much = None, False
        self._is_running = True
        job = replace(job, empty=self._folder)
        try:
            self.control.send_with_files({"start": job.to_dict()}, list(files))
        except OSError:
            raise NotStartedError(self._problem("its start")) from None
        started = self._wait_for("pid", "failed")
        if "failed" in started:
            self._is_running = False
            raise NotStartedError(f"cannot be started: {started['failed']}")
        return int(started["pid"])

    def attempt(self, confinement: Confinement) -> str:
        """What a trial of a confinement says; see `sandbox.confining.attempt`."""
        self._be_ready()
        try:
            self.control.send({"try": confinement.to_dict()})
        except OSError:
            raise NotStartedError(self._problem("a trial")) from None
        return str(self._wait_for("tried")["tried"])

    def _be_ready(self) -> None:
        if not self._is_ready:
            self._wait_for("ready")
            self._is_ready = True

    def end(self, wait: bool = False) -> None:
        """End the process, or begin to; the supervisor then waits for the next one."""
        try:
            if self._is_running:
                self.control.send({"end": True})
                if wait:
                    self.settle()
        except OSError:
            self.close()
        except NotStartedError:
            self.close(seconds=0.1)
        else:
            _idle.append(self)
            with suppress(IndexError):  # another thread was faster
                while len(_idle) > _MOST_IDLE:
                    _idle.pop(0).close()

    @property
    def alive(self) -> bool:
        """Whether the supervisor itself is running."""
        return self.process.poll() is None

    def settle(self) -> None:
        """After `end`: wait until the process and all that it has started have ended.

        Raises `NotStartedError` if the supervisor does not report that.
        """
        if self._is_running:
            self._wait_for("ended", seconds=END_SECONDS)

    def exit_code(self, seconds: float) -> int | None:
        """The exit code of a process that ended by itself; ``None`` after ``seconds``."""
        if self._exit_code is None:
            with suppress(NotStartedError):
                self._wait_for("died", seconds=seconds)
        return self._exit_code

    def _wait_for(self, *keys: str, seconds: float = START_SECONDS) -> JsonObject:
        """The next message with one of these keys."""
        deadline = time.monotonic() + seconds
        while True:
            while (message := self.control.message()) is not None:
                if "excess" in message:
                    self.used_too_much = True
                if "died" in message:
                    self._exit_code = message["died"]
                if "ended" in message:
                    self._is_running = False
                if not message.keys().isdisjoint(keys):
                    return message
            left = max(0.0, deadline - time.monotonic())
            if select.select([self.control], [], [], left)[0] and self._read():
                continue
            raise NotStartedError(self._problem(keys[0]))

    def _read(self) -> bool:
        try:
            return self.control.read()
        except OSError:
            return False

    def _problem(self, missing: str) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f"has no process to run in ({lines[-1] if lines else f'{missing} was not reported'})"

    def close(self, seconds: float | None = None) -> None:
        """End the supervisor, and with it everything that it has started.

        After ``seconds``, by default `END_SECONDS`, it is killed.
        """
        with self._lock:
            if self not in supervisors:
                return
            supervisors.discard(self)
        self._finalizer.cancel()
        self.control.close()
        try:
            self.process.wait(END_SECONDS if seconds is None else seconds)
        except subprocess.TimeoutExpired:
            _end_below(self.process.pid)
            self.process.kill()
            self.process.wait()
        if self.process.returncode:  # it was killed: what it has started is nobody's child now
            _end_marked(self._mark)
            if self._folder:
                shutil.rmtree(self._folder, ignore_errors=True)
        self._errors.close()


#: All supervisors of this process.
supervisors: set[Supervisor] = set()
#: Supervisors whose process has ended, or is being ended, oldest first.
_idle: list[Supervisor] = []


def idle_supervisor(*modules: str) -> Supervisor:
    """A supervisor without a process that has imported these: a kept one, or a new one."""
    for supervisor in reversed(_idle):
        if supervisor.modules == modules:
            try:
                _idle.remove(supervisor)
            except ValueError:  # another thread was faster
                continue
            try:
                supervisor.settle()
            except NotStartedError:  # it was killed, or stopped
                supervisor.close(seconds=0.1)
                continue
            if supervisor.alive:
                return supervisor
            supervisor.close()
    return Supervisor(*modules)


def settle() -> None:
    """Wait until all processes that were ended are gone, with all that they have started."""
    for supervisor in list(_idle):
        with suppress(IsolationError):
            supervisor.settle()


def end_all() -> None:
    """End all supervised processes and their supervisors."""
    _idle.clear()
    for supervisor in list(supervisors):
        supervisor.close()


def _forget() -> None:
    """After a fork: the supervisors belong to the other process."""
    _idle.clear()
    for supervisor in supervisors:
        supervisor.control.close()
    supervisors.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _end_below(supervisor: int) -> None:
    """End all that a supervisor has started, while it is the supervisor's descendant; Linux only.

    A program that has another environment has no mark, and nobody finds it later.
    """
    seen, new = {supervisor}, {supervisor}
    while new:  # what is stopped starts nothing new
        _signal(new, signal.SIGSTOP)
        new = {*descendants(supervisor)} - seen
        seen |= new
    _signal(seen - {supervisor}, signal.SIGKILL)


def _end_marked(mark: str) -> None:
    """End every process with this mark in its environment, which most descendants inherit.

    Waits for their ends, for `END_SECONDS` after the last one was found.
    """
    text, seen = f"{MARK}={mark}".encode(), set[int]()
    deadline = time.monotonic() + END_SECONDS
    while True:
        pids, is_complete = _marked(text)
        if is_complete and not pids:
            return
        if not pids <= seen:
            deadline = time.monotonic() + END_SECONDS
        elif time.monotonic() > deadline:
            return
        seen |= pids
        for number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped starts nothing new
            _signal(pids, number)
        time.sleep(0.001)


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _marked(text: bytes) -> tuple[set[int], bool]:
    """The processes, not zombies, whose environment has this line; Linux only.

    And whether all processes could be read: one that is just becoming another program shows neither
    arguments nor environment for a moment.
    """
    pids, is_complete = set[int](), True
    for folder in _PROCESSES.iterdir() if ON_LINUX else ():
        if folder.name.isdigit():
            with suppress(OSError):
                environment = (folder / "environ").read_bytes()
                if text in environment.split(b"\0"):
                    pids.add(int(folder.name))
                elif not environment and _is_becoming(folder):
                    is_complete = False
    return pids, is_complete


def _is_becoming(folder: Path) -> bool:
    """Whether a process without environment has no arguments yet.

    A zombie and a part of the kernel have none either, but no memory.
    """
    has_memory = not (folder / "statm").read_bytes().startswith(b"0 ")
    return has_memory and not (folder / "cmdline").read_bytes()


def _environment() -> dict[str, str]:
    """The environment of a supervisor and of workers: what Python needs, and little else."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return {
        **kept,
        **dict.fromkeys(_THREADS, "1"),
        "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path if path),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        CACHE_VARIABLE: str(cache_folder()),
    }
