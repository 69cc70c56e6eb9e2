"""`NBoardEngine`: a program that speaks the NBoard protocol as an engine."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from rl_toolkit.analysis import Analysis, Candidate, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv, Reversi, for_game
from rl_toolkit.protocols.nboard.ggf import move_of, to_ggf
from rl_toolkit.protocols.nboard.hints import meaning, read_discs, read_hint
from rl_toolkit.protocols.program import (
    LIMITS,
    Deadline,
    Program,
    ProgramSilentError,
    ProtocolError,
    StoppedError,
)
from rl_toolkit.protocols.program_engine import (
    PATIENCE,
    START,
    Caller,
    ProgramEngine,
    analysis,
    checked,
    known,
)

#: Seconds for hints, where no limit is given, and between two reports.
_SECONDS, _REPORT = 1.0, 0.1
#: Seconds that a program gets to notice a ``ping`` while it thinks.
_NOTICE = 2.0


class NBoardEngine(ProgramEngine):
    """A Reversi program that speaks NBoard 2, such as Edax, NTest or Zebra.

    It is asked for its move (``go``). The lines ``search`` and ``book`` that it writes while it
    thinks become candidates. With ``hints`` it is first asked to evaluate that many moves
    (``hint``), for the time of the limit. A limit on depth becomes ``set depth``; for one on time
    the clock of the game is set. It can be stopped, and then answers with what it has found.
    """

    name = "nboard"
    farewell = "quit"

    def __init__(
        self,
        cmd: str,
        hints: int = 0,
        start: float = START,
        patience: float = PATIENCE,
        folder: str | None = None,
        max_memory_mb: int = LIMITS.memory_mb,
        sandbox: bool = False,
    ) -> None:
        super().__init__(cmd, start, patience, folder, max_memory_mb, sandbox)
        self.hints = hints

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "hints": self.hints}

    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        self._pings, self._depth = 0, 0
        program.send("nboard 2")
        self._synchronise(program, deadline)

    def _ask(self, program: Program, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        if for_game({Reversi: True}, env) is None or env.rows != 8:
            raise ProtocolError(program.name, f"plays reversi-8, not {env.name}")
        if limit.depth is not None and limit.depth != self._depth:
            program.send(f"set depth {limit.depth}")
            self._depth = limit.depth
        seconds = None
        if limit.time is not None:  # the clock is for all moves that follow
            seconds = limit.time * max(1, int((env.board == 0).sum() + 1) // 2)
        program.send(f"set game {to_ggf(env, seconds)}")
        self._synchronise(program, Deadline(self.patience))
        listener = _Listener(env, self.name, caller.on_progress)
        try:
            if self.hints:
                self._hint(program, listener, limit.time or _SECONDS, caller.stop)
            program.send("go")
            deadline = Deadline(self._wait_for(limit))
            while listener.chosen is None:
                listener.hear(program, program.receive(deadline, caller.stop))
        except StoppedError:
            self._stop_thinking(program, listener)
            if not listener.candidates:
                raise
        return listener.result()

    def _hint(
        self, program: Program, listener: _Listener, seconds: float, stop: StopSignal | None
    ) -> None:
        """Collect hints for some time, or until the status is cleared; then stop the program."""
        program.send(f"hint {self.hints}")
        deadline = Deadline(seconds)
        while deadline.left:
            try:
                line = program.receive(deadline, stop)
            except ProgramSilentError:
                break
            listener.hear(program, line)
            if line.strip() == "status" and listener.candidates:
                break
        self._synchronise(program, Deadline(self.patience), listener)

    def _stop_thinking(self, program: Program, listener: _Listener) -> None:
        """Ask the program to stop; one that does not notice is ended."""
        try:
            self._synchronise(program, Deadline(_NOTICE), listener)
        except ProgramSilentError:
            self._end()

    def _synchronise(
        self, program: Program, deadline: Deadline, listener: _Listener | None = None
    ) -> None:
        """Stop the program and read everything that it still has to say."""
        self._pings += 1
        program.send(f"ping {self._pings}")
        while True:
            line = program.receive(deadline)
            if line.split() == ["pong", str(self._pings)]:
                return
            if listener is not None:
                listener.hear(program, line)


class _Listener:
    """What the program has said about a position."""

    def __init__(self, env: BaseGameEnv, engine: str, on_progress: ProgressCallback | None) -> None:
        self._env, self._engine, self._on_progress = env, engine, on_progress
        self.candidates: dict[int, Candidate] = {}
        self.chosen: int | None = None
        self._nodes: int | None = None
        self._reported = time.monotonic()

    def hear(self, program: Program, line: str) -> None:
        """Take note of a line; lines that mean nothing here are skipped."""
        word, _, rest = line.strip().partition(" ")
        if word == "===":
            self._choose(program, rest)
        elif word == "nodestats":
            count = rest.split()[:1]
            self._nodes = int(float(count[0])) if count and _is_number(count[0]) else self._nodes
        elif word in ("search", "book"):
            candidate = read_hint(self._env, line)
            if candidate is not None:
                self.candidates[candidate.move] = candidate
                self._report()

    def _choose(self, program: Program, rest: str) -> None:
        name, *more = rest.split("/")
        try:
            named: int | None = move_of(self._env, name)
        except ValueError:
            named = None
        self.chosen = checked(program, self._env, name, named)
        discs = read_discs(more[0].strip()) if more else None
        if self.chosen not in self.candidates:
            about = {} if discs is None else meaning(discs, "")
            self.candidates[self.chosen] = known(self._env, self.chosen, **about)

    def _report(self) -> None:
        now = time.monotonic()
        if self._on_progress is None or now - self._reported < _REPORT:
            return
        self._reported = now
        try:
            self._on_progress(self.result())
        except Exception:  # a listener's own problem
            return

    def result(self) -> Analysis:
        """The analysis by what was said so far."""
        by_value = sorted(self.candidates.values(), key=lambda c: -_worth(c))
        if self.chosen is not None:
            by_value.sort(key=lambda c: c.move != self.chosen)
        answer = analysis(self._env, self._engine, by_value)
        return replace(answer, nodes=self._nodes)


def _worth(candidate: Candidate) -> float:
    if candidate.proven and candidate.value is not None:
        return 2 * candidate.value
    return candidate.value if candidate.value is not None else -3.0


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdecimal()
