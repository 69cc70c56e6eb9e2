"""JSON read without its traps, for every format of the toolkit and for requests.

Python's reader takes ``NaN``, lets the second of two equal keys win, and fails in three ways of its
own on nesting and on huge numbers. Here each of these is a `JsonError` that says where.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from rl_toolkit.utils.messages import shown

JsonObject = dict[str, Any]


class JsonError(ValueError):
    """Text that is not the JSON of one object; ``where`` is the place, if it has one."""

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(f"{where}: {problem}" if where else problem)
        self.problem, self.where = problem, where


def read_object(text: str | bytes, *, constants: bool = False) -> JsonObject:
    """The one JSON object that ``text`` holds.

    With ``constants`` numbers that JSON does not have (``NaN``) are left to the caller, who may
    know better where they stand.

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
        raise JsonError("this is not text in UTF-8") from error
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
