"""Letters that every terminal can show in place of those that some cannot."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TextIO

#: Ornaments that say nothing without colour: they go, and with them one blank after them.
_ORNAMENTS = ("✓", "🟢", "⚖️", "⚖", "🔴", "❌")

_STAND_INS = {
    "⭐": "*",
    "★": "*",
    "×": "x",
    "−": "-",
    "–": "-",
    "·": "|",
    "•": "-",
    "…": "...",
    "→": "->",
    "±": "+/-",
    "█": "#",
    "━": "=",
    "─": "-",
    "│": "|",
    "├": "+",
    "└": "+",
    "’": "'",
    "“": '"',
    "”": '"',
    "\ufe0f": "",
}


def plain(text: str) -> str:
    """``text`` in ASCII, saying the same.

    >>> plain("⚖️ Draw · 3×3 … ⭐ YES")
    'Draw | 3x3 ... * YES'
    """
    if text.isascii():
        return text
    for ornament in _ORNAMENTS:
        text = text.replace(ornament + " ", "").replace(ornament, "")
    return "".join(_letter(char) for char in text)


def _letter(char: str) -> str:
    if char.isascii():
        return char
    if char in _STAND_INS:
        return _STAND_INS[char]
    bare = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii")
    return bare or "?"


def speaks_unicode(file: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the stream and the terminal behind it take letters beyond ASCII.

    In the plain C locale Python writes UTF-8 all the same, to a terminal that was told otherwise.
    """
    encoding = (file.encoding or "").lower().replace("-", "")
    if not encoding.startswith("utf"):
        return False
    chosen = (environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next(filter(None, chosen), "") not in ("C", "POSIX")
