"""Gomoku games of self-play, and the sealed files that hold them.

A game is a list of positions: what was played there, how the search scored it, and what kind of
move it is. The file (see `utils.atomic_file`) has the board size and the rule in its head. Its
body, compressed with zlib, holds little-endian numbers::

    games, entries (4 bytes each) | entries of each game (2) | results for Black (1)
    | moves (2) | scores for the side to move (2) | kinds (1)          one each per entry
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.spec import LineRule
from rl_toolkit.utils import Seal, write_bytes_atomically

#: Kinds of entries: a random stone of the opening, the move that the search chose, a move that was
#: played in its place, and the last position, where the search proved the result.
OPENING, CHOSEN, SLIP, DECIDED = range(4)
#: The move of a position without one.
NO_MOVE = 0xFFFF

_COUNTS = struct.Struct("<II")
_COLUMNS = ("<u2", "<i1", "<u2", "<i2", "<u1")


class GamesError(ValueError):
    """A file of games is missing, damaged, or for another board or rule."""


_SEAL = Seal(b"GMGAME\r\n", 1, "file of Gomoku games", GamesError)


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """One game.

    Attributes:
        result: +1 if Black won, −1 if White did, 0 if neither was proven to win.
        moves: the cells, `NO_MOVE` at the end of a game that was decided.
        scores: the score of each position for the side to move; 0 in the opening.
        kinds: what each move is, `OPENING` … `DECIDED`.
    """

    result: int
    moves: Sequence[int]
    scores: Sequence[int]
    kinds: Sequence[int]

    @property
    def positions(self) -> int:
        """The number of positions that were searched."""
        return sum(kind != OPENING for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Games:
    """Many games, as columns; see the file format."""

    lengths: npt.NDArray[np.uint16]
    results: npt.NDArray[np.int8]
    moves: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.int16]
    kinds: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, games: Sequence[SelfPlayGame]) -> Games:
        """The columns of these games."""

        def column(name: str, kind: str) -> npt.NDArray[Any]:
            return np.array([x for game in games for x in getattr(game, name)], dtype=kind)

        return cls(
            np.array([len(game.moves) for game in games], dtype="<u2"),
            np.array([game.result for game in games], dtype="<i1"),
            column("moves", "<u2"),
            column("scores", "<i2"),
            column("kinds", "<u1"),
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def __iter__(self) -> Iterator[SelfPlayGame]:
        begun = 0
        for length, result in zip(self.lengths.tolist(), self.results.tolist(), strict=True):
            part = slice(begun, begun + length)
            yield SelfPlayGame(
                result,
                self.moves[part].tolist(),
                self.scores[part].tolist(),
                self.kinds[part].tolist(),
            )
            begun += length

    @property
    def positions(self) -> int:
        """The number of positions that were searched."""
        return int((self.kinds != OPENING).sum())


def save_games(path: str | os.PathLike[str], games: Games, size: int, rule: LineRule) -> None:
    """Write games to a file atomically."""
    columns: list[npt.NDArray[Any]] = [games.lengths, games.results]
    columns += [games.moves, games.scores, games.kinds]
    body = _COUNTS.pack(len(games), len(games.moves))
    body += b"".join(
        column.astype(kind).tobytes() for column, kind in zip(columns, _COLUMNS, strict=True)
    )
    write_bytes_atomically(path, _SEAL.close((size, rule.number, 0), zlib.compress(body, 6)))


def load_games(path: str | os.PathLike[str], size: int, rule: LineRule) -> Games:
    """Load the games of a file; `GamesError` says why it cannot be used."""
    return _SEAL.load(path, lambda data: _games_in(data, size, rule))


def _games_in(data: bytes, size: int, rule: LineRule) -> Games:
    (its_size, its_rule, _), packed = _SEAL.open(data)
    if (its_size, its_rule) != (size, rule.number):
        raise GamesError("these games are for another board or rule")
    try:
        body = zlib.decompress(packed)
        games, entries = _COUNTS.unpack_from(body)
        at, columns = _COUNTS.size, []
        for kind, count in zip(_COLUMNS, (games, games, entries, entries, entries), strict=True):
            columns.append(np.frombuffer(body, dtype=kind, count=count, offset=at))
            at += columns[-1].nbytes
    except (zlib.error, struct.error, ValueError) as error:
        raise GamesError("the games are damaged: they cannot be unpacked") from error
    found = Games(*columns)
    played = found.moves[found.moves != NO_MOVE]
    if at != len(body) or found.lengths.sum() != entries or (played >= size * size).any():
        raise GamesError("the games are damaged: their numbers do not agree")
    return found
