"""JSON messages over a stream socket: four bytes with the length, then the text.

Only plain data goes through, so what the other side sends can be wrong, but cannot run anything.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from rl_toolkit.utils.strict_json import JsonError, JsonObject, read_object

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
        """Write a message; raises ``OSError`` if the other side is gone."""
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
    text = json.dumps(message, allow_nan=False, default=_plain).encode()
    return _LENGTH.pack(len(text)) + text


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be sent")
