"""`Analysis`: what every engine returns for a position, and what every front end shows.

Values are expected results in [−1, 1] and outcomes are win, draw or loss, always for the side to
move in the analysed position. ``proven`` is whether search *proved* the outcome; an estimate is
never shown as a proof. ``distance`` counts plies to the end of the game with best play; people see
the number of the winner's own moves instead (`moves_to_end`). A move that no search looked at has
no value: it is unknown, comes last and is never called best.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rl_toolkit.analysis.reading import Outcome, ScoreBound, read_fields
from rl_toolkit.analysis.words import Words, words_for
from rl_toolkit.envs import (
    BaseGameEnv,
    GameError,
    GameOverError,
    GameTraits,
    PositionError,
    make_game,
)
from rl_toolkit.envs.position import position_from_text, position_to_text
from rl_toolkit.utils import counted, read_object, winner_moves

if TYPE_CHECKING:
    from rl_toolkit.analysis.claims import Claims
    from rl_toolkit.utils.svg import ThemeName

VERSION = 2
_READABLE = (1, 2)  # in version 1 every move had a value

_SHOWN = 12  # candidates in a printed analysis


@dataclass(frozen=True, slots=True)
class Limit:
    """How long an engine may search; the first limit reached stops it.

    Nodes, depth and simulations make a run repeatable; time is in seconds. Without any limit the
    engine's own default applies. Raises ``ValueError`` for a part that is not a positive number,
    and for a count that is not whole.
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
    """One legal move and its evaluation; ``None`` where the engine knows nothing.

    Attributes:
        move: the move as an int; ``name`` is how people write it.
        value: expected result in [−1, 1] for the side to move; ``None`` if it was not searched.
        outcome: result with best play, if the engine knows or expects one.
        proven: whether search proved the outcome.
        distance: plies to the end of the game with best play, this move included.
        score: the game's own score, if it has one (discs; Connect Four score).
        score_bound: ``exact``, or ``lower`` or ``upper`` where the true score is at least or at
            most ``score``.
        visits, prior, uct: the numbers of tree search and of a network; a proven move has no
            UCT score, because it needs no more visits.
        line: the principal variation, this move first.
        note: one sentence for people.
        claim: what a program from outside says about its move, in its own numbers, as a sentence
            without its end.
    """

    move: int
    name: str
    value: float | None = None
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
    claim: str | None = None

    @property
    def exact_score(self) -> float | None:
        """The score, ``None`` if there is none or only a bound."""
        return self.score if self.score_bound == "exact" else None

    def __repr__(self) -> str:
        """Move, worth, visits and prior; `line` and `note` are left out."""
        return f"<Candidate {self.name}: {_short(self, self.prior)}>"


@lru_cache(maxsize=1 << 13)
def unknown(move: int, name: str) -> Candidate:
    """A candidate without a value; on a large board making them anew takes longer than a move."""
    return Candidate(move, name)


@dataclass(frozen=True, slots=True)
class TreeView:
    """One node of a search tree as a front end shows it, with the first of its children.

    ``value`` is for the player who made ``move``, ``None`` without a visit; ``outcome`` is proven.
    ``exploitation + exploration`` is the UCT score by which the parent chose among its children.
    ``prior`` is the network's, if there is one.
    """

    move: int | None
    name: str
    visits: int
    value: float | None
    outcome: Outcome | None
    exploitation: float
    exploration: float
    children: tuple[TreeView, ...] = ()
    prior: float | None = None
    distance: int | None = None

    @property
    def proven(self) -> bool:
        """Whether the result is proven."""
        return self.outcome is not None

    @property
    def score(self) -> None:
        """Tree search knows no scores."""

    @property
    def score_bound(self) -> ScoreBound:
        """``exact``; see `score`."""
        return "exact"

    def __repr__(self) -> str:
        """Move, worth, visits and the number of children, without what is below them."""
        children = "" if not self.children else f", {len(self.children)} below it"
        return f"<TreeView {self.name or 'root'}: {_short(self, self.prior)}{children}>"


@dataclass(frozen=True, slots=True)
class Analysis:
    """An engine's evaluation of a position: its candidates, best first, and the work done.

    Attributes:
        game: the game's name; ``position`` is the position as text; ``player`` the side to move.
        candidates: every legal move, best first, unknown ones last; empty when the game is over.
        value: that of the best candidate; ``None`` if the engine evaluated nothing.
        nodes, depth, simulations: the work done, in the units that the engine counts.
        elapsed: seconds of search, without compilation.
        threat: the line by which the opponent would win if the side to move passed, as far as the
            engine has proven it; empty if it found none or did not look.
        threads: how many threads searched, 1 for an answer without a search, from a book; a search
            by one is repeatable.
        notes: the engine's remarks on the search (a memory cap reached, …).
        claims: what a bot says about the moves, if it was asked; its values are then those of the
            candidates.
    """

    game: str
    position: str
    player: int
    engine: str
    candidates: tuple[Candidate, ...] = ()
    value: float | None = None
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
    threat: tuple[int, ...] = ()
    threads: int = 1
    tree_source: Callable[[int, int], TreeView] | None = field(
        default=None, compare=False, repr=False
    )
    claims: Claims | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(
        cls, env: BaseGameEnv, engine: str, candidates: list[Candidate], **work: Any
    ) -> Analysis:
        """The analysis of the position of ``env`` with these candidates, best first.

        Unknown candidates are moved to the end, unless all the others are proven losses: then an
        unknown move is to be played. The value is that of the first candidate. The outcome is
        proven if that candidate is a proven win, or if every candidate is proven: any other move
        might beat a proven draw or loss. ``threads`` count only where nodes were searched.
        """
        if work.get("nodes") == 0:
            work["threads"] = 1
        known = [c for c in candidates if c.value is not None]
        unknown = [c for c in candidates if c.value is None]
        candidates = unknown + known if all(map(_is_lost, known)) else known + unknown
        analysis = cls(
            game=env.name,
            position=position_to_text(env),
            player=env.current_player,
            engine=engine,
            candidates=tuple(candidates),
            **work,
        )
        if not candidates:
            value = env.get_result(env.current_player)
            return replace(
                analysis, value=value, outcome=outcome_of(value), proven=True, distance=0
            )
        best = candidates[0]
        certain = (best.proven and best.outcome == "win") or all(c.proven for c in candidates)
        return replace(
            analysis,
            value=best.value,
            outcome=best.outcome if certain or not best.proven else None,
            proven=certain,
            distance=best.distance if certain else None,
            line=best.line,
        )

    @property
    def best(self) -> Candidate:
        """The best candidate; raises `GameOverError` when the game is over."""
        if not self.candidates:
            raise GameOverError("the game is over, so there is no best move; best_move is None")
        return self.candidates[0]

    @property
    def best_move(self) -> int | None:
        """The move to play, ``None`` when the game is over."""
        return self.candidates[0].move if self.candidates else None

    @property
    def spoken_of(self) -> tuple[Candidate, ...]:
        """The candidates without those about which the engine says nothing, if it only plays.

        Many a program says which move it plays, and no more: then that move stands alone.
        """
        first, *others = self.candidates or (None,)
        silent = all(c == unknown(c.move, c.name) for c in map(_without_note, others))
        return self.candidates[:1] if first and first.value is None and silent else self.candidates

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The best move and all that are as good.

        Draws are equally good, wins and losses if they are equally long or equally high, estimates
        if their values are equal. Tree search trusts visits more than values, so its best move is
        one, unless it is proven. There is none without any evaluation, or if the engine chose a
        lost move by mistake (a slip).
        """
        if not self.candidates:
            return ()
        best = self.best
        if best.value is None and len(self.candidates) > 1:
            return ()
        if _is_lost(best) and not all(map(_is_lost, self.candidates)):
            return ()
        rank = _rank(best)
        return tuple(c.move for c in self.candidates if c is best or _rank(c) == rank)

    @property
    def score(self) -> float | None:
        """The score of the best candidate."""
        return self.candidates[0].score if self.candidates else None

    @property
    def score_bound(self) -> ScoreBound:
        """Whether `score` is a bound."""
        return self.candidates[0].score_bound if self.candidates else "exact"

    @property
    def visits(self) -> int | None:
        """The visits of the best candidate."""
        return self.candidates[0].visits if self.candidates else None

    def is_of(self, env: BaseGameEnv) -> bool:
        """Whether this is an analysis of the position of ``env``."""
        position = (env.name, env.current_player, position_to_text(env))
        return (self.game, self.player, self.position) == position

    def candidate(self, move: int) -> Candidate:
        """The candidate of ``move``; raises ``ValueError`` if there is none."""
        for candidate in self.candidates:
            if candidate.move == move:
                return candidate
        raise ValueError(f"{move!r} is not among the candidates")

    def __iter__(self) -> Iterator[Candidate]:
        """The candidates, best first: ``for candidate in analysis``."""
        return iter(self.candidates)

    def __reduce__(self) -> tuple[Any, ...]:
        # A search tree cannot be sent to another process; its top can.
        kept = {name: getattr(self, name) for name in _ANALYSIS_KEYS}
        kept["claims"] = self.claims
        if self.tree_source is not None:
            kept["tree_source"] = KeptTree(self.tree_source(*_KEPT_TREE))
        return _unpickled, (kept,)

    def tree(self, depth: int = 2, top: int = 5) -> TreeView:
        """The top of the search tree: ``depth`` plies, ``top`` moves at each.

        Moves at the root are in the order of ``candidates``, deeper ones by visits. Raises
        ``ValueError`` if the engine kept no tree. An analysis that was pickled keeps the top of it:
        three plies, ten moves at each.
        """
        if self.tree_source is None:
            raise ValueError(f"{self.engine} kept no search tree for this position")
        return self.tree_source(depth, top)

    # --------------------------------------------------------------------- JSON

    def to_json(self) -> str:
        """The analysis as JSON text; `from_json` reads it."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_dict(self) -> dict[str, Any]:
        """The analysis as plain data, with the keys of the JSON form.

        ``text`` says in words what the numbers mean; see `analysis.words`. It is not read back, and
        neither are ``claims``, of which the candidates keep the numbers.
        """
        traits = traits_of(self.game)
        words, good = words_for(traits, self), self.best_moves
        claimed = {} if self.claims is None else self.claims.texts()
        return {
            "version": VERSION,
            "game": self.game,
            "position": self.position,
            "player": self.player,
            "side": words.side(self.player),
            "engine": self.engine,
            "seed": self.seed,
            "best": self.best_move,
            "text": headline(self, words),
            "value": self.value,
            "outcome": self.outcome,
            "proven": self.proven,
            "distance": self.distance,
            "line": list(self.line),
            "threat": list(self.threat),
            "nodes": self.nodes,
            "depth": self.depth,
            "simulations": self.simulations,
            "threads": self.threads,
            "elapsed": self.elapsed,
            "notes": list(self.notes),
            "units": _UNITS | {"score": f"{traits.score_unit}s" if traits.score_unit else None},
            "candidates": [
                {
                    name: list(candidate.line) if name == "line" else getattr(candidate, name)
                    for name in _CANDIDATE_KEYS
                    if name != "claim" or candidate.claim
                }
                | {
                    "text": claimed.get(candidate.move, words.short(candidate)),
                    "mark": words.mark(candidate),
                    "best": candidate.move in good,
                }
                for candidate in self.candidates
            ],
            **({} if self.claims is None else {"claims": self.claims.to_dict()}),
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
        if data.get("version") not in _READABLE:
            raise ValueError(f"this analysis has version {data.get('version')!r}, not {VERSION}")
        read = read_fields(data, [name for name in _ANALYSIS_KEYS if name != "candidates"], "")
        entries = data.get("candidates")
        if not isinstance(entries, list):
            raise ValueError("candidates must be a list")
        candidates = [
            Candidate(**read_fields(entry, _CANDIDATE_KEYS, f"candidates[{i}]."))
            for i, entry in enumerate(entries)
        ]
        return cls(**read, candidates=tuple(candidates))

    # ------------------------------------------------------------------ for people

    def __str__(self) -> str:
        """The candidates as a table; ``*`` marks the best move and all that are as good."""
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

    def __repr__(self) -> str:
        """Game, engine and best move; ``print`` shows the candidates."""
        best = f"best {self.best.name}" if self.candidates else "the game is over"
        moves = f", {counted(len(self.candidates), 'candidate')}" if self.candidates else ""
        return f"<Analysis of {self.game} by {self.engine}: {best}{moves}>"

    def _repr_html_(self) -> str:
        """The board and the table of candidates, for notebooks."""
        from rl_toolkit.analysis.pictures import analysis_html

        rows = self._table() if self.candidates else [["The game is over."]]
        return analysis_html(self, self._caption(), rows)

    def to_svg(
        self,
        env: BaseGameEnv | None = None,
        *,
        theme: ThemeName = "light",
        top: int = 12,
        line: int = 4,
        size: int = 480,
    ) -> str:
        """The analysed position as SVG, with what each move is worth.

        The ``top`` candidates have a mark (see `analysis.words`) and the colour of their value,
        good or bad for the side to move; numbers and arrows show the first ``line`` moves of the
        best line. ``env`` is only needed for a game that is not in the registry.
        """
        from rl_toolkit.analysis.pictures import draw_analysis

        return draw_analysis(self, env, theme=theme, top=top, line=line, size=size)

    def _caption(self) -> str:
        """Game, side to move, engine and work done, in words."""
        counts = (("depth", self.depth), ("nodes", self.nodes), ("simulations", self.simulations))
        side = words_for(traits_of(self.game)).side(self.player)
        work = [f"{self.game}, {side} to move", self.engine]
        for word, count in counts:
            if count is not None:
                work.append(f"depth {count}" if word == "depth" else f"{count:,} {word}")
        if self.threads > 1:
            work.append(f"{self.threads} threads")
        return " · ".join([*work, f"{self.elapsed:.2f} s"])

    def _table(self) -> list[list[str]]:
        names = line_namer(self.game, self.position)
        words = words_for(traits_of(self.game), self)
        best = set(self.best_moves)
        rows = [["move", f"for {words.side(self.player)}", "prior", "visits", "line", ""]]
        for c in self.candidates:
            name_cell = f"{c.name} *" if c.move in best else c.name
            prior = "" if c.prior is None else f"{c.prior:.1%}"
            visits = "" if c.visits is None else f"{c.visits:,}"
            line = " ".join(names(c.line[:8]))
            rows.append([name_cell, words.short(c), prior, visits, line, c.note or ""])
        kept = [i for i in range(len(rows[0])) if i < 2 or any(row[i] for row in rows[1:])]
        return [[row[i] for i in kept] for row in rows]


@dataclass(frozen=True, slots=True)
class KeptTree:
    """The top of a search tree, as a source of views that can be pickled."""

    view: TreeView

    def __call__(self, depth: int, top: int) -> TreeView:
        """The view, cut to ``depth`` plies and ``top`` moves at each."""
        return _cut(self.view, depth, top)


#: Plies of a search tree, and moves at each, that a pickled analysis keeps.
_KEPT_TREE = (3, 10)


def _cut(view: TreeView, depth: int, top: int) -> TreeView:
    shown = view.children[: max(0, top)] if depth > 0 else ()
    return replace(view, children=tuple(_cut(child, depth - 1, top) for child in shown))


def _unpickled(fields: dict[str, Any]) -> Analysis:
    return Analysis(**fields)


def _without_note(candidate: Candidate) -> Candidate:
    return candidate if candidate.note is None else replace(candidate, note=None)


_CANDIDATE_KEYS = tuple(f.name for f in fields(Candidate))
_ANALYSIS_KEYS = tuple(f.name for f in fields(Analysis) if f.name not in ("tree_source", "claims"))
#: What the numbers of the JSON form are, whatever the game.
_UNITS = {"value": "expected result of the side to move, -1 to 1", "distance": "plies"}


def _short(what: Candidate | TreeView, prior: float | None) -> str:
    """What a move is worth, in a few words that fit every game."""
    parts = [words_for(GameTraits()).short(what)]
    if what.score is not None:
        parts.append(f"score {what.score:g}")
    if what.visits is not None:
        parts.append(counted(what.visits, "visit"))
    if prior is not None:
        parts.append(f"prior {prior:.0%}")
    return ", ".join(parts)


def _is_lost(candidate: Candidate) -> bool:
    return candidate.proven and candidate.outcome == "loss"


def _rank(candidate: Candidate) -> tuple[object, ...]:
    """What equally good candidates have in common; unique for estimates of tree search."""
    if candidate.proven and candidate.outcome is not None:
        if candidate.outcome == "draw":
            return ("draw",)
        return candidate.outcome, candidate.distance, candidate.score
    if candidate.value is None or candidate.visits is not None:
        return ("move", candidate.move)
    return candidate.value, candidate.score, candidate.score_bound


def moves_to_end(what: Candidate | Analysis) -> int | None:
    """The number of moves the winner makes, ``None`` if that is not known."""
    if what.distance is None or what.outcome not in ("win", "loss"):
        return None
    return winner_moves(what.distance, mover_wins=what.outcome == "win")


def headline(analysis: Analysis, words: Words) -> str:
    """The position in one phrase: ``Red wins in 3 moves``, ``Red can at least draw``."""
    best = analysis.best if analysis.candidates else None
    if best is not None and best.proven and not analysis.proven:
        # Other moves may be better than a proven draw or loss.
        can = f"{words.side(analysis.player)} can at least draw"
        return can if best.outcome == "draw" else "Unknown"
    return words.full(analysis, analysis.player)


def traits_of(game: str) -> GameTraits:
    """The traits of a game by its name; plain ones (X and O) if the game is unknown."""
    try:
        return make_game(game).traits
    except GameError:
        return GameTraits()


def line_namer(game: str, position: str) -> Callable[[Iterable[int]], list[str]]:
    """A function that names the moves of a line from ``position``, by numbers where it cannot."""
    try:
        usual = make_game(game)
        here = position_from_text(usual, position) if usual.names_vary else usual
    except (GameError, PositionError):
        return lambda line: list(map(str, line))

    def named(line: Iterable[int]) -> list[str]:
        moves = list(line)
        try:
            return here.line_names(moves)
        except GameError:
            return list(map(str, moves))

    return named


def analysis_of(
    env: BaseGameEnv, position: str, engine: str, candidates: list[Candidate], **work: Any
) -> Analysis:
    """`Analysis.of` as engines called it that wrote the text of the position themselves."""
    return replace(Analysis.of(env, engine, candidates, **work), position=position)


def outcome_of(result: float) -> Outcome:
    """``"win"`` for a positive final result, ``"draw"`` for 0, ``"loss"`` for a negative one."""
    return "win" if result > 0 else "loss" if result < 0 else "draw"
