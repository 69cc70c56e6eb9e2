"""Record a student's minimax or alpha-beta: every call, with its position, window and value.

The function is replaced by one that writes down what it is given and what it returns, and calls the
old one. The student's code calls itself by name, so all its calls are seen.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Hashable
from types import ModuleType
from typing import Any

import numpy as np

from rl_toolkit.adapting import BoardFormatError, Form
from rl_toolkit.course.host.own_mcts import position_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.hand_trees import HandNode, HandTreeGame
from rl_toolkit.records import read_position
from rl_toolkit.utils import JsonObject

#: Scores of this size stand for infinity, which JSON does not have.
_HUGE = 1e300
_MAKE_BOARD = ("create_board", "new_board", "empty_board", "initial_board", "make_board")
_PLAY = ("drop", "drop_piece", "apply_move", "make_move", "play")


class EnoughError(BaseException):
    """There are more calls than a trace takes; not an ``Exception``, which students may catch."""


class TreeNode:
    """A node of a tree, with the methods of the handout in both spellings."""

    def __init__(self, tree: HandTreeGame, node: HandNode) -> None:
        self._tree, self._node = tree, node
        self.number, self.score, self.value = node.number, node.value, node.value

    def is_leaf(self) -> bool:
        """Whether nothing comes after it."""
        return not self._node.children

    def get_score(self) -> float | None:
        """The number of a leaf."""
        return self._node.value

    def get_children(self) -> list[TreeNode]:
        """The nodes below it."""
        return [TreeNode(self._tree, child) for child in self._node.children]

    def get_move(self) -> str:
        """Its name."""
        return self._node.name

    children = property(get_children)
    isLeaf, getScore, getChildren, getMove = (  # noqa: N815 - as the handout writes them
        is_leaf,
        get_score,
        get_children,
        get_move,
    )


def calls(module: ModuleType, what: JsonObject) -> JsonObject:
    """Call the search once and return what it did: rows of `OwnCall`, or ``too_many``."""
    owner, name, roles = what["owner"], what["name"], what["roles"]
    home: Any = getattr(module, owner) if owner else module
    env = _position(what)
    position, read = _in_their_form(module, env, what)
    recorder = _Recorder(vars(home)[name], roles, read, what["most"])
    setattr(home, name, recorder.wrapped)
    function = getattr(_made(home, what["depth"]), name) if owner else getattr(module, name)
    given = _arguments(roles, position, env, what["depth"], read)
    try:
        function(**given)
    except EnoughError:
        return {"too_many": True}
    return {"calls": recorder.rows}


def _position(what: JsonObject) -> BaseGameEnv:
    return (
        HandTreeGame(what["tree"])
        if what["tree"]
        else read_position(what["game"], what["position"])
    )


def _made(cls: type, depth: int | None) -> Any:
    """An object of the student's class, with a depth limit if it takes one."""
    takes = inspect.signature(cls).parameters
    limits = [name for name in ("max_depth", "depth", "depth_limit") if name in takes]
    return cls(**({limits[0]: depth} if depth is not None and limits else {}))


def _arguments(
    roles: JsonObject, position: Any, env: BaseGameEnv, depth: int | None, read: _Reading
) -> dict[str, Any]:
    mover = env.current_player
    counts_down = roles.get("counts_down", False)
    left = 99 if depth is None else depth
    values = {
        "position": position,
        "alpha": -math.inf,
        "beta": math.inf,
        "flag": mover == 1,
        "player": read.player(mover),
        "depth": left if counts_down else 0,
    }
    return {roles[role]: value for role, value in values.items() if roles.get(role)}


# ------------------------------------------------------------------------------- positions


class _Reading:
    """How the student's positions are read: cells, or the number of a node of a tree."""

    def __init__(self, form: Form | None = None, is_tree: bool = False) -> None:
        self._form, self._is_tree = form, is_tree

    def cells(self, position: Any) -> Any:
        """The cells as −1, 0 and 1, a list; the number of a node in a tree."""
        if self._is_tree:
            return int(position.number)
        if self._form is not None:
            return self._form.read(position).tolist()
        board = np.asarray(position.board).ravel()
        if board.dtype.kind not in "if" or set(np.unique(board)) - {-1, 0, 1}:
            raise BoardFormatError("holds something else than -1, 0 and 1")
        return [int(cell) for cell in board]

    def player(self, player: int) -> Any:
        """A player as the student writes it."""
        return player if self._form is None else self._form.mark(player)

    def mover(self, given: Any) -> int | None:
        """The player that an argument names."""
        if self._form is None:
            return int(given) if given in (1, -1) else None
        try:
            return self._form.player_of(given) or None
        except BoardFormatError:
            return None


def _in_their_form(module: ModuleType, env: BaseGameEnv, what: JsonObject) -> tuple[Any, _Reading]:
    """The position as the student's search takes it, and how to read others."""
    if isinstance(env, HandTreeGame):
        return TreeNode(env, env.tree.root), _Reading(is_tree=True)
    make = next((getattr(module, name) for name in _MAKE_BOARD if hasattr(module, name)), None)
    if what["owner"] or not callable(make):
        return position_for(env, what["own_games"]), _Reading()
    form = _form(module, make(), env)
    return form.write(env.board), _Reading(form)


def _form(module: ModuleType, like: Any, env: BaseGameEnv) -> Form:
    bare = Form(env.rows, env.cols, like, None)
    empty = bare.contents(like)[0]
    x, o = _pieces(module, empty)
    form = Form(env.rows, env.cols, like, empty, {x: 1, o: -1})
    if env.traits.move_by != "column":
        return form
    # Where does a piece fall? Our first row is the one at the bottom.
    play = next((getattr(module, name) for name in _PLAY if hasattr(module, name)), None)
    if callable(play):
        board = play(like, 0, x)
        cells = form.read(like if board is None else board)
        if cells[(env.rows - 1) * env.cols]:
            return Form(env.rows, env.cols, like, empty, {x: 1, o: -1}, is_flipped=True)
    return form


def _pieces(module: ModuleType, empty: Hashable) -> tuple[Hashable, Hashable]:
    named = getattr(module, "X", None), getattr(module, "O", None)
    if all(isinstance(piece, (str, int)) for piece in named) and named[0] != named[1]:
        return named
    return ("X", "O") if empty != 0 else (1, -1)


# ------------------------------------------------------------------------------ recording


class _Recorder:
    """Writes down the calls of a function."""

    def __init__(
        self, function: Callable[..., Any], roles: JsonObject, read: _Reading, most: int
    ) -> None:
        self._function, self._roles, self._read, self._most = function, roles, read, most
        self._signature = inspect.signature(function)
        self._stack: list[int] = []
        self._cells: list[Any] = []
        self._score_at = 1  # of a pair of move and score
        self.rows: list[list[Any]] = []

        @functools.wraps(function)
        def wrapped(*args: Any, **named: Any) -> Any:
            return self._call(args, named)

        self.wrapped = wrapped

    def _call(self, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        bound = self._signature.bind(*args, **named)
        bound.apply_defaults()
        given = {role: bound.arguments.get(name) for role, name in self._roles.items() if name}
        number, parent = len(self.rows), self._stack[-1] if self._stack else -1
        if number >= self._most:
            raise EnoughError
        cells = self._read.cells(given["position"])
        where = cells if isinstance(cells, int) else self._changes(parent, cells)
        flag = given.get("flag")
        row: list[Any] = [
            parent,
            where,
            _number(given.get("alpha")),
            _number(given.get("beta")),
            bool(flag) if flag is not None else None,
            self._read.mover(given["player"]) if "player" in given else None,
            None,
        ]
        self.rows.append(row)
        self._cells.append(cells)
        self._stack.append(number)
        try:
            answer = self._function(*args, **named)
        finally:
            self._stack.pop()
        row[-1] = self._value(answer)
        return answer

    def _changes(self, parent: int, cells: list[int]) -> list[int]:
        before = self._cells[parent] if parent >= 0 else cells
        return [
            number
            for cell, (old, new) in enumerate(zip(before, cells, strict=True))
            if old != new
            for number in (cell, new)
        ]

    def _value(self, answer: Any) -> float | None:
        """The value in what was returned: a number, or a pair of move and score."""
        if isinstance(answer, (tuple, list)) and len(answer) == 2:
            if answer[1] is None:
                self._score_at = 0
            answer = answer[self._score_at]
        return _number(answer)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        return None
    number = float(value)
    return None if math.isnan(number) else max(-_HUGE, min(_HUGE, number))
