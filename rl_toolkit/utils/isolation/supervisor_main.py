"""The process of a supervisor: it starts other people's code with limits, and ends all of it.

It stands between our process and theirs. On Linux it is a *subreaper*: when a process ends, its
children become children of the supervisor, also after a double fork with ``setsid``. So the
supervisor has ended everything when it has no child left. It never runs code of others itself.

Messages on its control socket (`Job` describes what to start)::

    {"start": {…}} and open files   →  {"pid": 123} or {"failed": "Exec format error"}
    {"try": {…}}, a confinement     →  {"tried": "fine"}, or what the system refused
    {"end": true}                   →  {"ended": true}

When the process ends by itself it sends ``{"died": 1}``, the exit code, negative for a signal;
before that ``{"excess": true}`` if it was ended for the memory of all of its processes together. It
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
from rl_toolkit.utils.isolation.held_up import descendants
from rl_toolkit.utils.isolation.memory import memory_below, started_by
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


#: Seconds between two looks at the memory of all processes.
_LOOK = 0.25


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
        #: The bytes that all processes may use together, 0 for any, and those that are ours.
        self._most, self._ours = 0, set[int]()
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
                looks = self._pid and self._most
                ready, _, _ = select.select(sources, [], [], _LOOK if looks else None)
                if looks and memory_below(os.getpid(), self._ours) > self._most:
                    self._control.send({"excess": True})
                    self._kill()
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
        self._folder, self._most = job.empty, job.total_mb << 20 if ON_LINUX else 0
        reading, report = os.pipe()
        holder, failed = 0, ""
        if job.confinement is not None:
            self._is_closed = job.confinement.has_own_processes
            try:
                if job.confinement.kind == "bubblewrap":
                    self._holder, holder = bubblewrap.hold(job.confinement.layout, job.empty)
            except OSError as error:
                failed = str(error)
        self._ours = {*started_by(os.getpid())} if holder else set()  # before foreign code runs
        ours = os.getpid()
        self._pid = 0 if failed else os.fork()
        if self._pid == 0 and not failed:
            become(job, files, report, holder, ours)
        for file in (*files, report):
            os.close(file)
        with open(reading, "rb") as reports:
            failed = failed or reports.read().decode("utf-8", "replace")
        if failed:
            self._end()
            self._control.send({"failed": failed})
        else:
            *around, innermost = _down_to_code(self._pid, job.confinement)
            self._ours |= {*around}
            self._control.send({"pid": innermost})

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

    def _kill(self) -> None:
        """End all processes at once; `_reap` and `_end` take note."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        if self._holder is not None:
            self._holder.kill()
        for pid in () if self._is_closed else descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

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
                for pid in descendants(os.getpid()):
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


def _down_to_code(pid: int, confinement: Confinement | None) -> list[int]:
    """The processes from ``pid`` to the one with foreign code: with namespaces, its grandchild."""
    line, generations = [pid], {"namespaces": 2, "bubblewrap": 1}
    for _ in range(0 if confinement is None else generations.get(confinement.kind, 0)):
        above = line[-1]
        with suppress(OSError, IndexError), open(f"/proc/{above}/task/{above}/children") as below:
            line.append(int(below.read().split()[0]))
    return line


if __name__ == "__main__":
    main()
