"""`PackageEngine`: an engine of another version of this package, in a process of its own.

The version is a folder with its source, such as a worktree of git, and an interpreter that has what
it needs. Nothing is installed: the interpreter runs ``-m rl_toolkit.cli service`` in that folder,
and is asked in JSON lines.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

from rl_toolkit.analysis import Analysis, Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.protocols.program import LIMITS, Deadline, Program, ProgramError, ProtocolError
from rl_toolkit.protocols.program_engine import Caller, ProgramEngine, analysis, checked, known
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import JsonError, one_line, read_object

#: What is run in the folder.
_SERVICE = ("-m", "rl_toolkit.cli", "service")
#: A limit for a question that only tries whether an engine can be made.
_TRIAL = Limit(time=0.05, nodes=1, depth=1, simulations=1)

#: The running programs of this process: engines of one version share one, so that a new game does
#: not start it again.
_programs: dict[tuple[Any, ...], Program] = {}
_lock = threading.Lock()
_ids = count(1)


class PackageEngine(ProgramEngine):
    """An engine of the package in the folder ``path``, asked through its service.

    Args:
        path: a folder with another version of ``rl_toolkit``.
        engine: the engine or level there, with its limit.
        python: the interpreter; by default the one that is running.
        seeded: the same with a seed, which is asked for first; it is used if that is accepted.
        start: seconds that it may take to start; at first it has to compile.
        patience: seconds without an answer, beyond the time limit, after which it is given up.
        max_memory_mb: megabytes of address space for each of its processes.

    Raises ``ValueError`` if there is no such folder or interpreter.
    """

    name = "package"
    farewell = ""

    def __init__(
        self,
        path: str,
        engine: str,
        python: str | None = None,
        seeded: str = "",
        start: float = 600.0,
        patience: float = 60.0,
        max_memory_mb: int = LIMITS.memory_mb,
    ) -> None:
        root = Path(path).expanduser().absolute()
        if not (root / "rl_toolkit" / "cli").is_dir():
            raise ValueError(f"{path} is not a folder with another version of rl_toolkit")
        # Not resolved: the interpreter of a virtual environment is a link.
        program = sys.executable if python is None else os.path.abspath(Path(python).expanduser())
        if not os.access(program, os.X_OK):
            raise ValueError(f"{python} is not an interpreter of Python")
        self.path, self.python, self.engine, self.seeded = path, python, engine, seeded
        cmd = " ".join(["python", *_SERVICE])
        super().__init__(cmd, start, patience, str(root), max_memory_mb)
        self._command = [program, *_SERVICE]
        self._title = f"rl_toolkit in {root.name}"
        self._version = ""
        self._spec = ""  # the one of the two that is accepted

    @property
    def root(self) -> Path:
        """The folder of the version."""
        assert self.folder is not None
        return Path(self.folder)

    @property
    def version(self) -> str:
        """What the package there calls itself; empty before it was first asked."""
        return self._version

    def __getstate__(self) -> dict[str, Any]:
        kept = ("path", "engine", "python", "seeded", "start", "patience", "max_memory_mb")
        return {name: getattr(self, name) for name in kept}

    def close(self) -> None:
        """Leave the program to the other engines of this version."""
        self._program = None

    def _running(self, env: BaseGameEnv) -> Program:
        key = (*self._command, self.folder, self.max_memory_mb)
        with _lock:
            program = _programs.get(key)
            if program is None or not program.is_running:
                limits = replace(LIMITS, memory_mb=self.max_memory_mb)
                program = _programs[key] = Program(
                    self._command, folder=self.root, name=self._title, limits=limits
                )
        if self._program is not program:
            self._program = program
            self._shake_hands(program, env, Deadline(self.start))
        return program

    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        """Learn the version, and try whether the engine can be made, with the seed if possible."""
        answer = self._exchange(program, {"action": "query_version"}, deadline)
        self._version = one_line(str(answer.get("version", "")))[:80]
        for spec in dict.fromkeys([self.seeded or self.engine, self.engine]):
            self._spec = spec
            trial = self._question(env, _TRIAL)
            refusal = self._exchange(program, trial, deadline).get("error")
            if refusal is None:
                return
        raise ProtocolError(self._title, f"refused {self.engine}: {one_line(str(refusal))}")

    def _ask(self, program: Program, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        deadline = Deadline(self._wait_for(limit))
        answer = self._exchange(program, self._question(env, limit), deadline, caller.stop)
        if (refusal := answer.get("error")) is not None:
            raise ProgramError(self._title, f"said: {one_line(str(refusal))}")
        best = (answer.get("candidates") or [{}])[0]
        name = str(best.get("name", ""))
        try:
            move: int | None = env.parse_move(name)
        except GameError:
            move = None
        played = checked(program, env, name, move)
        value = best.get("value")
        what = {"value": value} if isinstance(value, (int, float)) and abs(value) <= 1 else {}
        work = {
            part: answer[part]
            for part in ("nodes", "depth", "simulations")
            if isinstance(answer.get(part), int)
        }
        return analysis(env, self.name, [known(env, played, **what)], **work)

    def _question(self, env: BaseGameEnv, limit: Limit) -> dict[str, Any]:
        given = {name: value for name, value in asdict(limit).items() if value is not None}
        return {
            "game": env.name,
            "position": position_to_text(env),
            "engine": self._spec,
            "limit": given,
            "top": 1,
        }

    def _exchange(
        self,
        program: Program,
        question: dict[str, Any],
        deadline: Deadline,
        stop: StopSignal | None = None,
    ) -> dict[str, Any]:
        """The answer to a question; those to earlier ones, which were given up, are left out."""
        name = f"arena {next(_ids)}"
        program.send(json.dumps({"id": name, **question}))
        while True:
            line = program.receive(deadline, stop)
            try:
                answer = read_object(line)
            except JsonError as error:
                raise ProtocolError(self._title, f"wrote {line[:60]!r}") from error
            if answer.get("id") == name:
                return answer
