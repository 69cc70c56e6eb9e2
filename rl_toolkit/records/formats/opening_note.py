"""The moves that no player chose, as the last line of a comment, in formats without a field for it.

::

    Opening: 4 moves, which no player chose.
"""

from __future__ import annotations

import re

from rl_toolkit.utils import counted

_NOTE = re.compile(r"Opening: ([1-9][0-9]{0,4}) moves?, which no player chose\.", re.ASCII)


def with_note(comment: str, opening: int) -> str:
    """The comment with a line on the opening, if there is one.

    >>> with_note("A fine game.", 2).splitlines()
    ['A fine game.', 'Opening: 2 moves, which no player chose.']
    """
    note = f"Opening: {counted(opening, 'move')}, which no player chose." if opening else ""
    return "\n".join(filter(None, (comment, note)))


def without_note(comment: str, moves: int) -> tuple[str, int]:
    """The comment without that line, and the number in it; ``moves`` is the length of the game."""
    rest, _, last = comment.rpartition("\n")
    match = _NOTE.fullmatch(last)
    if match is None or int(match[1]) > moves:
        return comment, 0
    return rest, int(match[1])
