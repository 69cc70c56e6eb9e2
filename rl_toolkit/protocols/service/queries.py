"""Queries of the analysis service: what a line may ask, read and checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from threading import Event
from typing import Any

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.records import read_position
from rl_toolkit.utils import did_you_mean, listed, shown

#: The fields of a query, and of an action.
QUERY_FIELDS = (
    *("id", "game", "position", "moves", "engine", "limit", "top"),
    *("analyzeTurns", "reportDuringSearchEvery", "priority"),
)
ACTION_FIELDS = ("id", "action", "terminateId")
ACTIONS = ("query_version", "terminate", "terminate_all")
_LIMITS = tuple(part.name for part in fields(Limit))
#: The most moves of a query.
_MOST_MOVES = 4000


class QueryError(ValueError):
    """A query that cannot be answered, with the field that is wrong."""

    def __init__(self, problem: str, name: str = "") -> None:
        super().__init__(problem)
        self.field = name


@dataclass(slots=True, eq=False)
class Task:
    """One position to analyse for a query."""

    query: str
    turn: int
    env: BaseGameEnv
    engine: str | None
    limit: Limit
    top: int | None
    every: float | None
    priority: int
    stop: Event = field(default_factory=Event)


def check_fields(data: dict[str, Any], allowed: tuple[str, ...]) -> str:
    """The id of a query or action that has no other fields than these."""
    name = data.get("id")
    if not isinstance(name, str):
        raise QueryError("id must be text", "id")
    for unknown in data.keys() - set(allowed):
        meant = did_you_mean(unknown, allowed)
        hint = f"did you mean {meant}?" if meant else f"the fields are {listed(allowed)}"
        raise QueryError(f"there is no field {shown(unknown)}; {hint}", unknown)
    return name


def read_tasks(data: dict[str, Any]) -> list[Task]:
    """The positions that a query asks about; raises `QueryError` if anything is wrong."""
    name = check_fields(data, QUERY_FIELDS)
    history = _positions(data)
    turns = _turns(data.get("analyzeTurns", [len(history) - 1]), len(history) - 1)
    engine = data.get("engine")
    if not (engine is None or isinstance(engine, str)):
        raise QueryError("engine must be a level or an engine, as text", "engine")
    limit = _limit(data.get("limit", {}))
    top = _whole(data, "top", 1)
    every = _every(data.get("reportDuringSearchEvery"))
    priority = _whole(data, "priority", -(10**9)) or 0
    return [Task(name, turn, history[turn], engine, limit, top, every, priority) for turn in turns]


def _positions(data: dict[str, Any]) -> list[BaseGameEnv]:
    """The position at the start and after each move."""
    game, start = data.get("game"), data.get("position", "")
    if not isinstance(game, str):
        raise QueryError("game must be the name of a game", "game")
    try:
        env = make_game(game)
    except ValueError as error:
        raise QueryError(str(error), "game") from error
    if not isinstance(start, str):
        raise QueryError("position must be text", "position")
    try:
        env = read_position(env, start)
    except ValueError as error:
        raise QueryError(str(error), "position") from error
    moves = data.get("moves", [])
    if not isinstance(moves, list) or len(moves) > _MOST_MOVES:
        raise QueryError(f"moves must be a list of at most {_MOST_MOVES} moves", "moves")
    history = [env]
    for number, move in enumerate(moves):
        if not isinstance(move, str):
            raise QueryError(f"moves[{number}] must be the name of a move, as text", "moves")
        env = env.copy()
        try:
            env.step(env.parse_move(move))
        except ValueError as error:
            raise QueryError(f"moves[{number}]: {error}", "moves") from error
        history.append(env)
    return history


def _turns(value: Any, last: int) -> list[int]:
    if not isinstance(value, list) or not value:
        raise QueryError("analyzeTurns must be a list of numbers of moves", "analyzeTurns")
    for turn in value:
        if not _is_whole(turn) or not 0 <= turn <= last:
            raise QueryError(
                f"analyzeTurns: {shown(turn)} is not a number from 0 to {last}", "analyzeTurns"
            )
    return list(dict.fromkeys(value))


def _limit(value: Any) -> Limit:
    if not isinstance(value, dict):
        raise QueryError('limit must be an object such as {"time": 1}', "limit")
    for name in value:
        if name not in _LIMITS:
            raise QueryError(
                f"there is no limit {shown(name)}; limits are {listed(_LIMITS)}", "limit"
            )
    try:
        return Limit(**value)
    except ValueError as error:
        raise QueryError(str(error), "limit") from error


def _every(value: Any) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not (math.isfinite(value) and value > 0):
        raise QueryError(
            "reportDuringSearchEvery must be a positive number of seconds",
            "reportDuringSearchEvery",
        )
    return float(value)


def _whole(data: dict[str, Any], name: str, least: int) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if not _is_whole(value) or not least <= value < 10**9:
        raise QueryError(f"{name} must be a whole number of at least {least}", name)
    assert isinstance(value, int)
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
