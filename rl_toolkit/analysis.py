"""`Analysis`: what every engine returns for a position, and what every front end shows.

Values are expected results in [−1, 1] and outcomes are win, draw or loss, always for the side to
move in the analysed position. ``proven`` is whether search *proved* the outcome; an estimate is
never shown as a proof. ``distance`` counts plies to the end of the game with best play; people see
the number of the winner's own moves instead (`moves_to_end`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from html import escape
from typing import Any, Literal, Protocol, runtime_checkable

from rl_toolkit.envs import BaseGameEnv, GameError, make_game
from rl_toolkit.utils.course_phrases import winner_moves
from rl_toolkit.utils.strict_json import read_object

VERSION = 1

_SHOWN = 12  # candidates in a printed analysis

Outcome = Literal["win", "draw", "loss"]
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "loss")

ScoreBound = Literal["exact", "lower", "upper"]
SCORE_BOUNDS: tuple[ScoreBound, ...] = ("exact", "lower", "upper")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long an engine may search; the first limit reached stops it.

    Nodes, depth and simulations make a run repeatable; time is in seconds. Without any limit the
    engine's own default applies.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            if isinstance(self.time, bool) or not isinstance(self.time, (int, float)):
                raise ValueError(f"time is a number of seconds, not {self.time!r}")
            if not (math.isfinite(self.time) and self.time > 0):
                raise ValueError(f"time must be a positive number of seconds, not {self.time!r}")
        for name in ("nodes", "depth", "simulations"):
            count = getattr(self, name)
            if count is None:
                continue
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {count!r}")

    def or_else(self, default: Limit) -> Limit:
        """This limit, or ``default`` if this one limits nothing."""
        return default if self == Limit() else self


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal move and its evaluation; ``None`` where the engine has nothing to say.

    Attributes:
        move: the move as an int; ``name`` is how people write it.
        value: expected result in [−1, 1] for the side to move.
        outcome: result with best play, if the engine knows or expects one.
        proven: whether search proved the outcome.
        distance: plies to the end of the game with best play, this move included.
        score: the game's own score, if it has one (discs; Connect Four score).
        score_bound: ``exact``, or ``lower`` or ``upper`` where the true score is at least or at
            most ``score``.
        visits, prior, uct: the numbers of tree search and of a network.
        line: the principal variation, this move first.
        note: one sentence for people.
    """

    move: int
    name: str
    value: float
    outcome: Outcome | None = None
    proven: bool = False
    distance: int | None = None
    score: float | None = None
    score_bound: ScoreBound = "exact"
    visits: int | None = None
    prior: float | None = None
    uct: float | None = None
    line: tuple[int, ...] = ()
    note: str | None = None

    @property
    def exact_score(self) -> float | None:
        """The score, ``None`` if there is none or only a bound."""
        return self.score if self.score_bound == "exact" else None


@dataclass(frozen=True, slots=True)
class TreeView:
    """One node of a search tree as a front end shows it, with the first of its children.

    ``value`` is for the player who made ``move``; ``exploitation + exploration`` is the UCT score
    by which the parent chose among its children. ``prior`` is the network's, if there is one.
    """

    move: int | None
    name: str
    visits: int
    value: float
    outcome: Outcome | None
    exploitation: float
    exploration: float
    children: tuple[TreeView, ...] = ()
    prior: float | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """An engine's evaluation of a position: its candidates, best first, and the work done.

    Attributes:
        game: the game's name; ``position`` is the position as text; ``player`` the side to move.
        candidates: every legal move, best first; empty only when the game is over.
        nodes, depth, simulations: the work done, in the units that the engine counts.
        elapsed: seconds of search, without compilation.
        notes: the engine's remarks on the search (a memory cap reached, …).
    """

    game: str
    position: str
    player: int
    engine: str
    candidates: tuple[Candidate, ...] = ()
    value: float = 0.0
    outcome: Outcome | None = None
    proven: bool = False
    distance: int | None = None
    line: tuple[int, ...] = ()
    nodes: int | None = None
    depth: int | None = None
    simulations: int | None = None
    elapsed: float = 0.0
    seed: int | None = None
    notes: tuple[str, ...] = ()
    tree_source: Callable[[int, int], TreeView] | None = field(
        default=None, compare=False, repr=False
    )

    @property
    def best(self) -> Candidate | None:
        """The best candidate, ``None`` when the game is over."""
        return self.candidates[0] if self.candidates else None

    @property
    def best_move(self) -> int | None:
        """The move to play, ``None`` when the game is over."""
        return self.candidates[0].move if self.candidates else None

    def candidate(self, move: int) -> Candidate:
        """The candidate of ``move``; raises ``ValueError`` if there is none."""
        for candidate in self.candidates:
            if candidate.move == move:
                return candidate
        raise ValueError(f"{move!r} is not among the candidates")

    def tree(self, depth: int = 2, top: int = 5) -> TreeView:
        """The top of the search tree: ``depth`` plies, ``top`` moves at each.

        Moves at the root are in the order of ``candidates``, deeper ones by visits. Raises
        ``ValueError`` if the engine kept no tree.
        """
        if self.tree_source is None:
            raise ValueError(f"{self.engine} kept no search tree for this position")
        return self.tree_source(depth, top)

    # --------------------------------------------------------------------- JSON

    def to_json(self) -> str:
        """The analysis as JSON text; `from_json` reads it."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_dict(self) -> dict[str, Any]:
        """The analysis as plain data, with the keys of the JSON form."""
        return {
            "version": VERSION,
            "game": self.game,
            "position": self.position,
            "player": self.player,
            "engine": self.engine,
            "seed": self.seed,
            "best": self.best_move,
            "value": self.value,
            "outcome": self.outcome,
            "proven": self.proven,
            "distance": self.distance,
            "line": list(self.line),
            "nodes": self.nodes,
            "depth": self.depth,
            "simulations": self.simulations,
            "elapsed": self.elapsed,
            "notes": list(self.notes),
            "candidates": [
                {
                    name: list(candidate.line) if name == "line" else getattr(candidate, name)
                    for name in _CANDIDATE_KEYS
                }
                for candidate in self.candidates
            ],
        }

    @classmethod
    def from_json(cls, text: str) -> Analysis:
        """The analysis that `to_json` wrote; raises ``ValueError`` for anything else."""
        return cls.from_dict(read_object(text))

    @classmethod
    def from_dict(cls, data: Any) -> Analysis:
        """The analysis that `to_dict` returned; raises ``ValueError`` for anything else."""
        if not isinstance(data, dict):
            raise ValueError("an analysis must be a JSON object")
        if data.get("version") != VERSION:
            raise ValueError(f"this analysis has version {data.get('version')!r}, not {VERSION}")
        read = _read(data, [name for name in _ANALYSIS_KEYS if name != "candidates"], "")
        entries = data.get("candidates")
        if not isinstance(entries, list):
            raise ValueError("candidates must be a list")
        candidates = [
            Candidate(**_read(entry, _CANDIDATE_KEYS, f"candidates[{i}]."))
            for i, entry in enumerate(entries)
        ]
        return cls(**read, candidates=tuple(candidates))

    # ------------------------------------------------------------------ for people

    def __str__(self) -> str:
        if not self.candidates:
            return f"{self._caption()}\nThe game is over."
        table = self._table()
        shown = table[: _SHOWN + 1]
        widths = [max(len(row[i]) for row in shown) for i in range(len(shown[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in shown
        ]
        if len(table) > len(shown):
            lines.append(f"… and {len(table) - len(shown)} more")
        return "\n".join([self._caption(), *lines, *(f"({note})" for note in self.notes)])

    def _repr_html_(self) -> str:
        head, *rows = self._table() if self.candidates else [["The game is over."]]
        cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        return (
            f"<table><caption>{escape(self._caption())}</caption>"
            f"<thead><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr></thead>"
            f"<tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table>"
            + "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        )

    def _caption(self) -> str:
        """Game, side to move, engine and work done, in words."""
        counts = (("depth", self.depth), ("nodes", self.nodes), ("simulations", self.simulations))
        side = "X" if self.player > 0 else "O"
        work = [f"{self.game}, {side} to move", self.engine]
        for word, count in counts:
            if count is not None:
                work.append(f"depth {count}" if word == "depth" else f"{count:,} {word}")
        return " · ".join([*work, f"{self.elapsed:.2f} s"])

    def _table(self) -> list[list[str]]:
        name = namer(self.game)
        rows = [["move", "value", "outcome", "prior", "visits", "line", ""]]
        for c in self.candidates:
            prior = "" if c.prior is None else f"{c.prior:.1%}"
            visits = "" if c.visits is None else f"{c.visits:,}"
            line = " ".join(name(move) for move in c.line[:8])
            rows.append([c.name, f"{c.value:+.2f}", in_words(c), prior, visits, line, c.note or ""])
        kept = [i for i in range(len(rows[0])) if i < 3 or any(row[i] for row in rows[1:])]
        return [[row[i] for i in kept] for row in rows]


_CANDIDATE_KEYS = tuple(f.name for f in fields(Candidate))


def moves_to_end(what: Candidate | Analysis) -> int | None:
    """The number of moves the winner makes, ``None`` if that is not known."""
    if what.distance is None or what.outcome not in ("win", "loss"):
        return None
    return winner_moves(what.distance, mover_wins=what.outcome == "win")


def in_words(what: Candidate | Analysis) -> str:
    """``win in 3 (proven)``, ``loss?`` for an estimate, empty if nothing is known.

    The number counts the winner's own moves.
    """
    if what.outcome is None:
        return ""
    if not what.proven:
        return f"{what.outcome}?"
    moves = moves_to_end(what)
    return f"{what.outcome} in {moves} (proven)" if moves else f"{what.outcome} (proven)"


def namer(game: str) -> Callable[[int], str]:
    """A function that names the moves of ``game``, by numbers if the game is unknown."""
    try:
        name = make_game(game).move_name
    except GameError:
        return str

    def named(move: int) -> str:
        try:
            return name(move)
        except GameError:
            return str(move)

    return named


def analysis_of(
    env: BaseGameEnv, position: str, engine: str, candidates: list[Candidate], **work: Any
) -> Analysis:
    """The analysis of ``env``'s position with these candidates, best first.

    Its value is that of the best candidate. Its outcome is proven if that candidate is a proven
    win, or if every candidate is proven: any other move might beat a proven draw or loss.
    """
    analysis = Analysis(
        game=env.name,
        position=position,
        player=env.current_player,
        engine=engine,
        candidates=tuple(candidates),
        **work,
    )
    if not candidates:
        value = env.get_result(env.current_player)
        return replace(analysis, value=value, outcome=outcome_of(value), proven=True, distance=0)
    best = candidates[0]
    known = (best.proven and best.outcome == "win") or all(c.proven for c in candidates)
    return replace(
        analysis,
        value=best.value,
        outcome=best.outcome if known or not best.proven else None,
        proven=known,
        distance=best.distance if known else None,
        line=best.line,
    )


def outcome_of(result: float) -> Outcome:
    """The outcome for a final result of +1, 0 or −1."""
    return "win" if result > 0 else "loss" if result < 0 else "draw"


ProgressCallback = Callable[[Analysis], object]


class StopSignal(Protocol):
    """Anything that can ask a search to stop, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Whether the search should end now."""


@runtime_checkable
class Engine(Protocol):
    """Anything that analyses positions.

    ``analyse`` does not change ``env`` and returns an `Analysis` of its position. ``on_progress``
    receives partial analyses; exceptions it raises are ignored. ``stop`` ends the search within
    milliseconds with the best answer so far.
    """

    @property
    def name(self) -> str:
        """The engine's name in the registry of engines."""

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse ``env``'s position within ``limit``."""


_ANALYSIS_KEYS = tuple(f.name for f in fields(Analysis) if f.name != "tree_source")
#: What the fields of the JSON form hold; ``None`` marks those that may be null.
_KINDS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("game", "position", "engine", "name"), (str,)),
    **dict.fromkeys(("value", "elapsed"), (float,)),
    **dict.fromkeys(("distance", "nodes", "depth", "simulations", "seed", "visits"), (int, None)),
    **dict.fromkeys(("score", "prior", "uct"), (float, None)),
    **{"move": (int,), "proven": (bool,), "note": (str, None)},
}
_CHOICES = {"player": (1, -1), "outcome": (None, *OUTCOMES), "score_bound": SCORE_BOUNDS}
_LISTS = {"line": int, "notes": str}
#: The values of fields that older analyses lack.
_DEFAULTS: dict[str, Any] = {"outcome": None, "score_bound": "exact", "notes": []}


def _read(data: Any, keys: Sequence[str], where: str) -> dict[str, Any]:
    """The fields of a JSON object, each of its kind; raises ``ValueError`` that names the field."""
    if not isinstance(data, dict):
        raise ValueError(f"{where.rstrip('.')} must be a JSON object")
    found = {}
    for key in keys:
        value = data.get(key, _DEFAULTS.get(key, _MISSING))
        if value is _MISSING:
            raise ValueError(f"{where}{key} is missing")
        if key in _CHOICES:
            if value not in _CHOICES[key]:
                raise ValueError(f"{where}{key} is {value!r}, not one of {_CHOICES[key]}")
        elif key in _LISTS:
            if not (isinstance(value, list) and all(_is(part, _LISTS[key]) for part in value)):
                raise ValueError(f"{where}{key} must be a list of {_LISTS[key].__name__} values")
            value = tuple(value)
        elif not any(_is(value, kind) for kind in _KINDS[key]):
            raise ValueError(f"{where}{key} is {value!r}, which has the wrong type")
        found[key] = value
    return found


_MISSING = object()


def _is(value: Any, kind: Any) -> bool:
    """Whether JSON's ``value`` is of this kind; whole numbers are numbers, truth values are not."""
    if kind is None or isinstance(value, bool):
        return value is None if kind is None else kind is bool
    return isinstance(value, (int, float) if kind is float else kind)
