"""`BotEngine`: the bot of a file as an engine; its code runs in a process of its own.

A process is kept for the next question about the same game, so that a bot starts once. It is ended,
with all that it has started, if the bot fails; the next question starts a new one.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
import time
import weakref
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from rl_toolkit.analysis import (
    Analysis,
    EngineError,
    Limit,
    ProgressCallback,
    StopSignal,
    unknown,
)
from rl_toolkit.envs import BaseGameEnv, GameError, make_game
from rl_toolkit.envs.registry import family_of, full_names
from rl_toolkit.players.bots.claims import with_answer, without_answer
from rl_toolkit.players.bots.finding import find_bot, games_of
from rl_toolkit.players.bots.process import (
    LOAD_SECONDS,
    BotCode,
    BotFailedError,
    BotProcess,
    NotLoadedInTimeError,
)
from rl_toolkit.players.options import SpecError
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import JsonObject, listed, one_line, shown

#: Seconds for a move if no limit says otherwise.
MOVE_SECONDS = 10.0
#: Processes that are kept for engines to come.
_MOST_PARKED = 4
_LONGEST_NOTE = 200
_ON_WINDOWS = os.name == "nt"


class BotEngine:
    """The bot of a file.

    Args:
        file: the Python file, which is read once, now.
        name: the function or class in it; see `players.bots.finding` for the rule without one.
        memory_mb: megabytes of address space for each of its processes.
        seed: the seed of ``random`` and ``numpy.random`` in its process; a class or function with
            a parameter ``seed`` also gets it.
        load_seconds: seconds in which its code must be loaded, before it is first asked. If that
            takes longer, it is not tried again.
        sandbox: whether it is kept from files, network and processes that are not its own.
        ponders: whether it may go on between two questions, where a sandbox can stop it.

    Raises `SpecError` if there is no such file or bot.
    """

    def __init__(
        self,
        file: str | Path,
        name: str | None = None,
        memory_mb: int = 2048,
        seed: int | None = None,
        load_seconds: float = LOAD_SECONDS,
        *,
        sandbox: bool = True,
        ponders: bool = False,
    ) -> None:
        if _ON_WINDOWS:
            raise SpecError("bots in files need Linux or macOS; on Windows use WSL")
        path = Path(file).expanduser()
        try:
            data = path.read_bytes()
            source = importlib.util.decode_source(data)
        except OSError as error:
            raise SpecError(f"{file}: {error.strerror or error}") from error
        except (SyntaxError, UnicodeDecodeError) as error:
            raise SpecError(f"{file} is not a text in Python: {error}") from error
        bot = find_bot(source, path.name, name)
        self.games = games_of(source)
        self.digest = hashlib.sha256(data).hexdigest()
        self._name = path.name if name is None else f"{path.name}:{name}"
        where = str(path.absolute())
        limits = (memory_mb, load_seconds, sandbox, ponders)
        self._code = BotCode(where, source, bot, seed, *limits)
        self._setup()

    def _setup(self) -> None:
        self._lock = threading.Lock()
        #: Seconds beyond the limit of a move after which the bot is ended; an arbiter's clock may
        #: allow more than the limit asks for.
        self.spare = 0.0
        self._held: list[tuple[_Key, BotProcess]] = []
        self._seen: _Seen | None = None
        self._printed = ""
        self._hung = ""
        weakref.finalize(self, _park_all, self._held).atexit = False

    def __getstate__(self) -> dict[str, Any]:
        kept = ("digest", "games", "_name", "_code")
        return {name: vars(self)[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._setup()

    @property
    def name(self) -> str:
        """The name of the file, and of the function or class if it was given."""
        return self._name

    @property
    def is_confined(self) -> bool:
        """Whether it asks for a sandbox; which kind it gets, `utils.isolation.in_force` says."""
        return self._code.is_confined

    @property
    def printed(self) -> str:
        """What the bot printed when it was asked last, or the beginning of that."""
        return self._printed

    def prepare(self, game: str) -> None:
        """Start the process and load the bot, so that its first move takes no longer.

        The bot remembers nothing of the games of other engines.
        """
        with self._lock:
            try:
                self._process(game, anew=True)
            except BotFailedError as failed:
                raise EngineError(self.name, str(failed), by=failed.by) from failed

    def close(self) -> None:
        """End the process."""
        with self._lock:
            while self._held:
                self._held.pop()[1].end()

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The bot's answer; raises `EngineError` if it fails, takes too long or plays illegally."""
        position = position_to_text(env)
        if env.is_terminal():
            return Analysis.of(env, self.name, [])
        with self._lock:
            try:
                return self._asked(env, position, limit, on_progress, stop)
            except BotFailedError as failed:
                raise EngineError(self.name, str(failed), position, failed.by) from failed

    def with_claims(
        self,
        env: BaseGameEnv,
        analysis: Analysis,
        stop: StopSignal | None = None,
        seconds: float | None = None,
    ) -> Analysis:
        """The analysis with what the bot claims; see `analysis.claims`.

        An analysis of the bot's own with values stays as it is. A bot that fails here has played
        its move all the same.
        """
        if analysis.best_move is None or any(c.value is not None for c in analysis.candidates):
            return analysis
        with self._lock:
            try:
                process = self._process(env.name)
                start, moves = self._way_to(env)
                where = {"game": env.name, "start": start, "moves": moves}
                most = MOVE_SECONDS if seconds is None else min(seconds, MOVE_SECONDS)
                question = {**where, "time": most}
                answer = process.ask({"claim": question}, most, stop=stop)
            except BotFailedError as failed:
                return without_answer(env, analysis, str(failed))
        if answer.get("memory"):
            process.end()
        return with_answer(env, analysis, answer)

    def _asked(
        self,
        env: BaseGameEnv,
        position: str,
        limit: Limit | None,
        on_progress: ProgressCallback | None,
        stop: StopSignal | None,
    ) -> Analysis:
        process = self._process(env.name)
        seconds = MOVE_SECONDS if limit is None or limit.time is None else limit.time
        start, moves = self._way_to(env)
        question = {
            "game": env.name,
            "start": start,
            "moves": moves,
            "limit": None if limit is None else asdict(limit),
            "time": seconds,
            "progress": on_progress is not None,
        }

        def report(data: Any) -> None:
            if on_progress is not None:
                try:
                    on_progress(self._checked(env, position, data, 0.0))
                except Exception:  # a wrong report, or a listener's own problem
                    return

        began = time.perf_counter()
        try:
            answer = process.ask(
                {"think": question}, seconds + self.spare, stop=stop, on_progress=report
            )
        finally:
            self._printed = process.printed
        elapsed = time.perf_counter() - began
        if answer.get("memory"):  # it may hold on to it
            process.end()
        return self._read(env, position, answer, elapsed)

    # --------------------------------------------------------------------- answers

    def _read(
        self, env: BaseGameEnv, position: str, answer: JsonObject, elapsed: float
    ) -> Analysis:
        if isinstance(wrong := answer.get("wrong"), str):
            raise BotFailedError(f"returned a wrong Analysis: {one_line(wrong)}")
        if "analysis" in answer:
            analysis = self._checked(env, position, answer["analysis"], elapsed)
        else:
            legal = env.get_legal_moves()
            move = self._legal(env, self._move(env, answer), legal)
            order = [move, *(other for other in legal if other != move)]
            candidates = [unknown(other, env.move_name(other)) for other in order]
            analysis = Analysis.of(env, self.name, candidates, elapsed=elapsed)
        if self._code.seed is not None:
            analysis = replace(analysis, seed=self._code.seed)
        if printed := one_line(self._printed):
            brief = printed if len(printed) <= _LONGEST_NOTE else f"{printed[:_LONGEST_NOTE]}…"
            analysis = replace(analysis, notes=(*analysis.notes, f"It printed: {brief}"))
        return analysis

    def _move(self, env: BaseGameEnv, answer: JsonObject) -> int:
        move, name = answer.get("move"), answer.get("name")
        if isinstance(move, int) and not isinstance(move, bool):
            return move
        if isinstance(name, str):
            if name.strip().isdigit():
                raise BotFailedError(
                    f"returned the text {shown(name)}: a move is a number, or a name such as "
                    f"{env.move_name(env.get_legal_moves()[0])}"
                )
            try:
                return env.parse_move(name)
            except GameError as error:
                raise BotFailedError(f"returned {shown(name)}: {error}") from error
        if answer.get("memory"):
            raise BotFailedError(
                f"used more than {self._code.memory_mb} MB of memory (memory= sets the megabytes)"
            )
        if isinstance(raised := answer.get("raised"), str):
            raise BotFailedError(f"raised {one_line(raised)}")
        returned = answer.get("returned")
        raise BotFailedError(
            f"returned {returned if isinstance(returned, str) else answer}, which is not a move"
        )

    @staticmethod
    def _legal(env: BaseGameEnv, move: int, legal: list[int]) -> int:
        if move not in legal:
            try:
                env.copy().step(move)
                reason = f"{shown(move)} is not legal"
            except GameError as error:
                reason = str(error)
            raise BotFailedError(f"played {shown(move)}, which is illegal: {reason}")
        return move

    def _checked(self, env: BaseGameEnv, position: str, data: Any, elapsed: float) -> Analysis:
        """An analysis of the bot, with legal moves only; moves that it left out are unknown."""
        try:
            analysis = Analysis.from_dict(data)
        except ValueError as error:
            raise BotFailedError(f"returned a wrong Analysis: {error}") from error
        if not analysis.candidates:
            raise BotFailedError("returned an Analysis without candidates")
        legal = env.get_legal_moves()
        candidates = [
            replace(c, name=env.move_name(self._legal(env, c.move, legal)))
            for c in analysis.candidates
        ]
        moves = [candidate.move for candidate in candidates]
        if len(set(moves)) < len(moves):
            raise BotFailedError("returned an Analysis with a move twice")
        if wrong := [c for c in candidates if c.value is not None and not -1 <= c.value <= 1]:
            raise BotFailedError(
                f"returned the value {wrong[0].value:g} for {wrong[0].name}; "
                "values are from -1 to 1"
            )
        missing = [move for move in legal if move not in moves]
        rest = [unknown(move, env.move_name(move)) for move in missing]
        return replace(
            analysis,
            game=env.name,
            position=position,
            player=env.current_player,
            engine=self.name,
            candidates=(*candidates, *rest),
            elapsed=elapsed,
        )

    # ------------------------------------------------------------------- processes

    def _process(self, game: str, anew: bool = False) -> BotProcess:
        """The running process for a game: ours, a kept one unless ``anew``, or a new one."""
        self._check_plays(game)
        key = (game, self.digest, self._code)
        for held in list(self._held):
            if not held[1].alive:
                self._held.remove(held)
            elif held[0] == key:
                return held[1]
            else:
                self._held.remove(held)
                _park(held)
        if self._hung:
            raise NotLoadedInTimeError(self._hung)
        try:
            kept = None if anew or self._code.seed is not None else _unpark(key)
            process = kept or BotProcess(self._code)
        except NotLoadedInTimeError as error:
            self._hung = str(error) if error.by == "forfeit" else ""
            raise
        self._held.append((key, process))
        return process

    def _check_plays(self, game: str) -> None:
        family = family_of(game)
        names = {game, "" if family is None else family.name}
        if self.games and not names & full_names(self.games):
            raise BotFailedError(f"plays only {listed(self.games)}, not {game}")

    def _way_to(self, env: BaseGameEnv) -> tuple[JsonObject | None, list[int]]:
        """How the position arises: the board it began with, ``None`` for the usual, and the moves.

        A position that continues the last one has the same beginning.
        """
        moves, seen = env.history, self._seen
        if seen is None or not seen.leads_to(env, moves):
            seen = self._seen = _Seen(env)
        return seen.start, moves


class _Seen:
    """A position that the bot was asked about, and the board that its game began with."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._env = env.copy()
        begun = BaseGameEnv.start(env)
        self.start: JsonObject | None = None
        try:
            usual = make_game(env.name).get_state_hash()
        except GameError as error:
            raise BotFailedError(f"plays only games that are registered: {error}") from error
        if begun.get_state_hash() != usual:
            board = np.asarray(begun.board).tolist()
            self.start = {"board": board, "player": begun.current_player}

    def leads_to(self, env: BaseGameEnv, moves: list[int]) -> bool:
        """Whether more moves lead from here to ``env``; this is then that position."""
        if self._env.name != env.name:
            return False
        before = self._env.history
        if moves[: len(before)] != before:
            return False
        try:
            self._env = BaseGameEnv.after(self._env, moves[len(before) :])
        except GameError:
            return False
        return self._env.get_state_hash() == env.get_state_hash()


_Key = tuple[str, str, BotCode]
#: Processes that no engine uses now, oldest first.
_parked: list[tuple[_Key, BotProcess]] = []


def _park(held: tuple[_Key, BotProcess]) -> None:
    """Keep a process for the next engine with the same bot; end the one that waited longest.

    A bot with a seed is ended: the next one begins with the seed again.
    """
    if held[0][2].seed is not None:
        held[1].end()
    elif held[1].alive:
        _parked.append(held)
    while len(_parked) > _MOST_PARKED:
        _parked.pop(0)[1].end()


def _park_all(held: list[tuple[_Key, BotProcess]]) -> None:
    while held:
        _park(held.pop())


def _unpark(key: _Key) -> BotProcess | None:
    for held in reversed(_parked):
        if held[0] == key and held[1].alive:
            try:
                _parked.remove(held)
            except ValueError:  # another thread was faster
                continue
            return held[1]
    return None


def forget_parked() -> None:
    """End the processes that are kept for later."""
    while _parked:
        _parked.pop()[1].end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_parked.clear)
