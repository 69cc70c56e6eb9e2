"""History for games that implement the eight mandatory methods, or some of them.

When a class is defined, its ``step``, ``reset``, ``copy`` (and its own ``undo``, if it has one) are
wrapped once, wherever they are inherited from. The wrappers record every move, keep a snapshot to
take it back, and remember the position, so that a board assigned or written into from outside is
noticed. For a class that leaves some of the eight methods to the base they also complete what it
says about a move; see `envs.derived.methods`.

While a game is inside one of these methods it is *busy*: changes it makes do not count as edits
from outside, and a subclass that calls ``super().step()`` is recorded once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from rl_toolkit.envs.derived.methods import complete_step, refuse_illegal
from rl_toolkit.envs.derived.own_form import choose_form
from rl_toolkit.envs.errors import IllegalMoveError

if TYPE_CHECKING:
    from rl_toolkit.envs.base_game import BaseGameEnv

T = TypeVar("T")
Method = Callable[..., Any]


class DerivedAttribute(Generic[T]):
    """An attribute that follows from the position, recomputed after a change from outside."""

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


def record_history(cls: type[BaseGameEnv], base: Mapping[str, Any]) -> None:
    """Wrap the methods of ``cls`` that are not wrapped yet; ``base`` are those of the base."""
    wrappers = _WRAPPERS | (_PARTIAL_WRAPPERS if cls._is_partial() else {})
    for name, wrap in wrappers.items():
        method = getattr(cls, name)
        inherited = name in _KEPT and method is base[name]
        if inherited or getattr(method, "__isabstractmethod__", False) or _is_wrapped(method):
            continue
        wrapper = functools.wraps(method)(wrap(method))
        wrapper._is_wrapped = True  # type: ignore[attr-defined]
        setattr(cls, name, wrapper)


def _is_wrapped(method: Method) -> bool:
    return getattr(method, "_is_wrapped", False)


@contextmanager
def _busy(env: BaseGameEnv) -> Iterator[None]:
    env._is_busy = True
    try:
        yield
    finally:
        env._is_busy = False


def _wrap_init(init: Method) -> Method:
    """``__init__`` that finds out, for the first object of a class, which form fits it."""

    def trying_init(self: BaseGameEnv, *args: Any, **kwargs: Any) -> None:
        if self._form == "untried":
            choose_form(self, functools.partial(init, self, *args, **kwargs))
        else:
            init(self, *args, **kwargs)

    return trying_init


def _wrap_step(step: Method) -> Method:
    """``step`` that records its move, with a snapshot unless the game has its own ``undo``."""

    def recorded_step(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._is_busy:
            return step(self, *args, **kwargs)
        self._notice_edits()
        if not args and kwargs:  # a keyword: step(action=4)
            args = (kwargs.pop(next(iter(kwargs))),)
        move, *others = args
        if isinstance(move, str):
            move = self.as_played(move)
        before = None
        if not _is_wrapped(type(self).undo) or self._is_partial():
            before = self.copy()
            before._past = []
        if before is not None and self._is_partial():
            move = refuse_illegal(self, move)
            try:
                with _busy(self):
                    answer = step(self, move, *others, **kwargs)
                    answer = complete_step(self, move, before, answer)
            except Exception:
                _restore(self, before)
                raise
        else:
            with _busy(self):
                answer = step(self, move, *others, **kwargs)
        self._past.append((int(move), before))
        self._seen = self._fingerprint()
        return answer

    return recorded_step


def _wrap_reset(reset: Method) -> Method:
    """``reset`` that clears the history."""

    def recorded_reset(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._is_busy:
            return reset(self, *args, **kwargs)
        with _busy(self):
            board = reset(self, *args, **kwargs)
            if self._is_partial():
                self.winner, self.done, self.winning_line = None, False, None
                self.last_move, self.move_count = None, 0
                board = self.board.copy()
        self._past = []
        self._seen = self._fingerprint()
        return board

    return recorded_reset


def _wrap_copy(copy: Method) -> Method:
    """``copy`` that also copies the history, which the game's own ``copy`` does not see."""

    def recorded_copy(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
        if self._form == "own":
            return copy(self, *args, **kwargs)
        self._notice_edits()
        past, self._past = self._past, []
        try:
            twin = copy(self, *args, **kwargs)
        finally:
            self._past = past
        if self._is_partial():  # the class may copy only what it knows
            _restore(twin, self)
        twin._past, twin._seen, twin._is_busy = list(past), self._seen, False
        return twin

    return recorded_copy


def _restore(env: BaseGameEnv, before: BaseGameEnv) -> None:
    """Give ``env`` the position of ``before``."""
    with _busy(env):
        env.board, env.current_player = before.board, before.current_player
        for name in ("winner", "done", "move_count", "last_move", "winning_line"):
            setattr(env, name, getattr(before, name))


def _wrap_undo(undo: Method) -> Method:
    """A game's own ``undo`` that also removes the move from the history."""

    def recorded_undo(self: BaseGameEnv, *args: Any, **kwargs: Any) -> Any:
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

    return recorded_undo


def _wrap_legal(legal: Method) -> Method:
    """Legal moves as increasing ints, none at the end, whatever a class with gaps returns."""

    def checked_legal(self: BaseGameEnv) -> Any:
        if self._is_busy or not self._is_partial():
            return legal(self)
        return [] if self.is_terminal() else sorted({int(move) for move in legal(self)})

    return checked_legal


_WRAPPERS: dict[str, Callable[[Method], Method]] = {
    "__init__": _wrap_init,
    "step": _wrap_step,
    "reset": _wrap_reset,
    "copy": _wrap_copy,
    "undo": _wrap_undo,
}
_PARTIAL_WRAPPERS = {"get_legal_moves": _wrap_legal, "get_legal_actions": _wrap_legal}
#: Methods of the base that are right as they are.
_KEPT = ("undo", *_PARTIAL_WRAPPERS)
