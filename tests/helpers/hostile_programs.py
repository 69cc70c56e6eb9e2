"""Programs that try to harm: each a function of what it may know, with the weakest kind of sandbox
that stops it.

A program that returns has done its harm; one that raises was refused. Everything is bounded: at
most 100 processes of a second, 64 MB of memory or files. A program may know the number of the
opponent's process, and the paths of the results, of a secret and of sockets: a real one would have
to find these. It touches nothing else, because in the weaker kinds it succeeds: it signals only the
processes that it was given, and what would change the whole machine asks for what holds already.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import fcntl
import mmap
import os
import platform
import resource
import signal
import socket
import sqlite3
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Given = dict[str, Any]
Attack = Callable[[Given], object]


@dataclass(frozen=True)
class Program:
    """A hostile program.

    Attributes:
        weakest: the weakest kind of sandbox that stops it.
        system_may_refuse: whether some systems refuse it to all programs, so that it may fail below
            that kind too.
        unless_root: as root, only namespaces stop it.
        seen: what a look from outside shows if it has succeeded; "" if only its own word counts.
        never_below: it is about the whole machine, and runs only where it is stopped.
    """

    attack: Attack
    weakest: str
    system_may_refuse: bool = False
    unless_root: bool = False
    seen: str = ""
    never_below: bool = False

    @property
    def name(self) -> str:
        return self.attack.__name__


PROGRAMS: dict[str, Program] = {}


def stopped_by(weakest: str, **options: Any) -> Callable[[Attack], Attack]:
    def add(attack: Attack) -> Attack:
        PROGRAMS[attack.__name__] = Program(attack, weakest, **options)
        return attack

    return add


def call(*arguments: Any) -> int:
    """A system call by its number."""
    libc = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(*given)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


def number(x86_64: int, aarch64: int) -> int:
    return {"x86_64": x86_64, "aarch64": aarch64}[platform.machine()]


# ------------------------------------------------------------------------- other processes


@stopped_by("landlock", seen="opponent stopped")
def stops_the_opponent(given: Given) -> None:
    os.kill(given["opponent"], signal.SIGSTOP)


@stopped_by("landlock", seen="opponent stopped")
def searches_proc_for_the_opponent(given: Given) -> None:
    # It sees all numbers, and looks into processes of this suite only.
    for entry in filter(str.isdigit, os.listdir("/proc")):
        if int(entry) not in given["ours"]:
            continue
        with open(f"/proc/{entry}/cmdline", "rb") as file:
            if given["mark"].encode() in file.read():
                os.kill(int(entry), signal.SIGSTOP)
                return
    raise OSError("it is not there")


@stopped_by("landlock", seen="opponent stopped")
def signals_by_pidfd(given: Given) -> None:
    signal.pidfd_send_signal(os.pidfd_open(given["opponent"]), signal.SIGSTOP)


@stopped_by("landlock", seen="supervisor ended")
def kills_its_parent(given: Given) -> None:
    parent = os.getppid()
    if parent == given["supervisor"]:
        os.kill(parent, signal.SIGKILL)
        signal.pause()  # this process ends with it
    elif parent == 1 and _has_processes_of_its_own(given):  # our init takes no such signal
        os.kill(1, signal.SIGKILL)
    raise OSError("the parent is out of reach")


def _has_processes_of_its_own(given: Given) -> bool:
    return os.readlink("/proc/self/ns/pid") != given["processes"]


@stopped_by("landlock", system_may_refuse=True)
def traces_the_opponent(given: Given) -> None:
    attach, detach = 16, 17
    call(number(101, 117), attach, given["opponent"], 0, 0)
    any_process = 0x40000000
    os.waitpid(given["opponent"], any_process)
    call(number(101, 117), detach, given["opponent"], 0, 0)


@stopped_by("landlock", system_may_refuse=True)
def reads_the_opponents_memory(given: Given) -> None:
    buffer = ctypes.create_string_buffer(8)
    ours = struct.pack("@PN", ctypes.addressof(buffer), 8)
    theirs = struct.pack("@PN", 4096, 8)
    try:
        call(number(310, 270), given["opponent"], ours, 1, theirs, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # allowed, and there is nothing at that address
            raise


@stopped_by("landlock", system_may_refuse=True)
def writes_the_opponents_memory(given: Given) -> None:
    with open(f"/proc/{given['opponent']}/mem", "rb+"):
        pass


@stopped_by("landlock", system_may_refuse=True)
def writes_the_memory_of_its_keeper(given: Given) -> None:
    if not _has_processes_of_its_own(given):
        writes_the_opponents_memory(given)
    for entry in filter(str.isdigit, os.listdir("/proc")):
        if int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/mem", "rb+"):
                return
        except OSError:
            continue
    raise OSError("none")


@stopped_by("landlock", system_may_refuse=True)
def steals_a_descriptor(given: Given) -> None:
    os.close(call(438, os.pidfd_open(given["opponent"]), 0, 0))


@stopped_by("landlock")
def takes_the_opponents_files_away(given: Given) -> None:
    resource.prlimit(given["opponent"], resource.RLIMIT_NOFILE, (64, 4096))


@stopped_by("landlock")
def slows_the_opponent(given: Given) -> None:
    os.setpriority(os.PRIO_PROCESS, given["opponent"], 19)


@stopped_by("landlock")
def pins_the_opponent(given: Given) -> None:
    os.sched_setaffinity(given["opponent"], {min(os.sched_getaffinity(0))})


@stopped_by("landlock")
def offers_the_opponent_to_the_memory_killer(given: Given) -> None:
    with open(f"/proc/{given['opponent']}/oom_score_adj", "w") as file:
        file.write("500")


# ----------------------------------------------------------------------------------- files


@stopped_by("landlock")
def reads_a_secret(given: Given) -> str:
    with open(given["secret"]) as file:
        return file.read()


@stopped_by("landlock", seen="results changed")
def rewrites_the_results(given: Given) -> None:
    with open(given["results"], "r+") as file:
        file.write("Ada  10")


@stopped_by("landlock", seen="results changed")
def empties_the_results(given: Given) -> None:
    os.truncate(given["results"], 0)


@stopped_by("landlock", seen="results changed")
def moves_the_results_away(given: Given) -> None:
    os.rename(given["results"], given["results"] + ".gone")


@stopped_by("landlock", seen="store changed")
def rewrites_a_row_of_the_store(given: Given) -> None:
    with sqlite3.connect(given["store"], timeout=1) as store:
        store.execute("UPDATE row SET data = replace(data, '100', '10')")
    store.close()


@stopped_by("landlock")
def reads_the_key_of_the_store(given: Given) -> str:
    with open(given["key"]) as file:
        return file.read()


@stopped_by("landlock", seen="results changed", system_may_refuse=True)
def finds_the_results_by_the_folder_of_a_process(given: Given) -> None:
    with open(f"/proc/{given['opponent']}/cwd/results", "r+") as file:
        file.write("Ada  10")


@stopped_by("landlock", system_may_refuse=True)
def reads_below_the_root_of_a_process(given: Given) -> str:
    with open(f"/proc/{given['opponent']}/root{given['secret']}") as file:
        return file.read()


@stopped_by("landlock", system_may_refuse=True)
def reads_an_open_file_of_a_process(given: Given) -> str:
    with open(f"/proc/{given['opponent']}/fd/0") as file:
        return file.read()


@stopped_by("landlock", system_may_refuse=True)
def reads_the_environment_of_a_process(given: Given) -> str:
    with open(f"/proc/{given['opponent']}/environ") as file:
        return file.read()


@stopped_by("landlock", seen="results changed")
def writes_through_a_link(given: Given) -> None:
    os.symlink(given["results"], "link")
    with open("link", "r+") as file:
        file.write("Ada  10")


@stopped_by("landlock", seen="results changed", system_may_refuse=True)
def writes_through_a_hard_link(given: Given) -> None:
    os.link(given["results"], "hard")
    with open("hard", "r+") as file:
        file.write("Ada  10")


@stopped_by("landlock", seen="mode changed")
def changes_the_mode(given: Given) -> None:
    os.chmod(given["results"], 0)


@stopped_by("landlock", seen="time changed")
def changes_the_time(given: Given) -> None:
    os.utime(given["results"], (0, 0))


@stopped_by("landlock", system_may_refuse=True)  # it may belong to somebody else
def opens_the_package_for_writing(given: Given) -> None:
    os.close(os.open(given["package"], os.O_RDWR))


@stopped_by("landlock")
def reads_the_other_submissions(given: Given) -> list[str]:
    return os.listdir(given["submissions"])


@stopped_by("landlock")
def watches_what_others_open(given: Given) -> None:
    watch, opened = call(number(294, 26), 0), 0x20
    try:
        call(number(254, 27), watch, given["submissions"].encode(), opened)
    finally:
        os.close(watch)


@stopped_by("bubblewrap")
def fills_the_disk(given: Given) -> None:
    for each in range(6):  # 24 MB where 8 are allowed, in files that are each small enough
        with open(f"file{each}", "wb") as file:
            file.write(bytes(4 << 20))


@stopped_by("landlock", seen="file left behind", system_may_refuse=True)
def leaves_shared_memory_behind(given: Given) -> None:
    with open(f"/dev/shm/{given['mark']}", "w") as file:
        file.write("here")
    if given["kind"] in ("namespaces", "bubblewrap"):
        raise OSError("it is gone with the sandbox")


# --------------------------------------------------------------------------------- network


@stopped_by("landlock")
def connects_by_tcp(given: Given) -> None:
    socket.create_connection(("127.0.0.1", given["tcp"]), 30).close()


@stopped_by("landlock", seen="datagram arrived")
def sends_a_datagram(given: Given) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", given["udp"]))


@stopped_by("landlock", system_may_refuse=True)
def asks_the_name_server(given: Given) -> None:
    with open("/etc/resolv.conf") as file:
        file.read()


@stopped_by("landlock")
def connects_to_a_socket_file(given: Given) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(given["socket"])


@stopped_by("landlock")
def connects_to_an_abstract_socket(given: Given) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + given["mark"])


@stopped_by("landlock")
def makes_odd_sockets(given: Given) -> list[int]:
    families = (socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK, socket.AF_ALG, 29, 44)
    made = []
    for family in families:
        for kind in (socket.SOCK_RAW, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
                made.append(family)
            except OSError:
                continue
    if not made:
        raise OSError("none")
    return made


# -------------------------------------------------------------------------- parts of the kernel


@stopped_by("landlock", system_may_refuse=True)
def uses_io_uring(given: Given) -> None:
    os.close(call(425, 4, ctypes.create_string_buffer(120)))


@stopped_by("landlock", system_may_refuse=True)
def handles_page_faults(given: Given) -> None:
    os.close(call(number(323, 282), 1))


@stopped_by("landlock", system_may_refuse=True)
def keeps_a_key(given: Given) -> None:
    call(number(248, 217), b"user", given["mark"].encode(), b"x", 1, -2)


@stopped_by("landlock", system_may_refuse=True)
def makes_namespaces_of_its_own(given: Given) -> None:
    call(number(272, 97), 0x10000000)


@stopped_by("landlock")
def keeps_memory_of_system_v(given: Given) -> None:
    made = call(number(29, 194), 0, 4096, 0o1600)
    call(number(31, 195), made, 0, 0)  # and gives it back


@stopped_by("landlock")
def uses_memory_that_no_limit_counts(given: Given) -> None:
    file = os.memfd_create("hidden")
    os.posix_fallocate(file, 0, 1 << 20)
    os.close(file)


@stopped_by("landlock", never_below=True)
def sets_the_clock(given: Given) -> None:
    time.clock_settime(time.CLOCK_REALTIME, time.time())


@stopped_by("landlock", never_below=True)
def renames_the_machine(given: Given) -> None:
    socket.sethostname(socket.gethostname())


@stopped_by("landlock", never_below=True)
def mounts_over_the_system(given: Given) -> None:
    # In a sandbox /usr is a mount, and read-only; outside this asks for what is so already.
    remount, bind = 32, 4096
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", b"/usr", None, ctypes.c_ulong(remount | bind), None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@stopped_by("landlock", system_may_refuse=True)
def raises_its_own_limits(given: Given) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 1, most + 1))


@stopped_by("landlock", system_may_refuse=platform.machine() != "x86_64")
def calls_by_the_32_bit_table(given: Given) -> int:
    if platform.machine() != "x86_64":
        raise OSError("another machine")
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())


# --------------------------------------------------------------------------- time and storms


@stopped_by("landlock", unless_root=True)
def starts_a_hundred_processes(given: Given) -> None:
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)


@stopped_by("limits", seen="daemon survived")
def leaves_a_daemon(given: Given) -> None:
    _daemon(given["mark"])
    raise OSError("it is ended with everything else")


@stopped_by("landlock", seen="daemon survived")
def leaves_a_daemon_and_kills_its_parent(given: Given) -> None:
    _daemon(given["mark"])
    kills_its_parent(given)


def _daemon(mark: str) -> None:
    running, begun = os.pipe()
    held = fcntl.fcntl(begun, fcntl.F_DUPFD_CLOEXEC, 100)
    os.close(begun)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 64)
            # Another environment: nothing marks it as a process of ours.
            os.execve("/bin/sleep", [f"{mark}-daemon", "300"], {})
        os._exit(0)
    os.close(held)
    os.read(running, 1)  # until the daemon is another program
    os.close(running)


@stopped_by("namespaces", seen="computed")
def thinks_in_the_time_of_others(given: Given) -> None:
    def spin() -> None:
        while True:
            pass

    threading.Thread(target=spin, daemon=True).start()


@stopped_by("namespaces", seen="computed")
def keeps_itself_awake(given: Given) -> None:
    ours = os.getpid()
    for _ in range(3):
        if os.fork() == 0:
            while True:
                try:
                    os.kill(ours, signal.SIGCONT)
                except OSError:
                    os._exit(0)
    thinks_in_the_time_of_others(given)


@stopped_by("bubblewrap")
def wakes_itself_by_a_signal(given: Given) -> None:
    def fails(*arguments: int) -> bool:
        try:
            call(*arguments)
        except OSError:
            return True
        return False

    ours, thread, go_on = os.getpid(), threading.get_native_id(), signal.SIGCONT
    ways = ((number(62, 129), ours), (number(200, 130), thread), (number(234, 131), ours, thread))
    if all(fails(*way, go_on) for way in ways):
        raise OSError("none")


@stopped_by("landlock")
def is_awoken_by_the_end_of_a_child(given: Given) -> None:
    child = call(number(56, 220), signal.SIGCONT, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    any_signal = 0x40000000
    os.waitpid(child, any_signal)


@stopped_by("landlock")
def is_awoken_by_the_end_of_its_parent(given: Given) -> None:
    death_signal = 1
    call(number(157, 167), death_signal, signal.SIGCONT, 0, 0, 0)


@stopped_by("landlock")
def is_awoken_as_a_group_that_is_left_alone(given: Given) -> None:
    begun, go_on = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(begun, 1)
        os._exit(0)
    try:
        os.setpgid(child, child)
    finally:
        os.write(go_on, b"x")
        os.waitpid(child, 0)


@stopped_by("landlock", system_may_refuse=True)
def wakes_itself_by_a_timer(given: Given) -> None:
    event = struct.pack("@QiiQ", 0, signal.SIGCONT, 0, 0) + bytes(40)
    timer = ctypes.c_int()
    call(number(222, 107), time.CLOCK_MONOTONIC, event, ctypes.byref(timer))


@stopped_by("landlock")
def wakes_itself_by_a_file(given: Given) -> None:
    fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGCONT)


# ------------------------------------------------------------- what the limits alone must stop


@stopped_by("limits")
def looks_for_open_files(given: Given) -> list[int]:
    found = []
    for file in range(3, 256):
        try:
            os.fstat(file)
        except OSError:
            continue
        if file != given["channel"]:
            found.append(file)
    if not found:
        raise OSError("only its own are open")
    return found


@stopped_by("limits")
def takes_all_memory(given: Given) -> None:
    bytearray(4 << 30)


@stopped_by("limits")
def opens_a_thousand_files(given: Given) -> None:
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(1000)]
    raise AssertionError(len(kept))


@stopped_by("limits")
def prints_without_end(given: Given) -> None:
    for _ in range(100):
        os.write(1, bytes(1 << 20))


@stopped_by("limits")
def stops_itself(given: Given) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@stopped_by("limits")
def forges_an_answer(given: Given) -> None:
    for file in range(3, 64):
        try:
            os.write(file, b"7 {}through")
        except OSError:
            continue


@stopped_by("limits", seen="results changed")
def acts_when_it_is_forgotten(given: Given) -> None:
    class Late:
        def __del__(self) -> None:
            rewrites_the_results(given)

    globals()["kept"] = Late()
    atexit.register(rewrites_the_results, given)
    raise OSError("later")


def serve(channel: Any) -> None:
    """Run programs by name, in the process of a worker."""
    while (message := channel.receive()) is not None:
        given = {**message["given"], "channel": channel.fileno()}
        try:
            PROGRAMS[message["run"]].attack(given)
            answer = {"through": True}
        except Exception as error:
            answer = {"through": False, "refused": f"{type(error).__name__}: {error}"}
        channel.send(answer)
