"""`RawGame`: what a file says of a game, before its moves are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rl_toolkit.records.formats.file_results import ADJUDICATED
from rl_toolkit.records.game_record import GameRecord

#: Result, ``ended_by`` and headers of a record; the headers are the caller's to change.
Ending = tuple[int | None, str, dict[str, str]]


@dataclass(slots=True)
class RawGame:
    """A game of a file.

    If ``game`` is empty, only `read` can read it. Otherwise the fields say the same as the record
    that `read` gives, provided that the moves are legal.

    Attributes:
        number: its place in the file, from 1.
        read: the record, read in the usual way; raises `RecordError`.
        share: how much of the file has been read, from 0 to 1.
        game: the full name of the game.
        start: the starting position as text.
        moves: the moves, or a byte for each.
        lacks_passes: whether the file leaves out passes.
        players: the names.
        said: the result that the file says, ``None`` if it says none.
        reason: ``ended_by`` for a game that its moves leave open.
        headers: the headers.
        opening: the number of first moves that no player chose.
        by_engines: whether the file says that both players are engines.
    """

    number: int
    read: Callable[[], GameRecord]
    share: float = 0.0
    game: str = ""
    start: str = ""
    moves: Sequence[int] | bytes = ()
    lacks_passes: bool = False
    players: tuple[str, str] = ("", "")
    said: int | None = None
    reason: str = ADJUDICATED
    headers: Mapping[str, str] = field(default_factory=dict)
    opening: int = 0
    by_engines: bool = False

    def ending(self, over: bool, winner: int | None, stones: tuple[int, int]) -> Ending | None:
        """Result, ``ended_by`` and headers, given what the moves lead to.

        ``stones`` are those of X and O at the end. ``None`` if the file contradicts the moves.
        """
        if over:
            return (winner, "", dict(self.headers)) if self.said in (None, winner) else None
        return self.said, "" if self.said is None else self.reason, dict(self.headers)
