"""A `GameTree` as JSON for a page, and back.

The fields are those of a saved record, with three differences: moves and the cells of marks are
numbers, with the ``names`` of the moves beside them; ``removed`` has the paths that were deleted;
``played`` is false if no move is marked as played, so that ``moves`` is only the main line::

    {"game": "connect-four", "moves": [3, 3], "names": ["d", "d"], "result": null,
     "notes": {"2": {"glyph": "?", "marks": [["circle", 10]]}},
     "variations": [{"ply": 1, "moves": [2], "names": ["c"]}], "removed": {"3 5": 1}}

Nesting follows variations, not moves, so a game of any length is a flat object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records.checked_json import checked
from rl_toolkit.records.errors import RecordFieldError
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.tree.game_tree import GameTree
from rl_toolkit.records.tree.notes import Note
from rl_toolkit.records.tree.variations import MAX_DEPTH, Variation, branches, names_along
from rl_toolkit.records.tree.variations_json import (
    comments_from_json,
    comments_to_json,
    notes_from_json,
    notes_to_json,
)
from rl_toolkit.utils import JsonObject, shown

_PLAIN = ("game", "start", "opening", "result", "ended_by", "headers", "analyses")
_LINE = ("moves", "names", "comments", "notes", "variations")
_TREE = (*_PLAIN, *_LINE, "players", "removed", "played")
_BRANCH = (*_LINE, "ply", "ahead")
_MOST_REMOVED = 10_000


def tree_to_json(tree: GameTree) -> JsonObject:
    """The tree as a JSON object; empty fields are left out, except the game, moves and result."""
    record = tree.record()
    begun = record.starting_position()
    fields: JsonObject = {
        **{name: getattr(record, name) for name in _PLAIN},
        "players": list(record.players) if any(record.players) else None,
        **_line_to_json(begun, record.moves, record.comments, record.notes, record.variations),
        "removed": {_path_text(path): count for path, count in tree.removed.items()},
    }
    if record.moves and not any(node.played for node in tree.game):
        fields["played"] = False
    needed = ("game", "moves", "names", "result", "played")
    return checked({k: v for k, v in fields.items() if k in needed or v}, "tree")  # type: ignore[no-any-return]


def tree_from_json(fields: JsonObject) -> GameTree:
    """The tree in such an object; raises `RecordError`, naming the field."""
    _check_names(fields, _TREE, ("game", "moves"), "")
    parts: dict[str, Any] = {name: fields[name] for name in _PLAIN if name in fields}
    if fields.get("players") is not None:
        parts["players"] = fields["players"]
    record = GameRecord(**parts, **_line_from_json(fields, "", 0))
    tree = GameTree(record)
    tree.removed = _removed(fields.get("removed", {}))
    if fields.get("played", True) is False:
        for node in tree.walk():
            node.played = False
    return tree


def _line_to_json(
    begun: BaseGameEnv,
    moves: Sequence[int],
    comments: Mapping[int, str],
    notes: Mapping[int, Note],
    variations: Sequence[Variation],
) -> JsonObject:
    fields: JsonObject = {"moves": list(moves), "names": names_along(begun.copy(), moves)}
    if comments:
        fields["comments"] = comments_to_json(comments)
    if notes:
        fields["notes"] = notes_to_json(notes, None)
    listed = []
    for other, env in branches(begun, moves, variations):
        inner = _line_to_json(env, other.moves, other.comments, other.notes, other.variations)
        listed.append({"ply": other.ply, **({"ahead": True} if other.ahead else {}), **inner})
    return {**fields, "variations": listed} if listed else fields


def _line_from_json(fields: JsonObject, where: str, depth: int) -> dict[str, Any]:
    """The arguments that a `GameRecord` and a `Variation` share; the record checks them."""
    if depth > MAX_DEPTH:
        raise RecordFieldError(f"variations are nested deeper than {MAX_DEPTH}", where)
    listed = fields.get("variations", [])
    if not isinstance(listed, list):
        raise RecordFieldError(f"this must be a list, not {shown(listed)}", f"{where}variations")
    made = []
    for k, entry in enumerate(listed):
        place = f"{where}variations[{k}]"
        if not isinstance(entry, dict):
            raise RecordFieldError(f"a variation is an object, not {shown(entry)}", place)
        _check_names(entry, _BRANCH, ("ply", "moves"), f"{place}.")
        inner = _line_from_json(entry, f"{place}.", depth + 1)
        made.append(Variation(entry["ply"], ahead=entry.get("ahead", False) is True, **inner))
    return {
        "moves": fields["moves"],
        "comments": comments_from_json(fields.get("comments", {}), f"{where}comments"),
        "notes": notes_from_json(fields.get("notes", {}), None, f"{where}notes"),
        "variations": made,
    }


def _check_names(fields: object, known: Sequence[str], needed: Sequence[str], where: str) -> None:
    if not isinstance(fields, dict):
        raise RecordFieldError(f"a tree is an object, not {shown(fields)}")
    for name in needed:
        if name not in fields:
            raise RecordFieldError("this field is missing", f"{where}{name}")
    for name in fields:
        if name not in known:
            raise RecordFieldError(f"unknown field {shown(name)}", where.rstrip("."))


def _removed(fields: object) -> dict[tuple[int, ...], int]:
    if not isinstance(fields, dict) or len(fields) > _MOST_REMOVED:
        raise RecordFieldError("this must map deleted paths to counts", "removed")
    counts = {}
    for text, count in fields.items():
        words = text.split(" ")
        fits = all(word.isascii() and word.isdigit() and len(word) <= 6 for word in words)
        if not fits or type(count) is not int or not 0 < count < 2**31:
            raise RecordFieldError(f"{shown(text)} is not a path of moves with a count", "removed")
        counts[tuple(int(word) for word in words)] = count
    return counts


def _path_text(path: Sequence[int]) -> str:
    return " ".join(map(str, path))
