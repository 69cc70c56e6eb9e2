"""Namespaces by system call, for a process that has just been forked and is warm.

::

    supervisor ── fork ──► keeper: new namespaces; builds the new root; ends as the code ended
     (outside)               └ fork ──► init, process 1 inside: nothing there can end or stop it
                                │        S on its pipe: all stop;  C: all continue
                                └ fork ──► the foreign code, process 2

A process that is 1 ignores signals without a handler, so the limits on its time would not work:
therefore the code is 2. As root there is no namespace of users; the code runs under a number that
no account has, because the number of processes of root is not limited.
"""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from itertools import pairwise

from rl_toolkit.utils.isolation.sandbox import syscalls as sys_
from rl_toolkit.utils.isolation.sandbox.layout import Layout

_KINDS = (
    sys_.NEW_MOUNTS
    | sys_.NEW_PIDS
    | sys_.NEW_NETWORK
    | sys_.NEW_IPC
    | sys_.NEW_NAMES
    | sys_.NEW_CGROUP
)
#: Any folder that exists: the new root is laid over it, and only this process sees that.
_ROOT = "/tmp"
_INSIDE = 65534
_NO_ACCOUNT = 0x70000000
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SAFE = sys_.NO_SETUID | sys_.NO_DEVICES
_MOST_FILES, _SHARED_MB = 4096, 64
STOP, GO, STOPPED_ITSELF = b"S", b"C", b"P"


def enter(layout: Layout, folder: str, orders: int, status: int) -> None:
    """Return in the process that runs foreign code, which has ``folder`` for itself.

    ``orders`` is the pipe of `STOP` and `GO`; ``status`` gets `STOPPED_ITSELF`. Whichever process
    is refused something raises ``OSError`` here.
    """
    is_root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    sys_.prctl(sys_.DUMPABLE, 1)  # else the files below /proc/self are root's
    if is_root:
        user = group = _NO_ACCOUNT | (os.getpid() & 0xFFFFFF)
        sys_.unshare(_KINDS)
    else:
        sys_.unshare(_KINDS | sys_.NEW_USER)
        _map_user(user, group)
    mask = os.umask(0o022)
    _build(layout, folder, f"uid={user},gid={group}" if is_root else "")
    os.umask(mask)
    ended, ending = os.pipe()
    init = os.fork()
    if init:
        _keep(init, ended)
    with suppress(PermissionError):  # a container that masks parts of /proc: then there is none
        flags = _SAFE | sys_.NO_PROGRAMS
        sys_.mount("proc", f"{_ROOT}/proc", "proc", flags)
    sys_.pivot_root(_ROOT)
    sys_.mount("none", "/", None, sys_.REMOUNT | sys_.BIND | sys_.READ_ONLY | sys_.NO_SETUID)
    sys_.drop_bounding_set()
    if is_root:
        os.setgroups([])
        os.setresgid(group, group, group)
        sys_.prctl(sys_.KEEP_CAPABILITIES, 1)
        os.setresuid(user, user, user)
    give_up_rights()
    # Before the fork: the code could be faster, and open the memory of init.
    sys_.prctl(sys_.DUMPABLE, 0)
    sys_.prctl(sys_.DEATH_SIGNAL, signal.SIGKILL)
    code = os.fork()
    if code:
        _be_init(code, orders, status, ending)
    for file in (orders, status, ended, ending):
        os.close(file)
    sys_.prctl(sys_.DUMPABLE, 1)  # as other processes are
    os.setsid()


def give_up_rights(kept: int = 0) -> None:
    """Drop all capabilities but those ``kept``, and gain none by starting a program."""
    sys_.drop_capabilities(kept)
    sys_.prctl(sys_.NO_NEW_PRIVILEGES, 1)


def _map_user(user: int, group: int) -> None:
    lines = {
        "setgroups": "deny",
        "uid_map": f"{_INSIDE} {user} 1",
        "gid_map": f"{_INSIDE} {group} 1",
    }
    for name, text in lines.items():
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


# ---------------------------------------------------------------------------- the new root


def _build(layout: Layout, folder: str, owner: str) -> None:
    """The new root; /proc is mounted later, by a process inside."""
    sys_.mount("none", "/", None, sys_.RECURSIVE | sys_.PRIVATE)
    steps = layout.steps()
    # Opened first: the new root may lie over them.
    sources = {path: os.open(path, os.O_PATH | os.O_NOFOLLOW) for path, shown in steps if shown}
    links = {path: os.readlink(path) for path in sources if os.path.islink(path)}
    folders = {path for path, file in sources.items() if os.path.isdir(f"/proc/self/fd/{file}")}
    devices = [(name, os.open(f"/dev/{name}", os.O_PATH)) for name in _DEVICES]
    sys_.mount("root", _ROOT, "tmpfs", _SAFE, "mode=755,size=1m,nr_inodes=4096")
    for path in ("/tmp", "/dev/shm", "/proc", "/etc"):
        os.makedirs(_ROOT + path)
    size = f"size={layout.folder_mb}m,nr_inodes={_MOST_FILES}"
    _private("/tmp", size, owner)
    _private("/dev/shm", f"size={_SHARED_MB}m,nr_inodes={_MOST_FILES}", owner)
    for path, is_shown in steps:
        if not is_shown:
            if os.path.isdir(_ROOT + path):
                flags = "mode=755,size=16k,nr_inodes=512"
                sys_.mount("hidden", _ROOT + path, "tmpfs", _SAFE, flags)
        elif path in links:
            os.makedirs(os.path.dirname(_ROOT + path), exist_ok=True)
            os.symlink(links[path], _ROOT + path)
        else:
            _show(sources[path], path, path in folders)
    for path, is_shown in steps:
        if not is_shown and os.path.isdir(_ROOT + path):
            sys_.make_read_only(_ROOT + path)
    for name, file in devices:
        _point(f"{_ROOT}/dev/{name}", False)
        sys_.mount(f"/proc/self/fd/{file}", f"{_ROOT}/dev/{name}", None, sys_.BIND)
    for name, place in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{place}", f"{_ROOT}/dev/{name}")
    with open(f"{_ROOT}/etc/passwd", "w") as file_of_users:
        number = owner.partition("=")[2].partition(",")[0] or str(_INSIDE)
        file_of_users.write(f"sandbox:x:{number}:{number}::{folder}:/bin/sh\n")
    _own_folder(folder, owner)
    for file in (*sources.values(), *(file for _, file in devices)):
        os.close(file)


def _private(path: str, size: str, owner: str) -> None:
    options = ",".join(filter(None, ("mode=700", size, owner)))
    sys_.mount("private", _ROOT + path, "tmpfs", _SAFE, options)


def _show(file: int, path: str, is_folder: bool) -> None:
    """Mount an open file or folder at its own place, read-only."""
    _point(_ROOT + path, is_folder)
    flags = sys_.BIND | sys_.RECURSIVE
    sys_.mount(f"/proc/self/fd/{file}", _ROOT + path, None, flags)
    sys_.make_read_only(_ROOT + path)


def _point(target: str, is_folder: bool) -> None:
    """A place to mount something."""
    os.makedirs(target if is_folder else os.path.dirname(target), exist_ok=True)
    if not is_folder and not os.path.exists(target):
        with open(target, "w"):
            pass


def _own_folder(folder: str, owner: str) -> None:
    """The folder of the process, with the room of the private /tmp, under its own path."""
    target = _ROOT + folder
    os.makedirs(target, mode=0o700)
    made = target
    if not folder.startswith("/tmp/"):
        made = f"{_ROOT}/tmp/.folder"
        os.mkdir(made)
        sys_.mount(made, target, None, sys_.BIND)
    if owner:
        number = int(owner.partition("=")[2].partition(",")[0])
        os.chown(made, number, number)


# ------------------------------------------------------------------- the other two processes


def close_all_but(*kept: int) -> None:
    """A process that only waits must hold no file that others wait for."""
    for below, above in pairwise([-1, *sorted(kept), 1024]):
        os.closerange(below + 1, above)


def _keep(init: int, ended: int) -> None:
    """Wait for init, and end as the foreign code did; never returns."""
    close_all_but(ended)
    os.waitpid(init, 0)
    how = int.from_bytes(os.read(ended, 4), "little", signed=True)
    end_like(how)


def end_like(how: int) -> None:
    """End with the exit code, or by the signal, of another process; never returns."""
    import resource

    if os.WIFSIGNALED(how):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):
            signal.signal(os.WTERMSIG(how), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(how))
    os._exit(os.waitstatus_to_exitcode(how) & 0xFF if how >= 0 else 1)


def _be_init(code: int, orders: int, status: int, ending: int) -> None:
    """Process 1: reaps, stops and continues; ends with the code, and the kernel ends the rest."""
    close_all_but(orders, status, ending)
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    is_frozen = False
    while True:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG | os.WUNTRACED))[0]:
                pid, how = ended
                if os.WIFSTOPPED(how):
                    if pid == code and not is_frozen:
                        _write(status, STOPPED_ITSELF)
                elif pid == code:
                    os.write(ending, how.to_bytes(4, "little", signed=True))
                    os._exit(0)
        ready, _, _ = select.select([orders, woken], [], [])
        if woken in ready:
            os.read(woken, 1024)
        if orders in ready:
            order = os.read(orders, 1)
            if not order:  # the process that asks is gone
                os._exit(0)
            is_frozen = order == STOP
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGSTOP if is_frozen else signal.SIGCONT)


def _write(file: int, data: bytes) -> None:
    with suppress(OSError):
        os.write(file, data)
