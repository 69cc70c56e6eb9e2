"""The supervisor of a bot: it starts the bot's process with limits, and ends all that it leaves.

It is a process between ours and the bot's. On Linux it is a *subreaper*: when a process of the bot
ends, its children become children of the supervisor, also after a double fork with ``setsid``. So
the supervisor has ended everything when it has no child left. It never runs code of a bot.

Messages on its control socket::

    {"start": {"memory", "folder"}} and two files (socket, output) → {"pid": 123, "folder": "…"}
    {"end": true}                                                  → {"ended": true}

When the bot's process ends by itself it sends ``{"died": "exit code 1"}``. It ends, and ends the
bot, when our process closes the socket or is killed.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress

from rl_toolkit.utils.framed_json import FramedJson
from rl_toolkit.utils.strict_json import JsonObject

#: The limits of every process of a bot, besides memory.
CPU_SECONDS = 3600
FILE_BYTES = 16 << 20
OPEN_FILES = 256

_ON_LINUX = sys.platform == "linux"
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS = 1, 36, 38


def main() -> None:
    """Serve the control socket whose number is the argument."""
    control = FramedJson(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _ON_LINUX:
        _prctl(_SET_CHILD_SUBREAPER, 1)
    _import_what_bots_need()
    Supervisor(control).run()


def _import_what_bots_need() -> None:
    """Import it once, here: each bot is a copy of this process."""
    import rl_toolkit.players.bots.worker
    import rl_toolkit.records  # noqa: F401


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


class Supervisor:
    """Starts and ends one bot after the other."""

    def __init__(self, control: FramedJson) -> None:
        self._control = control
        self._pid = 0
        self._folder = ""
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
        data, files, _, _ = socket.recv_fds(self._control.connection, 1 << 16, 2)
        if not data:
            return False
        self._control.feed(data)
        while (message := self._control.message()) is not None:
            if "start" in message:
                self._start(message["start"], files)
            elif "end" in message:
                self._end()
                self._control.send({"ended": True})
        return True

    def _start(self, asked: JsonObject, files: list[int]) -> None:
        self._folder = tempfile.mkdtemp(prefix="bot-", dir=asked["folder"])
        pid = os.fork()
        if pid == 0:
            _become_bot(self._folder, asked["memory"], *files)
        for file in files:
            os.close(file)
        self._pid = pid
        self._control.send({"pid": pid, "folder": self._folder})

    def _reap(self) -> None:
        """Take note of children that have ended by themselves."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = ended
                if pid == self._pid:
                    self._pid = 0
                    self._control.send({"died": _how(status)})

    def _end(self) -> None:
        """End the bot and all that it has started; then remove its folder."""
        group, self._pid = self._pid, 0
        while True:
            if group:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            for number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped starts nothing new
                for pid in _descendants(os.getpid()):
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, number)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                break
            time.sleep(0.001)
        shutil.rmtree(self._folder, ignore_errors=True)


def _how(status: int) -> str:
    """How a process ended: ``exit code 3``, ``signal SIGSEGV``."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"


def _descendants(root: int) -> list[int]:
    """The processes that ``root`` has started, and those that they have; Linux only."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc") if _ON_LINUX else ():
        if entry.isdigit():
            with suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{entry}/stat", "rb") as stat:
                    parent = int(stat.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry))
    found, waiting = list[int](), [root]
    while waiting:
        below = children.pop(waiting.pop(), [])
        found += below
        waiting += below
    return found


# ------------------------------------------------------------------ in the new process


def _become_bot(folder: str, memory_mb: int, questions: int, output: int) -> None:
    """Set the limits, serve the bot, and end the process."""
    code = 1
    try:
        supervisor = os.getppid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()  # a session, and so a process group, of its own
        if _ON_LINUX:
            _prctl(_SET_PDEATHSIG, signal.SIGKILL)
            _prctl(_SET_NO_NEW_PRIVS, 1)
            with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
                score.write("1000")  # if memory is short, the bot is ended first
        if os.getppid() != supervisor:  # it has ended meanwhile
            return
        nothing = os.open(os.devnull, os.O_RDONLY)
        kept = os.dup2(questions, _above(nothing, questions, output))
        for standard, file in enumerate((nothing, output, output)):
            os.dup2(file, standard)
        os.closerange(3, kept)
        os.closerange(kept + 1, _MOST_FILES)
        os.chdir(folder)
        os.environ.update(dict.fromkeys(("HOME", "TMPDIR"), folder))
        tempfile.tempdir = None
        sys.stdin = open(0)  # noqa: SIM115 - used until the end
        sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="replace")  # noqa: SIM115
        sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace")  # noqa: SIM115
        _limit(memory_mb)
        from rl_toolkit.players.bots.worker import serve

        serve(FramedJson(socket.socket(fileno=kept)))
        code = 0
    except OSError:  # our process has ended the game
        code = 0
    finally:
        os._exit(code)


_MOST_FILES = 1024


def _above(*numbers: int) -> int:
    """A file number above those in use here and above the standard ones."""
    return max(2, *numbers) + 1


def _limit(memory_mb: int) -> None:
    limits = {
        "RLIMIT_AS": memory_mb << 20,
        "RLIMIT_CPU": CPU_SECONDS,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CORE": 0,
    }
    for name, value in limits.items():
        if hasattr(resource, name):
            limit = getattr(resource, name)
            most = resource.getrlimit(limit)[1]
            # At the soft limit of time the process hears SIGXCPU, at the hard one it is killed.
            hard = value + 5 if name == "RLIMIT_CPU" else value
            if most != resource.RLIM_INFINITY:
                value, hard = min(value, most), min(hard, most)
            with suppress(ValueError, OSError):  # not every system has every limit
                resource.setrlimit(limit, (value, hard))


if __name__ == "__main__":
    main()
