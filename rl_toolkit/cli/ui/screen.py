"""Where commands write: data to stdout, everything else to stderr, as the terminal allows.

Colour follows ``NO_COLOR``, ``TERM`` and whether there is a terminal; characters follow the
encoding and the locale. A `Screen` knows all of this, so that no command has to.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal, TextIO

from rich.console import Console, Group, RenderableType
from rich.text import Text

from rl_toolkit.cli.ui.ascii import plain, speaks_unicode
from rl_toolkit.cli.ui.tables import Prose, wrapped

#: Width of tables in a pipe, which has no width of its own; wrapped cells are hard to search.
PIPED_WIDTH = 120
#: The longest line of a sentence; longer ones are hard to read.
PARAGRAPH_WIDTH = 78


class Screen:
    """Two consoles and what their terminal can show.

    Attributes:
        out: the console for data.
        err: the console for progress, messages and errors.
        ascii: whether only ASCII may be written.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        out_file, err_file = out or sys.stdout, err or sys.stderr
        self.ascii = not speaks_unicode(out_file, os.environ)
        self.out = _console(out_file, self.ascii)
        self.err = _console(err_file, self.ascii)

    @property
    def width(self) -> int:
        """The number of columns for data."""
        return self.out.width

    @property
    def live(self) -> bool:
        """Whether something on stdout can be redrawn in place."""
        return self.out.is_terminal and not self.out.is_dumb_terminal

    def fit(self, text: str) -> str:
        """``text`` in characters that the terminal can show."""
        return plain(text) if self.ascii else text

    def say(self, what: RenderableType = "", style: str = "") -> None:
        """Write data: text, or anything that Rich can render."""
        self._write(self.out, what, style)

    def paragraph(
        self, text: str, style: str = "", *, indent: int = 0, width: int = PARAGRAPH_WIDTH
    ) -> None:
        """Write sentences in lines of at most ``width`` columns, all behind ``indent`` blanks.

        A word is never broken, not even a longer one, so that a command with a path can be copied.
        """
        fitted = wrapped(self.fit(text), min(self.width, width) - indent)
        lines = (
            Text(" " * indent + line, style, no_wrap=True, overflow="ignore") for line in fitted
        )
        self.say(Group(*lines))

    def row(self, text: str, style: str = "") -> None:
        """Write a line of data that is cut off at the edge rather than wrapped."""
        self.say(self.one_line(text, style))

    def one_line(self, text: str, style: str = "") -> Text:
        """``text`` as one line that is cut off where there is no more room."""
        overflow: Literal["crop", "ellipsis"] = "crop" if self.ascii else "ellipsis"
        return Text(self.fit(text), style, no_wrap=True, overflow=overflow)

    def tell(self, what: RenderableType, style: str = "") -> None:
        """Write what is not data: messages, hints, errors; they are lost if that is impossible."""
        with suppress(OSError):
            self._write(self.err, what, style)

    def notes(self, notes: Iterable[str]) -> None:
        """Write the notes of an analysis, which are not data."""
        for note in notes:
            self.tell(f"({note})", "dim")

    def left_out(self, count: int, hint: str = "") -> None:
        """Say how many rows a table leaves out, if any."""
        if count > 0:
            self.say(f"… and {count} more{hint}", "dim")

    def _write(self, console: Console, what: RenderableType, style: str) -> None:
        if isinstance(what, str):
            what = Prose(self.fit(what), style=style)
        if isinstance(what, Text):
            what = Group(what)  # of a text alone, Rich would forget how it wraps
        if console.is_terminal:
            console.print(what, crop=False)
            return
        # Rich pads lines with blanks, which do not belong in a file.
        with console.capture() as captured:
            console.print(what, crop=False)
        for line in captured.get().splitlines():
            console.file.write(line.rstrip() + "\n")
        console.file.flush()

    def line(self, text: str) -> None:
        """Write one line of data exactly as it is, for programs to read, at once."""
        self.out.file.write(text + "\n")
        self.out.file.flush()

    def json(self, data: Any) -> None:
        """Write data as one line of JSON."""
        self.line(json.dumps(data))


def _console(file: TextIO, ascii_only: bool) -> Console:
    is_piped = not file.isatty()
    width = PIPED_WIDTH if is_piped and "COLUMNS" not in os.environ else None
    return Console(
        file=file, width=width, markup=False, emoji=False, highlight=False, safe_box=ascii_only
    )
