"""`Note` and `Mark`: what a person or a program attached to one move, beside its comment.

::

    Note(glyph="?!", verdict="+", marks=(Mark("circle", 5), Mark("arrow", 0, to=2)), clock=71.5)

=============  =========================================================================
``glyph``      of the move: ``! ? !! ?? !? ?!``
``verdict``    of the position after it, ``+`` is good for X: ``= == ∞ ∞∞ + ++ - -- * **``
``marks``      drawn on cells: circles, triangles, squares, crosses, labels, arrows, lines
``time``       the seconds that the move took
``clock``      the seconds that its player had left after it
``by``         who played it, where that is not the player of the record
``review``     what a review says of the move: a JSON object
``analysis``   the analysis made before the move: a JSON object
=============  =========================================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.validation import as_move
from rl_toolkit.records.checked_json import checked, checked_text
from rl_toolkit.records.errors import RecordFieldError
from rl_toolkit.utils import JsonObject, listed, shown
from rl_toolkit.utils.position_utils import algebraic_to_index, cell_name

T = TypeVar("T")

GLYPHS = ("!", "?", "!!", "??", "!?", "?!")
#: Even, quite even; unclear, very unclear; good and very good for X, for O; worth a look, well so.
VERDICTS = ("=", "==", "∞", "∞∞", "+", "++", "-", "--", "*", "**")
#: The shapes on one cell, and those from one cell to another.
SPOTS = ("circle", "triangle", "square", "cross", "selected", "label")
STROKES = ("arrow", "line")
SHAPES = SPOTS + STROKES

MOST_MARKS = 1000
#: Seconds are kept to the microsecond and are fewer than this.
MOST_SECONDS = 10**9
LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape on a cell; ``to`` is the other end of an arrow or a line, ``text`` a label."""

    shape: str
    cell: int
    to: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What is attached to one move. `GameRecord` checks it; empty parts are left out of files."""

    glyph: str = ""
    verdict: str = ""
    marks: tuple[Mark, ...] = ()
    time: float | None = None
    clock: float | None = None
    by: str = ""
    review: JsonObject | None = field(default=None, hash=False)
    analysis: JsonObject | None = field(default=None, hash=False)

    def __bool__(self) -> bool:
        return self != _EMPTY

    def joined(self, other: Note) -> Note:
        """This note with every part that ``other`` has."""
        parts = {name: getattr(other, name) for name in _NAMES}
        return replace(self, **{k: v for k, v in parts.items() if v not in ("", (), None)})


_EMPTY = Note()
_NAMES = tuple(part.name for part in fields(Note))


# -------------------------------------------------------------------------- checking


def checked_notes(
    notes: object, env: BaseGameEnv, moves: int, first: int, where: str
) -> dict[int, Note]:
    """Notes by ply, in order, without empty ones; ``first`` is the lowest ply."""

    def one(note: object, where: str) -> Note:
        if not isinstance(note, Note):
            raise RecordFieldError(f"this must be a Note, not {shown(note)}", where)
        return checked_note(note, env, where)

    return checked_by_ply(notes, "notes", moves, first, where, one)


def checked_by_ply(
    entries: object,
    what: str,
    moves: int,
    first: int,
    where: str,
    checked: Callable[[object, str], T],
) -> dict[int, T]:
    """The entries of a mapping from plies, in order, each as ``checked`` returns it if not empty.

    ``first`` is the lowest ply, ``moves`` the highest.
    """
    if not isinstance(entries, Mapping):
        raise RecordFieldError(f"this must map plies to {what}, not {shown(entries)}", where)
    kept: dict[int, T] = {}
    for key, entry in entries.items():
        try:
            ply = as_move(key)
        except ValueError:
            ply = -1
        if not first <= ply <= moves:
            raise RecordFieldError(f"a ply is {first} to {moves}, not {shown(key)}", where)
        kept[ply] = checked(entry, f"{where}.{ply}")
    return {ply: kept[ply] for ply in sorted(kept) if kept[ply]}


def checked_note(note: Note, env: BaseGameEnv, where: str) -> Note:
    """A copy of ``note``; raises `RecordFieldError` for a part that a record cannot hold."""
    for name, known in (("glyph", GLYPHS), ("verdict", VERDICTS)):
        if getattr(note, name) not in ("", *known):
            value = shown(getattr(note, name))
            raise RecordFieldError(
                f"this is one of {' '.join(known)}, not {value}", f"{where}.{name}"
            )
    for name in ("review", "analysis"):
        if not isinstance(getattr(note, name), (dict, type(None))):
            value = shown(getattr(note, name))
            raise RecordFieldError(f"this is an object, not {value}", f"{where}.{name}")
    marks = note.marks
    if not isinstance(marks, (tuple, list)) or len(marks) > MOST_MARKS:
        raise RecordFieldError(
            f"this must be a list of at most {MOST_MARKS} marks", f"{where}.marks"
        )
    drawn = [_checked_mark(mark, env, f"{where}.marks[{k}]") for k, mark in enumerate(marks)]
    return Note(
        note.glyph,
        note.verdict,
        tuple(dict.fromkeys(drawn)),
        _checked_seconds(note.time, f"{where}.time"),
        _checked_seconds(note.clock, f"{where}.clock"),
        checked_text(note.by, f"{where}.by"),
        checked(note.review, f"{where}.review"),
        checked(note.analysis, f"{where}.analysis"),
    )


def _checked_mark(mark: object, env: BaseGameEnv, where: str) -> Mark:
    if not isinstance(mark, Mark) or mark.shape not in SHAPES:
        raise RecordFieldError(f"a mark is {listed(SHAPES)}, not {shown(mark)}", where)
    cells = []
    for cell in (mark.cell, mark.to) if mark.shape in STROKES else (mark.cell,):
        try:
            cells.append(as_move(cell))
        except ValueError:
            cells.append(-1)
        if not 0 <= cells[-1] < env.rows * env.cols:
            raise RecordFieldError(f"{shown(cell)} is not a cell of {env.name}", where)
    text = checked_text(mark.text, where) if mark.shape == "label" else ""
    if mark.shape == "label" and not (0 < len(text) <= LONGEST_LABEL and text.isprintable()):
        raise RecordFieldError(f"a label is a line of 1 to {LONGEST_LABEL} letters", where)
    return Mark(mark.shape, cells[0], cells[1] if len(cells) > 1 else None, text)


def _checked_seconds(value: object, where: str) -> float | None:
    if value is None:
        return None
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0 <= value < MOST_SECONDS:  # type: ignore
        raise RecordFieldError(f"this is a number of seconds, not {shown(value)}", where)
    return round(float(value), 6)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------ JSON


def note_to_json(note: Note, env: BaseGameEnv | None = None) -> JsonObject:
    """A note as JSON, empty parts left out; cells are named as on ``env``, else numbers."""
    parts = {name: getattr(note, name) for name in _NAMES}
    parts["marks"] = [mark_to_json(mark, env) for mark in note.marks]
    return {name: value for name, value in parts.items() if value not in ("", [], None)}


def note_from_json(fields: object, env: BaseGameEnv | None, where: str) -> Note:
    """The note in JSON; `checked_note` checks what depends on the game.

    Raises `RecordFieldError`, which names ``where``, for a field that is unknown or wrong.
    """
    if not isinstance(fields, dict):
        raise RecordFieldError(f"a note is an object, not {shown(fields)}", where)
    for name in fields:
        if name not in _NAMES:
            raise RecordFieldError(f"unknown field {shown(name)}", where)
    parts: dict[str, Any] = dict(fields)
    if "marks" in parts:
        if not isinstance(parts["marks"], list):
            raise RecordFieldError("this must be a list of marks", f"{where}.marks")
        parts["marks"] = tuple(
            _mark_from_json(entry, env, f"{where}.marks[{k}]")
            for k, entry in enumerate(parts["marks"])
        )
    return Note(**parts)


def mark_to_json(mark: Mark, env: BaseGameEnv | None) -> list[object]:
    """``["circle", "f1"]``, ``["arrow", "a1", "c1"]``, ``["label", "b2", "A"]``."""
    ends = [cell if env is None else cell_name(cell, env.rows, env.cols) for cell in _ends(mark)]
    return [mark.shape, *ends, *([mark.text] if mark.text else [])]


def _ends(mark: Mark) -> list[int]:
    return [mark.cell] if mark.to is None else [mark.cell, mark.to]


def _mark_from_json(entry: object, env: BaseGameEnv | None, where: str) -> Mark:
    problem = f"a mark looks like ['circle', 'a1'], not {shown(entry)}"
    if not isinstance(entry, list) or not entry or entry[0] not in SHAPES:
        raise RecordFieldError(problem, where)
    shape, *rest = entry
    if len(rest) != (1 if shape in SPOTS and shape != "label" else 2):
        raise RecordFieldError(problem, where)
    text = rest.pop() if shape == "label" else ""
    cells = [_cell(value, env, problem, where) for value in rest]
    return Mark(shape, cells[0], cells[1] if len(cells) > 1 else None, text)


def _cell(value: object, env: BaseGameEnv | None, problem: str, where: str) -> int:
    if env is None and type(value) is int:
        return value
    if env is None or not isinstance(value, str):
        raise RecordFieldError(problem, where)
    try:
        return algebraic_to_index(value, (env.rows, env.cols))
    except ValueError as error:
        raise RecordFieldError(str(error), where) from error
