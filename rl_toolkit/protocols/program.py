"""`Program`: another program in a process of its own, spoken to line by line.

The program is started without a shell, under a supervisor (see `utils.isolation`): with limits, a
minimal environment and an empty folder. One thread reads its output, another one keeps the end of
what it writes to stderr, so the program never waits for us. Ending it ends everything that it has
started. Programs that are still running when this process ends are ended as well.
"""

from __future__ import annotations

import math
import os
import select
import shlex
import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Self

from rl_toolkit.analysis import EngineError, StopSignal
from rl_toolkit.utils import counted, one_line, shown
from rl_toolkit.utils.isolation import (
    TOTAL_MB,
    Command,
    HeldUp,
    IsolationError,
    Limits,
    Sandbox,
    Watch,
    in_seconds,
    was_killed,
)

#: The most bytes of one line, and of lines that nobody has read yet.
LONGEST_LINE, MOST_OUTPUT = 1 << 20, 1 << 24
#: The bytes of stderr that are kept for messages.
_STDERR_KEPT = 4096
#: The limits of each process of a program, in megabytes and seconds; memory is address space.
LIMITS = Limits(memory_mb=4096, cpu_seconds=24 * 3600, file_mb=256, open_files=1024)
#: What a program sees of the environment; ``env NAME=value program`` adds more.
ENVIRONMENT = (
    *("PATH", "HOME", "USER", "LOGNAME", "TZ", "LANG", "LC_ALL", "LC_CTYPE"),
    *("LD_LIBRARY_PATH", "XDG_CACHE_HOME", "RL_TOOLKIT_CACHE_DIR"),
)
#: Where Debian installs games; it may not be in PATH.
_GAMES = "/usr/games"
#: A program that never stops writing is waited for this many times as long as a quiet one.
_MOST_PAUSES = 10
#: Seconds between two looks at a stop signal.
_LOOK = 0.02
#: Seconds for the exit code of a program that has closed its output, and then for its last words;
#: a busy machine needs more than a moment.
_LAST, _LAST_WORDS = 10.0, 2.0


class ProgramError(EngineError):
    """A program cannot be started, has ended, or did not do what was asked; see `EngineError`."""


class ProtocolError(ProgramError):
    """The program and we do not understand each other: it loses no game by that."""

    def __init__(
        self, engine: str, reason: str, position: str = "", by: str = "not played"
    ) -> None:
        super().__init__(engine, reason, position, by)


class ProgramEndedError(ProgramError):
    """The program has ended."""


class ProgramSilentError(ProgramError):
    """The program did not answer, or did not read, in time."""


class StoppedError(Exception):
    """The stop signal was set before the program answered."""


def split_command(command: str) -> list[str]:
    """The words of a command line; quotes keep blanks together. Raises ``ValueError``."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{shown(command)} is not a command: {error}") from error
    if not words:
        raise ValueError("a command needs the name of a program")
    return words


def find_program(name: str, folder: Path | None = None) -> str | None:
    """The full path of a program, ``None`` if it is not installed.

    One with a slash is looked for here, and then in ``folder``.
    """
    places = [name] if folder is None or "/" not in name else [name, str(folder / name)]
    paths = (shutil.which(place, path=_search_path()) for place in places)
    return next((os.path.abspath(path) for path in paths if path is not None), None)


def full_command(words: Sequence[str], folder: Path | None = None) -> list[str]:
    """The words of a command with full paths, so that it can be run in any folder.

    A word that names a file from here, and not one from ``folder``, becomes its full path.
    """
    program, *arguments = words
    path = find_program(program, folder)
    if path is None:
        raise ProgramError(Path(program).name, "is not installed, or cannot be executed")
    return [path, *(_full_path(word, folder) for word in arguments)]


def _full_path(word: str, folder: Path | None) -> str:
    if not _is_file(Path(word)) or (folder is not None and _is_file(folder / word)):
        return word
    return os.path.abspath(word)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return False


def minimal_environment() -> dict[str, str]:
    """The `ENVIRONMENT` of this process; programs find those in /usr/games too."""
    kept = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return kept | {"PATH": _search_path()}


def _search_path() -> str:
    return os.pathsep.join([os.environ.get("PATH", os.defpath), _GAMES])


class Deadline:
    """Some seconds from now on, for one answer or for several."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._end = seconds, time.monotonic() + seconds

    @property
    def left(self) -> float:
        """The seconds that are left, 0 at the end."""
        return max(0.0, self._end - time.monotonic())


class Program:
    """A running program; a context manager that ends it.

    Args:
        command: the program and its arguments.
        folder: the folder in which it runs; by default an empty one, removed when it has ended.
        environment: the environment; by default a `minimal_environment`.
        name: its name in messages; by default that of the file.
        limits: the limits of each of its processes.
        is_confined: whether it runs in a sandbox: it then sees its own files, those that the
            command names and ``folder``, which it cannot change.

    Raises `ProgramError` if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        name: str = "",
        limits: Limits = LIMITS,
        is_confined: bool = False,
    ) -> None:
        self.name = name or Path(command[0]).name
        words = full_command(command, folder)
        seen = minimal_environment() if environment is None else environment
        try:
            where = None if folder is None else str(folder)
            sandbox = None
            if is_confined:
                files = tuple(
                    word for word in words if os.path.isabs(word) and _is_file(Path(word))
                )
                folders = () if where is None else (os.path.abspath(where),)
                total = max(TOTAL_MB, limits.memory_mb)
                sandbox = Sandbox(folders, beside=files, total_mb=total)
            self._command = Command(words, seen, where, limits, sandbox)
        except IsolationError as error:
            raise ProgramError(self.name, str(error), by=EngineError.BY[error.cause]) from error
        os.set_blocking(self._command.stdin, False)
        self._stdin = open(self._command.stdin, "wb", buffering=0)  # noqa: SIM115 - see `_end`
        self._output, self._complaints = _Output(), _Tail()
        self._readers = [
            _start_reader(self._command.stdout, self._output),
            _start_reader(self._command.stderr, self._complaints),
        ]
        # Also runs when this object is forgotten, and at the end of this process.
        self._finalizer = Finalize(self, _end, (self._command, self._stdin), exitpriority=20)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._command.pid

    @property
    def is_running(self) -> bool:
        """Whether it was not closed and still has its output open."""
        return self._finalizer.still_active() and not self._output.ended.is_set()

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return self._complaints.text()

    def rest(self, is_resting: bool) -> None:
        """Freeze it until it is asked again, or wake it; only a sandbox can do so."""
        self._command.freeze(is_resting)

    def send(self, line: str, seconds: float = 10.0) -> None:
        """Write a line to its stdin, within ``seconds``."""
        if "\n" in line or "\r" in line:
            raise ValueError(f"{shown(line)} is more than one line")
        rest = memoryview(f"{line}\n".encode())
        deadline = Deadline(seconds)
        while rest:
            try:
                rest = rest[self._stdin.write(rest) or 0 :]
            except (BrokenPipeError, ValueError) as error:
                raise self._ended() from error
            if rest:
                left = deadline.left
                if not left or not select.select([], [self._stdin], [], left)[1]:
                    raise self._silent(f"did not read its input for {in_seconds(seconds)}")

    def receive(self, within: float | Deadline, stop: StopSignal | None = None) -> str:
        """The next line that it writes to stdout, without its end.

        Raises `ProgramSilentError` if none comes within these seconds, `ProgramEndedError` if none
        will, `StoppedError` if ``stop`` is set first, and `ProgramError` if it writes too much.
        After a `Deadline` no line is an answer, however many it writes.
        """
        deadline = within if isinstance(within, Deadline) else Deadline(within)
        watch = Watch(self.pid)
        while left := deadline.left:
            try:
                line = self._output.get(left if stop is None else min(left, _LOOK))
            except Empty:
                if stop is not None and stop.is_set():
                    raise StoppedError from None
                continue
            if line is not None:
                return line
            if self._output.problem:
                raise ProgramError(self.name, self._output.problem)
            raise self._ended()
        raise self._silent(f"did not answer within {in_seconds(deadline.seconds)}", watch.held_up())

    def wait_for_quiet(self, seconds: float) -> float:
        """Wait until it has written nothing for ``seconds``; the seconds that this took.

        One that never stops writing is waited for only a few times as long.
        """
        began = time.monotonic()
        while (now := time.monotonic()) - began < _MOST_PAUSES * seconds:
            left = self._output.last + seconds - now
            if left <= 0:
                break
            time.sleep(left)
        return now - began

    def close(self, farewell: str | None = None, seconds: float = 1.0) -> None:
        """End the program and everything that it has started; a second call does nothing.

        ``farewell`` is a command that asks it to end, for which it gets ``seconds``; it also sees
        the end of its input.
        """
        if self._finalizer.still_active():
            self.rest(False)
            if farewell is not None:
                try:
                    self.send(farewell, seconds=0.1)
                except ProgramError:
                    seconds = 0.0
                self._stdin.close()
                self._command.exit_code(seconds)
            self._finalizer()
        for reader in self._readers:
            reader.join(0.2)

    def _ended(self) -> ProgramEndedError:
        code = self._command.exit_code(_LAST)  # it may have closed its output a little earlier
        for reader in self._readers:  # what it said last is there, but may not have been read
            reader.join(_LAST_WORDS)
        how = "has ended" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by signal {-code}"
        by = EngineError.BY["signal" if was_killed(code) else ""]
        return ProgramEndedError(self.name, how + self._last_words(), by=by)

    def _silent(self, reason: str, held_up: HeldUp | None = None) -> ProgramSilentError:
        cause, text = held_up or HeldUp()
        also, by = f"; it {text}" if text else "", EngineError.BY[cause]
        return ProgramSilentError(self.name, reason + also + self._last_words(), by=by)

    def _last_words(self) -> str:
        lines = [said for line in self.stderr.splitlines() if (said := one_line(line))]
        return f"; it said: {' / '.join(lines[-3:])}" if lines else ""


class _Output:
    """The lines of stdout, from the thread that reads them to whoever asks."""

    def __init__(self) -> None:
        self.problem = ""
        #: When it last wrote something, by ``time.monotonic``.
        self.last = -math.inf
        self.ended = threading.Event()
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._begun = b""
        self._bytes = 0  # of lines that wait; the two threads only ever add and subtract
        self._lock = threading.Lock()

    def add(self, data: bytes) -> bool:
        """Add output; whether more may follow."""
        self.last = time.monotonic()
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            with self._lock:
                self._bytes += len(line)
            self._lines.put(line.rstrip(b"\r").decode("utf-8", "replace"))
        if len(self._begun) > LONGEST_LINE:
            self.problem = f"wrote a line of more than {counted(LONGEST_LINE, 'byte')}"
        elif self._bytes > MOST_OUTPUT:
            self.problem = f"wrote more than {counted(MOST_OUTPUT, 'byte')} that nobody asked for"
        return not self.problem

    def end(self) -> None:
        """Nothing more follows; an unfinished last line counts."""
        if self._begun and not self.problem:
            self._lines.put(self._begun.decode("utf-8", "replace"))
        self.ended.set()
        self._lines.put(None)

    def get(self, seconds: float) -> str | None:
        """The next line, ``None`` at the end; raises `Empty` if none comes in time."""
        line = self._lines.get(timeout=seconds)
        if line is None:
            self._lines.put(None)  # for those who ask again
        else:
            with self._lock:
                self._bytes -= min(self._bytes, len(line.encode()))
        return line


class _Tail:
    """The last bytes of stderr."""

    def __init__(self) -> None:
        self._kept = b""

    def add(self, data: bytes) -> bool:
        """Add output; more may follow."""
        self._kept = (self._kept + data)[-_STDERR_KEPT:]
        return True

    def end(self) -> None:
        """Nothing more follows."""

    def text(self) -> str:
        """What was kept."""
        return self._kept.decode("utf-8", "replace")


def _start_reader(file: int, into: _Output | _Tail) -> threading.Thread:
    """A thread that reads ``file`` to its end; it must not keep the program itself alive."""

    def read() -> None:
        with open(file, "rb", buffering=0) as stream:
            while data := stream.read(1 << 16):
                if not into.add(data):
                    break
            into.end()

    reader = threading.Thread(target=read, name="program output", daemon=True)
    reader.start()
    return reader


def _end(command: Command, stdin: IO[bytes]) -> None:
    with suppress(OSError):
        stdin.close()
    command.end()
