"""Objects on `BaseGameEnv` that keep board, moves or players in their own way.

The usual form is a flat NumPy board of numbers, moves that are numbers, and players ±1. A course
class may be on the base and have rows of text, a matrix, ``(row, col)`` as a move, players ``'X'``
and ``'O'``. Its objects then hold what the class assigns and run its methods unchanged. What they
inherit (``print(env)``, ``get_result``, ``move_name``, …) is answered by the game that
`rl_toolkit.adapting` makes of them. That package stands above this one, so it is imported by its
name, and only when such an object is asked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from rl_toolkit.envs.errors import GameError

F = TypeVar("F", bound=Callable[..., Any])


def adapting() -> Any:
    """The package `rl_toolkit.adapting`."""
    return import_module("rl_toolkit.adapting")


def standard(method: F) -> F:
    """A method of the base that, for an object in its own form, is answered by its game."""
    name = method.__name__

    @functools.wraps(method)
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not self._own_form:
            return method(self, *args, **kwargs)
        as_game = functools.partial(adapting().as_answering_game, name=name)
        try:
            game = as_game(self)
        except GameError:
            if name == "__repr__":  # debuggers show every object
                return object.__repr__(self)
            raise
        value = getattr(game, name)
        if not callable(value):
            return value
        return value(*(as_game(arg) if type(arg) is type(self) else arg for arg in args), **kwargs)

    return answer  # type: ignore[return-value]


def unless_own(method: F) -> F:
    """A method of the base that an object in its own form does not have."""
    name = method.__name__

    @functools.wraps(method)
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not self._own_form:
            return method(self, *args, **kwargs)
        title = type(self).__name__
        raise GameError(
            f"{title} keeps its board and moves in its own way, so its objects have no {name}; "
            f"adapt_game({title}()) makes a game that has one"
        )

    return answer  # type: ignore[return-value]
