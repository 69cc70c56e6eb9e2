"""System calls of Linux that Python does not offer, each an ``OSError`` if it is refused."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from functools import cache

#: Kinds of namespaces.
NEW_MOUNTS, NEW_CGROUP, NEW_NAMES, NEW_IPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEW_USER, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
#: Flags of mounts.
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS, REMOUNT = 1, 2, 4, 8, 32
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
#: Options of prctl.
DEATH_SIGNAL, DUMPABLE, KEEP_CAPABILITIES, SET_FILTER = 1, 4, 8, 22
DROP_BOUNDING, SECURE_BITS, SUBREAPER, NO_NEW_PRIVILEGES, AMBIENT = 24, 28, 36, 38, 47
#: Numbers of calls without a function in the C library; the same on all machines from 424 on.
MOUNT_SETATTR, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 442, 444, 445, 446
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_DETACH, _RECURSIVE_AT, _HERE = 2, 0x8000, -100
#: The capability to read what belongs to others.
READ_ALL_FILES = 1 << 2
_CAPABILITIES_V3, _UID_0_MEANS_NOTHING, _CLEAR_ALL = 0x20080522, 0x2F, 4


def machine() -> str:
    """The machine, as the tables of system calls have it."""
    return platform.machine()


@cache
def libc() -> ctypes.CDLL:
    """The C library."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """The result of a call; an ``OSError`` that names ``what`` if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, *values: int) -> None:
    """Change this process."""
    given = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    checked(libc().prctl(option, *given), f"prctl {option}")


def unshare(kinds: int) -> None:
    """Enter new namespaces; that of processes holds those started from now on."""
    checked(libc().unshare(kinds), "unshare")


def setns(file: int, kinds: int) -> None:
    """Enter the namespaces of the process that a pidfd names."""
    checked(libc().setns(file, kinds), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount a file system, or a folder or file a second time."""
    names = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    given = ctypes.c_ulong(flags), data.encode() or None
    checked(libc().mount(*names, *given), f"mount {target}")


def make_read_only(target: str) -> None:
    """Make a mount and all below it read-only, without devices and set-user-id (Linux 5.12)."""
    attributes = struct.pack("=QQQQ", READ_ONLY | NO_SETUID | NO_DEVICES, 0, 0, 0)
    place = _HERE, os.fsencode(target), _RECURSIVE_AT
    size = ctypes.c_size_t(len(attributes))
    checked(libc().syscall(MOUNT_SETATTR, *place, attributes, size), f"mount_setattr {target}")


def pivot_root(new: str) -> None:
    """Make ``new`` the root; the old one is gone afterwards."""
    os.chdir(new)
    checked(libc().syscall(_PIVOT_ROOT.get(machine(), -1), b".", b"."), "pivot_root")
    checked(libc().umount2(b".", _DETACH), "umount")
    os.chdir("/")


def drop_bounding_set() -> None:
    """Give up what a program could gain later; before the user changes, which takes the right."""
    for capability in range(64):
        if libc().prctl(DROP_BOUNDING, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break


def drop_capabilities(kept: int = 0) -> None:
    """Give up all capabilities for good, but those whose bits are set in ``kept``."""
    libc().prctl(AMBIENT, _CLEAR_ALL, 0, 0, 0)
    libc().prctl(SECURE_BITS, ctypes.c_ulong(_UID_0_MEANS_NOTHING), 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITIES_V3, 0)
    sets = struct.pack("=6I", kept, kept, 0, 0, 0, 0)  # effective, permitted, inheritable; twice
    checked(libc().capset(header, sets), "capset")
