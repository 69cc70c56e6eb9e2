"""Who answers ``POST /api/ai-move`` on a student's page: in their own process, if they have code.

1. ``my_server.py`` with a Flask ``app`` that has this address: the student's own server;
2. a class with a method of `CHOOSING`, such as that of ``my_mcts.py``;
3. else the toolkit.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from rl_toolkit.course import CourseError
from rl_toolkit.course.searches import OwnProcess, code_files, own_solvers
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import shown
from rl_toolkit.web.exchange import requests
from rl_toolkit.web.exchange.json_fields import Fields
from rl_toolkit.web.serving.limits import ServerLimits

SERVER = "my_server.py"
_MOST_SIMULATIONS = 20_000


class OwnSolver:
    """The student's code behind the API; a new process whenever a Python file has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._files: dict[str, str] = {}
        self._process: OwnProcess | None = None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.end()

    def who(self) -> str:
        """Which file answers, "" if the toolkit does."""
        files = code_files(self._folder)
        if _has_server(files):
            return SERVER
        found = own_solvers(files)
        return found[0][0] if found else ""

    def answer(self, body: dict[str, Any]) -> tuple[int, Any] | None:
        """Status and data; ``None`` if the toolkit is to answer.

        Raises `BadRequestError` for a request that makes no sense, `CourseError` if the student's
        code fails.
        """
        files = code_files(self._folder)
        with self._lock:
            if self._process is None or files != self._files:
                if self._process is not None:
                    self._process.end()
                self._files, self._process = files, OwnProcess(files)
            if _has_server(files):
                said = self._process.ask(
                    "request", file=SERVER, path="/api/ai-move", body=body, seed=0
                )
                if said["status"] not in (404, 405):
                    return said["status"], said["data"]
            solvers = own_solvers(files)
            return self._asked(body, *solvers[0]) if solvers else None

    def _asked(self, body: dict[str, Any], file: str, owner: str) -> tuple[int, Any]:
        fields = Fields(body)
        env = requests.running(requests.position_in(fields, ServerLimits()))
        thinking = fields.switch("show_thinking")
        simulations = fields.whole("simulations", 1, _MOST_SIMULATIONS)
        seed = fields.whole("seed", 0, 2**32 - 1) or 0
        fields.finish()
        assert self._process is not None
        said = self._process.ask(
            "answer",
            file=file,
            owner=owner,
            game=env.name,
            board=[int(cell) for cell in env.board],
            player=env.current_player,
            thinking=thinking,
            simulations=simulations,
            seed=seed,
        )
        move = said["action"]
        if not _is_legal(env, move):
            raise CourseError(f"{file} answers {shown(move)}, which is not a legal move here")
        return 200, {"action": move, "evaluations": said["evaluations"], "by": file}


def _has_server(files: dict[str, str]) -> bool:
    """Whether the student's server is written: it makes an ``app`` and names the address."""
    source = files.get(SERVER, "")
    return "/api/ai-move" in source and re.search(r"^app\s*=", source, re.MULTILINE) is not None


def _is_legal(env: BaseGameEnv, move: object) -> bool:
    return isinstance(move, int) and not isinstance(move, bool) and move in env.get_legal_moves()
