"""The player that a student has written in a lab, as an engine: ``lab:folder=L05-minimax``.

Their function gets the position in their own form (names.toml) in its own process.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Engine,
    EngineError,
    Limit,
    ProgressCallback,
    StopSignal,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.labs.checking.errors import error_sentence, load_failure
from rl_toolkit.labs.checking.session import LoadError, Session, call
from rl_toolkit.labs.folder.student_folder import lab_of
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.labs.model.positions import from_env
from rl_toolkit.labs.model.work import Work, read_work
from rl_toolkit.players import EngineKind, Option, SpecError, limits, register_engine
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import shown

#: Processor seconds for a move: plain minimax from the empty board takes a few.
MOVE_SECONDS = 60.0


class LabEngine:
    """The bot of a student's work; raises `LabError` if the lab has none."""

    def __init__(self, lab: Lab, work: Work) -> None:
        if not lab.bot:
            raise LabError(f"{lab.id} has no player to play against")
        self._lab, self._session = lab, Session(lab, work)
        self._lock = threading.Lock()
        self.name = f"{lab.id} {work.names.own(lab.bot)}"
        self.games = (lab.game,)

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The student's move; raises `EngineError` if there is none."""
        position = position_to_text(env)
        if env.is_terminal():
            return Analysis.of(env, self.name, [])
        if env.name != self._lab.game:
            raise EngineError(self.name, f"plays {self._lab.game}, not {env.name}", position)
        began = time.perf_counter()
        seconds = MOVE_SECONDS if limit is None or limit.time is None else limit.time
        with self._lock:
            self._session.begin()  # a game may take as long as it likes, and so may a server
            try:
                asked = call(self._lab.bot, from_env(env), seconds=seconds)
                (answer,) = self._session.ask([asked])
            except LoadError as error:
                reason = load_failure(error, self._lab.files[0]).sentence
                by = EngineError.BY[error.raised.cause]
                raise EngineError(self.name, f"cannot move: {reason}", position, by) from error
        if answer.error is not None:
            said = error_sentence(answer.error, self._lab.bot, self._lab.files[0], seconds)
            by = EngineError.BY[answer.error.cause]
            raise EngineError(self.name, f"cannot move: {said}", position, by)
        legal = env.get_legal_moves()
        move: Any = answer.value
        if isinstance(move, bool) or move not in legal:
            what = "returned None" if move is None else f"answered {shown(move)}, not a legal move"
            raise EngineError(self.name, what, position)
        order = [move, *(other for other in legal if other != move)]
        candidates = [Candidate(each, env.move_name(each)) for each in order]
        elapsed = time.perf_counter() - began
        return Analysis.of(env, self.name, candidates, elapsed=elapsed)

    def close(self) -> None:
        """End the student's process."""
        with self._lock:
            self._session.end()


def folder_engine(folder: Path) -> LabEngine:
    """The player in a student's folder; raises `LabError`."""
    lab = lab_of(folder)
    return LabEngine(lab, read_work(lab, folder))


def _make(folder: str | None) -> Engine:
    if folder is None:
        raise SpecError("the player of a lab is named by its folder: lab:folder=L05-minimax")
    try:
        return folder_engine(Path(folder))
    except LabError as error:
        raise SpecError(str(error)) from error


register_engine(
    EngineKind(
        "lab",
        "plays by what you have written in a lab, written lab:folder=L05-minimax",
        _make,
        (Option("folder", "file", None, "the folder of the lab"), *limits("time")),
        outside=True,
    )
)
