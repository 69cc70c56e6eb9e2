"""bubblewrap as the maker of namespaces, where the system allows them to that program only.

bubblewrap holds the namespaces, and a process that is warm enters them: a new Python inside would
take a quarter of a second.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rl_toolkit.utils.isolation.sandbox import spaces, syscalls
from rl_toolkit.utils.isolation.sandbox.filter import filter_program
from rl_toolkit.utils.isolation.sandbox.layout import Layout

_KINDS = {
    "user": syscalls.NEW_USER,
    "mnt": syscalls.NEW_MOUNTS,
    "pid": syscalls.NEW_PIDS,
    "net": syscalls.NEW_NETWORK,
    "ipc": syscalls.NEW_IPC,
    "uts": syscalls.NEW_NAMES,
    "cgroup": syscalls.NEW_CGROUP,
}
_USER = "65534"
#: The program that holds the namespaces; here, since the root is read-only, and a mount stays.
_CAT = "/tmp/.holder/cat"


@contextmanager
def holding(layout: Layout, folder: str, kind: str) -> Iterator[int]:
    """A process that holds the namespaces while the block runs; 0 for another ``kind``."""
    if kind != "bubblewrap":
        yield 0
        return
    holder, pid = hold(layout, folder)
    try:
        yield pid
    finally:
        holder.kill()
        holder.wait()


def hold(layout: Layout, folder: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start bubblewrap, and wait until its mounts are there; it and the process inside."""
    program = shutil.which("bwrap")
    if program is None:
        raise OSError("bubblewrap is not installed")
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as rules, open(shutil.which("cat") or "/bin/cat", "rb") as cat:
        rules.write(filter_program())
        rules.seek(0)
        # It has the filter, and nothing may read its program: so nobody inside can trace it.
        holds = ["--seccomp", str(rules.fileno()), "--info-fd", str(writing)]
        holds += ["--perms", "0111", "--ro-bind-data", str(cat.fileno()), _CAT]
        holder = subprocess.Popen(
            [program, *_options(layout, folder), *holds, "--as-pid-1", "--", _CAT],
            pass_fds=[writing, rules.fileno(), cat.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    os.close(writing)
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stderr is not None
    with open(reading) as information:
        text = information.read()
    with suppress(BrokenPipeError):
        os.write(holder.stdin.fileno(), b"?")
    if not os.read(holder.stdout.fileno(), 1):
        problem = holder.stderr.read().decode("utf-8", "replace").strip()
        holder.wait()
        raise OSError(problem or "bubblewrap ended")
    return holder, int(json.loads(text)["child-pid"])


def enter(holder: int, folder: str) -> None:
    """Return in a process inside the namespaces of ``holder``, without any rights."""
    file = os.pidfd_open(holder)
    differing = [flag for name, flag in _KINDS.items() if _space(holder, name) != _space(0, name)]
    syscalls.setns(file, sum(differing))
    os.close(file)
    code = os.fork()
    if code:
        spaces.close_all_but()
        spaces.end_like(os.waitpid(code, 0)[1])
    syscalls.prctl(syscalls.DEATH_SIGNAL, signal.SIGKILL)
    os.setsid()
    syscalls.drop_bounding_set()
    spaces.give_up_rights()
    os.chdir(folder)


def _space(pid: int, name: str) -> str:
    return os.readlink(f"/proc/{pid or 'self'}/ns/{name}")


def _options(layout: Layout, folder: str) -> list[str]:
    # Without --cap-drop, root inside could make the mounts writable again.
    options = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    options += ["--uid", _USER, "--gid", _USER, "--hostname", "sandbox"]
    room = ["--size", str(layout.folder_mb << 20), "--tmpfs"]
    options += ["--proc", "/proc", "--dev", "/dev", *room, "/dev/shm", *room, "/tmp"]
    if not folder.startswith("/tmp/"):
        options += [*room, folder]
    options += ["--dir", folder]
    hidden = []
    for path, is_shown in layout.steps():
        if not is_shown:
            options += ["--tmpfs", path]
            hidden.append(path)
        elif os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        else:
            options += ["--ro-bind", path, path]
    for path in (*hidden, "/dev", "/"):
        options += ["--remount-ro", path]
    return options
