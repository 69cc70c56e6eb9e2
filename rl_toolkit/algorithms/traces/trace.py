"""`Trace`: a recorded search as a JSON document with a version.

Every trace begins with the same fields; the rest depends on its ``kind`` and is described where it
is recorded (`traces.minimax`, `traces.mcts`, `traces.sweeps`, `traces.pulls`):

=============  ====================================================================
``version``    `VERSION`
``kind``       ``minimax``, ``mcts``, ``alphazero``, ``value-iteration``, ``bandit``
``game``       the name of the game; ``position`` is the text of the position
``engine``     its ``name`` and ``options``
``answer``     what the search found, and in how many nodes or simulations
``free_results``  true if leaves are any numbers, as in a tree that was typed; else left out
``notes``      sentences on what the trace leaves out
=============  ====================================================================

Values and bounds are player +1's (X's) throughout.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text
from rl_toolkit.utils import JsonError, JsonObject, read_object, shown, write_text_atomically

VERSION = 1
#: The longest text that `Trace.from_json` reads.
MOST_TEXT = 16_000_000
#: The module that draws a trace in a notebook.
_FIGURE = "rl_toolkit.explain.traces.figure"


class TraceError(ValueError):
    """A search that is too large to trace, or data that is not a trace."""


@dataclass(frozen=True, slots=True)
class TraceBounds:
    """How large a trace may become.

    Attributes:
        events: the most events told one by one; what exceeds them is folded.
        bytes: the most bytes of the JSON text.
        nodes: the most positions that the search may visit; a larger one is refused.
        first: the simulation from which a tree search is told in full; 0 is the first one.
        seconds: the longest that the search may take; ``None`` for no clock.

    Raises ``ValueError`` for a number that is too small.
    """

    events: int = 25_000
    bytes: int = 1_500_000
    nodes: int = 100_000
    seconds: float | None = None
    first: int = 0

    def __post_init__(self) -> None:
        for name in ("events", "bytes", "nodes"):
            count = getattr(self, name)
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {count!r}")
        if isinstance(self.first, bool) or not isinstance(self.first, int) or self.first < 0:
            raise ValueError(f"first must be a whole number of at least 0, not {self.first!r}")


#: Checks of the data of a trace, by kind; a check raises `TraceError`.
CHECKS: dict[str, Callable[[JsonObject], None]] = {}


class Trace:
    """A recorded search; ``data`` is its JSON document, which must not be changed."""

    def __init__(self, data: JsonObject) -> None:
        self.data = data

    @property
    def kind(self) -> str:
        """What was recorded: see the module."""
        kind: str = self.data["kind"]
        return kind

    @property
    def answer(self) -> JsonObject:
        """What the search found."""
        answer: JsonObject = self.data["answer"]
        return answer

    @property
    def notes(self) -> tuple[str, ...]:
        """What the trace leaves out, in sentences."""
        return tuple(self.data["notes"])

    def name(self, move: int) -> str:
        """The name of a move that occurs in the trace."""
        name: str = self.data["names"][str(move)]
        return name

    def to_json(self) -> str:
        """The document on one line."""
        return dumped(self.data)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a document and replay it; `TraceError` if it is not a trace or contradicts itself.

        >>> Trace.from_json('{"version": 9}')
        Traceback (most recent call last):
        rl_toolkit.algorithms.traces.trace.TraceError: this is a trace of version 9; 1 is understood
        """
        if len(text) > MOST_TEXT:
            raise TraceError(f"a trace has at most {MOST_TEXT:,} bytes, this has {len(text):,}")
        try:
            data = read_object(text)
        except JsonError as error:
            raise TraceError(str(error)) from error
        check(data)
        return cls(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the document to a file, completely or not at all."""
        write_text_atomically(path, self.to_json() + "\n")

    def _repr_html_(self) -> str:
        """The trace as an interactive figure, for notebooks."""
        # Sentences belong to a later layer, so it is named as text and imported on demand.
        html: str = importlib.import_module(_FIGURE).figure_html(self)
        return html

    def __repr__(self) -> str:
        game, position = self.data.get("game"), self.data.get("position")
        return f"<Trace of {self.kind}: {game} {position!r}, {len(self.to_json()):,} bytes>"


def check(data: JsonObject) -> None:
    """Check a document; `TraceError` if it is not a trace or contradicts itself."""
    version = data.get("version")
    if version != VERSION or isinstance(version, bool):
        what = f"of version {shown(version)}" if "version" in data else "without a version"
        raise TraceError(f"this is a trace {what}; {VERSION} is understood")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in CHECKS:
        raise TraceError(f"kind is one of {', '.join(CHECKS)}, not {shown(kind)}")
    for name, wanted in (("game", str), ("position", str), ("engine", dict), ("answer", dict)):
        if not isinstance(data.get(name), wanted):
            raise TraceError(f"{name} of a trace cannot be {shown(data.get(name))}")
    notes = data.get("notes")
    if not (isinstance(notes, list) and all(isinstance(note, str) for note in notes)):
        raise TraceError("notes of a trace are sentences")
    try:
        CHECKS[kind](data)
    except TraceError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise TraceError(f"this trace of {kind} is damaged: {shown(str(error))}") from error


def dumped(data: Any) -> str:
    """Compact JSON; `ValueError` for an infinity or NaN, which JSON does not have."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def opening(kind: str, env: BaseGameEnv, engine: str, options: JsonObject) -> JsonObject:
    """The first fields of a trace of a game, with its board for those who draw it."""
    traits = env.traits
    free = {"free_results": True} if traits.free_results else {}
    return {
        "version": VERSION,
        "kind": kind,
        "game": env.name,
        "position": position_to_text(env),
        "engine": {"name": engine, "options": options},
        "rows": env.rows,
        "cols": env.cols,
        "board": cells_of(env).tolist() if traits.has_grid else [],
        "side": "X" if env.current_player == 1 else "O",
        "sides": {"X": traits.pieces[0], "O": traits.pieces[1]},
        **free,
    }


def cells_of(env: BaseGameEnv) -> np.ndarray[Any, np.dtype[np.int8]]:
    """A copy of the board as one row of cells."""
    return np.array(env.board, dtype=np.int8).ravel()


def changed_cells(env: BaseGameEnv, after: BaseGameEnv) -> list[int]:
    """What a move changed on the board: cell, piece, cell, piece, …; a pass changes nothing.

    A page can draw every position from this without knowing the rules.

    >>> from rl_toolkit.envs import make_game
    >>> env = make_game("connect-four")
    >>> after = env.copy()
    >>> _ = after.step(3)
    >>> changed_cells(env, after)
    [3, 1]
    """
    if not env.traits.has_grid:
        return []
    before, now = cells_of(env), cells_of(after)
    return [
        number for cell in np.flatnonzero(before != now) for number in (int(cell), int(now[cell]))
    ]


def letter(player: int) -> str:
    """X for player +1, O for player −1."""
    return "X" if player == 1 else "O"


def names_of(env: BaseGameEnv, moves: set[int]) -> dict[str, str]:
    """The names of moves, by their number as text."""
    return {str(move): env.move_name(move) for move in sorted(moves) if move >= 0}
