"""Which readable methods of a solver a subclass has replaced by its own.

Machine code and shortcuts do the same as the readable methods that the courses name, `_minimax` or
`_simulate`, without calling them. A solver whose subclass overrides such a method runs the readable
search, which calls it; every other solver runs the fast one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
