"""`refuse_unused`: say at its definition that a class overrides a method that is never called.

The courses' classes have methods, mostly private ones, that ours do without. A subclass of ours
that overrides one of them would have no effect, and nothing would say why.
"""

from __future__ import annotations

from collections.abc import Mapping

#: The names of methods → what to override instead, and the methods that may call them.
Unused = Mapping[tuple[str, ...], tuple[str, tuple[str, ...]]]


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
    own = {name for each in below for name in vars(each)}
    base = next(each for each in cls.__mro__[1:] if issubclass(each, ours))
    for names, (instead, callers) in unused.items():
        for name in names:
            if name in own and own.isdisjoint(callers):
                raise TypeError(
                    f"{cls.__name__} overrides {name}, which {base.__name__} never calls; "
                    f"override {instead} instead"
                )
