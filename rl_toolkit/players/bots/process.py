"""Our side of a bot's process: start it, ask it within a time that we measure, end it."""

from __future__ import annotations

import atexit
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from rl_toolkit.analysis import StopSignal
from rl_toolkit.utils.framed_json import FramedJson
from rl_toolkit.utils.plugins import loaded_plugins
from rl_toolkit.utils.strict_json import JsonError, JsonObject
from rl_toolkit.utils.user_folders import CACHE_VARIABLE, cache_folder

#: Seconds in which a process must have started and loaded the bot.
START_SECONDS = 60.0
#: Seconds beyond its limit, and after a stop, in which a bot may still answer.
GRACE = 0.25
#: The bytes of what a bot prints during a move that are kept.
KEPT_OUTPUT = 1 << 16
#: Seconds between two looks at a stop signal.
_LOOK = 0.02
#: Seconds in which a supervisor must have ended everything.
_END_SECONDS = 10.0
#: Supervisors that are kept for the next bots.
_MOST_IDLE = 4
#: What a bot sees of the environment.
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class BotFailedError(Exception):
    """A bot did not answer; the message says what happened, without its name."""


@dataclass(frozen=True, slots=True)
class BotCode:
    """What a process must know to run a bot."""

    file: str
    source: str
    name: str
    seed: int | None
    memory_mb: int


class BotProcess:
    """A running bot.

    Raises `BotFailedError` if it cannot be loaded. After a failure the process has ended.
    """

    def __init__(self, code: BotCode) -> None:
        self._memory_mb = code.memory_mb
        self._printed, self._dropped = bytearray(), 0
        self._supervisor: _Supervisor | None = _idle_supervisor()
        ours, theirs = socket.socketpair()
        self._output, writing = os.pipe()
        os.set_blocking(self._output, False)
        self._channel = FramedJson(ours)
        loading = {
            "file": code.file,
            "source": code.source,
            "name": code.name,
            "seed": code.seed,
            "memory": code.memory_mb,
            "plugins": [list(plugin) for plugin in loaded_plugins()],
        }
        try:
            self.pid = self._supervisor.start(code.memory_mb, theirs.fileno(), writing)
        except BaseException:
            self.end()
            raise
        finally:
            theirs.close()
            os.close(writing)
        answer = self.ask({"load": loading}, START_SECONDS)
        if "ready" not in answer:
            self.end()
            raise BotFailedError(f"cannot be loaded: {answer.get('raised', 'no answer')}")

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._supervisor is not None

    @property
    def printed(self) -> str:
        """What it printed during the last question, or the beginning of that."""
        text = self._printed.decode("utf-8", "replace")
        return f"{text}… and {self._dropped:,} bytes more" if self._dropped else text

    def ask(
        self,
        message: JsonObject,
        seconds: float,
        stop: StopSignal | None = None,
        on_progress: Callable[[JsonObject], object] | None = None,
    ) -> JsonObject:
        """The answer to a message within ``seconds``, and `GRACE` for being on its way."""
        self._printed, self._dropped = bytearray(), 0
        try:
            self._send(message)
            return self._answer(seconds, stop, on_progress)
        except BaseException:  # also KeyboardInterrupt: an answer may still come
            self.end()
            raise

    def _send(self, message: JsonObject) -> None:
        assert self._supervisor is not None
        try:
            self._channel.send(message)
        except OSError:
            raise BotFailedError(self._supervisor.how_it_died()) from None

    def _answer(
        self,
        seconds: float,
        stop: StopSignal | None,
        on_progress: Callable[[JsonObject], object] | None,
    ) -> JsonObject:
        supervisor = self._supervisor
        assert supervisor is not None
        deadline = time.monotonic() + seconds + GRACE
        stopped_at: float | None = None
        sources: list[int | FramedJson] = [self._channel, self._output, supervisor.control]
        while True:
            message = self._next_message()
            if message is not None:
                if "progress" not in message:
                    self._drain()
                    return message
                if on_progress is not None:
                    on_progress(message["progress"])
                continue
            now = time.monotonic()
            if stop is not None and stopped_at is None and stop.is_set():
                stopped_at = now
                self._send({"stop": True})
                deadline = min(deadline, now + GRACE)
            if now >= deadline:
                if stopped_at is not None:
                    raise BotFailedError("was stopped before it had an answer")
                raise BotFailedError(f"did not answer within {seconds:g} s")
            wait = deadline - now if stop is None else min(_LOOK, deadline - now)
            ready, _, _ = select.select(sources, [], [], wait)
            if self._output in ready and not self._drain():
                sources.remove(self._output)
            if self._channel in ready and not self._read():
                raise BotFailedError(supervisor.how_it_died())
            if supervisor.control in ready and self._channel not in ready:
                raise BotFailedError(supervisor.how_it_died())

    def _read(self) -> bool:
        try:
            return self._channel.read()
        except OSError:
            return False

    def _next_message(self) -> JsonObject | None:
        try:
            return self._channel.message()
        except JsonError as error:
            raise BotFailedError(f"sent something that is not an answer ({error})") from error

    def _drain(self) -> bool:
        """Read what was printed; ``False`` if nothing can come any more."""
        with suppress(BlockingIOError):
            while data := os.read(self._output, KEPT_OUTPUT):
                room = KEPT_OUTPUT - len(self._printed)
                self._printed += data[:room]
                self._dropped += len(data) - len(data[:room])
                if len(data) < KEPT_OUTPUT:
                    return True
            return False
        return True

    def end(self) -> None:
        """End the bot and all that it has started."""
        supervisor, self._supervisor = self._supervisor, None
        if supervisor is not None:
            self._drain()
            self._channel.close()
            os.close(self._output)
            supervisor.end()


# --------------------------------------------------------------------- supervisors


class _Supervisor:
    """A process that starts and ends one bot after the other."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the supervisor
        command = [sys.executable, "-P", "-m", "rl_toolkit.players.bots.supervisor"]
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=_environment(),
                cwd=os.path.abspath(os.sep),
                start_new_session=True,
            )
        self.control = FramedJson(ours)
        self._started = self._is_running = False
        self._folder = ""
        self._lock = threading.Lock()
        _supervisors.add(self)

    def start(self, memory_mb: int, questions: int, output: int) -> int:
        """Start a process for a bot, with two files; return its number."""
        if not self._started:
            self._wait_for("ready")
            self._started = True
        if self._is_running:
            self._wait_for("ended")
        asked = {"start": {"memory": memory_mb, "folder": tempfile.gettempdir()}}
        self._is_running = True
        self.control.send_with_files(asked, [questions, output])
        started = self._wait_for("pid")
        self._folder = started["folder"]
        return int(started["pid"])

    def end(self) -> None:
        """Begin to end the bot; the supervisor then waits for the next one."""
        try:
            self.control.send({"end": True})
        except OSError:
            self.close()
        else:
            if len(_idle) < _MOST_IDLE:
                _idle.append(self)
            else:
                self.close()

    @property
    def alive(self) -> bool:
        """Whether its process is running."""
        return self._process.poll() is None

    def settle(self) -> None:
        """Wait until the bot and all that it has started have ended."""
        if self._is_running:
            self._wait_for("ended")
            self._is_running = False

    def how_it_died(self) -> str:
        """What ended the bot, in words: ``crashed (signal SIGSEGV)``."""
        with suppress(BotFailedError):
            message = self._wait_for("died", seconds=1.0)
            how = str(message["died"])
            if how == "signal SIGXCPU":
                return "used too much processor time"
            return f"ended ({how})" if how.startswith("exit") else f"crashed ({how})"
        return "closed its connection"

    def _wait_for(self, key: str, seconds: float = START_SECONDS) -> JsonObject:
        """The next message with this key; others are old news."""
        deadline = time.monotonic() + seconds
        while True:
            while (message := self.control.message()) is not None:
                if key in message:
                    if key == "ended":
                        self._is_running = False
                    return message
            left = deadline - time.monotonic()
            if left > 0 and select.select([self.control], [], [], left)[0] and self._read():
                continue
            raise BotFailedError(self._problem(key))

    def _read(self) -> bool:
        try:
            return self.control.read()
        except OSError:
            return False

    def _problem(self, key: str) -> str:
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f"has no process to run in ({said[-1] if said else f'{key} was not reported'})"

    def close(self) -> None:
        """End the supervisor, and with it everything that it has started."""
        with self._lock:
            if self not in _supervisors:
                return
            _supervisors.discard(self)
        self.control.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._folder:  # there still if the supervisor was killed
            shutil.rmtree(self._folder, ignore_errors=True)
        self._errors.close()


_supervisors: set[_Supervisor] = set()
#: Supervisors whose bot has ended, or is being ended.
_idle: list[_Supervisor] = []


def _idle_supervisor() -> _Supervisor:
    while True:
        try:
            supervisor = _idle.pop()
        except IndexError:
            return _Supervisor()
        if supervisor.alive:
            return supervisor
        supervisor.close()


def settle() -> None:
    """Wait until all bots that were ended are gone, with all that they have started."""
    for supervisor in list(_idle):
        with suppress(BotFailedError):
            supervisor.settle()


def end_all() -> None:
    """End all bots and their supervisors."""
    _idle.clear()
    for supervisor in list(_supervisors):
        supervisor.close()


def _forget() -> None:
    """After a fork: the bots belong to the other process."""
    _idle.clear()
    for supervisor in _supervisors:
        supervisor.control.close()
    _supervisors.clear()


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _environment() -> dict[str, str]:
    """The environment of a supervisor and of bots: what Python needs, and little else."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return {
        **kept,
        **dict.fromkeys(_THREADS, "1"),
        "PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path if path),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        CACHE_VARIABLE: str(cache_folder()),
    }
