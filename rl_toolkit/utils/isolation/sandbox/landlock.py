"""Landlock: which files a process may read and write, TCP, and signals to others; by three calls.

A process restricts itself, for good, and with it all that it starts. What a version of Landlock
does not know is asked for less and less; the filter then refuses more (see `filter`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from rl_toolkit.utils.isolation.sandbox.syscalls import (
    LANDLOCK_ADD,
    LANDLOCK_CREATE,
    LANDLOCK_RESTRICT,
    checked,
    libc,
)

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
#: The kinds of access to files that a version knows: a bit each.
_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_FILES = (1 << 16) - 1
#: Of these, what a rule about a file (not a folder) may name: truncate and ioctl as well.
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
_TCP, _SCOPES = 0b11, 0b11
_ASK_VERSION, _BENEATH = 1, 1
#: From these versions on: truncate, TCP, signals and abstract sockets.
TRUNCATES, _HAS_TCP, HAS_SCOPES = 3, 4, 6


def version() -> int:
    """The version of Landlock here, 0 if there is none."""
    known: int = libc().syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    return max(0, known)


def restrict(readable: Iterable[str], writable: Iterable[str], listed: Iterable[str] = ()) -> int:
    """Let this process open only these from now on; the version that is in force.

    Of folders that are ``listed`` it sees the names below, and opens no file for that.
    Raises ``OSError`` if there is no Landlock.
    """
    in_force, rules = _rules(version())
    handled = _FILES.get(in_force, _ALL_FILES)
    given_to = ((readable, _READ), (writable, handled & ~_EXECUTE), (listed, _READ_FOLDER))
    for paths, access in given_to:
        for path in paths:
            try:
                file = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:  # it is not there, so it cannot be read either
                continue
            given = access & handled & (_ALL_FILES if os.path.isdir(path) else _OF_A_FILE)
            rule = struct.pack("=Qi", given, file)
            checked(libc().syscall(LANDLOCK_ADD, rules, _BENEATH, rule, 0), path)
            os.close(file)
    checked(libc().syscall(LANDLOCK_RESTRICT, rules, 0), "landlock")
    os.close(rules)
    return in_force


def _rules(most: int) -> tuple[int, int]:
    """The highest version that is accepted, and the file of its empty set of rules."""
    for number in range(most, 0, -1):
        parts = [_FILES.get(number, _ALL_FILES)]
        parts += [_TCP] if number >= _HAS_TCP else []
        parts += [_SCOPES] if number >= HAS_SCOPES else []
        attributes = struct.pack(f"={len(parts)}Q", *parts)
        size = ctypes.c_size_t(len(attributes))
        try:
            made = libc().syscall(LANDLOCK_CREATE, attributes, size, 0)
            return number, checked(made, "landlock")
        except OSError as problem:  # a kernel may know less than its version says
            if problem.errno not in (errno.EINVAL, errno.E2BIG):
                raise
    raise OSError(errno.ENOSYS, "the kernel has no Landlock")
