"""Counting and remembering the calls of a function inside the student's modules.

A recursive function finds itself by its name in its module, so replacing it there counts the inner
calls as well. Where other modules have imported it, it is replaced there too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

Cache = dict[str, Any]


@contextmanager
def counted(
    modules: Iterable[ModuleType], names: Iterable[str], counts: dict[str, int]
) -> Iterator[None]:
    """Count calls of functions (``minimax``) and methods (``Node.expand``) during the block."""

    def counting(name: str) -> Callable[[Any], Any]:
        def wrap(function: Any) -> Any:
            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                counts[name] += 1
                return function(*args, **kwargs)

            return wrapper

        return wrap

    counts.update(dict.fromkeys(names, 0))
    with _replaced(list(modules), [(name, counting(name)) for name in counts]):
        yield


@contextmanager
def remembered(
    modules: Iterable[ModuleType], names: Iterable[str], caches: dict[str, Cache]
) -> Iterator[None]:
    """Answer equal inner calls of these functions from a cache during the block."""

    def remembering(name: str) -> Callable[[Any], Any]:
        cache = caches.setdefault(name, {})

        def wrap(function: Any) -> Any:
            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                key = repr((args, kwargs))
                if key not in cache:
                    cache[key] = function(*args, **kwargs)
                return cache[key]

            return wrapper

        return wrap

    with _replaced(list(modules), [(name, remembering(name)) for name in names]):
        yield


@contextmanager
def _replaced(
    modules: list[ModuleType], wraps: list[tuple[str, Callable[[Any], Any]]]
) -> Iterator[None]:
    undo: list[tuple[Any, str, Any]] = []
    try:
        for name, wrap in wraps:
            for home, attribute in _homes(modules, name):
                original = vars(home)[attribute]
                undo.append((home, attribute, original))
                plain = original.__func__ if isinstance(original, staticmethod) else original
                made = wrap(plain)
                setattr(home, attribute, staticmethod(made) if plain is not original else made)
        yield
    finally:
        for home, attribute, original in reversed(undo):
            setattr(home, attribute, original)


def _homes(modules: list[ModuleType], name: str) -> list[tuple[Any, str]]:
    """Where a function is found: in each module that has it, or in its class."""
    first, _, method = name.partition(".")
    for module in modules:
        if not hasattr(module, first):
            continue
        thing = getattr(module, first)
        if method:
            return [(thing, method)] if method in vars(thing) else []
        return [(owner, first) for owner in modules if getattr(owner, first, None) is thing]
    return []
