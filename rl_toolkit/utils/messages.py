"""Values, durations and numbers in messages, and rows as CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterable

_LONGEST_SHOWN = 40
#: Colours, movements of the cursor and titles of windows, as programs write them for terminals.
_FOR_TERMINALS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")


def shown(value: object) -> str:
    """``repr(value)`` shortened for a message, safe for huge integers and broken ``__repr__``."""
    try:
        text = repr(value)
    except Exception:  # a caller's object may do anything; the message must not fail
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def one_line(text: str) -> str:
    r"""Text of other people's code on one line, without what would change a terminal.

    >>> one_line("a \n\x1b[31mred\x1b[0m\x07 b")
    'a red b'
    """
    plain = _FOR_TERMINALS.sub("", text)
    return " ".join("".join(c if c.isprintable() else " " for c in plain).split())


def as_typed(word: str) -> str:
    """A word as one types it in a command here: in quotes where the shell needs them.

    >>> as_typed("games"), as_typed("my games")[1:-1]
    ('games', 'my games')
    """
    return subprocess.list2cmdline([word]) if os.name == "nt" else shlex.quote(word)


def duration(seconds: float) -> str:
    """A duration for people: ``1 h 05 min``, ``3 min 20 s``, ``12 s``.

    >>> duration(3900), duration(200), duration(12.4)
    ('1 h 05 min', '3 min 20 s', '12 s')
    """
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 60} min {whole % 60:02} s" if whole >= 60 else f"{whole} s"


def counted(number: int, noun: str = "move") -> str:
    """A number with its noun: ``1 move``, ``2 discs``, ``5,000 bytes``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(words: Iterable[str], last: str = "and") -> str:
    """The words as a list in a sentence: ``a, b and c``."""
    *some, end = list(words) or [""]
    return f"{', '.join(some)} {last} {end}" if some else end


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` is most like, ``None`` if none is much like it.

    >>> did_you_mean("plya", ["play", "web"]), did_you_mean("chess", ["play", "web"])
    ('play', None)
    """
    from difflib import get_close_matches  # only errors need it

    return next(iter(get_close_matches(word.strip().lower(), list(known), n=1, cutoff=0.6)), None)


#: Beginnings that a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@")


def csv_rows(rows: Iterable[Iterable[object]]) -> str:
    """The rows as CSV, each cell a `safe_cell`; ``None`` is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(safe_cell, row) for row in rows)
    return text.getvalue()


def safe_cell(value: object) -> object:
    """The cell, with a quote before text that a spreadsheet would take for a formula.

    >>> safe_cell("=1+1"), safe_cell("Ada"), safe_cell(-1), safe_cell("-1"), safe_cell("-")
    ("'=1+1", 'Ada', -1, "'-1", '-')
    """
    if not isinstance(value, str) or value == "-":
        return value
    is_formula = value.lstrip().startswith(_FORMULA) or value.startswith(("\t", "\r", "\n"))
    return f"'{value}" if is_formula else value
