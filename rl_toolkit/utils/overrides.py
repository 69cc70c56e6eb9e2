"""What a subclass overrides: methods of ours that it replaces, and some that are never called.

Machine code and shortcuts do the same as the readable methods that the courses name, `_minimax` or
`_simulate`, without calling them. A solver whose subclass overrides such a method (`is_own`) runs
the readable search, which calls it; every other solver runs the fast one.

The courses' classes also have methods, mostly private ones, that ours do without. A subclass of
ours that overrides one of them would have no effect, and nothing would say why: `refuse_unused`
says it when the class is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: The names of methods → what to override instead, and the methods that may call them.
Unused = Mapping[tuple[str, ...], tuple[str, tuple[str, ...]]]


def is_own(method: Callable[..., Any], ours: Callable[..., Any]) -> bool:
    """Whether a method of an object is not ``ours``: a subclass or the object itself replaced it.

    >>> class Solver:
    ...     def _minimax(self): ...
    >>> class Counting(Solver):
    ...     def _minimax(self): ...
    >>> is_own(Counting()._minimax, Solver._minimax), is_own(Solver()._minimax, Solver._minimax)
    (True, False)
    """
    return getattr(method, "__func__", method) is not ours


def refuse_unused(cls: type, ours: type, unused: Unused) -> None:
    """Raise ``TypeError`` if ``cls``, a subclass of ``ours``, has a method in ``unused``.

    A class that also overrides one of the methods which may call it can have it as a helper.

    >>> class Game: ...
    >>> class Mine(Game):
    ...     def _check_winner(self): ...
    >>> refuse_unused(Mine, Game, {("_check_winner",): ("verdict(self)", ("verdict",))})
    Traceback (most recent call last):
    TypeError: Mine overrides _check_winner, which Game never calls; override verdict(self) instead
    """
    below = cls.__mro__[: cls.__mro__.index(ours)]
    own = {name for base in below for name in vars(base)}
    named = next(base for base in cls.__mro__[1:] if issubclass(base, ours))
    for names, (instead, callers) in unused.items():
        for name in names:
            if name in own and own.isdisjoint(callers):
                raise TypeError(
                    f"{cls.__name__} overrides {name}, which {named.__name__} never calls; "
                    f"override {instead} instead"
                )
