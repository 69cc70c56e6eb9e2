"""How somebody plays: results by opponent, side, opening and length, accuracy over time, mistakes.

Accuracy and mistakes are those that reviews have found: a game without a review has none.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rl_toolkit.library.database import Database
from rl_toolkit.library.dates import day_number
from rl_toolkit.library.extras import unpacked
from rl_toolkit.library.filters import Filter, with_game
from rl_toolkit.library.kinds import Kind, kind_of
from rl_toolkit.library.replay import position_hash
from rl_toolkit.utils import Z95, mean_interval
from rl_toolkit.utils.svg import Axis, Plot, Series

#: Games that are looked at, the newest ones; an insight is about a person, not about an archive.
MOST = 5_000
#: Moves that name an opening.
_OPENING = 2
#: Rows of a table.
_ROWS = 12
#: Games of a point of the line of accuracies, at least, where there are so many.
_POINT = 10
_POINTS = 20
_JUDGED = ("inaccuracy", "mistake", "blunder")


@dataclass(frozen=True, slots=True)
class Results:
    """Games of one sort, as the player sees them.

    Attributes:
        name: what they have in common.
        won, drawn, lost: how many ended so; undecided games are not counted.
    """

    name: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many were decided."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The share of the points."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `score`."""
        return mean_interval([1.0] * self.won + [0.5] * self.drawn + [0.0] * self.lost)

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        counts = {"won": self.won, "drawn": self.drawn, "lost": self.lost}
        return {"name": self.name, **counts, "score": self.score, "interval": list(self.interval)}


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The mean accuracy of some games in a row, with its 95 % interval."""

    first: str
    last: str
    games: int
    mean: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Insight:
    """How somebody plays.

    Attributes:
        games: the number of games that were looked at, decided or not.
        total: all of them together, ``None`` if none was decided.
        tables: results by ``opponent``, ``side``, ``opening`` and ``length``, most games first.
        accuracy: over time, the oldest first.
        mistakes: how often each kind of mistake was made, the commonest first.
        marks: how many inaccuracies, mistakes and blunders there were.
        reviewed: the number of games that were reviewed.
    """

    games: int
    total: Results | None
    tables: Mapping[str, tuple[Results, ...]]
    accuracy: tuple[Accuracy, ...]
    mistakes: tuple[tuple[str, int], ...]
    marks: Mapping[str, int]
    reviewed: int

    def to_dict(self) -> dict[str, Any]:
        """The insight as JSON has it."""
        return {
            "games": self.games,
            "reviewed": self.reviewed,
            "total": None if self.total is None else self.total.to_dict(),
            "tables": {name: [row.to_dict() for row in rows] for name, rows in self.tables.items()},
            "accuracy": [
                {
                    "first": point.first,
                    "last": point.last,
                    "games": point.games,
                    "mean": point.mean,
                    "interval": list(point.interval),
                }
                for point in self.accuracy
            ],
            "mistakes": [{"lesson": lesson, "times": times} for lesson, times in self.mistakes],
            "marks": dict(self.marks),
        }

    def plots(self) -> dict[str, Plot]:
        """A picture for each part that has something to show; a notebook shows each by itself."""
        found = {
            name: _results_plot(f"Points by {name}", rows)
            for name, rows in self.tables.items()
            if rows
        }
        if self.accuracy:
            points = [(float(k), 100 * each.mean) for k, each in enumerate(self.accuracy)]
            band = [(100 * low, 100 * high) for low, high in (a.interval for a in self.accuracy)]
            found["accuracy"] = Plot(
                "Accuracy over time, with 95 % intervals",
                [Series("accuracy", points, "line", band)],
                Axis(names=[each.last for each in self.accuracy]),
                Axis(unit=" %", high=100.0),
            )
        if self.mistakes:
            points = [(float(k), float(times)) for k, (_, times) in enumerate(self.mistakes)]
            found["mistakes"] = Plot(
                "Kinds of mistakes",
                [Series("times", points, "bars")],
                Axis(names=[lesson for lesson, _ in self.mistakes]),
            )
        return found


def _results_plot(title: str, rows: tuple[Results, ...]) -> Plot:
    points = [(float(k), 100 * row.score) for k, row in enumerate(rows)]
    band = [(100 * low, 100 * high) for low, high in (row.interval for row in rows)]
    return Plot(
        title,
        [Series("points", points, "bars", band)],
        Axis(names=[f"{row.name} ({row.games})" for row in rows]),
        Axis(unit=" %", high=100.0),
    )


@dataclass(frozen=True, slots=True)
class _Game:
    """A game as its player saw it: ``side`` is 1 or −1, ``points`` 1, ½ or 0."""

    kind: Kind
    side: int
    opponent: str
    points: float | None
    plies: int
    date: str
    accuracy: float | None
    moves: bytes
    extra: bytes | None


def insight(database: Database, where: Filter) -> Insight:
    """How the player of ``where`` plays; without one the person who plays here against engines."""
    games = _games(database, where)
    decided = [game for game in games if game.points is not None]
    openings = _openings(decided)
    lengths = _lengths(decided)
    tables = {
        "opponent": _table(decided, lambda game: game.opponent or "unknown"),
        "side": _table(decided, _side_name),
        "opening": _table(decided, lambda game: openings[id(game)]),
        "length": _table(decided, lambda game: lengths[id(game)], by_games=False),
    }
    lessons, marks, reviewed = _mistakes(games)
    whole = _table(decided, lambda game: "all")
    return Insight(
        len(games),
        whole[0] if whole else None,
        tables,
        _accuracies(games),
        tuple(lessons.most_common(_ROWS)),
        {mark: marks[mark] for mark in _JUDGED},
        reviewed,
    )


def _games(database: Database, where: Filter) -> list[_Game]:
    condition, values = with_game(where)
    if not where.player:  # one person, and an engine
        condition += " AND px.engine != po.engine"
    rows = database.execute(
        "SELECT kind.game, kind.start, px.name, po.name, px.engine, game.result, game.plies, "
        "game.date, game.accuracy_x, game.accuracy_o, score.moves, score.extra FROM game "
        "JOIN kind ON kind.id = game.kind JOIN player AS px ON px.id = game.x "
        "JOIN player AS po ON po.id = game.o JOIN score ON score.game = game.id "
        f"WHERE {condition} ORDER BY game.id DESC LIMIT ?",
        [*values, MOST],
    )
    found = []
    for game, start, x, o, x_is_engine, result, plies, date, *rest in rows:
        accuracy_x, accuracy_o, moves, extra = rest
        mine = x.lower() == where.player.lower() if where.player else not x_is_engine
        side = 1 if mine else -1
        points = None if result is None else (1 + side * result) / 2
        found.append(
            _Game(
                kind_of(game, start),
                side,
                o if mine else x,
                points,
                plies,
                date or "",
                accuracy_x if mine else accuracy_o,
                moves,
                extra,
            )
        )
    return found[::-1]  # the oldest first


def _table(
    games: Iterable[_Game], name: Callable[[_Game], str], *, by_games: bool = True
) -> tuple[Results, ...]:
    counts: dict[str, Counter[float]] = {}
    for game in games:
        assert game.points is not None
        counts.setdefault(name(game), Counter())[game.points] += 1
    rows = [Results(key, each[1.0], each[0.5], each[0.0]) for key, each in counts.items()]
    rows.sort(key=lambda row: (-row.games, row.name) if by_games else (0, _first_number(row.name)))
    return tuple(rows[:_ROWS])


def _side_name(game: _Game) -> str:
    return game.kind.begun.traits.side(game.side)


def _openings(games: list[_Game]) -> dict[int, str]:
    """A name for the opening of each game: its first moves, the same for mirror images."""
    names: dict[tuple[str, int], str] = {}
    found = {}
    several = len({game.kind.game for game in games}) > 1
    for game in games:
        env = game.kind.begun.copy()
        first = np.frombuffer(game.moves, game.kind.move_type)[:_OPENING].tolist()
        named = " ".join(env.line_names(first)) or "no move"
        for move in first:
            env.step(move)
        key = game.kind.game, position_hash(game.kind, env)
        label = f"{named} ({game.kind.game})" if several else named
        found[id(game)] = names.setdefault(key, label)
    return found


def _lengths(games: list[_Game]) -> dict[int, str]:
    """For each game in which quarter of all lengths it lies: ``21–30 moves``."""
    if not games:
        return {}
    plies = np.array([game.plies for game in games])
    edges = sorted(set(np.quantile(plies, [0.25, 0.5, 0.75, 1.0]).round().astype(int).tolist()))
    names, low = [], int(plies.min())
    for high in edges:
        names.append(f"{low} moves" if low >= high else f"{low}–{high} moves")
        low = high + 1
    places = np.searchsorted(edges, plies)
    return {
        id(game): names[min(int(at), len(names) - 1)]
        for game, at in zip(games, places, strict=True)
    }


def _first_number(name: str) -> int:
    digits = name.replace("–", " ").split()[0]
    return int(digits) if digits.isdecimal() else 0


def _accuracies(games: list[_Game]) -> tuple[Accuracy, ...]:
    """Groups of ten or more reviewed games in the order of their dates; fewer games are one."""
    rated = [game for game in games if game.accuracy is not None]
    rated.sort(key=lambda game: day_number(game.date))
    if not rated:
        return ()
    count = max(1, min(_POINTS, len(rated) // _POINT))
    points = []
    for group in np.array_split(np.arange(len(rated)), count):
        some = [rated[k] for k in group]
        values = [game.accuracy or 0.0 for game in some]
        mean = sum(values) / len(values)
        points.append(
            Accuracy(some[0].date, some[-1].date, len(some), mean, _interval(values, mean))
        )
    return tuple(points)


def _interval(values: list[float], mean: float) -> tuple[float, float]:
    """The 95 % interval of a mean; that of few games is wider than they alone would say."""
    if len(values) < _POINT:
        return mean_interval(values)
    reach = Z95 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return max(0.0, mean - reach), min(1.0, mean + reach)


def _mistakes(games: list[_Game]) -> tuple[Counter[str], Counter[str], int]:
    """How often the player made each kind of mistake, by lesson and by mark; games reviewed."""
    lessons, marks, reviewed = Counter[str](), Counter[str](), 0
    for game in games:
        reviewed += game.accuracy is not None
        if game.extra is None:
            continue
        notes = json.loads(unpacked(game.extra)).get("notes", {})
        for ply, note in notes.items():
            review = note.get("review") or {}
            # Sides move in turn; where one passes, the pass is a move.
            mover = 1 if (int(ply) + game.kind.first) % 2 else -1
            if mover != game.side or review.get("judgement") not in _JUDGED:
                continue
            marks[review["judgement"]] += 1
            if review.get("lesson"):
                lessons[review["lesson"]] += 1
    return lessons, marks, reviewed
