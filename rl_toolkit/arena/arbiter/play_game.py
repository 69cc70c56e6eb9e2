"""One game between two engines, with the arena's own clock.

Engines come from everywhere, so nothing that they answer is taken on trust: each gets a copy of the
game, its time is measured here, and an answer that cannot be played raises `EngineFailedError`.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.adapting import is_from_outside
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Engine,
    EngineError,
    StopSignal,
    paused_seconds,
)
from rl_toolkit.envs import BaseGameEnv, game_failure
from rl_toolkit.kernels.compiling.compile_news import preparation_seconds
from rl_toolkit.players import Player
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import shown

#: Why a player that could not answer has not lost (see `EngineError.by`).
NOT_LOST = ("not played", "killed")
#: Chooses a move given the analysis of an unfinished game.
Choice = Callable[[Analysis], int]
#: Called before each move with the player, the analysis, and the seconds that it took.
OnMove = Callable[[int, Analysis, float], object]
#: The answer of an engine to the position of an unfinished game, as `timed_answer` gives it.
Ask = Callable[[Engine, BaseGameEnv], "TimedAnswer"]


class EngineFailedError(ValueError):
    """An engine raised an error, or gave an answer that is not a legal move.

    Attributes:
        player: the player whose engine failed.
        engine: the name of the engine.
        position: the position that it was asked about, as text.
        reason: what happened, without its name: ``raised ZeroDivisionError: division by zero``.
        by: ``forfeit`` or ``time`` if it loses the game by this, one of `NOT_LOST` if it does not.
    """

    def __init__(
        self, player: int, engine: str, position: str, reason: str, by: str = "forfeit"
    ) -> None:
        super().__init__(player, engine, position, reason, by)  # so that it can be pickled
        self.player, self.engine, self.position, self.reason = player, engine, position, reason
        self.by = by

    def __str__(self) -> str:
        return f"{self.engine} {self.reason} (position {self.position})"


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The answer of an engine, or its failure, and the seconds that it took."""

    analysis: Analysis | None
    failure: EngineFailedError | None
    seconds: float


def timed_answer(engine: Engine, env: BaseGameEnv, stop: StopSignal | None = None) -> TimedAnswer:
    """What `checked_answer` gives, timed by the clock of the arena.

    Compiling does not count: it is the toolkit's work, not the engine's. Nor do the pauses in which
    a program must not be written to.
    """
    analysis, failure = None, None
    thinks = engine.engine if isinstance(engine, Player) else engine
    off_clock = preparation_seconds() + paused_seconds(thinks)
    started = time.perf_counter()
    try:
        analysis = checked_answer(engine, env, stop)
    except EngineFailedError as error:
        failure = error
        _forget_frames(error)
    waited = preparation_seconds() + paused_seconds(thinks) - off_clock
    return TimedAnswer(analysis, failure, max(0.0, time.perf_counter() - started - waited))


def _forget_frames(error: BaseException | None) -> None:
    """Drop the tracebacks of an error and its causes.

    Their frames hold the error itself, so that the engine, and the process of a bot, would stay
    until the next garbage collection.
    """
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def play_on(
    env: BaseGameEnv,
    engines: Mapping[int, Engine],
    choose: Choice = lambda analysis: analysis.candidates[0].move,
    on_move: OnMove | None = None,
    *,
    ask: Ask = timed_answer,
    is_decided: Callable[[], bool] = lambda: False,
) -> None:
    """Play ``env`` to the end; ``engines`` maps each player to its engine.

    Raises `EngineFailedError` if an engine fails; ``env`` then holds the moves before it. A mistake
    in the code of the game raises `GameFailedError`; no engine loses by it. A referee passes its
    own ``ask``, and ``is_decided``, which ends the game before a move.
    """
    while not env.is_terminal() and not is_decided():
        player = env.current_player
        engine = engines[player]
        answer = ask(engine, env)
        if answer.failure is not None:
            try:
                raise answer.failure
            finally:
                del answer  # the error's own frame must not hold it
        assert answer.analysis is not None
        if on_move is not None:
            on_move(player, answer.analysis, answer.seconds)
        make_move(engine, env, choose(answer.analysis))


def make_move(engine: Engine, env: BaseGameEnv, move: int) -> None:
    """Play the move of an engine; raises `EngineFailedError` if it cannot be played.

    Our games refuse a move before they change anything. One from outside may fail later, so a copy
    takes the move first: ``env`` shows whether it was legal, and stays as it was.
    """
    is_tried = is_from_outside(env)
    try:
        (env.copy() if is_tried else env).step(move)
        if is_tried:
            env.step(move)
    except Exception as error:
        is_legal = isinstance(move, int) and move in env.get_legal_moves()
        if failed := game_failure(error, refusals=is_legal):
            raise failed from error
        raise _fault(engine, env, f"played {shown(move)}: {error}") from error


def checked_answer(engine: Engine, env: BaseGameEnv, stop: StopSignal | None = None) -> Analysis:
    """The analysis of ``engine``, which gets a copy of ``env``, with at least one candidate.

    Raises `EngineFailedError` if it has none, is something else, or the engine raised an error, and
    `GameFailedError` if the error is in the code of the game.
    """
    try:
        analysis: object = (
            engine.analyse(env.copy()) if stop is None else engine.analyse(env.copy(), stop=stop)
        )
    except EngineError as error:  # it says itself what happened
        raise _fault(engine, env, error.reason, error.by) from error
    except (Exception, SystemExit) as error:
        if failed := game_failure(error, refusals=True):
            raise failed from error
        raise _fault(engine, env, f"raised {_described(error)}") from error
    if not isinstance(analysis, Analysis):
        raise _fault(engine, env, f"returned {shown(analysis)} instead of an Analysis")
    candidates: object = analysis.candidates
    if not isinstance(candidates, Sequence) or not candidates:
        raise _fault(engine, env, "returned an Analysis without candidates")
    if wrong := [candidate for candidate in candidates if not isinstance(candidate, Candidate)]:
        raise _fault(engine, env, f"returned {shown(wrong[0])} instead of a Candidate")
    return analysis


def _fault(engine: Engine, env: BaseGameEnv, reason: str, by: str = "forfeit") -> EngineFailedError:
    return EngineFailedError(env.current_player, engine.name, position_to_text(env), reason, by)


def _described(error: BaseException) -> str:
    """``ZeroDivisionError: division by zero (bot.py, line 12)``."""
    text = " ".join(str(error).split())
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{message} ({Path(last.filename).name}, line {last.lineno})"
