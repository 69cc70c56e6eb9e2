"""Notes on moves as properties of SGF (FF[4]) and back.

=======================  =====================================================================
``TE[1]`` ``TE[2]``      a good move ``!``, a very good one ``!!``
``BM[1]`` ``BM[2]``      a bad move ``?``, a very bad one ``??``
``IT[]`` ``DO[]``        an interesting move ``!?``, a doubtful one ``?!``
``DM`` ``UC``            the position is even, unclear; ``[2]`` is the stronger form
``GB`` ``GW`` ``HO``     it is good for Black, good for White, worth a look
``CR TR SQ MA SL``       circles, triangles, squares, crosses, selected points
``LB`` ``AR`` ``LN``     labels, arrows, lines
``BL`` ``WL``            the seconds that the player has left after the move
``RLNOTE``               as JSON, what SGF has no property for: who played it, its time, a review
=======================  =====================================================================

``OB`` and ``OW`` (moves left in a period), ``N``, ``V``, ``DD`` and figures are not read. A mark
that is not on the board is skipped, as other programs do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from rl_toolkit.records.errors import RecordFieldError
from rl_toolkit.records.formats.sgf_grammar import Node, pair_of, pair_text, property_text
from rl_toolkit.records.move_notes import plain_number, read_number
from rl_toolkit.records.tree.game_line import as_decimal
from rl_toolkit.records.tree.notes import (
    LONGEST_LABEL,
    MOST_MARKS,
    MOST_SECONDS,
    Mark,
    Note,
    note_from_json,
    note_to_json,
)

_GLYPHS = {"!": ("TE", "1"), "!!": ("TE", "2"), "?": ("BM", "1"), "??": ("BM", "2")}
_GLYPHS |= {"!?": ("IT", ""), "?!": ("DO", "")}
_VERDICTS = {
    "=": ("DM", "1"),
    "==": ("DM", "2"),
    "∞": ("UC", "1"),
    "∞∞": ("UC", "2"),
    "+": ("GB", "1"),
    "++": ("GB", "2"),
    "-": ("GW", "1"),
    "--": ("GW", "2"),
    "*": ("HO", "1"),
    "**": ("HO", "2"),
}
_SPOTS = {"circle": "CR", "triangle": "TR", "square": "SQ", "cross": "MA", "selected": "SL"}
_STROKES = {"arrow": "AR", "line": "LN"}
_CLOCKS = {1: "BL", -1: "WL"}


def note_properties(note: Note, player: int, point: Callable[[int], str]) -> Iterator[str]:
    """The properties of a note on a move of ``player``; ``point`` writes a cell."""
    for known, value in ((_GLYPHS, note.glyph), (_VERDICTS, note.verdict)):
        if value:
            yield property_text(*known[value])
    drawn: dict[str, list[str]] = {}
    for mark in note.marks:
        if mark.shape == "label":
            text = pair_text(point(mark.cell), mark.text)
        elif mark.to is not None:
            text = f"[{point(mark.cell)}:{point(mark.to)}]"
        else:
            text = f"[{point(mark.cell)}]"
        name = (_SPOTS | _STROKES).get(mark.shape, "LB")
        drawn.setdefault(name, []).append(text)
    for name, texts in drawn.items():
        yield name + "".join(texts)
    rest = replace(note, glyph="", verdict="", marks=(), clock=None)
    if note.clock is not None and player:
        yield property_text(_CLOCKS[player], plain_number(as_decimal(note.clock)))
    elif note.clock is not None:
        rest = replace(rest, clock=note.clock)
    if rest:
        yield property_text("RLNOTE", json.dumps(note_to_json(rest), ensure_ascii=False))


def note_of(node: Node, player: int, cells: Callable[[str], list[int]], where: str) -> Note:
    """The note in a node; ``cells`` reads a point or a rectangle, none if it is off the board."""
    note = Note()
    if text := node.first("RLNOTE"):
        try:
            note = note_from_json(json.loads(text), None, where)
        except (ValueError, RecursionError) as error:
            raise RecordFieldError("RLNOTE is not a note", where) from error
    clock = read_number((node.first(_CLOCKS[player]) or "").strip()) if player else None
    if clock is not None and 0 <= clock < MOST_SECONDS:
        note = replace(note, clock=float(clock))
    marks = tuple(dict.fromkeys(_marks(node, cells)))[:MOST_MARKS]
    return replace(note, glyph=_sign(node, _GLYPHS), verdict=_sign(node, _VERDICTS), marks=marks)


def _sign(node: Node, known: dict[str, tuple[str, str]]) -> str:
    for sign, (name, value) in known.items():
        if name in node.properties:
            doubled = (node.first(name) or "").strip() == "2"
            if doubled == (value == "2"):
                return sign
    return ""


def _marks(node: Node, cells: Callable[[str], list[int]]) -> Iterator[Mark]:
    for name, values in node.properties.items():
        for value in values:
            for shape, own in _SPOTS.items():
                if own == name:
                    yield from (Mark(shape, cell) for cell in cells(value))
            for shape, own in _STROKES.items():
                if own == name:
                    ends = [cell for part in value.split(":") for cell in cells(part)]
                    if len(ends) == 2:
                        yield Mark(shape, ends[0], ends[1])
            pair = pair_of(value) if name == "LB" else None
            text = "".join(filter(str.isprintable, pair[1]))[:LONGEST_LABEL] if pair else ""
            if pair and text:
                yield from (Mark("label", cell, text=text) for cell in cells(pair[0])[:1])
