"""A stream for what a screen writes."""

from __future__ import annotations

import io


class Recorded(io.StringIO):
    """A stream that remembers what was written, in a given encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:
        return self._encoding
