"""Records as JSON: what is written can be read, and what is read is what was written.

Reading is `utils.strict_json`. Python's writer takes ``NaN``, and its reader turns ``1e999`` into
infinity; `checked` refuses both and says where.
"""

from __future__ import annotations

import json
import math
from typing import Any

from rl_toolkit.envs.validation import shown
from rl_toolkit.records.errors import RecordFieldError, RecordSyntaxError
from rl_toolkit.utils.strict_json import JsonError, JsonObject, read_object

#: Room for a long game with an analysis of every move.
MAX_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 64
#: Whole numbers from other programs fit 64 bits, signed or not.
MAX_INTEGER = 2**64


def read_record(text: str) -> JsonObject:
    """The JSON object of a record; `RecordSyntaxError` for anything else."""
    if isinstance(text, str) and len(text) > MAX_BYTES:
        raise too_large()
    try:
        return read_object(text, constants=True)
    except JsonError as error:
        raise RecordSyntaxError(error.problem, error.where) from error


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
