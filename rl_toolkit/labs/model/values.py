"""Values on their way between our process and the student's: plain JSON, in both directions.

What JSON does not have is an object with one key::

    {"float": "inf"}   {"dict": [[1, 2]]}   {"set": [1, 2]}   {"other": ["Node", "<Node …>"]}
    {"thing": 3}       {"board": {"cells": […], "mover": 1, …}}     {"env": {…}}

A position is sent as ``board`` (the student gets a board of their own form) or ``env`` (a game of
the package). Tuples arrive as lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rl_toolkit.labs.model.positions import LabBoard
from rl_toolkit.utils import shown

#: The deepest nesting and the most entries of an answer that is sent in full.
_DEEPEST, _MOST = 40, 200_000
_EXACT = 2**53
#: The bits of the largest whole number; larger ones cannot be compared with floats.
_BITS = 1000


@dataclass(frozen=True, slots=True)
class Other:
    """An answer that is not plain data: its type, and how it is shown."""

    kind: str
    shown: str

    def __repr__(self) -> str:
        return self.shown


@dataclass(frozen=True, slots=True)
class ThingNumber:
    """An object in the student's process, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class AsEnv:
    """A position that the student's code gets as a game of the package."""

    position: LabBoard


def as_env(position: LabBoard) -> AsEnv:
    """Pass a position as a game of the package."""
    return AsEnv(position)


def signed(value: float) -> str:
    """A value for people.

    >>> signed(1), signed(0), signed(-0.5)
    ('+1', '0', '−0.5')
    """
    return f"{value:+g}".replace("-", "−") if value else "0"


def side(player: int) -> str:
    """The name of a side: X for +1, O for −1."""
    return "X" if player > 0 else "O"


def decimals(values: Sequence[float]) -> str:
    """Numbers for people.

    >>> decimals([0.5, 2 / 3])
    '[0.500, 0.667]'
    """
    return "[" + ", ".join(f"{value:.3f}" for value in values) + "]"


def to_json(value: Any) -> Any:
    """A value as JSON; what is not plain data becomes ``other``."""
    return _Writer().write(value, 0)


def from_json(data: Any, tagged: Callable[[str, Any], Any] | None = None) -> Any:
    """The value of `to_json`; ``tagged`` reads tags that are not values everywhere."""
    if isinstance(data, list):
        return [from_json(item, tagged) for item in data]
    if not isinstance(data, dict):
        return data
    if len(data) != 1:
        raise ValueError("an object in a value has one key")
    ((tag, inside),) = data.items()
    match tag:
        case "float":
            return float(inside)
        case "int":
            return _whole(inside)
        case "dict":
            pairs = [(from_json(k, tagged), from_json(v, tagged)) for k, v in inside]
            return {_hashable(k): v for k, v in pairs}
        case "set":
            return {_hashable(from_json(item, tagged)) for item in inside}
        case "other":
            return Other(str(inside[0]), str(inside[1]))
        case "board" | "env" if tagged is None:
            made = position_from_json(inside)
            return made if tag == "board" else AsEnv(made)
    if tagged is None:
        raise ValueError(f"{tag!r} is not a kind of value")
    return tagged(tag, inside)


def position_from_json(data: Any) -> LabBoard:
    """The position of a ``board`` or ``env``."""
    return LabBoard(
        tuple(data["cells"]), data["mover"], data["game"], data["rows"], data["cols"], data["last"]
    )


class _Writer:
    def __init__(self) -> None:
        self._entries = 0

    def write(self, value: Any, depth: int) -> Any:
        self._entries += 1
        if depth > _DEEPEST or self._entries > _MOST:
            return {"other": [type(value).__name__, "… too much data …"]}
        if value is None or isinstance(value, (bool, str)):
            return value
        if hasattr(value, "tolist") and hasattr(value, "dtype"):  # NumPy's arrays and numbers
            return self.write(value.tolist(), depth)
        if isinstance(value, int):
            if abs(value) < _EXACT:
                return int(value)  # of a subclass too
            if value.bit_length() <= _BITS:
                return {"int": str(int(value))}
            return {"other": ["int", "a number of more than 300 digits"]}
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, (list, tuple)):
            return [self.write(item, depth + 1) for item in value]
        if isinstance(value, dict):
            inside = value.items()
            return {
                "dict": [[self.write(k, depth + 1), self.write(v, depth + 1)] for k, v in inside]
            }
        if isinstance(value, (set, frozenset)):
            return {"set": sorted((self.write(item, depth + 1) for item in value), key=repr)}
        if isinstance(value, ThingNumber):
            return {"thing": value.number}
        if isinstance(value, LabBoard):
            return {"board": _position(value)}
        if isinstance(value, AsEnv):
            return {"env": _position(value.position)}
        if isinstance(value, Other):
            return {"other": [value.kind, value.shown]}
        return {"other": [type(value).__name__, shown(value)]}


def _position(position: LabBoard) -> dict[str, Any]:
    return {
        "cells": list(position.cells),
        "mover": position.mover,
        "game": position.game,
        "rows": position.rows,
        "cols": position.cols,
        "last": position.last,
    }


def _whole(text: Any) -> int:
    number = int(text)
    if number.bit_length() > _BITS:
        raise ValueError("the number is too large")
    return number


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, (dict, set)):
        return repr(value)
    return value
