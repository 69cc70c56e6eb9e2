"""JSON read strictly, from text and as messages on a socket.

Python's reader accepts ``NaN`` and half of a surrogate pair, which no file can hold, ignores the
first of two equal keys, and raises various exceptions for deep nesting and huge numbers. Here each
of these is a `JsonError`.

Only plain data goes through, so what the other side sends can be wrong, but cannot run anything.
"""

from __future__ import annotations

import json
import re
import socket
import struct
from collections import Counter
from typing import Any, NoReturn

from rl_toolkit.utils.messages import shown

JsonObject = dict[str, Any]
#: What may be half of a surrogate pair.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


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
        if _SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise JsonError("this is not UTF-8 text") from error
    except UnicodeEncodeError as error:
        raise JsonError("it has half of a surrogate pair, which is not text") from error
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


_LENGTH = struct.Struct("!I")
_CHUNK = 1 << 16


class FramedJson:
    """Reads and writes messages on a socket; messages longer than ``longest`` are refused."""

    def __init__(self, connection: socket.socket, longest: int = 1 << 22) -> None:
        self.connection, self._longest = connection, longest
        self._received = bytearray()

    def fileno(self) -> int:
        """The file descriptor, for ``select``."""
        return self.connection.fileno()

    def send(self, message: JsonObject) -> None:
        """Write a message; raises ``OSError`` if the other side is gone.

        Half of a surrogate pair arrives as a question mark.
        """
        self.connection.sendall(_framed(message))

    def send_with_files(self, message: JsonObject, files: list[int]) -> None:
        """Write a short message together with open files, over a Unix socket."""
        socket.send_fds(self.connection, [_framed(message)], files)

    def read(self) -> bool:
        """Read what has arrived; ``False`` if the other side has closed the stream."""
        data = self.connection.recv(_CHUNK)
        self.feed(data)
        return bool(data)

    def feed(self, data: bytes) -> None:
        """Add what was read from the socket in another way."""
        self._received += data

    def message(self) -> JsonObject | None:
        """The next message that has arrived in full, ``None`` if there is none.

        Raises `JsonError` for anything that is not a message.
        """
        if len(self._received) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._received)
        if length > self._longest:
            raise JsonError(f"a message of {length} bytes is too long")
        end = _LENGTH.size + length
        if len(self._received) < end:
            return None
        text = bytes(self._received[_LENGTH.size : end])
        del self._received[:end]
        return read_object(text)

    def receive(self) -> JsonObject | None:
        """Wait for the next message; ``None`` if the other side has closed the stream."""
        while (message := self.message()) is None:
            if not self.read():
                return None
        return message

    def close(self) -> None:
        """Close the socket."""
        self.connection.close()


def _framed(message: JsonObject) -> bytes:
    text = json.dumps(message, allow_nan=False, default=_plain, ensure_ascii=False)
    data = text.encode("utf-8", "replace")
    return _LENGTH.pack(len(data)) + data


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be sent")
