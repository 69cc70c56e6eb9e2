"""JSON without its traps: what is written can be read, and what is read is what was written.

Python's reader takes ``NaN``, lets the second of two equal keys win and turns ``1e999`` into
infinity; its writer takes ``NaN`` too. Here all of these are errors that say where.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from rl_toolkit.envs.validation import shown
from rl_toolkit.records.errors import RecordFieldError, RecordSyntaxError

JsonObject = dict[str, Any]

#: Room for a long game with an analysis of every move; more is no record.
MAX_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 64
#: Whole numbers from other programs fit 64 bits, signed or not.
MAX_INTEGER = 2**64


def read_object(text: str) -> JsonObject:
    """The one JSON object that ``text`` holds; `RecordSyntaxError` if it holds anything else."""
    if not isinstance(text, str):
        raise RecordSyntaxError(f"a record is text, not {shown(text)}")
    if len(text) > MAX_BYTES:
        raise too_large()
    try:
        value = json.loads(text, object_pairs_hook=_object_of)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise RecordSyntaxError(f"this is not JSON: {error.msg}", where) from error
    except RecordSyntaxError:
        raise
    except RecursionError as error:
        raise RecordSyntaxError("the JSON is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise RecordSyntaxError(f"the JSON cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise RecordSyntaxError(f"a record is a JSON object {{…}}, not {shown(value)}")
    return value


def write_object(fields: JsonObject) -> str:
    """JSON with one field on each line; ``fields`` must have passed `checked`."""
    lines = [f"  {_dump(name)}: {_dump(value)}" for name, value in fields.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if len(text.encode()) > MAX_BYTES:
        raise too_large()
    return text


def checked(value: object, where: str, depth: int = 0) -> Any:
    """A deep copy of ``value`` that JSON can hold; `RecordFieldError` names the part it cannot."""
    if depth > MAX_DEPTH:
        raise RecordFieldError("this is nested too deeply", where)
    if isinstance(value, str):
        return checked_text(value, where)
    if isinstance(value, dict):
        return {
            checked_text(key, where): checked(part, f"{where}.{key:.40}", depth + 1)
            for key, part in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [checked(part, f"{where}[{k}]", depth + 1) for k, part in enumerate(value)]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < MAX_INTEGER:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    raise RecordFieldError(f"JSON cannot hold {shown(value)} of type {type(value).__name__}", where)


def checked_text(value: object, where: str) -> str:
    """``value`` if it is text that UTF-8 can hold."""
    if not isinstance(value, str):
        raise RecordFieldError(f"this must be text, not {shown(value)}", where)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordFieldError("this text has half a character in it", where) from error
    return value


def too_large() -> RecordSyntaxError:
    """What is said of more than `MAX_BYTES`."""
    return RecordSyntaxError(f"this is larger than a record can be, {MAX_BYTES >> 20} MiB")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _object_of(pairs: list[tuple[str, Any]]) -> JsonObject:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise RecordSyntaxError(f"the key {shown(twice)} appears twice in one object")
    return fields
