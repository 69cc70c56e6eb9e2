"""`ProgramEngine`: an engine that asks another program, whatever protocol it speaks."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
    unknown,
)
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.protocols.program import (
    LIMITS,
    Deadline,
    Program,
    ProgramEndedError,
    ProgramError,
    StoppedError,
    full_command,
    split_command,
)
from rl_toolkit.records import position_to_text

#: Seconds that a program gets to start, and to answer beyond its time, unless told otherwise.
START, PATIENCE = 10.0, 60.0


class Caller(NamedTuple):
    """What the one who asks an engine hears of its search, and how it may stop that."""

    on_progress: ProgressCallback | None
    stop: StopSignal | None


class ProgramEngine(ABC):
    """An engine that is another program, started when it is first asked.

    Args:
        cmd: the command line that starts the program, without a shell.
        start: seconds that it may take to start and to answer the first questions.
        patience: seconds without an answer, beyond the time limit, after which it is given up.
        folder: the folder in which it runs, such as that of its data; by default an empty one.
        max_memory_mb: megabytes of address space for each of its processes.
        sandbox: whether it sees only its own files, those that ``cmd`` names, and ``folder``, and
            rests while it is not asked.

    A program that is silent, dead, or answers with an illegal move raises `ProgramError`, with the
    names of program and position, and is started anew for the next question. Raises ``ValueError``
    if there is no such program or folder.
    """

    name: ClassVar[str]
    #: The command that asks the program to end.
    farewell: ClassVar[str]
    #: Seconds without a line of the program before it is written to.
    quiet: float = 0.0

    def __init__(
        self,
        cmd: str,
        start: float = START,
        patience: float = PATIENCE,
        folder: str | None = None,
        max_memory_mb: int = LIMITS.memory_mb,
        sandbox: bool = False,
    ) -> None:
        self.cmd, self.start, self.patience = cmd, start, patience
        self.folder = None if folder is None else str(Path(folder).expanduser().absolute())
        self.max_memory_mb, self.sandbox = max_memory_mb, sandbox
        words = split_command(cmd)
        self._title = _title(words)
        if self.folder is not None and not Path(self.folder).is_dir():
            raise ProgramError(self._title, f"cannot run in {folder}, which is not a folder")
        # Now, since this process may change its folder.
        self._command = full_command(words, self._where)
        self._program: Program | None = None
        self._lock = threading.Lock()
        #: Seconds of waiting for the program to be ready to read: on neither player's clock.
        self.paused = 0.0

    @property
    def _where(self) -> Path | None:
        return None if self.folder is None else Path(self.folder)

    def prepare(self, game: str) -> None:
        """Start the program, so that its first move takes no longer."""
        with self._lock:
            try:
                self._rest(self._running(make_game(game)))
            except BaseException:
                self._end()
                raise

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Ask the program; what it says nothing about is unknown.

        A program that cannot be stopped is ended when ``stop`` is set: then every move is unknown.
        """
        began = time.perf_counter() - self.paused
        if env.is_terminal():
            return Analysis.of(env, self.name, [])
        notes: tuple[str, ...] = ()
        with self._lock:
            try:
                answer = self._find(env, limit or Limit(), Caller(on_progress, stop))
            except StoppedError:
                self._end()
                answer = analysis(env, self.name, ())
                notes = (f"{self._title} was stopped before it answered",)
            except ProgramError as error:
                self._end()
                where = position_to_text(env)
                raise type(error)(error.engine, error.reason, where, error.by) from error
            except BaseException:
                self._end()
                raise
        elapsed = time.perf_counter() - self.paused - began
        return replace(answer, elapsed=elapsed, notes=(*answer.notes, *notes))

    @property
    def files(self) -> list[Path]:
        """The file of the program, and those among its arguments, such as a script."""
        here = Path() if self._where is None else self._where
        program, *arguments = self._command
        return [Path(program), *filter(Path.is_file, (here / word for word in arguments))]

    def close(self) -> None:
        """End the program; the next question starts it again."""
        with self._lock:
            if self._program is not None:
                self._program.rest(False)
                self._program.wait_for_quiet(self.quiet)
                self._program.close(self.farewell)
            self._program = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        kept = ("cmd", "start", "patience", "folder", "max_memory_mb", "sandbox")
        return {name: getattr(self, name) for name in kept}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        type(self).__init__(self, **state)

    # ------------------------------------------------------------------ for protocols

    @abstractmethod
    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        """The first questions to a new program, all before ``deadline``."""

    @abstractmethod
    def _ask(self, program: Program, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        """What the program says about an unfinished game."""

    def _find(self, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        if env.must_pass():  # there is nothing to ask
            assert env.pass_move is not None
            return analysis(env, self.name, [known(env, env.pass_move)])
        program = self._running(env)
        answer = self._ask(program, env, limit, caller)
        self._rest(program)
        return answer

    def _rest(self, program: Program) -> None:
        """Let it rest until it is asked again, once it has nothing more to say."""
        if self.sandbox:
            program.wait_for_quiet(self.quiet)
            program.rest(True)

    def _running(self, env: BaseGameEnv) -> Program:
        """The program, started if it is not running."""
        if self._program is not None and self._program.is_running:
            self._program.rest(False)
            return self._program
        self._end()
        self._program = Program(
            self._command,
            folder=self._where,
            name=self._title,
            limits=replace(LIMITS, memory_mb=self.max_memory_mb),
            is_confined=self.sandbox,
        )
        try:
            self._shake_hands(self._program, env, Deadline(self.start))
        except ProgramEndedError as error:
            if self.folder is not None:
                raise
            where = "it ran in an empty folder; folder=. runs it here"
            reason = f"{error.reason} ({where})"
            raise ProgramEndedError(error.engine, reason, by=error.by) from error
        return self._program

    def _end(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program = None

    def _wait_for(self, limit: Limit) -> float:
        """Seconds after which an answer is overdue."""
        return (limit.time or 0.0) + self.patience


def _title(command: list[str]) -> str:
    """``gnugo``; for a script, its interpreter and its file: ``python3 bot.py``."""
    program, *arguments = command
    files = (Path(word).name for word in arguments if Path(word).is_file())
    return " ".join([Path(program).name, *islice(files, 1)])


def known(env: BaseGameEnv, move: int, **what: Any) -> Candidate:
    """A move with what the program says about it."""
    return Candidate(move, env.move_name(move), **what)


def analysis(env: BaseGameEnv, engine: str, said: Iterable[Candidate], **work: Any) -> Analysis:
    """The analysis with the program's own move first and all that it did not mention unknown."""
    candidates = list(said)
    mentioned = {candidate.move for candidate in candidates}
    moves = (move for move in env.get_legal_moves() if move not in mentioned)
    rest = [unknown(move, env.move_name(move)) for move in moves]
    answer = Analysis.of(env, engine, [*candidates, *rest], **work)
    if not candidates or answer.best_move == candidates[0].move:
        return answer
    # What it would play comes first, whatever it says about its other moves.
    return replace(
        answer,
        candidates=tuple(sorted(answer.candidates, key=lambda c: c.move != candidates[0].move)),
        **_verdict(candidates[0]),
    )


def _verdict(best: Candidate) -> dict[str, Any]:
    certain = best.proven and best.outcome == "win"
    return {
        "value": best.value,
        "outcome": best.outcome if certain or not best.proven else None,
        "proven": certain,
        "distance": best.distance if certain else None,
        "line": best.line,
    }


def checked(program: Program, env: BaseGameEnv, answer: str, move: int | None) -> int:
    """``move``, which ``answer`` means, if it is legal; raises `ProgramError` otherwise."""
    if move is None:
        raise ProgramError(program.name, f"answered {answer[:40]!r}, which is not a move")
    if move not in env.get_legal_moves():
        raise ProgramError(program.name, f"played {env.move_name(move)}, which is not legal here")
    return move
