"""SGF in bulk: games without variations, comments and set-up stones, taken apart by expressions.

Any other game is left to the usual reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from rl_toolkit.records.bulk.raw_game import RawGame
from rl_toolkit.records.errors import RecordError
from rl_toolkit.records.formats import sgf
from rl_toolkit.records.formats.sgf_grammar import Node, decode
from rl_toolkit.records.game_record import GameRecord

_PROPERTY = r"[A-Z]{1,8}\s*\[[^\]\\]*\]\s*"
#: A game of a root and single moves.
_CLEAN = re.compile(
    rf"\s*\(\s*;\s*((?:{_PROPERTY})*)((?:;\s*[BW]\[[a-zA-Z0-9]{{0,3}}\]\s*)*)\)", re.ASCII
)
_PAIR = re.compile(r"([A-Z]{1,8})\s*\[([^\]\\]*)\]", re.ASCII)
_MOVE = re.compile(r"([BW])\[([a-zA-Z0-9]{0,3})\]", re.ASCII)
#: What a tree is made of, to find its end: values, and parentheses.
_PIECE = re.compile(r"\[(?:[^\]\\]|\\.)*\]|[()]", re.DOTALL)
#: The properties of a root that say which game it is.
_KIND = ("GM", "SZ", "RU", "RLWIN")
_PLAIN = {*_KIND, "FF", "CA", "AP", "ST", "RE", "PB", "PW", "RLEND"}


def raw_sgf(data: bytes | str, game: str | None = None) -> Iterator[RawGame]:
    """The games of a file; raises `RecordError` where it cannot be taken apart."""
    text = decode(data) if isinstance(data, bytes) else data
    at, number = 0, 0
    while True:
        number += 1
        match = _CLEAN.match(text, at)
        end = match.end() if match is not None else _end(text, at)
        if end is None:
            if number > 1 and not text[at:].strip():
                return
            sgf.read_sgf(text[at:], game)  # says what is wrong
            return
        raw = RawGame(number, _reader(text[at:end], number, game), end / len(text))
        if match is not None:
            _fill(raw, match[1], match[2], game)
        yield raw
        at = end


def _end(text: str, at: int) -> int | None:
    """The end of the tree that begins after ``at``, ``None`` if there is none."""
    depth = 0
    for piece in _PIECE.finditer(text, at):
        if piece[0] == "(":
            depth += 1
        elif piece[0] == ")":
            depth -= 1
            if depth <= 0:
                return piece.end() if depth == 0 else None
    return None


def _reader(text: str, number: int, game: str | None) -> Callable[[], GameRecord]:
    def read() -> GameRecord:
        try:
            return sgf.read_sgf(text, game)[0]
        except RecordError as error:
            where = error.where.removeprefix("game 1").removeprefix(": ")
            place = f"game {number}: {where}" if where else f"game {number}"
            raise type(error)(error.problem, place) from error

    return read


def _fill(raw: RawGame, root: str, moves: str, game: str | None) -> None:
    """Fill the fields of a game; leave them empty where the usual reader has to look."""
    pairs = _PAIR.findall(root)
    properties = dict(pairs)
    if len(properties) < len(pairs):
        return
    headers: dict[str, str] = {}
    for name, value in pairs:
        if name in _PLAIN:
            continue
        if sgf.is_structure(name):
            return
        headers[sgf.HEADERS.get(name, name)] = value
    kind = _kind(tuple(properties.get(name) for name in _KIND), game)
    if kind is None:
        return
    full_name, cells, passing = kind
    played: list[int] = []
    before = "W"
    for colour, value in _MOVE.findall(moves):
        if colour == before:
            if passing is None or not played:
                return
            played.append(passing)  # left out by the file
        before = colour
        cell = passing if value in ("", "tt") and value not in cells else cells.get(value)
        if cell is None:
            return
        played.append(cell)
    try:
        said, reason = sgf.said_result(Node(1, {name: [text] for name, text in pairs}))
    except RecordError:
        return
    raw.game, raw.moves, raw.headers = full_name, played, headers
    raw.players = properties.get("PB", ""), properties.get("PW", "")
    raw.said, raw.reason = said, reason


@lru_cache(maxsize=64)
def _kind(
    values: tuple[str | None, ...], game: str | None
) -> tuple[str, dict[str, int], int | None] | None:
    """The game that a root describes, its cells by their letters, and its pass."""
    given = {name: [value] for name, value in zip(_KIND, values, strict=True) if value is not None}
    try:
        env = sgf.game_of(Node(1, given), game)
    except ValueError:
        return None
    letters = "abcdefghijklmnopqrstuvwxyz"
    cells = {
        letters[col] + letters[down]: (
            down if env.traits.row_one_at == "top" else env.rows - 1 - down
        )
        * env.cols
        + col
        for down in range(env.rows)
        for col in range(env.cols)
    }
    return env.name, cells, env.pass_move
