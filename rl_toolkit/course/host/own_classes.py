"""A program of one's own that is written with classes: its methods as functions on plain boards.

One class keeps the board, in an attribute that is found by making an object and counting the cells.
A method of it becomes a function whose first argument is the board; methods of other classes, and
functions that take an object of that class, get one in place of the board.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

from rl_toolkit.course.host.own_form import cell_count
from rl_toolkit.course.host.own_names import plain_name
from rl_toolkit.course.host.parameters import ADDED, kind_by_name
from rl_toolkit.utils import listed

#: Attributes that may hold whose turn it is.
_TURNS = ("current_player", "player", "turn", "to_move", "mover", "current", "joueur", "tour")
#: Kinds of answers that depend on who moves.
_MOVERS = ("board", "cell", "column", "value", "score")
_BOARD, _PLAYER = (
    inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=ADDED)
    for name in ("board", "player")
)


class OwnClasses:
    """The classes of a program; ``sentence`` says how they were understood, "" without a board.

    Args:
        cells: how many cells a board of the game has.
    """

    def __init__(self, modules: Sequence[ModuleType], cells: int) -> None:
        self._modules = modules
        self._classes = [
            value
            for module in modules
            for value in vars(module).values()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        self._game: type | None = None
        self._attribute = ""
        for each in self._classes:
            with suppress(Exception):
                made = each()
                names = [n for n, value in vars(made).items() if cell_count(value) == cells]
                if names and self._game is None:
                    self._game, self._attribute = each, names[0]
        self.sentence = ""
        if self._game is not None:
            name = self._game.__name__
            self.sentence = (
                f"I take your class `{name}` as the game, its `{self._attribute}` as the board"
            )
            others = [f"`{each.__name__}`" for each in self._classes if each is not self._game]
            if others:
                self.sentence += f", and I look for methods in {listed(others)}, too"

    # ------------------------------------------------------------------------- finding

    def lookup(self, wanted: str, kind: str, game: str) -> tuple[str, Any, Any] | None:
        """The method of this name as a function on boards, with its name and module."""
        if self._game is None:
            return None
        if wanted == "create_board":
            return self._game.__name__, None, self._new_board
        for owner in sorted(self._classes, key=lambda each: each is not self._game):
            for name, value in vars(owner).items():
                plain = plain_name(name.strip("_"), game)
                if inspect.isfunction(value) and (name == wanted or plain == wanted.lower()):
                    return f"{owner.__name__}.{name}", None, self._as_function(owner, name, kind)
        return None

    def with_objects(self, function: Callable[..., Any], kind: str) -> Callable[..., Any]:
        """A function that may want an object of the game's class where it says board."""
        if self._game is None or kind == "plain":
            return function
        return self._called(lambda board: function, function, kind, is_of_game=False)

    def _as_function(self, owner: type, name: str, kind: str) -> Callable[..., Any]:
        is_game = owner is self._game
        return self._called(
            lambda board: getattr(board if is_game else self._made(owner, board), name),
            getattr(owner, name),
            kind,
            is_of_game=is_game,
        )

    # ------------------------------------------------------------------------- objects

    def _new_board(self) -> Any:
        assert self._game is not None
        return getattr(self._game(), self._attribute)

    def _object(self, board: Any, player: Any) -> Any:
        """An object of the game's class in a position."""
        assert self._game is not None
        made = self._game()
        setattr(made, self._attribute, board)
        if player is not None:
            for name in _TURNS:
                if name in vars(made):
                    setattr(made, name, player)
        return made

    def _keeps_turns(self) -> bool:
        assert self._game is not None
        return any(name in vars(self._game()) for name in _TURNS)

    def _made(self, owner: type, board: Any) -> Any:
        """An object of another class; what its constructor wants is guessed by name."""
        given = []
        for parameter in list(inspect.signature(owner).parameters.values()):
            if parameter.default is not parameter.empty or parameter.kind not in (
                parameter.POSITIONAL_ONLY,
                parameter.POSITIONAL_OR_KEYWORD,
            ):
                break
            kind = kind_by_name(parameter.name)
            known = {"board": board, "me": "X", "player": "X", "other": "O"}
            given.append(known.get(kind or ""))
        return owner(*given)

    # ------------------------------------------------------------------------- calling

    def _called(
        self,
        bound: Callable[[Any], Callable[..., Any]],
        function: Callable[..., Any],
        kind: str,
        *,
        is_of_game: bool,
    ) -> Callable[..., Any]:
        """A function on plain boards around one that works with objects.

        Whether a parameter that is called board wants an object or a plain board is found out by
        trying: what works first is kept.
        """
        found = list(inspect.signature(function).parameters.values())
        parameters = found[1:] if found and found[0].name == "self" else found
        kinds = [kind_by_name(each.name) for each in parameters]
        takes_board = "board" in kinds and kind != "plain"
        takes_player = bool({"player", "me", "maximizing"} & set(kinds))
        is_on_board = is_of_game and not takes_board and kind != "plain"
        shapes = [False, True] if is_of_game else [True, False]

        def call(*arguments: Any) -> Any:
            rest = list(arguments)
            player = None
            board: Any = None
            if is_on_board:
                board = rest.pop(0)
                if not takes_player and rest and len(rest) > len(parameters):
                    player = rest.pop()
            elif takes_board:
                board = rest[kinds.index("board")]
            if kind == "board":
                board = copy.deepcopy(board)
            if board is None:
                board = self._new_board()
            for shape in list(shapes):
                made = self._object(board, player)
                if takes_board:
                    rest[kinds.index("board")] = made if shape else board
                try:
                    answer = bound(made)(*rest)
                except (AttributeError, TypeError, IndexError):
                    if not takes_board or shape is shapes[-1]:
                        raise
                    continue
                shapes[:] = [shape]
                break
            return self._plain(answer, made, board, kind)

        signature = [_BOARD, *parameters] if is_on_board else parameters
        if is_on_board and not takes_player and kind in _MOVERS and self._keeps_turns():
            signature = [*signature, _PLAYER]
        vars(call)["__signature__"] = inspect.Signature(signature)
        return call

    def _plain(self, answer: Any, made: Any, board: Any, kind: str) -> Any:
        """The answer, with a board in place of an object of the game's class."""
        if isinstance(answer, self._game or ()):
            return getattr(answer, self._attribute)
        if kind == "board" and cell_count(answer) != cell_count(board):
            return getattr(made, self._attribute)
        return answer
