"""How the base of all games keeps history for games that know nothing of it.

A game of eight methods is only its rules. The base *listens*: when a class is made, its ``step``,
``reset``, ``copy`` (and ``undo``, should it have one of its own) are wrapped once, wherever in its
ancestry they come from. The wrappers note every move, keep a snapshot to take it back, and remember
what the position looked like, so that a board somebody assigned or wrote into is noticed.

While a game is inside one of these methods it is *busy*, and nothing it does counts as an edit;
that also lets a subclass call ``super().step()`` and be heard once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from rl_toolkit.envs.errors import IllegalMoveError

if TYPE_CHECKING:
    from rl_toolkit.envs.base_game import BaseGameEnv

T = TypeVar("T")
Method = Callable[..., Any]


class DerivedAttribute(Generic[T]):
    """An attribute that follows from the position: worked out anew after somebody changed it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"_{name}"

    @overload
    def __get__(self, env: None, owner: type) -> DerivedAttribute[T]: ...
    @overload
    def __get__(self, env: BaseGameEnv, owner: type) -> T: ...
    def __get__(self, env: BaseGameEnv | None, owner: type) -> DerivedAttribute[T] | T:
        if env is None:
            return self
        env._notice_edits()
        return cast("T", vars(env)[self._slot])

    def __set__(self, env: BaseGameEnv, value: T) -> None:
        vars(env)[self._slot] = value


def record_history(cls: type[BaseGameEnv], base_undo: Method) -> None:
    """Wrap what ``cls`` brings along; methods that are wrapped already stay as they are."""
    for name, wrap in _WRAPPERS.items():
        method = getattr(cls, name)
        heard = getattr(method, "_heard", False) or getattr(method, "__isabstractmethod__", False)
        if heard or method is base_undo:
            continue
        wrapper = functools.wraps(method)(wrap(method))
        wrapper._heard = True  # type: ignore[attr-defined]
        setattr(cls, name, wrapper)


@contextmanager
def _busy(env: BaseGameEnv) -> Iterator[None]:
    env._is_busy = True
    try:
        yield
    finally:
        env._is_busy = False


def _recorded(step: Method) -> Method:
    """``step`` that is noted, with a snapshot for `undo` unless the game has one of its own."""

    def recorded(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._is_busy:
            return step(self, *args, **kwargs)
        self._notice_edits()
        before = None
        if not getattr(type(self).undo, "_heard", False):
            before = self.copy()
            before._past = []
        with _busy(self):
            result = step(self, *args, **kwargs)
        move = args[0] if args else next(iter(kwargs.values()))
        self._past.append((int(move), before))
        self._seen = self._fingerprint()
        return result

    return recorded


def _forgetting(reset: Method) -> Method:
    """``reset`` after which history is empty."""

    def forgetting(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._is_busy:
            return reset(self, *args, **kwargs)
        with _busy(self):
            board = reset(self, *args, **kwargs)
        self._past = []
        self._seen = self._fingerprint()
        return board

    return forgetting


def _carrying(copy: Method) -> Method:
    """``copy`` that carries history over, hidden from the game's own copying meanwhile."""

    def carrying(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        self._notice_edits()
        past, self._past = self._past, []
        try:
            twin = copy(self, *args, **kwargs)
        finally:
            self._past = past
        twin._past, twin._seen, twin._is_busy = list(past), self._seen, False
        return twin

    return carrying


def _retracting(undo: Method) -> Method:
    """A game's own ``undo``, noted."""

    def retracting(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._is_busy:
            return undo(self, *args, **kwargs)
        self._notice_edits()
        if not self._past:
            raise IllegalMoveError("there is no move to take back")
        with _busy(self):
            move = undo(self, *args, **kwargs)
        self._past.pop()
        self._seen = self._fingerprint()
        return move

    return retracting


_WRAPPERS: dict[str, Callable[[Method], Method]] = {
    "step": _recorded,
    "reset": _forgetting,
    "copy": _carrying,
    "undo": _retracting,
}
