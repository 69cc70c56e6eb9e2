"""What code does that has no file: typed at a prompt, or a part of the script that is running.

There the functions and constants that a class uses count, so that the rest of a script may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset)


def add_code(value: Any, add: Callable[[bytes], object], used: Callable[[object], object]) -> None:
    """Add what a class, function or constant does, and the names of its module that it uses.

    ``used`` is called with the other objects that its functions use, of whatever module.
    """
    _add(value, add, used, set())


def _add(
    value: Any,
    add: Callable[[bytes], object],
    used: Callable[[object], object],
    seen: set[int],
) -> None:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, _CONSTANTS):
        add(_stable(value).encode())
    elif isinstance(value, type):
        for name, member in vars(value).items():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            own = isinstance(function, _CONSTANTS) and not name.startswith("__")
            if own or isinstance(function, FunctionType):
                add(name.encode())
                _add(function, add, used, seen)
    elif isinstance(value, FunctionType):
        add(_stable((value.__defaults__, value.__kwdefaults__)).encode())
        for code in _codes(value.__code__):
            constants = [
                constant for constant in code.co_consts if not isinstance(constant, CodeType)
            ]
            add(code.co_code + _stable([code.co_names, constants]).encode())
            for name in code.co_names:
                other = value.__globals__.get(name)
                if isinstance(other, _CONSTANTS) or _is_beside(other, value):
                    _add(other, add, used, seen)
                elif other is not None:
                    used(other)


def _is_beside(other: object, function: FunctionType) -> bool:
    """Whether a value was defined in the module of a function."""
    return getattr(other, "__module__", None) == function.__module__


def _stable(value: object) -> str:
    """Text for a constant that is the same in every process."""
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_stable, value)))}}}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_stable, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_stable(k)}: {_stable(v)}' for k, v in value.items())}}}"
    return repr(value) if isinstance(value, _CONSTANTS) else type(value).__name__


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
