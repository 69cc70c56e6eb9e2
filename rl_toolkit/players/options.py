"""Engine options: how they are declared, read from the text of a spec, and written to it."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias

from rl_toolkit.utils import shown

Value: TypeAlias = int | float | bool | str | None
Kind: TypeAlias = Literal["whole number", "number", "switch", "choice", "file", "text", "engine"]

#: The name of the engine that plays by a file.
BOT = "file-bot"

#: Whole numbers have at most 18 digits.
_LARGEST = 10**18 - 1

_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


class SpecError(ValueError):
    """Text that is not an engine or level; the message lists what can be used instead."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an engine.

    Attributes:
        name: its name in a spec.
        kind: the type of its values; an ``engine`` is a spec, whose default is written as text.
        default: the value if a spec does not set it; ``None`` for no value.
        help: one line of help.
        least, most: the range of a number, inclusive.
        choices: the values of a choice; words that stand for no file, if the value is a file.
        is_limit: whether it is part of the `Limit` of a search, not an argument of the engine.
    """

    name: str
    kind: Kind
    default: Value
    help: str
    least: float = -math.inf
    most: float = math.inf
    is_limit: bool = False
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The allowed values in words: ``a whole number from 1 to 60``, ``on or off``."""
        if self.kind == "switch":
            return "on or off"
        if self.kind == "choice":
            return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if self.is_free:
            what = {"file": "the name of a file", "engine": "an engine"}.get(self.kind, "text")
            return f"{', '.join(self.choices)} or {what}" if self.choices else what
        what = f"a {self.kind}"
        if self.most < math.inf:
            return f"{what} from {self.least:.12g} to {self.most:.12g}"
        return f"{what} of at least {self.least:.12g}" if self.least > -math.inf else what

    @property
    def is_free(self) -> bool:
        """Whether its value can be any text."""
        return self.kind in ("file", "text", "engine")

    def is_outside(self, text: str) -> bool:
        """Whether ``text``, as its value, may name a file or is handed to a program."""
        return self.is_free and text.lower() not in self.choices

    def read(self, given: object) -> Value:
        """The value of text, or of a value itself; raises `SpecError` if it is not allowed."""
        value = self._checked(self._parsed(given) if isinstance(given, str) else given)
        if value is None:
            raise SpecError(f"{self.name} is {self.allowed}, not {shown(given)}")
        return value

    def _checked(self, value: object) -> Value:
        """The value in the type that the engine gets, ``None`` if it is not allowed."""
        if self.kind == "switch":
            return value if isinstance(value, bool) else None
        if self.is_free or self.kind == "choice":
            return value if isinstance(value, str) else None
        is_whole = self.kind == "whole number"
        if isinstance(value, bool) or not isinstance(value, Integral if is_whole else Real):
            return None
        number: Any = value  # of a type that the range can be compared with
        largest = _LARGEST if is_whole else sys.float_info.max
        if not (self.least <= number <= self.most and abs(number) <= largest):
            return None
        return int(number) if is_whole else float(number)

    def _parsed(self, text: str) -> Value:
        if text.lower() in self.choices:
            return text.lower()
        if self.kind == "choice" or self.is_free:
            return None if self.kind == "choice" else text
        if self.kind == "switch":
            return _SWITCH.get(text.lower())
        if self.kind == "whole number":
            return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
        try:
            return float(text)
        except ValueError:
            return None

    def write(self, value: Value) -> str:
        """The text that `read` turns into ``value``."""
        if self.kind == "switch":
            return "on" if value else "off"
        if isinstance(value, str):
            return value
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return repr(value)
