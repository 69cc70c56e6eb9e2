"""Plain text for every terminal: ASCII in place of other characters, and lists of moves."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TextIO

#: Ornaments that mean nothing without colour: left out, with one blank after each.
_ORNAMENTS = ("✓", "🟢", "⚖️", "⚖", "🔴", "❌")

#: ASCII → the characters that it stands in for.
_STAND_INS = {
    "*": "⭐★",
    "-": "−–•─",
    "|": "·│",
    "+": "├└",
    "x": "×",
    "#": "█",
    "=": "━",
    "...": "…",
    "->": "→",
    "+/-": "±",
    "~": "≈",
    ">=": "≥",
    "<=": "≤",
    "'": "’",
    '"': "“”",
    "alpha": "α",
    "beta": "β",
    "inf": "∞",
    "": "\ufe0f",
}
_TABLE = str.maketrans({char: text for text, chars in _STAND_INS.items() for char in chars})


def plain(text: str) -> str:
    """``text`` in ASCII, with the same meaning.

    >>> plain("⚖️ Draw · 3×3 … ⭐ YES")
    'Draw | 3x3 ... * YES'
    """
    if text.isascii():
        return text
    for ornament in _ORNAMENTS:
        text = text.replace(ornament + " ", "").replace(ornament, "")
    return "".join(_bare(char) for char in text.translate(_TABLE))


def _encode_plain(error: UnicodeError) -> tuple[str, int]:
    """Write the characters that cannot be encoded as `plain` does."""
    assert isinstance(error, UnicodeEncodeError)
    return plain(error.object[error.start : error.end]), error.end


#: The name of the error handler for streams that take only ASCII.
PLAIN = "rl_toolkit.plain"
codecs.register_error(PLAIN, _encode_plain)


def _bare(char: str) -> str:
    """A letter without its accents; other characters become a question mark."""
    return unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii") or "?"


def speaks_unicode(file: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the stream and its terminal can show characters beyond ASCII.

    In the C locale Python writes UTF-8 even to a terminal that does not expect it.
    """
    encoding = (file.encoding or "").lower().replace("-", "")
    if not encoding.startswith("utf"):
        return False
    chosen = (environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next(filter(None, chosen), "") not in ("C", "POSIX")


def numbered_turns(names: Sequence[str], first: int = 0) -> str:
    """The moves from ply ``first``, two to a turn.

    >>> numbered_turns(["b2", "a1", "c3"]), numbered_turns(["b2", "a1", "c3"], 1)
    ('1. b2 a1 2. c3', '1... a1 2. c3')
    """
    turns = range(first - first % 2, len(names), 2)
    return " ".join(
        f"{n // 2 + 1}{'...' if n < first else '.'} {' '.join(names[max(n, first) : n + 2])}"
        for n in turns
    )
