"""Requests as data: JSON, and fields that are read from it one by one.

Every error is a `BadRequestError` with a sentence for the client; nothing that a client sends can
raise another one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rl_toolkit.utils import JsonError, did_you_mean, read_object, shown

#: Moves, sizes and seeds are smaller whole numbers.
_LARGEST = 2**63


class BadRequestError(Exception):
    """A request that cannot be answered; the message says why, ``status`` is the HTTP status."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def read_body(data: bytes) -> dict[str, Any]:
    """The JSON object in a request's body."""
    try:
        return read_object(data)
    except JsonError as error:
        raise BadRequestError(f"the body cannot be read: {error}") from error


class Fields:
    """The fields of one request; `finish` refuses those that were not read."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._taken: set[str] = set()
        self._declared: set[str] = set()

    def declare(self, *names: str) -> None:
        """Name fields that may be given here, whether this request's others let them be read."""
        self._declared.update(names)

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._data.get(name) is not None

    def raw(self, name: str) -> Any:
        """The field as it came; ``None`` where it is missing or null."""
        self._taken.add(name)
        return self._data.get(name)

    def text(self, name: str, default: str = "", longest: int = 4000) -> str:
        """A text of at most ``longest`` characters."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise BadRequestError(f"{name} is text, not {shown(value)}")
        if len(value) > longest:
            raise BadRequestError(f"{name} has {len(value)} characters; at most {longest} are read")
        return value

    def switch(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise BadRequestError(f"{name} is true or false, not {shown(value)}")
        return value

    def whole(self, name: str, least: int, most: int) -> int | None:
        """A whole number within bounds."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadRequestError(
                f"{name} is a whole number from {least} to {most}, not {shown(value)}"
            )
        return value

    def seconds(self, name: str, most: float) -> float | None:
        """A positive number of seconds."""
        value = self.raw(name)
        if value is None:
            return None
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not 0 < value <= most:
            raise BadRequestError(
                f"{name} is a number of seconds above 0 and up to {most:g}, not {shown(value)}"
            )
        return float(value)

    def wholes(self, name: str, longest: int) -> list[int]:
        """A list of whole numbers."""
        value = self.raw(name)
        if not isinstance(value, list):
            raise BadRequestError(f"{name} is a list of whole numbers, not {shown(value)}")
        if len(value) > longest:
            raise BadRequestError(f"{name} has {len(value)} entries; at most {longest} are read")
        for entry in value:
            wrong = isinstance(entry, bool) or not isinstance(entry, int)
            if wrong or abs(entry) >= _LARGEST:
                raise BadRequestError(
                    f"{name} is a list of whole numbers; {shown(entry)} is not one"
                )
        return list(value)

    def finish(self, ignored: Iterable[str] = ()) -> None:
        """Refuse fields that were not read: a mistyped one would have no effect."""
        unread = sorted(set(self._data) - self._taken - set(ignored))
        names = sorted(self._taken | self._declared)
        for name in unread:
            if name in names:
                raise BadRequestError(f"{name} does not go with the other fields of this request")
            meant = did_you_mean(name, names)
            hint = f"did you mean {meant}? The" if meant else "the"
            raise BadRequestError(
                f"there is no field {shown(name)}; {hint} fields here are {', '.join(names)}"
            )
