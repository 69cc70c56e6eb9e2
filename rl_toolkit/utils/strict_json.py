"""A strict JSON reader for all formats of the toolkit and for web requests.

Python's reader accepts ``NaN``, ignores the first of two equal keys, and raises various exceptions
for deep nesting and huge numbers. Here each of these is a `JsonError`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from rl_toolkit.utils.messages import shown

JsonObject = dict[str, Any]


class JsonError(ValueError):
    """Text that is not a JSON object; ``where`` is the place of the mistake, if known."""

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.problem, self.where = problem, where


def read_object(text: str | bytes, *, constants: bool = False) -> JsonObject:
    """The JSON object in ``text``; raises `JsonError` for anything else.

    With ``constants``, ``NaN`` and infinities are accepted, for callers that check them later.

    >>> read_object('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    rl_toolkit.utils.strict_json.JsonError: the key 'a' appears twice in one object
    """
    if not isinstance(text, (str, bytes)):
        raise JsonError(f"JSON is text, not {shown(text)}")
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        refuse = None if constants else _no_constant
        value = json.loads(decoded, object_pairs_hook=_object_of, parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise JsonError("this is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise JsonError(f"this is not JSON: {error.msg}", where) from error
    except RecursionError as error:
        raise JsonError("the JSON is nested too deeply") from error
    except JsonError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise JsonError(f"the JSON cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise JsonError(f"this must be a JSON object {{…}}, not {shown(value)}")
    return value


def _object_of(pairs: list[tuple[str, Any]]) -> JsonObject:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise JsonError(f"the key {shown(twice)} appears twice in one object")
    return fields


def _no_constant(word: str) -> NoReturn:
    raise JsonError(f"{word} is not a JSON number")
