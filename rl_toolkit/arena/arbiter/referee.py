"""One game under the rules of a match: clocks run, limits are checked, proofs end the game."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

from rl_toolkit.analysis import Limit, StopSignal
from rl_toolkit.arena.arbiter.adjudication import Adjudication, adjudication
from rl_toolkit.arena.arbiter.clocks import RunningClock
from rl_toolkit.arena.arbiter.limits import bounds, excess
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.arena.play_game import (
    EngineFailedError,
    OnMove,
    TimedAnswer,
    make_move,
    timed_answer,
)
from rl_toolkit.arena.worker_engines import UnpreparedEngine
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player
from rl_toolkit.records import position_to_text

#: Seconds after the end of its time at which a search is stopped; it has lost by then.
_TO_STOP = 0.5


@runtime_checkable
class _EndedIfLate(Protocol):
    """An engine whose process is ended if it exceeds its limit by more than ``spare`` seconds."""

    spare: float


class _Deadline:
    """A stop signal that the clock of the arena sets."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def is_set(self) -> bool:
        """Whether the time is over."""
        return time.perf_counter() > self._end


@dataclass(slots=True)
class Refereed:
    """What the referee saw in a game; lists have an entry for each of the two engines.

    Attributes:
        seconds, thought: thinking time and number of moves.
        over_time: moves that took longer than the limit of the engine's own spec.
        over_limit: moves with more nodes, simulations or depth than the limit allows.
        excess: the first of these, in words, for each engine.
        loss: the engine that lost by a failure or on time, the position, the reason, and ``time``
            or ``forfeit``.
        adjudication: the proof that ended the game.
    """

    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    thought: list[int] = field(default_factory=lambda: [0, 0])
    over_time: list[int] = field(default_factory=lambda: [0, 0])
    over_limit: list[int] = field(default_factory=lambda: [0, 0])
    excess: list[str] = field(default_factory=lambda: ["", ""])
    loss: tuple[int, str, str, str] | None = None
    adjudication: Adjudication | None = None

    def to_dict(self) -> dict[str, Any]:
        """What belongs into a line of a journal; without what did not happen."""
        found: dict[str, Any] = {
            "seconds": [round(spent, 4) for spent in self.seconds],
            "thought": self.thought,
            "over_time": self.over_time,
        }
        if any(self.over_limit):
            found |= {"over_limit": self.over_limit, "excess": self.excess}
        if self.loss is not None:
            engine, position, reason, by = self.loss
            found["forfeit"] = {"engine": engine, "position": position, "reason": reason}
            found["forfeit"] |= {"by": by} if by != "forfeit" else {}
        if self.adjudication is not None:
            found["adjudication"] = asdict(self.adjudication)
        return found


def referee(
    env: BaseGameEnv,
    engines: Mapping[int, Player | UnpreparedEngine],
    numbers: Mapping[int, int],
    rules: Rules,
    on_move: OnMove | None = None,
) -> Refereed:
    """Play ``env`` to its end under the rules.

    ``engines`` maps each player to its engine, and ``numbers`` to the place of that engine in the
    match. An engine that fails or exceeds its time ends the game, which it has lost. A mistake in
    the code of the game raises `GameFailedError`. ``on_move`` is called as in `play_on`.
    """
    return _Game(env, engines, numbers, rules).play(on_move)


class _Game:
    def __init__(
        self,
        env: BaseGameEnv,
        engines: Mapping[int, Player | UnpreparedEngine],
        numbers: Mapping[int, int],
        rules: Rules,
    ) -> None:
        self.env, self.numbers, self.rules = env, numbers, rules
        self.seen = Refereed()
        self.engines = {
            player: engine.within(rules.limit) if isinstance(engine, Player) else engine
            for player, engine in engines.items()
        }
        self.own_time = {numbers[player]: each.limit.time for player, each in engines.items()}
        self.bounds = {
            numbers[player]: bounds(engine) if isinstance(engine, Player) else []
            for player, engine in self.engines.items()
        }
        self.clocks = {
            player: RunningClock(rules.clock) for player in engines if rules.clock is not None
        }

    def play(self, on_move: OnMove | None) -> Refereed:
        env, begun = self.env, False
        while not env.is_terminal():
            if begun and self.rules.adjudicate:
                self.seen.adjudication = adjudication(env, self.rules.adjudicate)
                if self.seen.adjudication is not None:
                    break
            begun = True
            player = env.current_player
            number, engine = self.numbers[player], self.engines[player]
            answer = self._ask(player, engine)
            self._count(number, answer)
            if (late := self._late(player, answer.seconds)) or answer.failure is not None:
                self.seen.loss = self._loss(number, answer.failure, late)
                break
            assert answer.analysis is not None
            if on_move is not None:
                on_move(player, answer.analysis, answer.seconds)
            try:
                make_move(engine, env, answer.analysis.candidates[0].move)
            except EngineFailedError as failure:
                self.seen.loss = self._loss(number, failure, "")
                break
        return self.seen

    def _ask(self, player: int, engine: Player | UnpreparedEngine) -> TimedAnswer:
        stop: StopSignal | None = None
        clock, limit = self.clocks.get(player), self.rules.limit.time
        if clock is not None:
            stop = _Deadline(clock.left + _TO_STOP)
            if isinstance(engine, Player):
                engine = engine.within(Limit(time=clock.share(self.env)))
                if isinstance(engine.engine, _EndedIfLate):
                    engine.engine.spare = max(0.0, clock.left - (engine.limit.time or 0.0))
        elif limit is not None:
            stop = _Deadline(limit + _TO_STOP)
        return timed_answer(engine, self.env, stop)

    def _count(self, number: int, answer: TimedAnswer) -> None:
        seen = self.seen
        seen.seconds[number] += answer.seconds
        if answer.analysis is None:
            return
        seen.thought[number] += 1
        own = self.own_time[number]
        seen.over_time[number] += own is not None and answer.seconds > own + self.rules.grace
        if said := excess(self.bounds[number], answer.analysis):
            seen.over_limit[number] += 1
            seen.excess[number] = seen.excess[number] or said

    def _late(self, player: int, spent: float) -> str:
        """How far an answer came too late, in words; empty if it came in time."""
        clock, limit = self.clocks.get(player), self.rules.limit.time
        if clock is not None:
            if beyond := clock.press(spent, self.rules.grace):
                return f"exceeded its clock of {self.rules.clock} by {beyond:.2f} s"
        elif limit is not None and spent > limit + self.rules.grace:
            return f"took {spent:.2f} s for a move, limit {limit:g} s"
        return ""

    def _loss(
        self, number: int, failure: EngineFailedError | None, late: str
    ) -> tuple[int, str, str, str]:
        if late:
            return number, position_to_text(self.env), late, "time"
        assert failure is not None
        return number, failure.position, failure.reason, "forfeit"
