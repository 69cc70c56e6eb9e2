"""Classes on `BaseGameEnv` that keep their board, moves or players in their own way.

The base form of a game is a flat board of −1, 0 and +1, moves that are numbers, and players ±1. A
course class may be on the base and have rows of text, a NumPy matrix, ``(row, col)`` as a move,
players ``'X'`` and ``'O'``. When the first object of a class is made, two moves are tried on a
copy of it. If the base form does not fit, the class keeps its *own form*: its objects hold what it
assigns and run its methods unchanged, as if it had no base class, and `envs.plain` makes a game
of them wherever one is needed (`adapt_game`, which solvers, `register_game` and `check_game` call).

What such a class inherits from the base (``print(env)``, ``get_result``, ``move_name``, …) is then
answered by that game.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rl_toolkit.envs.errors import GameError

if TYPE_CHECKING:
    from rl_toolkit.envs.base_game import BaseGameEnv

#: ``untried`` until the first object is made, ``trial`` meanwhile; then one of the others.
Form = Literal["untried", "trial", "base", "own"]

#: What the base derives from the board in its base form. In own form the adapted game answers.
_ANSWERED = (
    *("check_win", "get_result", "get_state_hash", "move_name", "line_names", "parse_move"),
    *("num_moves", "board_2d", "piece_count", "landing_cell", "winning_moves", "pass_move"),
    *("must_pass", "last_cell", "name", "_as_text", "to_svg", "__repr__", "__eq__"),
)
#: What cannot be answered, because the object's own ``step`` is not recorded.
_REFUSED = ("undo", "history", "set_position")
#: Attributes of the base that belong to the class if its methods mention them.
_DATA = ("done", "winner", "winning_line", "last_move", "move_count")


def choose_form(env: BaseGameEnv, make: Callable[[], None]) -> None:
    """Run the constructor, ``make``, of the first object of a class, and choose its form."""
    cls = type(env)
    blank = dict(vars(env))
    cls._form, cls._assigns_own_board = "trial", False
    try:
        try:
            make()
        except Exception:
            if not cls._assigns_own_board:
                raise
        else:
            if not (cls._is_partial() or cls._assigns_own_board) or _fits(env):
                cls._form = "base"
                return
        in_base_form = dict(vars(env))
        vars(env).clear()
        vars(env).update(blank)
        take_own_form(cls)
        with _silence():
            make()
        if not (_differs(env) or _plays(env)):
            clear_form(cls)
            cls._form = "base"
            vars(env).clear()
            vars(env).update(in_base_form)
    except BaseException:
        clear_form(cls)
        raise


def keeps_own_form(cls: type[BaseGameEnv]) -> bool:
    """Whether the class keeps its own form; an object is made to find out, if that is possible."""
    if cls._form == "untried" and not inspect.isabstract(cls):
        make: Callable[[], object] = cls
        with contextlib.suppress(Exception), _silence():  # whoever makes one next hears of it
            make()
    return cls._form == "own"


def is_own(thing: object, name: str) -> bool:
    """Whether an attribute is the class's own, and not one that it has from the base alone."""
    from rl_toolkit.envs.base_game import BaseGameEnv

    cls = type(thing)
    if not isinstance(thing, BaseGameEnv) or name == "board" or not hasattr(cls, name):
        return True
    found = getattr(cls, name)
    if callable(found):
        found = inspect.unwrap(found)  # `envs.derived.history` has wrapped it
    if found is getattr(BaseGameEnv, name, None):
        return name in _DATA and name in _mentioned(cls, BaseGameEnv)
    return not getattr(found, "_is_derived", False)


def _mentioned(cls: type, base: type) -> set[str]:
    """The names of attributes in the methods of a class."""
    found: set[str] = set()
    for owner in cls.__mro__[: cls.__mro__.index(base)]:
        for each in vars(owner).values():
            method = inspect.unwrap(each) if callable(each) else getattr(each, "fget", None)
            if isinstance(method, types.FunctionType):
                found.update(method.__code__.co_names)
    return found


# ------------------------------------------------------------------------------ trying forms


def _fits(env: BaseGameEnv) -> bool:
    """Whether two moves can be played in the base form, on a copy."""
    try:
        with _silence():
            game = env.copy()
            for _ in range(2):
                moves = game.get_legal_moves()
                if not moves:
                    break
                game.step(moves[0])
                if not _is_side(game.current_player) or np.abs(game.board).max() > 1:
                    return False
            return _is_side(game.current_player)
    except Exception:  # whatever goes wrong, this form does not fit
        return False


def _differs(env: BaseGameEnv) -> bool:
    """Whether an object in own form shows that the base form cannot fit."""
    with _silence():
        moves = list(env.get_legal_actions())
    return (
        type(env)._assigns_own_board
        or not _is_side(env.current_player)
        or not all(isinstance(move, (int, np.integer)) for move in moves)
    )


def _plays(env: BaseGameEnv) -> bool:
    """Whether two moves can be played in own form, on a copy."""
    try:
        with _silence():
            game = copy.deepcopy(env)
            for _ in range(2):
                game.step(next(iter(game.get_legal_actions())))
    except Exception:  # then this form is not better
        return False
    return True


def _is_side(player: object) -> bool:
    return isinstance(player, (int, np.integer)) and abs(player) == 1


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()):
        yield


# ------------------------------------------------------------------------------- taking forms


def take_own_form(cls: type[BaseGameEnv]) -> None:
    """Let objects of ``cls`` run their own methods alone, and others be answered by its game."""
    from rl_toolkit.envs.base_game import BaseGameEnv

    cls._form, cls._is_busy = "own", True
    for name in (*_ANSWERED, *_REFUSED):
        inherited = vars(BaseGameEnv)[name]
        if getattr(cls, name) is not getattr(BaseGameEnv, name):
            continue
        is_property = isinstance(inherited, property)
        function = inherited.fget if is_property else inherited
        answer = (_answered_by_its_game if name in _ANSWERED else _refused)(name, function)
        answer._is_derived = True  # type: ignore[attr-defined]
        setattr(cls, name, property(answer) if is_property else answer)


def clear_form(cls: type[BaseGameEnv]) -> None:
    """Let ``cls`` have what the base derives, also if its parent is in own form."""
    from rl_toolkit.envs.base_game import BaseGameEnv

    cls._form, cls._is_busy = "untried", False
    for name in (*_ANSWERED, *_REFUSED):
        given = getattr(cls, name)
        if getattr(getattr(given, "fget", given), "_is_derived", False):
            setattr(cls, name, vars(BaseGameEnv)[name])


def _answered_by_its_game(name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
    def answer(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        from rl_toolkit.envs.plain import as_game, is_being_learned

        if self._form != "own":  # a subclass
            return inherited(self, *args, **kwargs)
        if is_being_learned(type(self)):  # its own methods ask
            raise GameError(f"its methods call {name}, which it does not define")
        try:
            game = as_game(self)
        except GameError:
            if name == "__repr__":  # debuggers show every object
                return object.__repr__(self)
            raise
        others = [as_game(each) if type(each) is type(self) else each for each in args]
        value = getattr(game, name)
        return value(*others, **kwargs) if callable(value) else value

    return answer


def _refused(name: str, inherited: Callable[..., Any]) -> Callable[..., Any]:
    def answer(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._form != "own":
            return inherited(self, *args, **kwargs)
        title = type(self).__name__
        raise GameError(
            f"{title} keeps its board and moves in its own way, so its objects have no {name}; "
            f"adapt_game({title}()) makes a game that has one"
        )

    return answer
