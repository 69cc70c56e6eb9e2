"""`WorkerProcess`: a worker module in a process of its own, asked within a time that we measure."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from typing import Protocol

from rl_toolkit.utils.isolation.child import Job
from rl_toolkit.utils.isolation.choosing import Sandbox, in_force
from rl_toolkit.utils.isolation.errors import (
    EndedError,
    IsolationError,
    StoppedError,
    TooSlowError,
    how_it_ended,
    in_seconds,
)
from rl_toolkit.utils.isolation.held_up import STOPPED, Watch
from rl_toolkit.utils.isolation.limits import Limits
from rl_toolkit.utils.isolation.sandbox.spaces import GO, STOP
from rl_toolkit.utils.isolation.supervisor import END_SECONDS, Supervisor, idle_supervisor
from rl_toolkit.utils.strict_json import FramedJson, JsonError, JsonObject

#: Seconds beyond the limit, and after a stop, in which an answer may still arrive.
GRACE = 0.25
#: The bytes of what is printed during a question that are kept.
KEPT_OUTPUT = 1 << 16
#: The bytes that may be printed during a question.
MOST_OUTPUT = 64 << 20
#: Seconds between two looks at a stop signal.
_LOOK = 0.02


class StopSignal(Protocol):
    """Anything that can ask for an early answer, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Whether an answer is wanted now."""


class WorkerProcess:
    """A running worker.

    Args:
        module: the name of the worker module, whose ``serve(channel)`` answers messages.
        limits: the limits of its process.
        sandbox: what it may see; ``None`` for everything that the user can.
        imports: further modules that are imported before the sandbox closes.

    It sees an empty folder of its own, which is also its ``HOME`` and ``TMPDIR``, and nothing on
    stdin. Raises `NotStartedError` if there is no process to run in. After an error of `ask` the
    process has been ended.
    """

    def __init__(
        self,
        module: str,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        imports: Sequence[str] = (),
    ) -> None:
        self._printed, self._dropped = bytearray(), 0
        self._supervisor: Supervisor | None = idle_supervisor(module, *imports)
        ours, theirs = socket.socketpair()
        self._output, writing = os.pipe()
        os.set_blocking(self._output, False)
        self._channel = FramedJson(ours)
        orders, self._orders = os.pipe()
        self._status, status = os.pipe()
        # Also runs when this object is forgotten, and at the end of this process.
        ending = (self._supervisor, self._channel, (self._output, self._orders, self._status))
        self._finalizer = Finalize(self, _end, ending, exitpriority=20)
        self._freezes = self._is_frozen = self._has_init = False
        try:
            confinement, total = None, 0
            if sandbox is not None:
                total = sandbox.total_mb
                found = in_force(self._supervisor)
                confinement = found.confinement(sandbox)
                self._has_init = found.kind == "namespaces"
                self._freezes = sandbox.freezes and self._has_init
            job = Job(limits or Limits(), module=module, confinement=confinement, total_mb=total)
            files = [theirs.fileno(), writing, *([orders, status] if confinement else [])]
            self.pid = self._supervisor.start(job, files)
        except BaseException:
            self.end()
            raise
        finally:
            theirs.close()
            for file in (writing, orders, status):
                os.close(file)

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
        *,
        stop: StopSignal | None = None,
        on_progress: Callable[[JsonObject], object] | None = None,
        grace: float = GRACE,
    ) -> JsonObject:
        """The answer to a message within ``seconds``, and ``grace`` for being on its way.

        Messages ``{"progress": …}`` before the answer go to ``on_progress``. When ``stop`` is set,
        the worker is sent ``{"stop": true}`` and has ``grace`` to answer. Raises `TooSlowError`,
        `StoppedError`, `EndedError`, or `IsolationError` if what arrives is not a message.
        """
        self._printed, self._dropped = bytearray(), 0
        try:
            self._order(GO)
            self._send(message)
            answer = self._answer(seconds, stop, on_progress, grace)
            self._order(STOP)
            return answer
        except BaseException:  # also KeyboardInterrupt: an answer may still come
            self.end()
            raise

    def _order(self, order: bytes) -> None:
        """Freeze the process, or let it go on; one that has ended has no ear for it."""
        # One that is not frozen needs no word to go on, which would also undo a stop of its own.
        if self._freezes and (order == STOP or self._is_frozen):
            self._is_frozen = order == STOP
            with suppress(OSError):
                os.write(self._orders, order)

    def _send(self, message: JsonObject) -> None:
        try:
            self._channel.send(message)
        except OSError:
            raise self._ended() from None

    def _answer(
        self,
        seconds: float,
        stop: StopSignal | None,
        on_progress: Callable[[JsonObject], object] | None,
        grace: float,
    ) -> JsonObject:
        assert self._supervisor is not None
        control = self._supervisor.control
        watch = Watch(self.pid, self._supervisor.process.pid)
        deadline = time.monotonic() + seconds + grace
        stopped_at: float | None = None
        sources: list[int | FramedJson] = [self._channel, self._output, control]
        sources += [self._status] if self._has_init else []
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
                deadline = min(deadline, now + grace)
            if now >= deadline:
                if stopped_at is not None:
                    raise StoppedError("was stopped before it had an answer")
                cause, text = watch.held_up()
                also = f"; it {text}" if text else ""
                raise TooSlowError(f"did not answer within {in_seconds(seconds)}{also}", cause)
            wait = deadline - now if stop is None else min(_LOOK, deadline - now)
            ready, _, _ = select.select(sources, [], [], wait)
            if self._output in ready and not self._drain():
                sources.remove(self._output)
            if self._dropped > MOST_OUTPUT:
                mb = MOST_OUTPUT >> 20
                raise IsolationError(f"printed more than {mb} MB and did not answer")
            if self._status in ready:
                if os.read(self._status, 1):
                    raise EndedError(STOPPED, -signal.SIGSTOP)
                sources.remove(self._status)  # it has ended
            if self._channel in ready and not self._read():
                raise self._ended()
            if control in ready and self._channel not in ready:
                raise self._ended()

    def _ended(self) -> IsolationError:
        assert self._supervisor is not None
        code = self._supervisor.exit_code(seconds=END_SECONDS)
        if self._supervisor.used_too_much:
            return IsolationError("used too much memory with all of its processes together")
        return EndedError(how_it_ended(code), code)

    def _read(self) -> bool:
        try:
            return self._channel.read()
        except OSError:
            return False

    def _next_message(self) -> JsonObject | None:
        try:
            return self._channel.message()
        except JsonError as error:
            raise IsolationError(f"sent something that is not an answer ({error})") from error

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
        """End the worker and all that it has started; a second call does nothing.

        Does not wait; `settle` does.
        """
        self._supervisor = None
        if self._finalizer.still_active():
            self._drain()
            self._finalizer()


def _end(supervisor: Supervisor, channel: FramedJson, files: tuple[int, ...]) -> None:
    channel.close()
    for file in files:
        os.close(file)
    supervisor.end()
