"""Engine options: how they are declared, parsed from a spec, and written to one.

A spec is the name of an engine and the options that differ from their defaults::

    minimax:depth=6,symmetry=off
    ─────── ──────────────────────
    name    option=value, separated by commas; a value with a comma is quoted, see `quoting`

A bot in a file is named by the file, and by the function or class in it where there are several::

    bots/my_bot.py:choose,time=2     the same as     file-bot:file=bots/my_bot.py,name=choose,time=2
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rl_toolkit.envs.validation import shown
from rl_toolkit.players.quoting import quoted, split_at_commas, unquoted

Value: TypeAlias = int | float | bool | str | None
Kind: TypeAlias = Literal["whole number", "number", "switch", "choice", "file", "text"]

#: The name of the engine that plays by a file.
BOT = "file-bot"
#: ``my_bot.py``, ``bots/my_bot.py:choose,time=2``, ``C:\\bots\\my_bot.py``
_BOT_FILE = re.compile(r"(?P<file>(?:[A-Za-z]:)?[^:]+\.py)\s*(?::(?P<rest>.*))?", re.DOTALL)

_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


class SpecError(ValueError):
    """Text that is not an engine or level; the message lists what can be used instead."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an engine.

    Attributes:
        name: its name in a spec.
        kind: the type of its values.
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
        if self.kind in ("file", "text"):
            what = "the name of a file" if self.kind == "file" else "text"
            return f"{', '.join(self.choices)} or {what}" if self.choices else what
        what = f"a {self.kind}"
        if self.most < math.inf:
            return f"{what} from {self.least:.12g} to {self.most:.12g}"
        return f"{what} of at least {self.least:.12g}" if self.least > -math.inf else what

    def is_outside(self, text: str) -> bool:
        """Whether ``text``, as its value, names a file or is handed to a program."""
        return self.kind in ("file", "text") and text.lower() not in self.choices

    def read(self, text: str) -> Value:
        """The value of ``text``; raises `SpecError` if it is not allowed."""
        value = self._parsed(text)
        out_of_range = (
            self.kind in ("whole number", "number")
            and isinstance(value, (int, float))
            and not self.least <= value <= self.most
        )
        if value is None or out_of_range:
            raise SpecError(f"{self.name} is {self.allowed}, not {shown(text)}")
        return value

    def _parsed(self, text: str) -> Value:
        if text.lower() in self.choices:
            return text.lower()
        if self.kind in ("file", "text", "choice"):
            return None if self.kind == "choice" else text
        if self.kind == "switch":
            return _SWITCH.get(text.lower())
        if self.kind == "whole number":
            return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
        try:
            number = float(text)
        except ValueError:
            return None
        return number if math.isfinite(number) else None

    def write(self, value: Value) -> str:
        """The text that `read` turns into ``value``."""
        if self.kind == "switch":
            return "on" if value else "off"
        if isinstance(value, str):
            return value
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return repr(value)


def spec_name(spec: str) -> str:
    """The name of the engine in a spec, whose options are not read.

    >>> spec_name("Minimax: depth=4"), spec_name("bots/My_Bot.py:choose")
    ('minimax', 'file-bot')
    """
    return BOT if _BOT_FILE.fullmatch(spec.strip()) else spec.partition(":")[0].strip().lower()


def without_folder(spec: str) -> str:
    """The spec of a bot with the name of its file alone; any other spec as it is.

    >>> without_folder("bots/my_bot.py:choose,time=2"), without_folder("minimax:depth=4")
    ('my_bot.py:choose,time=2', 'minimax:depth=4')
    """
    bot = _BOT_FILE.fullmatch(spec.strip())
    return spec if bot is None else Path(bot["file"]).name + spec.strip()[bot.end("file") :]


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a spec, as text; raises `SpecError` if it is malformed.

    Names are turned into lower case; values are kept as written, since they may be files.

    >>> split_spec("mcts: simulations=5000, c=1.4")
    ('mcts', {'simulations': '5000', 'c': '1.4'})
    >>> split_spec("my_bot.py:choose,time=2")
    ('file-bot', {'file': 'my_bot.py', 'name': 'choose', 'time': '2'})
    >>> split_spec('gtp:cmd="engine --levels 3,4",time=2')
    ('gtp', {'cmd': 'engine --levels 3,4', 'time': '2'})
    """
    if not isinstance(spec, str):
        raise SpecError(f"an engine is described by text, not {shown(spec)}")
    chosen: dict[str, str] = {}
    if bot := _BOT_FILE.fullmatch(spec.strip()):
        chosen["file"] = bot["file"]
        name, parts = BOT, [] if bot["rest"] is None else _parts(spec, bot["rest"])
        if parts and "=" not in parts[0]:
            chosen["name"] = parts.pop(0).strip()
            if not chosen["name"].isidentifier():
                raise SpecError(
                    f"{shown(spec)}: after the file comes the name of a function or class, not "
                    f"{shown(chosen['name'])}"
                )
    else:
        name, colon, rest = spec.strip().partition(":")
        parts = _parts(spec, rest) if colon else []
    for part in parts:
        option, equals, value = (word.strip() for word in part.partition("="))
        option = option.lower()
        if not (option and equals and value):
            raise SpecError(
                f"{shown(spec)}: options are written name:option=value,option=value; "
                f"{shown(part.strip())} is not option=value"
            )
        if option in chosen:
            raise SpecError(f"{shown(spec)}: {option} is given twice")
        chosen[option] = unquoted(value)
    return name.strip().lower(), chosen


def _parts(spec: str, options: str) -> list[str]:
    parts = split_at_commas(options)
    if parts is None:
        raise SpecError(f"{shown(spec)}: a quote is not closed")
    return parts


def join_spec(name: str, options: Sequence[Option], settings: dict[str, Any]) -> str:
    """The shortest spec for ``settings``, options in the order of their declaration."""
    parts = [
        f"{option.name}={quoted(option.write(settings[option.name]))}"
        for option in options
        if settings[option.name] != option.default
    ]
    if name == BOT and parts and (bot := _BOT_FILE.fullmatch(settings["file"])):
        parts.remove(f"file={quoted(bot['file'])}")
        name = bot["file"]
        if settings["name"] is not None:
            parts.remove(f"name={settings['name']}")
            parts.insert(0, settings["name"])
    return f"{name}:{','.join(parts)}" if parts else name
