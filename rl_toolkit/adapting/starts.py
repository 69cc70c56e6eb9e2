"""Objects of plain classes in their starting position."""

from __future__ import annotations

import copy
import inspect
from typing import Any

from rl_toolkit.adapting import spellings
from rl_toolkit.adapting.boards import BoardFormatError, read_cells
from rl_toolkit.adapting.failures import error_text
from rl_toolkit.adapting.spellings import ask, first_name, method
from rl_toolkit.envs import AdaptationError


def start_of(plain: type, example: Any) -> Any:
    """An object in its starting position: ``example``, copied and reset, or a new one like it."""
    if example is not None:
        fresh = copy.deepcopy(example)
        name = method(fresh, spellings.RESET, 0)
        if name is not None:
            answer = getattr(fresh, name)()
            return answer if isinstance(answer, plain) else fresh
    try:
        start = plain(**_made_with(plain, example))
    except TypeError as error:
        raise AdaptationError(
            plain.__name__, (f"{plain.__name__}() cannot be called without arguments: {error}.",)
        ) from error
    except Exception as error:
        what = f"{plain.__name__}() raised {error_text(error, plain)}."
        raise AdaptationError(plain.__name__, (what,)) from error
    if example is not None and shape_of(start) != shape_of(example):
        what = f"this object has another board than {plain.__name__}(): add a method reset(self)."
        raise AdaptationError(plain.__name__, (what,))
    return start


def _made_with(plain: type, example: Any) -> dict[str, Any]:
    """The sizes and lengths that ``example`` was made with, if they are attributes of it."""
    if example is None:
        return {}
    try:
        parameters = inspect.signature(plain).parameters
    except (TypeError, ValueError):
        return {}
    values = {name: getattr(example, name, None) for name in parameters}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, (int, tuple)) and name not in spellings.CHANGING
    }


def shape_of(start: Any) -> tuple[int, ...]:
    """What tells boards of different sizes apart."""
    name = first_name(start, spellings.BOARD)
    if name is None:
        return ()
    try:
        cells = read_cells(ask(start, name))
    except BoardFormatError:
        return ()
    return (len(cells.marks), *(cells.sides or ()))
