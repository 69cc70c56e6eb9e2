"""The process of a supervisor: it starts other people's code with limits, and ends all of it.

It stands between our process and theirs. On Linux it is a *subreaper*: when a process ends, its
children become children of the supervisor, also after a double fork with ``setsid``. So the
supervisor has ended everything when it has no child left. It never runs code of others itself.

Messages on its control socket (`Job` describes what to start)::

    {"start": {…}} and open files   →  {"pid": 123} or {"failed": "Exec format error"}
    {"try": {…}}, a confinement     →  {"tried": "fine"}, or what the system refused
    {"end": true}                   →  {"ended": true}

When the process ends by itself it sends ``{"died": 1}``, the exit code, negative for a signal. It
ends, and ends the process, when ours closes the socket or is killed. No other process of the user
can trace it or read its memory.
"""

from __future__ import annotations

import importlib
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

from rl_toolkit.utils.isolation.child import ON_LINUX, Job, become
from rl_toolkit.utils.isolation.sandbox import bubblewrap, syscalls
from rl_toolkit.utils.isolation.sandbox.confining import Confinement, attempt
from rl_toolkit.utils.strict_json import FramedJson


def main() -> None:
    """Serve the control socket whose number is the first argument.

    Further arguments are modules to import, once: each worker is a copy of this process.
    """
    control = FramedJson(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if ON_LINUX:
        syscalls.prctl(syscalls.SUBREAPER, 1)
        syscalls.prctl(syscalls.DUMPABLE, 0)
    for module in sys.argv[2:]:
        importlib.import_module(module)
        _open_doors(module)
    Supervisor(control).run()


def _open_doors(module: str) -> None:
    """Let the packages above a module read what they offer, while their files are there."""
    package = module.rpartition(".")[0]
    while package:
        getattr(sys.modules[package], "_nothing", None)
        package = package.rpartition(".")[0]


class Supervisor:
    """Starts and ends one process after the other."""

    def __init__(self, control: FramedJson) -> None:
        self._control = control
        self._files: list[int] = []
        self._pid = 0
        self._folder = ""
        #: Whether the kernel ends everything that the process has started, with it.
        self._is_closed = False
        self._holder: subprocess.Popen[bytes] | None = None
        # A child that ends wakes `select`.
        self._woken, waking = os.pipe()
        os.set_blocking(waking, False)
        signal.set_wakeup_fd(waking)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def run(self) -> None:
        """Serve until the control socket is closed."""
        try:
            self._control.send({"ready": True})
            while True:
                sources: list[int | FramedJson] = [self._control, self._woken]
                ready, _, _ = select.select(sources, [], [])
                if self._woken in ready:
                    os.read(self._woken, 1024)
                    self._reap()
                if self._control in ready and not self._serve():
                    return
        except OSError:  # our process is gone
            return
        finally:
            self._end()

    def _serve(self) -> bool:
        """Answer what has arrived; ``False`` if the socket is closed."""
        data, files, _, _ = socket.recv_fds(self._control.connection, 1 << 16, 5)
        if not data:
            return False
        for file in files:
            os.set_inheritable(file, False)
        self._files += files
        self._control.feed(data)
        while (message := self._control.message()) is not None:
            if "start" in message:
                self._start(Job.from_dict(message["start"]))
            elif "try" in message:
                self._control.send({"tried": attempt(Confinement.from_dict(message["try"]))})
            elif "end" in message:
                self._end()
                self._control.send({"ended": True})
        return True

    def _start(self, job: Job) -> None:
        files, self._files = self._files, []
        self._folder = job.empty
        reading, report = os.pipe()
        holder, failed = 0, ""
        if job.confinement is not None:
            self._is_closed = job.confinement.has_own_processes
            try:
                if job.confinement.kind == "bubblewrap":
                    self._holder, holder = bubblewrap.hold(job.confinement.layout, job.empty)
            except OSError as error:
                failed = str(error)
        self._pid = 0 if failed else os.fork()
        if self._pid == 0 and not failed:
            become(job, files, report, holder)
        for file in (*files, report):
            os.close(file)
        with open(reading, "rb") as reports:
            failed = failed or reports.read().decode("utf-8", "replace")
        if failed:
            self._end()
            self._control.send({"failed": failed})
        else:
            self._control.send({"pid": _innermost(self._pid, job.confinement)})

    def _reap(self) -> None:
        """Take note of children that have ended by themselves."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                if pid == self._pid:
                    # Now: later the number may belong to others.
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(pid, signal.SIGKILL)
                    self._pid = 0
                    self._control.send({"died": os.waitstatus_to_exitcode(status)})

    def _end(self) -> None:
        """End the process and all that it has started; then remove its folder."""
        group, self._pid = self._pid, 0
        if self._holder is not None:
            self._holder.kill()
            self._holder = None
        is_closed, self._is_closed = self._is_closed, False
        while True:
            if group:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            # What is stopped starts nothing new.
            for number in () if is_closed else (signal.SIGSTOP, signal.SIGKILL):
                for pid in _descendants(os.getpid()):
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                break
            time.sleep(0.001)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = ""


def _innermost(pid: int, confinement: Confinement | None) -> int:
    """The process that runs foreign code: with namespaces, the child of the child of ``pid``."""
    generations = {"namespaces": 2, "bubblewrap": 1}
    for _ in range(0 if confinement is None else generations.get(confinement.kind, 0)):
        with suppress(OSError, IndexError), open(f"/proc/{pid}/task/{pid}/children") as children:
            pid = int(children.read().split()[0])
    return pid


def _descendants(root: int) -> list[int]:
    """The processes that ``root`` has started, and those that they have; Linux only."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if ON_LINUX else ():
        if entry.isdigit():
            with suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{entry}/stat", "rb") as stat:
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    descendants, waiting = list[int](), [root]
    while waiting:
        below = children.pop(waiting.pop(), [])
        descendants += below
        waiting += below
    return descendants


if __name__ == "__main__":
    main()
