"""The table of the courses: what becomes of each move, in words, with the best one marked.

The outcome of a move is worded as the AI sees it, whichever side it plays and whoever is to move.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len, set_cell_size

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv, ConnectFour
from rl_toolkit.explain import assessment, exploration, format_outcome

_BEST = "⭐ YES"
#: The most that is said of a value that nobody proved: an advantage, however large.
_UNPROVEN = 0.89
_BETWEEN = " | "
#: What gives way where there is no room, first things first; an assessment is cut short before
#: it goes, down to so many columns.
_DISPENSABLE = ("Assessment", "Visits")
_SHORTEST = 16


def numbered(env: BaseGameEnv, move: int) -> str:
    """A move by name and by the number that people may type for it: ``b2 (4)``."""
    first = 1 if isinstance(env, ConnectFour) else 0
    return f"{env.move_name(move)} ({move + first})"


def course_table(
    env: BaseGameEnv,
    analysis: Analysis,
    *,
    ai: int,
    width: int | None = None,
    fit: Callable[[str], str] = str,
) -> list[str]:
    """Position, Outcome, Assessment, Best; for tree search the visits as well.

    Args:
        env: the position.
        analysis: what an engine says of it.
        ai: the player whom an engine plays; 0 where two people play, or two engines, and the
            outcomes speak of X and O.
        width: columns there are.
        fit: puts text into letters that can be shown.
    """
    best = analysis.candidates[0] if analysis.candidates else None
    candidates = sorted(analysis.candidates, key=lambda candidate: candidate.move)
    searched = any(candidate.visits is not None for candidate in candidates)
    columns = {
        "Position": [numbered(env, c.move) for c in candidates],
        "Outcome": [fit(_outcome(c, analysis.player, ai)) for c in candidates],
    }
    if searched:
        columns["Visits"] = [f"{c.visits or 0:,}" for c in candidates]
    columns["Assessment"] = [_assessed(c, searched=searched) for c in candidates]
    columns["Best"] = [fit(_BEST) if c is best else "" for c in candidates]
    return _lines(_that_fit(columns, width, fit("…")))


def _outcome(candidate: Candidate, mover: int, ai: int) -> str:
    """The value in words; "wins" is said of proven wins only."""
    value = candidate.value
    if not candidate.proven:
        value = max(-_UNPROVEN, min(_UNPROVEN, value))
    if ai:
        return format_outcome(value, perspective="ai" if mover == ai else "human")
    _ornament, words = format_outcome(value * mover).split(" ", 1)
    return words.replace("AI", "X").replace("Human", "O")


def _assessed(candidate: Candidate, *, searched: bool) -> str:
    if searched and not candidate.proven:
        return exploration(candidate.visits or 0, candidate.value)
    return assessment(candidate.value, candidate.distance, proven=candidate.proven)


def _that_fit(columns: dict[str, list[str]], width: int | None, dots: str) -> dict[str, list[str]]:
    """The columns that fit; the words of the assessment give way to all others."""
    kept = dict(columns)
    for head in _DISPENSABLE:
        missing = 0 if width is None else _width(kept) - width
        if missing <= 0:
            return kept
        room = _widest(head, kept.get(head, [])) - missing
        if head == "Assessment" and room >= _SHORTEST:
            kept[head] = [_cut(cell, room, dots) for cell in kept[head]]
        else:
            kept.pop(head, None)
    return kept


def _cut(text: str, room: int, dots: str) -> str:
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - len(dots)).rstrip() + dots


def _widest(head: str, cells: list[str]) -> int:
    return max(cell_len(cell) for cell in (head, *cells))


def _width(columns: dict[str, list[str]]) -> int:
    return sum(_widest(*column) for column in columns.items()) + len(_BETWEEN) * (len(columns) - 1)


def _lines(columns: dict[str, list[str]]) -> list[str]:
    widths = [_widest(*column) for column in columns.items()]
    rows = [tuple(columns), *zip(*columns.values(), strict=True)]
    lines = [
        _BETWEEN.join(set_cell_size(cell, w) for cell, w in zip(row, widths, strict=True))
        for row in rows
    ]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return [line.rstrip() for line in lines]
