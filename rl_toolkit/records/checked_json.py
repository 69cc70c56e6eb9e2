"""Strict JSON for records: whatever is written can be read back unchanged.

`utils.strict_json` reads it. Python writes ``NaN`` and reads ``1e999`` as infinity; `checked`
rejects both and names the place.
"""

from __future__ import annotations

import json
import math
from typing import Any

from rl_toolkit.records.errors import RecordFieldError, RecordSyntaxError
from rl_toolkit.utils import JsonError, JsonObject, read_object, shown

#: Enough for a long game with an analysis of every move.
MAX_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 64
#: Integers written by other programs fit into 64 bits, signed or not.
MAX_INTEGER = 2**64


def read_record(text: str) -> JsonObject:
    """The JSON object of a record; raises `RecordSyntaxError` for anything else."""
    if isinstance(text, str) and len(text) > MAX_BYTES:
        raise too_large()
    try:
        return read_object(text, constants=True)
    except JsonError as error:
        raise RecordSyntaxError(error.problem, error.where) from error


def write_object(fields: JsonObject) -> str:
    """``fields`` as JSON, one field per line; they must have passed `checked`."""
    lines = [f"  {_dump(name)}: {_dump(value)}" for name, value in fields.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if len(text.encode()) > MAX_BYTES:
        raise too_large()
    return text


def checked(value: object, where: str, depth: int = 0) -> Any:
    """A deep copy of ``value``; raises `RecordFieldError` for a part that JSON cannot hold."""
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
    """``value``, if it is text that can be encoded in UTF-8; else raises `RecordFieldError`."""
    if not isinstance(value, str):
        raise RecordFieldError(f"this must be text, not {shown(value)}", where)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordFieldError("this text contains half a surrogate pair", where) from error
    return value


def too_large() -> RecordSyntaxError:
    """The error for more than `MAX_BYTES`."""
    return RecordSyntaxError(f"this is too large: a record has at most {MAX_BYTES >> 20} MiB")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
