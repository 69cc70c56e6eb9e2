"""The process of a bot: its file loaded by the worker, under a supervisor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rl_toolkit.analysis import EngineError, StopSignal
from rl_toolkit.utils import JsonObject, one_line
from rl_toolkit.utils.isolation import (
    GRACE,
    KEPT_OUTPUT,
    TOTAL_MB,
    Cause,
    IsolationError,
    Limits,
    Sandbox,
    TooSlowError,
    WorkerProcess,
    in_seconds,
    settle,
)
from rl_toolkit.utils.plugins import loaded_plugins

__all__ = [
    "GRACE",
    "KEPT_OUTPUT",
    "LOAD_SECONDS",
    "WORKER",
    "BotCode",
    "BotFailedError",
    "BotProcess",
    "NotLoadedInTimeError",
    "settle",
]

#: Seconds in which the code of a bot must have been loaded, unless told otherwise.
LOAD_SECONDS = 10.0
#: The module of the process.
WORKER = "rl_toolkit.players.bots.worker"


class BotFailedError(Exception):
    """A bot did not answer; the message says what happened, without its name.

    ``by`` is that of the `EngineError` which this becomes.
    """

    def __init__(self, message: str, cause: Cause = "") -> None:
        super().__init__(message)
        self.by = EngineError.BY[cause]


class NotLoadedInTimeError(BotFailedError):
    """The code of a bot ran for too long when it was loaded."""


@dataclass(frozen=True, slots=True)
class BotCode:
    """What a process must know to run a bot.

    ``is_confined`` says that it runs in a sandbox, ``ponders`` that it is not frozen between moves.
    """

    file: str
    source: str
    name: str
    seed: int | None
    memory_mb: int
    load_seconds: float
    is_confined: bool = True
    ponders: bool = False

    def sandbox(self) -> Sandbox | None:
        """What it may see: its file and those of the games, with what lies beside them."""
        if not self.is_confined:
            return None
        files = (self.file, *(plugin.file for plugin in loaded_plugins()))
        total = max(TOTAL_MB, self.memory_mb)
        return Sandbox(beside=files, freezes=not self.ponders, total_mb=total)


class BotProcess:
    """A running bot.

    Raises `BotFailedError` if it cannot be loaded, and `NotLoadedInTimeError` if that takes too
    long; starting the process is not part of that time. After a failure the process has ended.
    """

    def __init__(self, code: BotCode) -> None:
        loading = {
            "file": code.file,
            "source": code.source,
            "name": code.name,
            "seed": code.seed,
            "memory": code.memory_mb,
            "plugins": [list(plugin) for plugin in loaded_plugins()],
        }
        try:
            limits = Limits(memory_mb=code.memory_mb)
            self._worker = WorkerProcess(WORKER, limits, code.sandbox())
        except IsolationError as error:
            raise BotFailedError(str(error), error.cause) from error
        try:
            answer = self._worker.ask({"load": loading}, code.load_seconds, grace=GRACE)
        except TooSlowError as error:
            raise NotLoadedInTimeError(
                f"was not loaded within {in_seconds(code.load_seconds)} (load= sets the seconds; "
                "memory= the megabytes, if it waits for a process that needs more than "
                f"{code.memory_mb})",
                error.cause,
            ) from error
        except IsolationError as error:
            raise BotFailedError(f"cannot be loaded: it {error}", error.cause) from error
        if "ready" not in answer:
            self.end()
            if answer.get("memory"):
                raise BotFailedError(
                    f"cannot be loaded: it used more than {code.memory_mb} MB of memory "
                    "(memory= sets the megabytes)"
                )
            raised = one_line(str(answer.get("raised", "no answer")))
            raise BotFailedError(f"cannot be loaded: {raised}")

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._worker.alive

    @property
    def printed(self) -> str:
        """What it printed during the last question, or the beginning of that."""
        return self._worker.printed

    def ask(
        self,
        message: JsonObject,
        seconds: float,
        stop: StopSignal | None = None,
        on_progress: Callable[[JsonObject], object] | None = None,
    ) -> JsonObject:
        """The answer to a message within ``seconds``, and `GRACE` for being on its way."""
        try:
            return self._worker.ask(
                message, seconds, stop=stop, on_progress=on_progress, grace=GRACE
            )
        except IsolationError as error:
            raise BotFailedError(str(error), error.cause) from error

    def end(self) -> None:
        """End the bot and all that it has started."""
        self._worker.end()
