"""Comments, notes and variations of a `GameRecord` as JSON and back.

::

    "comments": {"0": "an old opening", "3": "unusual"},
    "notes": {"3": {"glyph": "?!", "marks": [["circle", "d6"]]}},
    "variations": [{"ply": 2, "moves": ["f3", "d6"], "comments": {"1": "sharper"}}]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records.errors import RecordFieldError, RecordMoveError
from rl_toolkit.records.tree.notes import Note, note_from_json, note_to_json
from rl_toolkit.records.tree.variations import (
    MAX_DEPTH,
    MAX_MOVES,
    Variation,
    branches,
    names_along,
    play_along,
)
from rl_toolkit.utils import JsonObject, shown

_REQUIRED = ("ply", "moves")
_OPTIONAL = ("comments", "variations")
#: The fields of version 4.
_FOURTH = ("notes", "ahead")


def comments_to_json(comments: Mapping[int, str]) -> JsonObject:
    """Texts by ply, with keys that JSON can hold."""
    return {str(ply): text for ply, text in comments.items()}


def comments_from_json(fields: object, where: str) -> dict[int, Any]:
    """Texts by ply; `GameRecord` checks the plies and the texts."""
    return _by_ply(fields, "text", where)


def notes_to_json(notes: Mapping[int, Note], env: BaseGameEnv | None) -> JsonObject:
    """Notes by ply; cells are named as on ``env``, or stay numbers without it."""
    return {str(ply): note_to_json(note, env) for ply, note in notes.items()}


def notes_from_json(fields: object, env: BaseGameEnv | None, where: str) -> dict[int, Note]:
    """Notes by ply; `GameRecord` checks what depends on the game."""
    return {
        ply: note_from_json(note, env, f"{where}.{ply}")
        for ply, note in _by_ply(fields, "notes", where).items()
    }


def needs_version_4(line: Sequence[int], variations: Sequence[Variation], top: bool = True) -> bool:
    """Whether the variations of a line have something that version 3 does not hold."""
    return any(
        variation.notes
        or variation.ahead
        or (top and variation.ply == len(line))
        or needs_version_4(variation.moves, variation.variations, top=False)
        for variation in variations
    )


def _by_ply(fields: object, what: str, where: str) -> dict[int, Any]:
    if not isinstance(fields, dict):
        raise RecordFieldError(f"this must map plies to {what}, not {shown(fields)}", where)
    plies = {}
    for key, value in fields.items():
        if not (key.isascii() and key.isdigit() and len(key) <= 6 and str(int(key)) == key):
            raise RecordFieldError(f"a ply is a number such as 3, not {shown(key)}", where)
        plies[int(key)] = value
    return plies


def to_json(
    begun: BaseGameEnv, line: Sequence[int], variations: Sequence[Variation]
) -> list[JsonObject]:
    """The variations of a line that begins in the position ``begun``."""
    listed = []
    for variation, env in branches(begun, line, variations):
        inner = to_json(env, variation.moves, variation.variations)
        fields: JsonObject = {"ply": variation.ply, "moves": names_along(env, variation.moves)}
        if variation.comments:
            fields["comments"] = comments_to_json(variation.comments)
        if variation.notes:
            fields["notes"] = notes_to_json(variation.notes, env)
        if variation.ahead:
            fields["ahead"] = True
        if inner:
            fields["variations"] = inner
        listed.append(fields)
    return listed


def from_json(
    begun: BaseGameEnv, line: Sequence[int], entries: object, version: int = 4
) -> list[Variation]:
    """The variations of a line; `GameRecord` checks what is not needed to read them."""
    return _Reader(version).read(begun, line, entries, "variations", 1)


class _Reader:
    """Reads a tree of variations; counts moves, so that the work has a bound."""

    def __init__(self, version: int) -> None:
        self.moves = 0
        self.version = version

    def read(
        self, begun: BaseGameEnv, line: Sequence[int], entries: object, where: str, depth: int
    ) -> list[Variation]:
        if not isinstance(entries, list):
            raise RecordFieldError(f"this must be a list, not {shown(entries)}", where)
        if depth > MAX_DEPTH:
            raise RecordFieldError(f"variations are nested deeper than {MAX_DEPTH}", where)
        positions = [begun.copy()]
        for k in range(len(line) if entries else 0):
            env = positions[-1].copy()
            play_along(env, line[k : k + 1], f"moves, move {k + 1}")
            positions.append(env)
        after_the_end = depth == 1 and self.version >= 4
        forks = positions if after_the_end else positions[:-1]
        return [self._one(forks, entry, f"{where}[{k}]", depth) for k, entry in enumerate(entries)]

    def _one(
        self, positions: list[BaseGameEnv], entry: object, where: str, depth: int
    ) -> Variation:
        if not isinstance(entry, dict):
            raise RecordFieldError(f"a variation is an object, not {shown(entry)}", where)
        for name in _REQUIRED:
            if name not in entry:
                raise RecordFieldError("this field is missing", f"{where}.{name}")
        for name in entry:
            if name not in _REQUIRED + _OPTIONAL + (_FOURTH if self.version >= 4 else ()):
                raise RecordFieldError(f"unknown field {shown(name)}", where)
        ply = entry["ply"]
        if type(ply) is not int or not 0 <= ply < len(positions):
            raise RecordFieldError(
                f"a ply is a number below the {len(positions)} moves of the line, not {shown(ply)}",
                f"{where}.ply",
            )
        if entry.get("ahead", False) not in (True, False):
            raise RecordFieldError("this is true or false", f"{where}.ahead")
        begun, inner = positions[ply], entry.get("variations", [])
        moves = self._moves(begun.copy(), entry["moves"], f"{where}.moves")
        return Variation(
            ply,
            moves,
            comments_from_json(entry.get("comments", {}), f"{where}.comments"),
            self.read(begun, moves, inner, f"{where}.variations", depth + 1),
            notes_from_json(entry.get("notes", {}), begun, f"{where}.notes"),
            entry.get("ahead", False) is True,
        )

    def _moves(self, env: BaseGameEnv, names: object, where: str) -> list[int]:
        """The moves with these names, played on ``env``; a name may depend on the position."""
        if not isinstance(names, list):
            raise RecordFieldError(f"this must be a list of move names, not {shown(names)}", where)
        self.moves += len(names)
        if self.moves > MAX_MOVES:
            raise RecordFieldError(f"the variations have more than {MAX_MOVES:,} moves", where)
        moves: list[int] = []
        for k, name in enumerate(names):
            legal = {env.move_name(move): move for move in env.get_legal_moves()}
            if not isinstance(name, str) or name not in legal:
                raise RecordMoveError(f"{shown(name)} cannot be played here", f"{where}[{k}]")
            moves.append(legal[name])
            env.step(legal[name])
        return moves
