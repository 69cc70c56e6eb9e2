"""The filter of system calls (seccomp): what it refuses gets an error and does not end the process.

It is a program of classic BPF, some 200 instructions, made here from tables of numbers. A call with
the numbers of another machine (32-bit programs have a table of their own) ends the process.
"""

from __future__ import annotations

import ctypes
import errno
import signal
import struct
from dataclasses import dataclass, field

from rl_toolkit.utils.isolation.sandbox.syscalls import (
    DEATH_SIGNAL,
    SET_FILTER,
    checked,
    libc,
    machine,
)

#: The number of a call on x86-64 and on arm64, -1 where there is none.
_Numbers = tuple[int, int]
_MACHINES = ("x86_64", "aarch64")
_REFUSED: dict[str, _Numbers] = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    # large parts of the kernel that games do not need
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "bpf": (321, 280),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "fanotify_init": (300, 262), "lookup_dcookie": (212, 18), "personality": (135, 92),
    # namespaces, mounts and files by handle
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # the machine
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "sethostname": (170, 161), "setdomainname": (171, 162),
    "syslog": (103, 116), "vhangup": (153, 58),
    # memory that no limit counts, and what stays when a process has ended
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "mq_open": (240, 180), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    # a timer can send SIGCONT to a process that is frozen; so does the kernel to a group of stopped
    # processes, when the end of another one leaves it alone
    "timer_create": (222, 107), "setpgid": (109, 154),
}  # fmt: skip
#: What Landlock does not cover: mode, owner, times of any file, watching folders (which tells the
#: names of files that others open), and the scheduling of others.
_REFUSED_WITHOUT_MOUNTS: dict[str, _Numbers] = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
    "inotify_init": (253, -1), "inotify_init1": (294, 26),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setattr": (314, 274),
    "sched_setparam": (142, 118), "ioprio_set": (251, 30), "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}  # fmt: skip
_TRUNCATE: _Numbers = (76, 45)
_CLONE: _Numbers = (56, 220)
_CLONE3: _Numbers = (435, 435)
_SOCKET: _Numbers = (41, 198)
_FCNTL: _Numbers = (72, 25)
_IOCTL: _Numbers = (16, 29)
_PRLIMIT: _Numbers = (302, 261)
_PRCTL: _Numbers = (157, 167)
#: kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
_SIGNALLING: tuple[_Numbers, ...] = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240))
#: What sends a signal, with the place of the signal among the arguments.
_SENDING: dict[_Numbers, int] = {
    (62, 129): 1, (200, 130): 1, (234, 131): 2, (129, 138): 1, (297, 240): 2, (424, 424): 1
}  # fmt: skip
_ANY_NAMESPACE = 0x7E020000
#: Bits of the signal that the end of a child sends, which SIGCHLD does not have and SIGCONT has.
_NOT_SIGCHLD = 0xFF & ~signal.SIGCHLD
_F_SETSIG, _TIOCSTI, _TIOCLINUX = 10, 0x5412, 0x541C
_UNIX, _INET, _INET6 = 1, 2, 10
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
#: Instructions: load a word; jump if it is equal, is at least, or has one of these bits; return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
#: Where the kernel puts the number of the call, the architecture, and the arguments.
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16


def filter_program(
    *, has_mounts: bool = True, signals_to: int = 0, truncates: bool = True
) -> bytes:
    """The filter as the kernel wants it.

    ``has_mounts``: the process sees a file system and a network of its own. Without them
    ``signals_to`` is the only process that may get signals, 0 for any, and ``truncates`` says
    whether Landlock looks after shortening of files.
    """
    made = _Program(_MACHINES.index(machine()))
    made.load(_ARCH)
    made.jump(_EQUAL, _ARCHITECTURE[machine()], over=1)
    made.answer(_KILL)
    made.load(_NUMBER)
    if machine() == "x86_64":
        made.when(_AT_LEAST, _X32, _ERROR | errno.ENOSYS)
    refused = list(_REFUSED.values())
    if not has_mounts:
        refused += _REFUSED_WITHOUT_MOUNTS.values()
        refused += [] if truncates else [_TRUNCATE]
    for numbers in refused:
        made.refuse(numbers)
    # Its flags are behind a pointer; the C library then takes clone.
    made.refuse(_CLONE3, errno.ENOSYS)
    flags = _ANY_NAMESPACE | _NOT_SIGCHLD
    made.by_argument(_CLONE, 0, [(_ANY_BIT, flags, _ERROR | errno.EPERM)], _ALLOW)
    made.by_argument(_PRCTL, 0, [(_EQUAL, DEATH_SIGNAL, _ERROR | errno.EPERM)], _ALLOW)
    made.by_argument(_FCNTL, 1, [(_EQUAL, _F_SETSIG, _ERROR | errno.EPERM)], _ALLOW)
    terminal = [(_EQUAL, request, _ERROR | errno.EPERM) for request in (_TIOCSTI, _TIOCLINUX)]
    made.by_argument(_IOCTL, 1, terminal, _ALLOW)
    if has_mounts:  # what is frozen must not be awoken by a process that is not frozen yet
        for numbers, index in _SENDING.items():
            going_on = [(_EQUAL, int(signal.SIGCONT), _ERROR | errno.EPERM)]
            made.by_argument(numbers, index, going_on, _ALLOW)
    elif signals_to:
        for numbers in _SIGNALLING:
            made.by_argument(numbers, 0, [(_EQUAL, signals_to, _ALLOW)], _ERROR | errno.EPERM)
    made.by_argument(_PRLIMIT, 0, [(_EQUAL, 0, _ALLOW)], _ERROR | errno.EPERM)  # of itself only
    families = (_UNIX, _INET, _INET6) if has_mounts else ()
    allowed = [(_EQUAL, family, _ALLOW) for family in families]
    made.by_argument(_SOCKET, 0, allowed, _ERROR | errno.EACCES)
    made.answer(_ALLOW)
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in made.instructions)


def apply_filter(program: bytes) -> None:
    """Put the filter over this process and those that it starts; no-new-privileges must be set."""
    buffer = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: how many instructions, and where they are
    given = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    checked(libc().prctl(SET_FILTER, ctypes.c_ulong(2), given, 0, 0), "seccomp")


@dataclass(slots=True)
class _Program:
    """Instructions for one column of the tables."""

    column: int
    #: Operation, jumps if true and if false, operand.
    instructions: list[tuple[int, int, int, int]] = field(default_factory=list)

    def load(self, offset: int) -> None:
        """Load a word of what the kernel knows of the call."""
        self.instructions.append((_LOAD, 0, 0, offset))

    def jump(self, test: int, value: int, *, over: int = 0, otherwise: int = 0) -> None:
        """Go ``over`` some instructions if the test holds, or over others."""
        self.instructions.append((test, over, otherwise, value))

    def answer(self, action: int) -> None:
        """The end of the program."""
        self.instructions.append((_RETURN, 0, 0, action))

    def when(self, test: int, value: int, action: int) -> None:
        """Answer if the test holds for the loaded word."""
        self.jump(test, value, otherwise=1)
        self.answer(action)

    def refuse(self, numbers: _Numbers, error: int = errno.EPERM) -> None:
        """Refuse a call, if this machine has it."""
        if numbers[self.column] >= 0:
            self.when(_EQUAL, numbers[self.column], _ERROR | error)

    def by_argument(
        self, numbers: _Numbers, index: int, tests: list[tuple[int, int, int]], otherwise: int
    ) -> None:
        """Judge a call by the low half of one of its arguments."""
        self.jump(_EQUAL, numbers[self.column], otherwise=2 * len(tests) + 2)
        self.load(_ARGUMENTS + 8 * index)
        for test in tests:
            self.when(*test)
        self.answer(otherwise)
