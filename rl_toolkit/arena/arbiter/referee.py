"""One game under the rules of a match: clocks run, limits are checked, proofs end the game."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from rl_toolkit.analysis import EndsIfLate, Engine, Limit, StopSignal
from rl_toolkit.arena.arbiter.adjudication import Adjudication, adjudication
from rl_toolkit.arena.arbiter.clocks import RunningClock
from rl_toolkit.arena.arbiter.limits import WorkLimits
from rl_toolkit.arena.arbiter.play_game import (
    NOT_LOST,
    EngineFailedError,
    OnMove,
    TimedAnswer,
    play_on,
    timed_answer,
)
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.arena.arbiter.swap2 import swap2 as made_by_swap2
from rl_toolkit.arena.arbiter.worker_engines import UnpreparedEngine
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player
from rl_toolkit.records import position_to_text

#: Seconds after the end of its time at which a search is stopped; it has lost by then.
_TO_STOP = 0.5


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
        unchecked: moves whose work a limit of the rules could not be compared with.
        loss: the engine that failed, the position, the reason, and whether it lost by that, as in
            `EngineFailedError.by`.
        adjudication: the proof that ended the game.
        first: the engine that plays X.
        opening: the moves that the engines made by swap2.
    """

    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    thought: list[int] = field(default_factory=lambda: [0, 0])
    over_time: list[int] = field(default_factory=lambda: [0, 0])
    over_limit: list[int] = field(default_factory=lambda: [0, 0])
    excess: list[str] = field(default_factory=lambda: ["", ""])
    unchecked: list[int] = field(default_factory=lambda: [0, 0])
    loss: tuple[int, str, str, str] | None = None
    adjudication: Adjudication | None = None
    first: int = 0
    opening: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What belongs into a line of a journal; without what did not happen."""
        data: dict[str, Any] = {
            "seconds": [round(spent, 4) for spent in self.seconds],
            "thought": self.thought,
            "over_time": self.over_time,
        }
        if any(self.over_limit):
            data |= {"over_limit": self.over_limit, "excess": self.excess}
        if any(self.unchecked):
            data["unchecked"] = self.unchecked
        if self.loss is not None:
            engine, position, reason, by = self.loss
            data["forfeit"] = {"engine": engine, "position": position, "reason": reason}
            data["forfeit"] |= {"by": by} if by != "forfeit" else {}
        if self.adjudication is not None:
            data["adjudication"] = asdict(self.adjudication)
        return data


def referee(
    env: BaseGameEnv,
    engines: Mapping[int, Player | UnpreparedEngine],
    numbers: Mapping[int, int],
    rules: Rules,
    on_move: OnMove | None = None,
    *,
    swap2: str = "",
) -> Refereed:
    """Play ``env`` to its end under the rules.

    ``engines`` maps each player to its engine, and ``numbers`` to the place of that engine in the
    match. An engine that fails, or exceeds its time or a limit of the rules, ends the game, which
    it has lost unless the cause is outside it. A mistake in the code of the game raises
    `GameFailedError`. ``on_move`` is called as in `play_on`.

    With ``swap2``, which its placements are drawn with, the engines first make the opening: the one
    of player 1 begins, and may get the other side. Clocks and limits hold for that as well.
    """
    return _Game(env, engines, numbers, rules).play(on_move, swap2)


class _Game:
    def __init__(
        self,
        env: BaseGameEnv,
        engines: Mapping[int, Player | UnpreparedEngine],
        numbers: Mapping[int, int],
        rules: Rules,
    ) -> None:
        self.env, self.numbers, self.rules = env, numbers, rules
        self.seen = Refereed(first=numbers[1])
        self.engines = {
            player: engine.within(rules.limit) if isinstance(engine, Player) else engine
            for player, engine in engines.items()
        }
        self.own_time = {numbers[player]: engine.limit.time for player, engine in engines.items()}
        self.limits = {
            numbers[player]: (
                WorkLimits.of(engine, rules, env) if isinstance(engine, Player) else WorkLimits()
            )
            for player, engine in self.engines.items()
        }
        self.begun = False
        self.clocks = {
            player: RunningClock(rules.clock) for player in engines if rules.clock is not None
        }

    def play(self, on_move: OnMove | None, swap2: str) -> Refereed:
        try:
            if swap2:
                self._open(random.Random(swap2))
            play_on(
                self.env,
                self.engines,
                on_move=on_move,
                ask=self._ask,
                is_decided=self._is_proven,
            )
        except EngineFailedError as failure:
            number = self.numbers[failure.player]
            self.seen.loss = number, failure.position, failure.reason, failure.by
        return self.seen

    def _open(self, chance: random.Random) -> None:
        """Let the engines make the opening; who then plays the other side changes its number."""
        valuers = [partial(self._value_by, player) for player in (1, -1)]
        moves, is_first = made_by_swap2(self.env, chance, *valuers)
        for move in moves:
            self.env.step(move)
        if not is_first:
            self.numbers = {-player: number for player, number in self.numbers.items()}
            self.engines = {-player: engine for player, engine in self.engines.items()}
            self.clocks = {-player: clock for player, clock in self.clocks.items()}
        self.seen.first, self.seen.opening = self.numbers[1], tuple(moves)

    def _value_by(self, player: int, env: BaseGameEnv) -> float:
        """The value of a position for the side to move, by the engine of a player."""
        answer = self._ask(self.engines[player], env, player)
        if (failed := answer.failure) is not None:
            raise EngineFailedError(
                player, failed.engine, failed.position, failed.reason, failed.by
            ) from failed
        value: object = answer.analysis and answer.analysis.value
        return float(value) if isinstance(value, int | float) else 0.0

    def _is_proven(self) -> bool:
        """Whether a proof ends the game; the first move is played in any case."""
        if self.rules.adjudicate and self.begun:
            self.seen.adjudication = adjudication(self.env, self.rules.adjudicate)
        self.begun = True
        return self.seen.adjudication is not None

    def _ask(self, engine: Engine, env: BaseGameEnv, player: int = 0) -> TimedAnswer:
        """The answer of an engine; a failure if it broke the rules.

        It is that of the side to move, or of ``player`` for a position that is to be valued.
        """
        player = player or env.current_player
        stop: StopSignal | None = None
        clock, limit = self.clocks.get(player), self.rules.limit.time
        if clock is not None:
            stop = _Deadline(clock.left + _TO_STOP)
            if isinstance(engine, Player):
                engine = engine.within(Limit(time=clock.share(env)))
                if isinstance(engine.engine, EndsIfLate):
                    engine.engine.spare = max(0.0, clock.left - (engine.limit.time or 0.0))
        elif limit is not None:
            stop = _Deadline(limit + _TO_STOP)
        answer = timed_answer(engine, env, stop)
        number = self.numbers[player]
        self._count(number, answer)
        if answer.failure is not None and answer.failure.by in NOT_LOST:
            return answer
        by, reason = "time", self._late(player, answer.seconds)
        if not reason and answer.analysis is not None:
            by, reason = "forfeit", self.limits[number].breach(answer.analysis)
        if not reason:
            return answer
        failure = EngineFailedError(player, engine.name, position_to_text(env), reason, by)
        return replace(answer, failure=failure)

    def _count(self, number: int, answer: TimedAnswer) -> None:
        seen = self.seen
        if answer.analysis is None:  # no move; and its time may be that of ending a process
            return
        seen.seconds[number] += answer.seconds
        seen.thought[number] += 1
        own = self.own_time[number]
        seen.over_time[number] += own is not None and answer.seconds > own + self.rules.grace
        limits = self.limits[number]
        seen.unchecked[number] += limits.is_unchecked(answer.analysis)
        if excess := limits.excess(answer.analysis):
            seen.over_limit[number] += 1
            seen.excess[number] = seen.excess[number] or excess

    def _late(self, player: int, spent: float) -> str:
        """How far an answer came too late, in words; empty if it came in time."""
        clock, limit = self.clocks.get(player), self.rules.limit.time
        if clock is not None:
            if beyond := clock.press(spent, self.rules.grace):
                return f"exceeded its clock of {self.rules.clock} by {beyond:.2f} s"
        elif limit is not None and spent > limit + self.rules.grace:
            return f"took {spent:.2f} s for a move, limit {limit:g} s"
        return ""
