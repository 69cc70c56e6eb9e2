"""`Filter`: which games are asked for, as a condition of SQL; and what a list shows of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from rl_toolkit.envs import make_game
from rl_toolkit.library.dates import day_number, is_date, last_number
from rl_toolkit.library.errors import LibraryError
from rl_toolkit.utils import listed, shown

Result = Literal["x", "o", "draw", "undecided", "won", "lost", ""]

_RESULTS = {"x": "= 1", "o": "= -1", "draw": "= 0", "undecided": "IS NULL"}
#: What saved a game that somebody played.
OWN = ("play", "page")
_NAMED = "SELECT id FROM player WHERE name = ? COLLATE NOCASE"
_ENGINE = "SELECT id FROM player WHERE engine = 1 AND (name = ? COLLATE NOCASE OR spec = ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which games are asked for; every field that is given has to fit.

    Attributes:
        game: the name of the game.
        player, opponent: names, in any case; with both, games of the two against each other.
        side: the side of ``player``, ``x`` or ``o``.
        engine: an engine that played, by its name or its spec.
        result: ``x``, ``o``, ``draw``, ``undecided``; or ``won`` and ``lost`` by ``player``.
        since, until: years, months or days (2001, 2001-05, 2001-05-31), both included.
        event: the name of the event, or a part of it.
        tag: a tag of the game.
        origin: what saved it: ``play``, ``match``, ``import``, …
        mine: only games that somebody played here, on the page or in the terminal.

    Raises `LibraryError` for a value that a field does not take, and for a side, an opponent,
    ``won`` or ``lost`` without a player.

    >>> Filter(player="Ada", result="won").condition()[1]
    ['Ada', 'Ada']
    """

    game: str = ""
    player: str = ""
    opponent: str = ""
    side: Literal["x", "o", ""] = ""
    engine: str = ""
    result: Result = ""
    since: str = ""
    until: str = ""
    event: str = ""
    tag: str = ""
    origin: str = ""
    mine: bool = False

    def __post_init__(self) -> None:
        if self.result not in ("", "won", "lost", *_RESULTS):
            words = listed([*_RESULTS, "won", "lost"], "or")
            raise LibraryError(f"a result is {words}, not {shown(self.result)}")
        if self.side not in ("", "x", "o"):
            raise LibraryError(f"a side is x or o, not {shown(self.side)}")
        if not self.player and (self.side or self.opponent or self.result in ("won", "lost")):
            raise LibraryError("side, opponent, won and lost are about a player: name one")
        for day in (self.since, self.until):
            if day and not is_date(day):
                raise LibraryError(
                    f"{shown(day)} is not a date; dates are like 2001, 2001-05 or 2001-05-31"
                )
        if self.game:
            object.__setattr__(self, "game", make_game(self.game).name)

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self) if each.name != "game")

    def condition(self) -> tuple[str, list[Any]]:
        """The condition on table ``game`` (without the name of the game), and its values."""
        parts: list[str] = []
        values: list[Any] = []

        def ask(part: str, *more: Any) -> None:
            parts.append(part)
            values.extend(more)

        if self.player:
            ask(*self._sides())
        if self.engine:
            both = (self.engine, self.engine)
            ask(f"(game.x IN ({_ENGINE}) OR game.o IN ({_ENGINE}))", *both, *both)
        if self.result in _RESULTS:
            ask(f"game.result {_RESULTS[self.result]}")
        if self.since or self.until:  # `day` is `day_number`; a game without a date fits neither
            first = max(1, day_number(self.since))
            ask("day(game.date) BETWEEN ? AND ?", first, last_number(self.until or "9999"))
        if self.event:
            ask(
                "game.event IN (SELECT id FROM event WHERE instr(lower(name), lower(?)))",
                self.event,
            )
        if self.tag:
            ask("game.id IN (SELECT game FROM tag WHERE name = ?)", self.tag)
        if self.origin:
            ask("game.event IN (SELECT id FROM event WHERE origin = ?)", self.origin)
        if self.mine:
            marks = ", ".join("?" * len(OWN))
            ask(f"game.event IN (SELECT id FROM event WHERE origin IN ({marks}))", *OWN)
        return " AND ".join(parts) or "1", values

    def _sides(self) -> list[Any]:
        """The condition about player, side, opponent, won and lost, and its values."""
        ways, values = [], []
        for side, other, won in (("x", "o", 1), ("o", "x", -1)):
            if self.side in ("", side):
                way = f"game.{side} IN ({_NAMED})"
                values.append(self.player)
                if self.opponent:
                    way += f" AND game.{other} IN ({_NAMED})"
                    values.append(self.opponent)
                if self.result in ("won", "lost"):
                    way += f" AND game.result = {won if self.result == 'won' else -won}"
                ways.append(f"({way})")
        return [f"({' OR '.join(ways)})", *values]


@dataclass(frozen=True, slots=True)
class GameHead:
    """What a list shows of a saved game, without its moves.

    Attributes:
        id: its number in the library.
        game, start, players, result, ended_by: as in a `GameRecord`.
        engines: whether X and O are engines.
        event, origin: what it belongs to, and what saved it.
        date: its date as text, "" if it is unknown.
        plies: the number of its moves.
        ratings, accuracy: of X and O, ``None`` where they are unknown.
        tags: its tags.
    """

    id: int
    game: str
    start: str
    players: tuple[str, str]
    engines: tuple[bool, bool]
    result: int | None
    ended_by: str
    event: str
    origin: str
    date: str
    plies: int
    ratings: tuple[int | None, int | None]
    accuracy: tuple[float | None, float | None]
    tags: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The head as JSON has it."""
        return {
            "id": self.id,
            "game": self.game,
            "start": self.start,
            "players": dict(zip("xo", self.players, strict=True)),
            "engines": dict(zip("xo", self.engines, strict=True)),
            "result": self.result,
            "ended_by": self.ended_by,
            "event": self.event,
            "origin": self.origin,
            "date": self.date,
            "moves": self.plies,
            "ratings": dict(zip("xo", self.ratings, strict=True)),
            "accuracy": dict(zip("xo", self.accuracy, strict=True)),
            "tags": list(self.tags),
        }


@dataclass(frozen=True, slots=True)
class Page:
    """Games that were found, the newest first.

    Attributes:
        heads: the games of this page.
        plies: for each of them the ply of the position that was asked for; empty without one.
        total: how many games there are on all pages.
    """

    heads: tuple[GameHead, ...]
    plies: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class KindStats:
    """The games of one name: how many, how they ended, their mean length."""

    game: str
    games: int
    x_won: int
    drawn: int
    o_won: int
    plies: float

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON has them."""
        undecided = self.games - self.x_won - self.drawn - self.o_won
        return {
            "game": self.game,
            "games": self.games,
            "x_won": self.x_won,
            "drawn": self.drawn,
            "o_won": self.o_won,
            "undecided": undecided,
            "mean_moves": self.plies,
        }


#: The columns of a head, and the tables that have them.
HEAD_COLUMNS = (
    "game.id, kind.game, kind.start, px.name, po.name, px.engine, po.engine, game.result, "
    "game.ended_by, event.name, event.origin, game.date, game.plies, game.rating_x, "
    "game.rating_o, game.accuracy_x, game.accuracy_o"
)
HEAD_TABLES = (
    "game JOIN kind ON kind.id = game.kind JOIN player AS px ON px.id = game.x "
    "JOIN player AS po ON po.id = game.o JOIN event ON event.id = game.event"
)


def head_of(row: tuple[Any, ...], tags: tuple[str, ...] = ()) -> GameHead:
    """The head in a row of `HEAD_COLUMNS`."""
    number, game, start, x, o, ex, eo, result, ended_by, event, origin, date, plies = row[:13]
    return GameHead(
        number,
        game,
        start,
        (x, o),
        (bool(ex), bool(eo)),
        result,
        ended_by or "",
        event,
        origin,
        date or "",
        plies,
        (row[13], row[14]),
        (row[15], row[16]),
        tags,
    )


def with_game(where: Filter) -> tuple[str, list[Any]]:
    """The condition of a filter, with the name of the game."""
    condition, values = where.condition()
    if where.game:
        condition = f"game.kind IN (SELECT id FROM kind WHERE game = ?) AND {condition}"
        values = [where.game, *values]
    return condition, values
