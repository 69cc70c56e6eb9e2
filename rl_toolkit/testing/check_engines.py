"""`check_engine`: ask an engine about random positions and check that it keeps the rules.

The rules are those of a match: every answer is legal, limits are kept, a stop is heard, and the
same seed gives the same answers.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from rl_toolkit.analysis import Analysis, Engine, EngineError, Limit, prepare
from rl_toolkit.arena import EngineFailedError, checked_answer
from rl_toolkit.envs import BaseGameEnv, game_families, make_game
from rl_toolkit.players import Player
from rl_toolkit.records import position_to_text
from rl_toolkit.testing.scene import view

#: Makes a new engine for a seed.
MakeEngine = Callable[[int], Engine]
#: Seconds beyond a limit, and after a stop: clocks and busy machines take a moment.
GRACE = 0.5
#: Seconds for a move of an engine that has no time of its own.
SECONDS = 1.0
#: Seconds after which a search is stopped.
_STOP_AFTER = 0.05
#: Positions in which it is asked twice, and stopped.
_AGAIN, _STOPPED = 20, 3
#: The share of its time from which on the clock may have chosen the move, and not the seed.
_BY_CLOCK = 0.25
_TRIES = 50

#: Every rule as a sentence, by its short name.
RULES = {
    "start": "The engine can be loaded.",
    "legal": "Every answer is a legal move.",
    "untouched": "The position that it is given stays as it is.",
    "limit": "It answers within its time.",
    "stop": "It answers soon after it was told to stop.",
    "seed": "The same seed gives the same answers, where time does not end its search.",
}


class EngineRuleError(AssertionError):
    """An engine breaks a rule.

    Attributes:
        rule: the short name of the rule, a key of `RULES`.
        env: the position, ``None`` if it could not even be loaded.
        sentence: what is wrong.
    """

    def __init__(self, rule: str, env: BaseGameEnv | None, sentence: str) -> None:
        where = "" if env is None else f" ({env.name}, position {position_to_text(env)})"
        super().__init__(f"{sentence}{where}")
        self.rule, self.env, self.sentence = rule, env, sentence


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """What was checked in one game: the number of positions and the longest time for a move."""

    game: str
    positions: int
    longest: float


def check_engine(
    make: MakeEngine,
    games: Sequence[str] = (),
    *,
    positions: int = 200,
    limit: float | None = None,
    seed: int = 0,
    most_seconds: float | None = None,
    on_game: Callable[[CheckedGame], object] | None = None,
) -> None:
    """Check an engine in ``positions`` of each game; raise `EngineRuleError` for the first failure.

    ``make`` returns a new engine for a seed; ``games`` are all if none are named; ``limit`` is the
    time for a move, by default the engine's own, or else `SECONDS`. After ``most_seconds`` in a
    game it is asked about no further position. The same seed asks about the same positions.

    >>> from rl_toolkit.algorithms.simple import RandomEngine
    >>> check_engine(RandomEngine, ["tictactoe"], positions=5)
    """
    for game in games or [family.name for family in game_families()]:
        checked = _check_game(make, game, positions, limit, seed, most_seconds)
        if on_game is not None:
            on_game(checked)


def _check_game(
    make: MakeEngine,
    game: str,
    positions: int,
    wanted: float | None,
    seed: int,
    most_seconds: float | None,
) -> CheckedGame:
    engine = _started(make, game, seed)
    limit = _own_time(engine) or SECONDS if wanted is None else wanted
    answers: list[tuple[BaseGameEnv, int]] = []
    longest = spent = 0.0
    for env in random_positions(game, positions, seed):
        before = view(env)
        began = time.perf_counter()
        move = _answer(engine, env, limit)
        seconds = time.perf_counter() - began
        if view(env) != before:
            raise EngineRuleError("untouched", env, f"{engine.name} changes the position")
        if answers and seconds > limit + GRACE:  # the first move may have to compile
            raise EngineRuleError(
                "limit",
                env,
                f"{engine.name} took {seconds:.1f} s with a limit of {limit:g} s{_advice(engine)}",
            )
        longest = max(longest, seconds if answers else 0.0)
        answers.append((env, move))
        spent += seconds
        if most_seconds is not None and spent > most_seconds:
            break
    _check_seed(_started(make, game, seed), answers[:_AGAIN], limit)
    for env, _ in answers[:_STOPPED]:
        _check_stop(engine, env)
    return CheckedGame(game, len(answers), longest)


def _started(make: MakeEngine, game: str, seed: int) -> Engine:
    try:
        engine = make(seed)
        prepare(engine.engine if isinstance(engine, Player) else engine, make_game(game).name)
    except EngineError as error:
        raise EngineRuleError("start", None, str(error)) from error
    return engine


def _answer(engine: Engine, env: BaseGameEnv, limit: float) -> int:
    """The move of the engine, which must be legal."""
    try:
        analysis = checked_answer(_Limited(engine, limit), env)
    except EngineFailedError as failed:
        is_late = "did not answer within" in failed.reason
        named = "start=" in failed.reason  # the option that helps
        sentence = (
            f"{engine.name} {failed.reason}{_advice(engine) if is_late and not named else ''}"
        )
        raise EngineRuleError("limit" if is_late else "legal", env, sentence) from failed
    move = analysis.candidates[0].move
    if move not in env.get_legal_moves():
        raise EngineRuleError("legal", env, f"{engine.name} played {move!r}, which is illegal")
    return move


def _own_time(engine: Engine) -> float | None:
    return engine.limit.time if isinstance(engine, Player) else None


def _advice(engine: Engine) -> str:
    """The option of a player that gives it longer."""
    takes_time = isinstance(engine, Player) and engine.spec.takes("time")
    return " (time= sets the seconds)" if takes_time else ""


@dataclass(frozen=True, slots=True)
class _Limited:
    """An engine that is always asked with a time limit, and with its own other limits."""

    engine: Engine
    seconds: float

    @property
    def name(self) -> str:
        return self.engine.name

    def analyse(
        self,
        env: BaseGameEnv,
        limit: object = None,
        on_progress: object = None,
        stop: object = None,
    ) -> Analysis:
        limit = Limit(time=self.seconds)
        if isinstance(self.engine, Player):
            limit = replace(self.engine.limit, time=self.seconds)
        return self.engine.analyse(env, limit)


def _check_seed(engine: Engine, answers: list[tuple[BaseGameEnv, int]], limit: float) -> None:
    """Ask a new engine with the same seed the same questions, until it thinks for long.

    A search that its time ends may find another move when it is asked again.
    """
    for env, before in answers:
        began = time.perf_counter()
        now = _answer(engine, env, limit)
        if time.perf_counter() - began >= _BY_CLOCK * limit:
            return
        if now != before:
            names = f"{env.move_name(before)}, then {env.move_name(now)}"
            raise EngineRuleError(
                "seed", env, f"{engine.name} does not repeat itself with the same seed: {names}"
            )


def _check_stop(engine: Engine, env: BaseGameEnv) -> None:
    """Give it a minute to think, and stop it."""
    stop = threading.Event()
    timer = threading.Timer(_STOP_AFTER, stop.set)
    timer.start()
    began = time.perf_counter()
    try:
        engine.analyse(env.copy(), Limit(time=60), None, stop)
    except EngineError as error:
        advice = "take a parameter stop, and look at stop.is_set() while you think"
        raise EngineRuleError("stop", env, f"{engine.name} {error.reason}: {advice}") from error
    finally:
        timer.cancel()
        timer.join()
    seconds = time.perf_counter() - began
    if seconds > _STOP_AFTER + GRACE:
        late = seconds - _STOP_AFTER
        raise EngineRuleError(
            "stop", env, f"{engine.name} went on for {late:.1f} s after it was told to stop"
        )


def random_positions(game: str, count: int, seed: int) -> Iterator[BaseGameEnv]:
    """Different positions of random games that are not over, from the start to the end.

    Fewer than ``count`` where a game has not so many.
    """
    rng = random.Random(f"check {game} {seed}")
    seen, missed = set[Hashable](), 0
    while len(seen) < count and missed < _TRIES:
        env, fresh = make_game(game), False
        while not env.is_terminal() and len(seen) < count:
            if env.get_state_hash() not in seen and (not seen or rng.random() < 0.5):
                seen.add(env.get_state_hash())
                fresh = True
                yield env.copy()
            env.step(rng.choice(env.get_legal_moves()))
        missed = 0 if fresh else missed + 1
