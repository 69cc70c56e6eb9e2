"""What a new process does between the supervisor's fork and the code of somebody else."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise

from rl_toolkit.utils.isolation.limits import Limits
from rl_toolkit.utils.isolation.sandbox import syscalls
from rl_toolkit.utils.isolation.sandbox.confining import Confinement
from rl_toolkit.utils.strict_json import FramedJson, JsonObject

#: The variable that marks a supervisor and all that it has started.
MARK = "RL_TOOLKIT_SUPERVISOR"

ON_LINUX = sys.platform == "linux"
_MOST_FILES = 1024


@dataclass(frozen=True, slots=True)
class Job:
    """What a supervisor is asked to start.

    Attributes:
        limits: the limits of the process.
        empty: its own empty folder, which the supervisor removes at the end.
        module: the worker module that serves its channel; or
        command: the full path of a program and its arguments, with
        environment: all that it sees of the environment, and
        folder: where it runs; ``None`` for its own empty folder.
        confinement: what keeps it from the rest of the system.
        total_mb: megabytes that it and all that it starts may use together; 0 for any.
    """

    limits: Limits
    empty: str = ""
    module: str = ""
    command: tuple[str, ...] = ()
    environment: dict[str, str] | None = None
    folder: str | None = None
    confinement: Confinement | None = None
    total_mb: int = 0

    def to_dict(self) -> JsonObject:
        """Plain data for a message."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: JsonObject) -> Job:
        """The job of a message."""
        limits, command = Limits(**data["limits"]), tuple(data["command"])
        how = data["confinement"]
        confinement = None if how is None else Confinement.from_dict(how)
        return cls(**{**data, "limits": limits, "command": command, "confinement": confinement})


def become(job: Job, files: list[int], report: int, holder: int, supervisor: int) -> None:
    """Turn this copy of the supervisor into the process of a job; never returns.

    ``files`` are the channel and the output of a worker, or stdin, stdout and stderr of a command;
    with a confinement two more, for orders and status. ``holder`` holds its namespaces, if they
    are bubblewrap's, and is else 0. ``supervisor`` is the process to end with. If something fails,
    the reason is written to ``report``, which is closed before anybody else's code runs.
    """
    code = 1
    try:
        _leave_the_supervisor(supervisor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        channel = files[0] if job.module else None
        standard = [nothing, files[1], files[1]] if job.module else files[:3]
        orders_and_status = files[-2:] if job.confinement is not None else []
        for number, file in enumerate(standard):
            os.dup2(file, number)
        _close_all_but(report, *orders_and_status, *([] if channel is None else [channel]))
        if job.confinement is not None:
            orders, status = orders_and_status
            job.confinement.enter(job.empty, orders, status, holder)
        os.chdir(job.folder or job.empty)
        if channel is None:
            _execute(job)
        else:
            os.environ.update(dict.fromkeys(("HOME", "TMPDIR"), job.empty))
            tempfile.tempdir = None
            _open_standard_streams()
            _limit(job)
            os.close(report)
            report = -1
            importlib.import_module(job.module).serve(FramedJson(socket.socket(fileno=channel)))
        code = 0
    except (OSError, ValueError) as error:  # at the end of a worker, nobody reads it
        with suppress(OSError):
            os.write(report, (getattr(error, "strerror", None) or str(error)).encode())
    finally:
        os._exit(code)


def _limit(job: Job) -> None:
    """The last step before foreign code."""
    job.limits.apply()
    if job.confinement is not None:
        job.confinement.seal(job.empty)


def _leave_the_supervisor(supervisor: int) -> None:
    """Begin a session, and so a process group, and end with the supervisor."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    if ON_LINUX:
        syscalls.prctl(syscalls.DUMPABLE, 1)  # the supervisor is not
        syscalls.prctl(syscalls.DEATH_SIGNAL, signal.SIGKILL)
        syscalls.prctl(syscalls.NO_NEW_PRIVILEGES, 1)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")  # if memory is short, it is ended first
    if os.getppid() != supervisor:  # it has ended, perhaps before this process ran at all
        os._exit(1)


def _close_all_but(*kept: int) -> None:
    """Close all files besides the three standard ones and ``kept``."""
    for below, above in pairwise([2, *sorted(kept), _MOST_FILES]):
        os.closerange(below + 1, above)


def _execute(job: Job) -> None:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, programs should not
        signal.signal(number, signal.SIG_DFL)
    _limit(job)
    environment = {**(job.environment or {}), MARK: os.environ.get(MARK, ""), "TMPDIR": job.empty}
    if job.confinement is not None:
        environment["HOME"] = job.empty
    os.execve(job.command[0], job.command, environment)


def _open_standard_streams() -> None:
    sys.stdin = open(0)  # noqa: SIM115 - used until the end
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="replace")  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace")  # noqa: SIM115
