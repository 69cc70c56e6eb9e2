"""Classes on `BaseGameEnv`: which of them keep their own form, and which names are their own."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import types
from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from rl_toolkit.envs import BaseGameEnv

_OWN_FORM: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
#: Attributes of the base that belong to the class if its methods mention them.
_DATA = ("current_player", "done", "winner", "winning_line", "last_move", "move_count")


def keeps_own_form(cls: type[BaseGameEnv], example: BaseGameEnv | None = None) -> bool:
    """Whether objects of a class on the base keep board, moves or players in their own way.

    The board shows it in most classes. For the others two moves are played, once a class, on
    ``example`` or on a new object.
    """
    if cls._keeps_own_history or inspect.isabstract(cls):
        return False
    if cls._own_form or (example is not None and example._own_form):
        return True
    if cls not in _OWN_FORM:
        with _silence():
            try:
                env = copy.deepcopy(example) if example is not None else cls()  # type: ignore[call-arg]
            except Exception:  # the next one who makes an object sees the error
                return False
            own = env._own_form or (cls._has_gaps and not _fits(env) and _plays_alone(env))
        cls._own_form = _OWN_FORM[cls] = own
    return _OWN_FORM[cls]


def _fits(env: BaseGameEnv) -> bool:
    """Whether two moves can be played in the usual form, on a copy."""
    try:
        game = env.copy()
        for _ in range(2):
            moves = game.get_legal_moves()
            if not moves:
                break
            game.step(moves[0])
            if type(env)._own_form or np.abs(game.board).max() > 1:
                return False
        return game.current_player in (1, -1)
    except Exception:  # whatever goes wrong, this form does not fit
        return False


def _plays_alone(env: BaseGameEnv) -> bool:
    """Whether two moves can be played by the class's own methods alone, on a copy."""
    try:
        game = copy.deepcopy(env)
        game._own_form = True
        for _ in range(2):
            game.step(next(iter(game.get_legal_actions())))
    except Exception:  # then this form is not better
        return False
    return True


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def forget_forms() -> None:
    """As if no object had been made yet, for tests."""
    for cls in list(_OWN_FORM):
        cls._own_form = False  # type: ignore[attr-defined]
    _OWN_FORM.clear()


def is_own(thing: object, name: str) -> bool:
    """Whether an attribute is the class's own, and not one that it has from the base alone."""
    cls = thing if isinstance(thing, type) else type(thing)
    if not issubclass(cls, BaseGameEnv) or name == "board" or not hasattr(cls, name):
        return True
    value, inherited = getattr(cls, name), getattr(BaseGameEnv, name, None)
    if callable(value):
        value, inherited = inspect.unwrap(value), inherited and inspect.unwrap(inherited)
    if value is inherited:
        return name in _DATA and name in _mentioned(cls)
    return True


def _mentioned(cls: type) -> set[str]:
    """The names of attributes in the methods of a class."""
    names: set[str] = set()
    for owner in cls.__mro__[: cls.__mro__.index(BaseGameEnv)]:
        for value in vars(owner).values():
            method = inspect.unwrap(value) if callable(value) else getattr(value, "fget", None)
            if isinstance(method, types.FunctionType):
                names.update(method.__code__.co_names)
    return names
