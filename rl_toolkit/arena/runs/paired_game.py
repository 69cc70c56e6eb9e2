"""One game of a pair, as a worker plays it.

The seed of the match, the number of the pair and who moves first determine all randomness, so any
worker can play any game. An engine that raises an error or plays an illegal move forfeits the game.
One that cannot be started or loaded, and needs a long time for that, is not tried again.

An engine that could not play for a reason outside it (`EngineError.by`) has not lost: the game is
played again, once. If that fails too, it is *not played*: it has no result and counts for no
player. But an engine whose process was killed or stopped in both tries has lost: it could do so
itself whenever it is about to lose, and who sent a signal cannot be seen.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from rl_toolkit.arena.arbiter.play_game import NOT_LOST, OnMove
from rl_toolkit.arena.arbiter.referee import referee
from rl_toolkit.arena.arbiter.worker_engines import UnpreparedEngine, new_engine, prepared
from rl_toolkit.arena.runs.match_results import Match
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.envs import naming_failures
from rl_toolkit.players import Player

#: Seconds after which a failure to prepare an engine is not waited for again.
_LONG = 1.0

#: A game to play: the match, the number of its pair, the opening, and which engine begins: it is X,
#: unless swap2 gives it the other side.
Task = tuple[Match, int, Opening, int]

#: Engines that could not be prepared, and took long to fail: the match, their number, and why.
_slow_failures: dict[tuple[Match, int], str] = {}


def forget_failures() -> None:
    """Try again to prepare engines that failed; for the beginning of a run."""
    _slow_failures.clear()


@naming_failures()
def play_paired_game(
    task: Task, on_move: OnMove | None = None, on_again: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """One game of a pair, as a part of a line of a journal; ``result`` is ``None`` if not played.

    ``on_move`` is called as in `play_on`, for those who watch; its time is on no clock.
    ``on_again`` is called if the game begins anew.
    """
    game = _played(task, on_move)
    if game["result"] is not None:
        return game
    on_again()
    again, failure = _played(task, on_move), game["forfeit"]
    if again["result"] is None and _was_killed_twice(failure, lost := again["forfeit"]):
        lost["reason"] += ", for the second time in this game"
        del lost["by"]
        again["result"] = -1 if lost["engine"] == 0 else 1
    for failed in (failure, again.get("forfeit", {})):
        if failed.get("by") == "killed":
            failed["by"] = "not played"
    return {**again, "first_try": failure}


def _was_killed_twice(before: dict[str, Any], now: dict[str, Any]) -> bool:
    return {before["by"], now["by"]} == {"killed"} and bool(before["engine"] == now["engine"])


def _played(task: Task, on_move: OnMove | None) -> dict[str, Any]:
    match, pair, opening, first = task
    env = opening.position(match.game)
    # New engines for every game, so that it does not depend on what they remember of the last one.
    rng = random.Random(f"{match.seed} {pair} {first}")
    seeds = [rng.getrandbits(31) for _ in match.engines]
    engines = [_ready(match, number, seed) for number, seed in enumerate(seeds)]
    numbers = {1: first, -1: 1 - first}
    players = {player: engines[number] for player, number in numbers.items()}
    seen = referee(env, players, numbers, match.rules, on_move, swap2=opening.swap2)
    first, made = seen.first, seen.opening or opening.moves
    result: int | None
    if seen.loss is not None and seen.loss[3] in NOT_LOST:
        result = None
    elif seen.loss is not None:
        result = -1 if seen.loss[0] == 0 else 1
    else:
        proof = seen.adjudication
        winner = int(env.get_result(1)) if proof is None else proof.winner
        result = winner if first == 0 else -winner
    return {
        "first": first,
        **({"start": opening.start} if opening.start else {}),
        "opening": list(made),
        "moves": env.history[len(made) :],
        "result": result,
        **seen.to_dict(),
    }


def play_or_explain(task: Task) -> dict[str, Any]:
    """The result of `play_paired_game`; if that raises, the ``failure`` and who moves first."""
    try:
        return play_paired_game(task)
    except Exception as error:  # one game must not end a run that does without it
        return {"first": task[3], "failure": f"{type(error).__name__}: {error}"[:300]}


def _ready(match: Match, number: int, seed: int) -> Player | UnpreparedEngine:
    """An engine of a match, started before the clock is; if it fails, its first move will."""
    player = new_engine(match.game, match.engines[number], seed=seed)
    if (reason := _slow_failures.get((match, number))) is not None:
        return UnpreparedEngine(player.name, reason)
    began = time.monotonic()
    engine = prepared(match.game, player)
    seconds = time.monotonic() - began
    if isinstance(engine, UnpreparedEngine) and engine.by == "forfeit" and seconds > _LONG:
        _slow_failures[match, number] = engine.reason
    return engine
