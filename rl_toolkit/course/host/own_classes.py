"""A program of one's own that is written with classes: its methods as functions on plain boards.

One class keeps the board, in an attribute that is found by making an object and counting the cells.
A method of it becomes a function whose first argument is the board; methods of other classes, and
functions that take an object of that class, get one in place of the board.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

from rl_toolkit.course.host.own_form import cell_count, flat_cells
from rl_toolkit.course.host.own_names import plain_name
from rl_toolkit.course.host.parameters import ADDED, kind_by_name
from rl_toolkit.utils import listed

#: Attributes that may hold whose turn it is.
_TURNS = ("current_player", "player", "turn", "to_move", "mover", "current", "joueur", "tour")
#: Kinds of answers that depend on who moves.
_MOVERS = ("board", "cell", "column", "value", "score")
#: Answers of a search, and names of classes that choose moves without one.
_CHOICES = ("cell", "column", "value", "score")
_NO_SEARCH = re.compile(r"random|alea|hasard|naive|naif|human|humain", re.I)
#: What a search that is made with a depth gets.
_DEPTH = 4
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
        #: The program's marks, X's first; what is not known yet is taken from the handout.
        self.marks: tuple[Any, Any] = ("X", "O")
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

    def lookup(
        self, wanted: str, kind: str, game: str, *, least: int = 0, most: int | None = None
    ) -> tuple[str, Any, Any] | None:
        """The method of this name as a function on boards, with its name and module.

        ``least`` is how many parameters it must have besides its object; ``most`` how many it may
        require if it is no question about a board.
        """
        if self._game is None:
            return None
        if wanted == "create_board":
            return self._game.__name__, None, self._new_board
        for owner in sorted(self._classes, key=lambda each: each is not self._game):
            if inspect.isabstract(owner) or (
                kind in _CHOICES and _NO_SEARCH.search(owner.__name__)
            ):
                continue
            for name, value in self._methods(owner):
                plain = plain_name(name.strip("_"), game)
                if value.__code__.co_argcount <= least or "NotImplementedError" in _names_in(value):
                    continue
                if kind == "plain" and most is not None and _required(value) > most + 1:
                    continue
                if name == wanted or plain == wanted.lower():
                    return f"{owner.__name__}.{name}", None, self._as_function(owner, name, kind)
        return None

    def _methods(self, owner: type) -> Iterator[tuple[str, FunctionType]]:
        """The methods of a class, with those that it has from other classes of the program."""
        own = [each for each in reversed(owner.__mro__) if each in self._classes]
        named = {name: value for each in own for name, value in vars(each).items()}
        return ((n, value) for n, value in named.items() if isinstance(value, FunctionType))

    def with_objects(self, function: Callable[..., Any], kind: str) -> Callable[..., Any]:
        """A function that may want an object of the game's class where it says board."""
        if self._game is None or kind == "plain":
            return function
        return self._called(lambda board, player: function, function, kind)

    def _as_function(self, owner: type, name: str, kind: str) -> Callable[..., Any]:
        is_game = owner is self._game
        return self._called(
            lambda board, player: getattr(
                board if is_game else self._made(owner, board, player), name
            ),
            getattr(owner, name),
            kind,
            is_of_game=is_game or "board" in self._wants(owner),
            made_for_player=not is_game and bool({"player", "me"} & set(self._wants(owner))),
        )

    def marks_played(self, method: str, moves: Sequence[Any]) -> tuple[Any, Any] | None:
        """The marks that two moves of a method of the game leave on its board, in turn.

        ``None`` if the method wants more than the move. ``method`` is ``ConnectFour.drop``.
        """
        owner, _, name = method.rpartition(".")
        if self._game is None or owner != self._game.__name__:
            return None
        made, marks = self._game(), []
        for move in moves[:2]:
            before = list(flat_cells(getattr(made, self._attribute)))
            getattr(made, name)(*(move if isinstance(move, tuple) else (move,)))
            after = flat_cells(getattr(made, self._attribute))
            marks += [now for was, now in zip(before, after, strict=True) if now != was]
        return (marks[0], marks[1]) if len(marks) == 2 and marks[0] != marks[1] else None

    def _wants(self, owner: type) -> list[str]:
        """What an object of another class must be given when it is made."""
        wanted = inspect.signature(owner).parameters.values()
        return [kind_by_name(p.name) or "" for p in wanted if p.default is p.empty]

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

    def _made(self, owner: type, board: Any, player: Any) -> Any:
        """An object of another class; what its constructor wants is guessed by name."""
        first, second = self.marks
        me, other = (second, first) if player == second else (first, second)
        given = []
        for parameter in list(inspect.signature(owner).parameters.values()):
            if parameter.default is not parameter.empty or parameter.kind not in (
                parameter.POSITIONAL_ONLY,
                parameter.POSITIONAL_OR_KEYWORD,
            ):
                break
            kind = kind_by_name(parameter.name)
            known = {"board": board, "me": me, "player": me, "other": other, "depth": _DEPTH}
            given.append(known.get(kind or ""))
        return owner(*given)

    # ------------------------------------------------------------------------- calling

    def _called(
        self,
        bound: Callable[[Any, Any], Callable[..., Any]],
        function: Callable[..., Any],
        kind: str,
        *,
        is_of_game: bool = False,
        made_for_player: bool = False,
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
        keeps_player = made_for_player or (is_on_board and self._keeps_turns())
        gets_player = not takes_player and kind in _MOVERS and keeps_player
        shapes = [False, True] if is_of_game else [True, False]

        def call(*arguments: Any) -> Any:
            rest = list(arguments)
            player = None
            board: Any = None
            if is_on_board:
                board = rest.pop(0)
            if gets_player:
                player = rest.pop(0)
            if takes_board:
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
                    answer = bound(made, player)(*rest)
                except (AttributeError, TypeError, IndexError):
                    if not takes_board or shape is shapes[-1]:
                        raise
                    continue
                shapes[:] = [shape]
                break
            return self._plain(answer, made, board, kind)

        added = [_BOARD] * is_on_board + [_PLAYER] * gets_player
        vars(call)["__signature__"] = inspect.Signature([*added, *parameters])
        return call

    def _plain(self, answer: Any, made: Any, board: Any, kind: str) -> Any:
        """The answer, with a board in place of an object of the game's class."""
        if isinstance(answer, self._game or ()):
            return getattr(answer, self._attribute)
        if kind == "board" and cell_count(answer) != cell_count(board):
            return getattr(made, self._attribute)
        return answer


def _names_in(function: FunctionType) -> tuple[str, ...]:
    return function.__code__.co_names


def _required(function: FunctionType) -> int:
    """How many arguments a function cannot do without, its object among them."""
    return function.__code__.co_argcount - len(function.__defaults__ or ())
