"""Reading lines from a person, or from a pipe that stands in for one."""

from __future__ import annotations

import sys
from contextlib import suppress


class Keyboard:
    """Lines typed at a prompt; with editing and history where the system has them."""

    def __init__(self) -> None:
        self._is_person = sys.stdin is not None and sys.stdin.isatty()
        if self._is_person:
            with suppress(ImportError):
                import readline  # noqa: F401 - importing it is what makes input() editable

    def read(self, prompt: str) -> str:
        """The next line; `EOFError` when there is none.

        Lines from a pipe are written after the prompt, as if they had been typed: the output then
        reads like a game.
        """
        try:
            line = input(prompt)
        except UnicodeDecodeError:
            line = "\N{REPLACEMENT CHARACTER}"  # bytes that are no text name no move
        if not self._is_person:
            printable = "".join(char if char.isprintable() else "?" for char in line[:200])
            print(printable)
        return line
