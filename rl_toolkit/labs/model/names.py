"""`Names`: what the student calls things, and how their board looks; the file names.toml.

Checks know one form of everything. The names state another `Form`, by which `labs.host.forms`
converts in the student's process.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rl_toolkit.adapting import Form, MoveKind
from rl_toolkit.utils import did_you_mean, listed, shown

BOARD_FORMS = ("list", "matrix", "array", "grid", "text")
CELL_FORMS = ("from 0", "from 1", "row, column from 0", "row, column from 1", "names")
#: The first word of a form of cells → how a `Form` calls it.
_MOVES: dict[str, MoveKind] = {"from": "cell", "row,": "pair", "names": "name"}
#: Kinds of argument that are read from the last board of a call.
DERIVED_KINDS = ("mover", "maximizing")
#: Kinds of argument that use up an argument of a check's call.
ARGUMENT_KINDS = ("board", "env", "cell", "cells", "column", "row", "player", "number", "plain")
RETURN_KINDS = (
    *("number", "value", "cell", "cells", "column", "columns", "row", "windows"),
    *("board", "boards", "player", "plain", "text"),
)

Mark = str | int
#: The most characters of a names.toml; it needs some hundred.
_LONGEST = 16_384


class NamesError(ValueError):
    """names.toml does not say what it should; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A function as the sheet describes it: the kinds of its arguments and of its answer."""

    takes: tuple[str, ...]
    returns: str = "plain"


@dataclass(frozen=True, slots=True)
class BoardNames:
    """How a board looks in the student's program."""

    form: str = "list"
    x: Mark = "X"
    o: Mark = "O"
    empty: Mark = " "
    cells: str = "from 0"
    row_one: str = "top"
    opens: str = "x"

    @functools.cache  # noqa: B019 - a few values, kept as long as the lab is open
    def on_board(self, rows: int, cols: int, row_one_at: str) -> Form:
        """The form of boards of this size, whose row 1 we draw at ``row_one_at``."""
        x_moves_first = 1 if self.opens == "x" else -1
        return Form(
            rows,
            cols,
            _board_like(self, rows, cols),
            self.empty,
            marks={self.x: x_moves_first, self.o: -x_moves_first},
            moves=_MOVES[self.cells.partition(" ")[0]],
            first=int(self.cells.endswith("1")),
            is_flipped=row_one_at != self.row_one,
        )


@dataclass(frozen=True, slots=True)
class Names:
    """What the student calls things.

    Attributes:
        functions: the name on the sheet → the student's.
        takes: the name on the sheet → the kinds of the student's arguments, where they differ.
        board: the board in the student's program.
    """

    functions: Mapping[str, str] = field(default_factory=dict)
    takes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    board: BoardNames = field(default_factory=BoardNames)

    def own(self, name: str) -> str:
        """The student's name for a function or class."""
        return self.functions.get(name, name)


def _board_like(names: BoardNames, rows: int, cols: int) -> Any:
    """An empty board in the student's program."""
    match names.form:
        case "matrix":
            return [[names.empty] * cols for _ in range(rows)]
        case "array" | "grid":
            marks = np.array([names.x, names.o, names.empty])
            sides = rows * cols if names.form == "array" else (rows, cols)
            return np.full(sides, marks[2], dtype=marks.dtype)
        case "text":
            return str(names.empty) * (rows * cols)
    return [names.empty] * (rows * cols)


def board_names(fields: Mapping[str, Any], base: BoardNames) -> BoardNames:
    """The ``[board]`` table over the defaults of a lab; raises `NamesError`."""
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in BoardNames.__slots__:
            meant = did_you_mean(name, BoardNames.__slots__)
            hint = f"did you mean {meant}?" if meant else f"use {listed(BoardNames.__slots__)}"
            raise NamesError(f"[board] has no entry {shown(name)}; {hint}")
        values[name] = _one_of(name, value)
    named = BoardNames(**{**{n: getattr(base, n) for n in BoardNames.__slots__}, **values})
    if len({repr(mark) for mark in (named.x, named.o, named.empty)}) < 3:
        raise NamesError("[board] x, o and empty must be three different marks")
    if named.form == "text" and not all(
        isinstance(mark, str) and len(mark) == 1 for mark in (named.x, named.o, named.empty)
    ):
        raise NamesError('[board] form = "text" needs marks of one character')
    return named


def names_table(text: str, file: str = "names.toml") -> dict[str, Any]:
    """What a names.toml, or another such ``file`` of a student, says as it is; raises `NamesError`.

    Python's reader takes minutes for one key with very many dots, so a long text is not read.
    """
    if len(text) > _LONGEST:
        raise NamesError(f"{file} is longer than {_LONGEST:,} characters")
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for a number of thousands of digits
        raise NamesError(f"{file} is not TOML: {error}") from error
    except RecursionError as error:
        raise NamesError(f"{file} is nested too deeply") from error


def read_names(text: str, functions: Mapping[str, Signature], base: BoardNames) -> Names:
    """The names in the text of a names.toml; raises `NamesError` with a sentence."""
    data = names_table(text)
    own: dict[str, str] = {}
    takes: dict[str, tuple[str, ...]] = {}
    entries = data.get("functions", {})
    if not isinstance(entries, dict) or not isinstance(data.get("board", {}), dict):
        raise NamesError("names.toml has two tables, [functions] and [board]")
    for name, entry in entries.items():
        if name not in functions:
            meant = did_you_mean(name, functions) or listed(functions)
            raise NamesError(
                f"[functions] {shown(name)} is not on the sheet; did you mean {meant}?"
            )
        table = entry if isinstance(entry, dict) else {"name": entry}
        own[name] = _identifier(name, table.get("name", name))
        if "takes" in table:
            takes[name] = _takes(name, table["takes"], functions[name].takes)
    return Names(own, takes, board_names(data.get("board", {}), base))


def names_text(lab_id: str, functions: Mapping[str, Signature], base: BoardNames) -> str:
    """The names.toml of a new folder: every entry with its default, and what else it may be."""
    lines = [
        "# What is called what in your program. Change it only if you use other names or boards.",
        f'lab = "{lab_id}"',
        "",
        "[functions]   # the name on the sheet = your name",
    ]
    lines += [f'{name} = "{name}"' for name in functions]
    derived = next((n for n, s in functions.items() if set(DERIVED_KINDS) & set(s.takes)), None)
    if derived is not None:
        own = ["maximizing" if kind == "mover" else kind for kind in functions[derived].takes]
        kinds = ", ".join(f'"{kind}"' for kind in own)
        lines.append(
            f'# {derived} = {{ name = "{derived}", takes = [{kinds}] }}   # other arguments'
        )
    if any(
        {"board", "cell", "cells", "player", "mover"} & set(s.takes) for s in functions.values()
    ):
        lines += [
            "",
            "[board]",
            f"form = {_toml(base.form)}   # {', '.join(BOARD_FORMS)}",
            f"x = {_toml(base.x)}   # the marks: text or numbers",
            f"o = {_toml(base.o)}",
            f"empty = {_toml(base.empty)}",
            f"cells = {_toml(base.cells)}   # {'; '.join(CELL_FORMS)}",
            f"row_one = {_toml(base.row_one)}   # where your first row is drawn: top, bottom",
            f"opens = {_toml(base.opens)}   # who makes the first move: x, o",
        ]
    return "\n".join(lines) + "\n"


def _toml(value: Mark) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'


def _one_of(name: str, value: Any) -> Any:
    choices: dict[str, tuple[str, ...]] = {
        "form": BOARD_FORMS,
        "cells": CELL_FORMS,
        "row_one": ("top", "bottom"),
        "opens": ("x", "o"),
    }
    if name in choices:
        word = " ".join(str(value).lower().split())
        if word not in choices[name]:
            raise NamesError(f"[board] {name} is one of {listed(choices[name], 'or')}")
        return word
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise NamesError(f"[board] {name} is a text or a whole number, not {shown(value)}")
    return value


def _identifier(name: str, own: Any) -> str:
    if not isinstance(own, str) or not own.isidentifier():
        raise NamesError(f"[functions] {name}: {shown(own)} is not a name in Python")
    return own


def _takes(name: str, kinds: Any, sheet: tuple[str, ...]) -> tuple[str, ...]:
    """The student's arguments: those of the sheet in any order, and those read from the board.

    A ``plain`` one may be left out: the check then says which one is missing where it matters.
    """
    possible = [*(kind for kind in sheet if kind not in DERIVED_KINDS), *DERIVED_KINDS]
    optional = (*DERIVED_KINDS, "plain")
    needed = sorted(kind for kind in sheet if kind not in optional)
    if not isinstance(kinds, list) or any(kind not in possible for kind in kinds):
        raise NamesError(f"[functions] {name}: takes is a list of {listed(possible, 'or')}")
    if sorted(kind for kind in kinds if kind not in optional) != needed:
        raise NamesError(f"[functions] {name}: takes must have {listed(needed)} once each")
    if kinds.count("plain") > sheet.count("plain"):
        raise NamesError(f"[functions] {name}: takes has more plain arguments than the sheet")
    return tuple(kinds)
