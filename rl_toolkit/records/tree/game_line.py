"""Where the notes on the moves of the game itself stand in a record.

Records had times and analyses before they had notes: the seconds of moves are the header ``move
times``, and analyses are a list. They stay there, so that older programs read them; a note on a
move of the game has neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from rl_toolkit.records import move_notes
from rl_toolkit.records.tree.notes import MOST_SECONDS, Note
from rl_toolkit.utils import JsonObject

Analyses = Sequence[JsonObject | None]


def settled(
    notes: Mapping[int, Note], headers: Mapping[str, str], analyses: Analyses, moves: int
) -> tuple[dict[int, Note], dict[str, str], tuple[JsonObject | None, ...]]:
    """Notes without times and analyses, and the headers and the analyses with them.

    What a header or a list says already stays where a note says nothing.
    """
    times = seconds(headers, moves) or [None] * moves
    found = list(analyses) or [None] * moves
    kept, timed = {}, False
    for ply, note in notes.items():
        if ply and note.time is not None:
            times[ply - 1], timed = note.time, True
        if ply and note.analysis is not None:
            found[ply - 1] = note.analysis
        if bare := replace(note, time=None, analysis=None) if ply else note:
            kept[ply] = bare
    told = dict(headers)
    if timed:
        told[move_notes.TIMES] = move_notes.joined(
            [None if time is None else as_decimal(time) for time in times]
        )
    return kept, told, tuple(found) if any(entry is not None for entry in found) else ()


def seconds(headers: Mapping[str, str], moves: int) -> list[float | None] | None:
    """The seconds of each move in the header; ``None`` if there is none, or it is another text."""
    numbers = move_notes.split(headers.get(move_notes.TIMES, ""), moves)
    if not numbers or not all(n is None or 0 <= n < MOST_SECONDS for n in numbers):
        return None
    return [None if number is None else float(number) for number in numbers]


def as_decimal(time: float) -> Decimal:
    """Seconds as files write them, to the microsecond."""
    return Decimal(f"{time:.6f}")
