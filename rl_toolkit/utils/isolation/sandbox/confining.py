"""What a process does to confine itself, between the supervisor's fork and foreign code.

The kinds, strongest first:

- ``namespaces``: it sees no file, process or network of others (see `spaces`), and the filter;
- ``bubblewrap``: the same namespaces, made by that program where only it may (see `bubblewrap`);
- ``landlock``: it can open only its own files, and the filter; it shares the rest;
- ``limits``: it has all rights of the user, with limits on time, memory and files.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from rl_toolkit.utils.isolation.sandbox import bubblewrap, landlock, spaces, syscalls
from rl_toolkit.utils.isolation.sandbox.filter import apply_filter, filter_program
from rl_toolkit.utils.isolation.sandbox.layout import Layout

Kind = Literal["namespaces", "bubblewrap", "landlock", "limits"]
#: Strongest first.
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The most processes and threads of one sandbox, and the megabytes of all together.
PROCESSES, TOTAL_MB = 64, 4096
_DEVICES = ("/dev/urandom", "/dev/random", "/dev/zero", "/dev/full")
_OWN_PROC = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo")
#: What a trial says if all is well, and if other processes of the user count for the limit.
FINE, CROWDED = "fine", "crowded"
#: What it says if the machine was too busy, or short of memory or processes: nothing was refused.
UNDECIDED = "the machine was too busy to try it"
_SHORT_OF = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
_TRIAL_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a process is confined.

    ``is_crowded`` says that the limit of processes counts all processes of the user.
    """

    kind: Kind
    layout: Layout
    is_crowded: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a message."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Confinement:
        """The confinement of a message."""
        layout = {name: _hashable(value) for name, value in data["layout"].items()}
        return cls(data["kind"], Layout(**layout), data["is_crowded"])

    @property
    def has_own_processes(self) -> bool:
        """Whether everything that it starts ends with it, by the kernel."""
        return self.kind in ("namespaces", "bubblewrap")

    def enter(self, folder: str, orders: int, status: int, holder: int) -> None:
        """Return in the process that is to run foreign code; the first step.

        ``folder`` is its own, ``holder`` the process whose namespaces it enters with bubblewrap.
        """
        if self.kind == "namespaces":
            spaces.enter(self.layout, folder, orders, status)
            return
        for file in (orders, status):
            os.close(file)
        if self.kind == "bubblewrap":
            bubblewrap.enter(holder, folder)

    def seal(self, folder: str) -> None:
        """The last step: nothing of this can be undone."""
        if self.kind == "limits":
            return
        _limit_processes(self.is_crowded)
        syscalls.prctl(syscalls.NO_NEW_PRIVILEGES, 1)
        if self.kind != "landlock":
            apply_filter(filter_program())
            return
        readable = [*self.layout.without_hidden(), *_DEVICES, *_OWN_PROC]
        version = landlock.restrict(readable, [folder, "/dev/null"], self.layout.listed)
        if os.geteuid() == 0:  # the files of a user must stay readable for root
            syscalls.drop_bounding_set()
            spaces.give_up_rights(kept=syscalls.READ_ALL_FILES)
        signals_to = 0 if version >= landlock.HAS_SCOPES else os.getpid()
        truncates = version >= landlock.TRUNCATES
        apply_filter(filter_program(has_mounts=False, signals_to=signals_to, truncates=truncates))


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _limit_processes(is_crowded: bool) -> None:
    """Limit processes and threads of this user; as root this binds only in namespaces."""
    import resource

    most = PROCESSES
    if is_crowded:
        with open("/proc/loadavg") as file:  # the fourth field: running threads / all threads
            most += int(file.read().split()[3].partition("/")[2])
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def attempt(confinement: Confinement) -> str:
    """Try a confinement in a fork: `FINE`, `CROWDED`, `UNDECIDED` or what was refused.

    Trying is the only way to know: settings and version numbers promise what the system refuses.
    """
    if confinement.kind == "limits":
        return FINE
    with (
        tempfile.TemporaryDirectory(prefix="rl-toolkit-") as folder,
        tempfile.NamedTemporaryFile(prefix="rl-toolkit-") as outside,
    ):
        try:
            with bubblewrap.holding(confinement.layout, folder, confinement.kind) as holder:
                return _in_fork(lambda: _try(confinement, folder, outside.name, holder))
        except OSError as error:
            return _refused(error)


def _refused(error: BaseException) -> str:
    """What an error says of a trial."""
    if isinstance(error, OSError) and error.errno in _SHORT_OF:
        return UNDECIDED
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _in_fork(work: Callable[[], str]) -> str:
    """What ``work`` answers in a fork of this process."""
    reading, report = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.alarm(_TRIAL_SECONDS)
            text = work()
        except BaseException as error:
            text = _refused(error)
        with suppress(OSError):
            os.write(report, text.encode())
        os._exit(0)
    os.close(report)
    with open(reading, "rb") as answers:
        answer = answers.read().decode("utf-8", "replace")
    with suppress(ChildProcessError):
        how = os.waitpid(pid, 0)[1]
        if not answer and os.WIFSIGNALED(how) and os.WTERMSIG(how) == signal.SIGALRM:
            return UNDECIDED
    return answer or "the trial ended without an answer"


def _try(confinement: Confinement, folder: str, outside: str, holder: int) -> str:
    supervisor = os.getppid()
    orders, keep_open = os.pipe()
    _, status = os.pipe()
    os.set_inheritable(keep_open, False)
    confinement.enter(folder, orders, status, holder)
    confinement.seal(folder)
    forbidden: dict[str, Callable[[], object]] = {
        "a file of others": lambda: os.close(os.open(outside, os.O_RDONLY)),
        "a signal to others": lambda: os.kill(supervisor, 0),
        "a socket of the kernel": lambda: socket.socket(socket.AF_NETLINK).close(),
    }
    for name, thing in forbidden.items():
        try:
            thing()
        except OSError:
            continue
        raise OSError(f"{name} is not refused")
    with open(os.__file__) as library, open(os.path.join(folder, "file"), "w") as own:
        own.write(library.read(10))
    return _crowded()


def _crowded() -> str:
    try:
        pid = os.fork()
    except BlockingIOError:
        return CROWDED
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return FINE
