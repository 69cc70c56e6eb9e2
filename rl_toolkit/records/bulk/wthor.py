"""WTHOR in bulk: all squares of a database turned into cells at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from rl_toolkit.envs import Reversi
from rl_toolkit.records.bulk.raw_game import Ending, RawGame
from rl_toolkit.records.formats import wthor
from rl_toolkit.records.formats.file_results import ADJUDICATED

_GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("discs", "u1"),
        ("theoretical", "u1"),
        ("squares", "u1", 60),
    ]
)
_DISCS = 64


@dataclass(slots=True)
class _WthorGame(RawGame):
    """A game of a database; ``discs`` is its score."""

    discs: int = 0

    def ending(self, over: bool, winner: int | None, stones: tuple[int, int]) -> Ending:
        """The result on the board counts, and the score is kept where it is another one."""
        said = (self.discs > _DISCS // 2) - (self.discs < _DISCS // 2)
        usual = _DISCS // 2 * (1 + said)
        if over:
            usual = stones[0] + (1 + (winner or 0)) * (_DISCS - sum(stones)) // 2
        headers = dict(self.headers)
        if self.discs != usual:
            headers[wthor.DISCS] = str(self.discs)
        return (winner, "", headers) if over else (said, ADJUDICATED, headers)


def raw_wthor(files: wthor.WthorFiles, game: str | None = None) -> Iterator[RawGame]:
    """The games of a database; raises `RecordError` for a header that is wrong."""
    base = wthor.opened(files, game)
    rows = np.frombuffer(files.games, _GAME, base.games, wthor.HEADER_BYTES)
    squares = rows["squares"]
    row, col = squares // 10, squares % 10
    inside = (row >= 1) & (row <= 8) & (col >= 1) & (col <= 8)
    cells = np.where(inside, 8 * (row - 1) + col - 1, 255).astype(np.uint8)
    used = squares != 0
    counts = np.where(used.any(1), 60 - used[:, ::-1].argmax(1), 0)
    # Each byte up to the last one is a square.
    clean = inside.sum(1) == counts
    clean &= (rows["discs"] <= _DISCS) & (rows["theoretical"] <= _DISCS)
    name = Reversi(8).name
    dates = {wthor.DATE: str(base.year)} if base.year else {}
    text, columns = cells.tobytes(), [rows[field].tolist() for field in _GAME.names[:5]]  # type: ignore[index]
    named, titled = cache(base.player), cache(base.tournament)  # numbers come again and again
    for g, (tournament, black, white, discs, theoretical) in enumerate(zip(*columns, strict=True)):
        raw = _WthorGame(g + 1, base.reader(g), (g + 1) / base.games)
        if clean[g]:
            event = titled(tournament)
            headers = {wthor.EVENT: event, **dates} if event else dict(dates)
            if base.depth:
                headers[wthor.THEORETICAL] = f"{theoretical} with {base.depth} empty"
            raw.game, raw.lacks_passes, raw.discs = name, True, discs
            raw.moves = text[60 * g : 60 * g + int(counts[g])]
            raw.players = named(black), named(white)
            raw.headers = headers
        yield raw
