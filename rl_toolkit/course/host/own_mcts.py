"""Record a student's Monte Carlo tree search: path, playout and back-up of each simulation.

Two kinds of methods are listened to, by their usual names: the one that plays a game out, and the
one that backs a result up. What happened in between is read from the nodes: visits and totals
before and after.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.bots import CHOOSING
from rl_toolkit.records import read_position
from rl_toolkit.utils import JsonObject

BACK_UP = (
    *("backpropagate", "_backpropagate", "back_propagate", "_back_propagate", "backprop"),
    *("_backprop", "backup", "_backup", "back_up", "_back_up", "update", "_update"),
    *("update_node", "update_stats", "update_tree", "propagate", "_propagate", "retropropager"),
)
_SIMULATE = ("simulate", "_simulate", "rollout", "_rollout", "playout", "_playout", "play_out")
_STEP = ("step", "play", "make_move", "apply_move", "move", "push")
_VISITS = ("visit_count", "visits", "n_visits", "num_visits", "N", "n")
_TOTAL = (
    *("total_value", "value_sum", "total_reward", "total", "wins", "score", "reward", "value"),
    *("W", "w", "Q", "q"),
)
_MOVE = ("move_from_parent", "move", "action")
_SCORE = ("uct_score", "ucb_score", "uct", "ucb", "ucb1", "uct_value", "ucb_value", "ucb1_score")
_COUNT = (
    *("num_simulations", "simulations", "n_simulations", "num_iterations", "iterations"),
    *("n_iterations", "budget", "num_sims", "n_sims", "sims", "rollouts", "n"),
)
_ASK = (*CHOOSING, "run")


class EnoughError(BaseException):
    """There are as many simulations as asked for; not an ``Exception``: students may catch that."""


class NotReadableError(Exception):
    """The search does not have what a recording needs; the message is a sentence."""


def simulations(module: ModuleType, what: JsonObject) -> JsonObject:
    """Run the search once and return its simulations, its constant and its move."""
    env = read_position(what["game"], what["position"])
    solver = made(getattr(module, what["owner"]), what["simulations"])
    recorder = _Recorder(what["simulations"], constant_of(solver))
    listened = recorder.listen(module)
    if not listened:
        raise NotReadableError(
            f"{what['file']} has no method that backs a result up; call it backpropagate"
        )
    best: Any = None
    try:
        position = position_for(env, what.get("own_games", ()))
        best = ask_of(solver)(position, **arguments_of(ask_of(solver), env))
    except EnoughError:
        pass
    if not recorder.rows:
        raise NotReadableError(f"{what['owner']} backed nothing up: no simulation was seen")
    return {
        "simulations": recorder.rows,
        "c": recorder.c,
        "best": int(best) if isinstance(best, (int, np.integer)) else recorder.favourite(),
    }


def made(cls: type, count: int | None) -> Any:
    """An object of the student's class that runs so many simulations, if it takes a number."""
    takes = inspect.signature(cls).parameters
    names = [name for name in _COUNT if name in takes]
    return cls(**({names[0]: count} if names and count is not None else {}))


def ask_of(solver: Any) -> Callable[..., Any]:
    """The method that searches."""
    for name in _ASK:
        if callable(method := getattr(solver, name, None)):
            return method  # type: ignore[no-any-return]
    raise NotReadableError(f"{type(solver).__name__} has no method {' or '.join(_ASK[:3])}")


def arguments_of(method: Callable[..., Any], env: BaseGameEnv) -> dict[str, Any]:
    """``maximize``, if the method has it."""
    takes = inspect.signature(method).parameters
    return {"maximize": env.current_player == 1} if "maximize" in takes else {}


def position_for(env: BaseGameEnv, own_games: Iterable[list[str]] = ()) -> Any:
    """The position as a search of the student takes it.

    An object of their own class, the first of ``own_games`` (file, class) with a board of the same
    size as numbers −1, 0 and 1; else a copy of ``env``.
    """
    for file, name in own_games:
        try:
            game = getattr(importlib.import_module(file.removesuffix(".py")), name)()
            board = game.board
            if isinstance(board, (list, np.ndarray)) and np.shape(board) == (env.board.size,):
                like = np.array(env.board, dtype=getattr(board, "dtype", int))
                game.board = like if isinstance(board, np.ndarray) else like.tolist()
                game.current_player = env.current_player
                if hasattr(game, "move_count"):
                    game.move_count = int(np.count_nonzero(env.board))
                return game
        except Exception:  # not written yet, or another form: the game of the toolkit does
            continue
    return env.copy()


def constant_of(solver: Any) -> float:
    """The exploration constant, as far as it can be seen."""
    for name in ("c", "C", "c_puct", "exploration", "exploration_constant", "exploration_weight"):
        value = getattr(solver, name, None)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
            return float(value)
    return 1.41


class _Recorder:
    def __init__(self, most: int, c: float) -> None:
        self._most, self.c = most, c
        self.rows: list[list[Any]] = []
        self._playout: list[int] | None = None
        self._depth = 0
        self._in_playout = False
        self._listening: set[type] = set()
        self._root: Any = None

    # -------------------------------------------------------------------------- listening

    def listen(self, module: ModuleType) -> bool:
        """Listen to the methods of all classes of a file; whether one backs up."""
        found = False
        for home in [module, *_classes(module)]:
            for name, function in list(vars(home).items()):
                if name in BACK_UP and inspect.isfunction(function):
                    setattr(home, name, self._around(function, self._backed))
                    found = True
                elif name in _SIMULATE and inspect.isfunction(function):
                    setattr(home, name, self._around(function, self._played_out))
        return found

    @staticmethod
    def _around(function: Callable[..., Any], around: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*args: Any, **named: Any) -> Any:
            return around(lambda: function(*args, **named), (*args, *named.values()))

        return wrapped

    def _played_out(self, call: Callable[[], Any], given: tuple[Any, ...]) -> Any:
        if self._in_playout:
            return call()
        for value in given:
            for thing in (value, *_positions(value)):
                self._listen_to_moves(type(thing))
        self._in_playout, self._playout = True, []
        try:
            return call()
        finally:
            self._in_playout = False

    def _listen_to_moves(self, cls: type) -> None:
        name = next((name for name in _STEP if inspect.isfunction(getattr(cls, name, None))), None)
        if name is None or cls in self._listening:
            return
        self._listening.add(cls)
        step = getattr(cls, name)

        @functools.wraps(step)
        def wrapped(game: Any, *args: Any, **named: Any) -> Any:
            if self._in_playout and self._playout is not None:
                move = next(iter((*args, *named.values())), None)
                if isinstance(move, (int, np.integer)) and not isinstance(move, bool):
                    self._playout.append(int(move))
            return step(game, *args, **named)

        setattr(cls, name, wrapped)

    # -------------------------------------------------------------------------- backing up

    def _backed(self, call: Callable[[], Any], given: tuple[Any, ...]) -> Any:
        if self._depth:  # a node that hands the result on to its parent
            return call()
        node = next((value for value in given if _is_node(value)), None)
        result = next((number for number in map(_number, given) if number is not None), None)
        if node is None or result is None:
            return call()
        if len(self.rows) >= self._most:
            raise EnoughError
        path = list(_path(node))[::-1]
        before = [(_visits(node), _total(node)) for node in path]
        choices = self._choices(path)
        self._depth += 1
        try:
            answer = call()
        finally:
            self._depth -= 1
        self._root = path[0]
        now = [(_visits(node), _total(node)) for node in path]
        self.rows.append(
            [
                [_move(node) for node in path[1:]],
                self._playout,
                result,
                [after[0] - old[0] for after, old in zip(now, before, strict=True)],
                [round(after[1] - old[1], 9) for after, old in zip(now, before, strict=True)],
                choices,
            ]
        )
        self._playout = None
        return answer

    def _choices(self, path: list[Any]) -> list[list[list[Any]]]:
        """The children at each node of the path where selection chose among visited ones."""
        found = []
        for above, below in itertools.pairwise(path):
            if not _visits(below):
                break
            found.append(
                [
                    [_move(child), int(_visits(child)), _total(child), self._score(child)]
                    for child in _children(above)
                    if _visits(child)
                ]
            )
        return found

    def _score(self, child: Any) -> float | None:
        for name in _SCORE:
            method = getattr(child, name, None)
            if not callable(method):
                continue
            takes = inspect.signature(method).parameters
            try:
                value = _number(method(self.c) if takes else method())
            except (TypeError, ValueError, ArithmeticError):
                return None
            return None if value is None or not math.isfinite(value) else value
        return None

    def favourite(self) -> int | None:
        """The most visited move, of a search that was ended before it answered."""
        children = list(_children(self._root))
        return _move(max(children, key=_visits)) if children else None


def _classes(module: ModuleType) -> Iterator[type]:
    for value in list(vars(module).values()):
        if inspect.isclass(value) and value.__module__ == module.__name__:
            yield value


def _positions(thing: Any) -> Iterator[Any]:
    """The game that a node or a solver holds."""
    for name in ("env", "state", "game"):
        if hasattr(thing, name):
            yield getattr(thing, name)


def _is_node(thing: Any) -> bool:
    return hasattr(thing, "parent") and _name(thing, _VISITS) is not None


def _name(thing: Any, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if _number(getattr(thing, name, None)) is not None), None)


def _visits(node: Any) -> float:
    name = _name(node, _VISITS)
    return 0.0 if name is None else float(getattr(node, name))


def _total(node: Any) -> float:
    name = _name(node, _TOTAL)
    if name is None:
        raise NotReadableError("a node has no total: call it total_value")
    return float(getattr(node, name))


def _move(node: Any) -> int:
    for name in _MOVE:
        move = getattr(node, name, None)
        if isinstance(move, (int, np.integer)) and not isinstance(move, bool):
            return int(move)
    raise NotReadableError("a node does not know its move: call it move_from_parent")


def _path(node: Any) -> Iterator[Any]:
    for _ in range(1000):
        yield node
        node = node.parent
        if node is None:
            return
    raise NotReadableError("the parents of a node form a circle")


def _children(node: Any) -> list[Any]:
    children = getattr(node, "children", None) or []
    return list(children.values()) if isinstance(children, dict) else list(children)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        return None
    return float(value)
