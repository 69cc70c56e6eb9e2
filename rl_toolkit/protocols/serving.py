"""What all servers share: the engine behind them, its clock, and the lines in and out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TextIO

from rl_toolkit.analysis import Analysis, Engine, HasOwnLimit, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv

#: Makes the engine for a game, by the game's name; raises ``ValueError`` if it has none.
EngineFactory = Callable[[str], Engine]

#: How the servers introduce themselves.
NAME = "rl-toolkit"
#: The most characters of a line; longer ones are cut, and refused like any nonsense.
LONGEST_LINE = 1 << 20
#: Seconds of a move's time that are kept for everything but thinking.
_SPARE = 0.05


def answer_of(
    engine: Engine,
    env: BaseGameEnv,
    limit: Limit,
    on_progress: ProgressCallback | None = None,
    stop: StopSignal | None = None,
) -> Analysis:
    """The engine's answer within its own limit and ``limit``."""
    if limit == Limit():
        return engine.analyse(env, None, on_progress, stop)
    if isinstance(engine, HasOwnLimit):
        return engine.within(limit).analyse(env, None, on_progress, stop)
    return engine.analyse(env, limit, on_progress, stop)


def share_of(seconds: float, env: BaseGameEnv) -> float:
    """The part of the time left for the game that the next move may take."""
    empty = int((env.board == 0).sum())
    moves = max(4, min(30, empty // 2))
    return max(0.01, seconds / moves - _SPARE)


def for_one_move(seconds: float) -> float:
    """The time for thinking, of the time for a whole move."""
    return max(0.01, min(0.9 * seconds, seconds - _SPARE))


def lines_of(reader: TextIO) -> Iterator[str]:
    """The lines of a stream without their ends; what is too long for a line is cut off."""
    while line := reader.readline(LONGEST_LINE):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = reader.readline(LONGEST_LINE)
        yield line.rstrip("\r\n")


class LineWriter:
    """Writes whole lines to a stream for several threads.

    When the reader has gone, nothing more is written: ``lost`` is the error of the first line that
    could not be, for the thread that serves to raise.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._lock = stream, threading.Lock()
        self.lost: OSError | None = None

    def say(self, line: str) -> None:
        """Write a line at once."""
        with self._lock:
            if self.lost is not None:
                return
            try:
                self._stream.write(f"{line}\n")
                self._stream.flush()
            except OSError as error:
                self.lost = error

    def check(self) -> None:
        """Raise ``lost`` if there is one."""
        if self.lost is not None:
            raise self.lost
