"""Patterns found without compiled code, for a command that asks one question.

A stone stays where it was placed. So the move that filled each cell says when the stones of a
pattern were all there, and until when its free cells were free::

    last stone of the pattern placed  ≤  ply  <  first of its free cells filled

Where stones never change their colour, a game with such a ply has the pattern. Where they do, the
games that are left are replayed, all of them a move at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.kernels.archive import arrays
from rl_toolkit.library.kinds import NO_MOVE, REMOVED, Kind
from rl_toolkit.library.positions.packs import Pack
from rl_toolkit.library.positions.plain import Found, TooManyGamesError
from rl_toolkit.library.positions.targets import PatternTables

#: The ply of what never happens.
_NEVER = 255
#: The games that are replayed together: their words stay in the cache.
_TOGETHER = 4096

Plies = NDArray[np.uint8]


def can_match(kind: Kind) -> bool:
    """Whether patterns of games of a kind are found here."""
    return not kind.is_wide and (not kind.flips or arrays.fits(kind.spec))


@dataclass(frozen=True, slots=True)
class _Image:
    """A pattern as some symmetries have to find it: the cells of its stones, and free ones."""

    symmetries: int
    stones: tuple[tuple[int, int], ...]  # cell and colour, 1 or −1
    free: tuple[int, ...]


class Windows:
    """Looks for a pattern in packs.

    Args:
        most: the games that are replayed, where stones change colour; if it will be more,
            `match` raises `TooManyGamesError`.
    """

    def __init__(self, tables: PatternTables, most: int) -> None:
        self._kind, self._most = tables.kind, most
        begun = np.asarray(self._kind.begun.board)
        images: dict[bytes, _Image] = {}
        for s, cells in enumerate(tables.images()):
            key = cells.tobytes()
            if key in images:
                images[key] = _Image(images[key].symmetries | 1 << s, *_parts(cells))
            elif tables.alive >> s & 1:
                images[key] = _Image(1 << s, *_parts(cells))
        self._images = list(images.values())
        self._begun = {int(cell): int(begun[cell]) for cell in np.flatnonzero(begun)}
        used = [cell for image in self._images for cell, _ in image.stones]
        used += [cell for image in self._images for cell in image.free]
        self._used = np.unique(np.array(used, np.int64))

    def match(
        self, packs: list[Pack], wanted: list[NDArray[np.bool_] | None]
    ) -> Iterator[tuple[Pack, Found]]:
        """The games of each pack that come to have the pattern: rows, symmetries and plies."""
        if not self._images:
            return
        if not self._kind.flips:
            for pack, chosen in zip(packs, wanted, strict=True):
                rows, since, until = self._windows(pack, chosen)
                yield pack, self._first(rows, since, until)
            return
        left = []
        games, seen, waiting = sum(len(pack.cells) for pack in packs), 0, 0
        for pack, chosen in zip(packs, wanted, strict=True):
            left.append(self._windows(pack, chosen))
            seen += len(pack.cells)
            waiting += len(left[-1][0])
            if waiting * games > self._most * seen:
                raise TooManyGamesError
        yield from zip(packs, self._replayed(packs, left), strict=True)

    def _windows(
        self, pack: Pack, chosen: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], Plies, Plies]:
        """The games that may have the pattern, and for each image since when and until when."""
        games, width = pack.cells.shape
        if width >= _NEVER:
            raise TooManyGamesError
        columns = self._kind.cells + 1  # the last one is for what is no cell
        at = np.minimum(pack.cells, self._kind.cells).astype(np.int64)
        at += np.arange(0, games * columns, columns)[:, None]
        placed = np.full(games * columns, _NEVER, np.uint8)
        plies = np.arange(1, width + 1, dtype=np.uint8)
        placed[at.ravel()] = np.broadcast_to(plies, (games, width)).ravel()
        by_cell = placed.reshape(games, columns).T[self._used]
        when = {int(cell): by_cell[k] for k, cell in enumerate(self._used)}
        for cell in self._begun.keys() & when.keys():
            when[cell][:] = 0
        since = np.zeros((len(self._images), games), np.uint8)
        until = np.full((len(self._images), games), _NEVER, np.uint8)
        for k, image in enumerate(self._images):
            for cell, colour in image.stones:
                there = when[cell]
                if not self._kind.flips and cell not in self._begun:
                    # X has made the odd plies if X has begun.
                    right = (there & 1) != (self._kind.first ^ (colour == -1))
                    there = np.where(right, there, _NEVER).astype(np.uint8)
                np.maximum(since[k], there, out=since[k])
            for cell in image.free:
                np.minimum(until[k], when[cell], out=until[k])
        may = (since < until).any(0) & (pack.cells[:, 0] != REMOVED)
        if chosen is not None:
            may &= chosen
        rows = np.flatnonzero(may)
        return rows, since[:, rows], until[:, rows]

    def _first(self, rows: NDArray[np.int64], since: Plies, until: Plies) -> Found:
        """What was found in games whose stones keep their colour."""
        open_at = np.where(since < until, since, _NEVER)
        plies = open_at.min(0, initial=_NEVER)
        alive = np.zeros(len(rows), np.uint8)
        for k, image in enumerate(self._images):
            alive |= np.where(open_at[k] == plies, image.symmetries, 0).astype(np.uint8)
        return rows, alive, plies.astype(np.int64)

    # -------------------------------------------------------- games whose stones change colour

    def _replayed(
        self, packs: list[Pack], left: list[tuple[NDArray[np.int64], Plies, Plies]]
    ) -> list[Found]:
        """Those of the games that are left that have the pattern, for each pack."""
        if not packs:
            return []
        width = max(pack.cells.shape[1] for pack in packs)
        cells = np.full((sum(len(rows) for rows, _, _ in left), width), NO_MOVE, np.uint8)
        at = 0
        for pack, (rows, _, _) in zip(packs, left, strict=True):
            cells[at : at + len(rows), : pack.cells.shape[1]] = pack.cells[rows]
            at += len(rows)
        since = np.concatenate([part for _, part, _ in left], axis=1)
        until = np.concatenate([part for _, _, part in left], axis=1)
        never = since >= until
        since[never], until[never] = _NEVER, 0
        alive, plies = np.zeros(at, np.uint8), np.zeros(at, np.int64)
        for begin in range(0, at, _TOGETHER):
            some = slice(begin, begin + _TOGETHER)
            self._replay(
                cells[some].T.copy(),
                since[:, some].min(0),
                until[:, some].max(0),
                alive[some],
                plies[some],
            )
        found, at = [], 0
        for rows, _, _ in left:
            part = slice(at, at + len(rows))
            good = alive[part] != 0
            found.append((rows[good], alive[part][good], plies[part][good]))
            at += len(rows)
        return found

    def _replay(
        self,
        cells: NDArray[np.uint8],
        since: Plies,
        until: Plies,
        alive: NDArray[np.uint8],
        plies: NDArray[np.int64],
    ) -> None:
        """Write to ``alive`` and ``plies`` which of these games, one in each column, have it."""
        kind = self._kind
        assert kind.spec is not None
        bit = np.zeros(256, np.uint64)
        bit[: kind.cells] = arrays.bits(kind.spec)
        begun = np.asarray(kind.begun.board)

        def word(some: NDArray[np.bool_]) -> np.uint64:
            return np.uint64(np.bitwise_or.reduce(bit[: kind.cells][some], initial=np.uint64(0)))

        wants: list[tuple[int, np.uint64, np.uint64, np.uint64]] = []
        for image in self._images:
            pattern = np.full(kind.cells, 2)
            for cell, colour in image.stones:
                pattern[cell] = colour
            pattern[list(image.free)] = 0
            x, o, free = (word(pattern == what) for what in (1, -1, 0))
            wants.append((image.symmetries, x, o, free))
        games, ply, width = np.arange(cells.shape[1]), 0, len(cells)
        discs = [np.full(len(games), word(begun == piece)) for piece in (1, -1)]
        while len(games):
            if ply >= since.min():
                here = np.zeros(len(games), np.uint8)
                for symmetries, x, o, free in wants:
                    wrong = (x & ~discs[0]) | (o & ~discs[1]) | (free & (discs[0] | discs[1]))
                    here |= np.where(wrong, 0, symmetries).astype(np.uint8)
                alive[games], plies[games] = here, ply
                go_on = (here == 0) & (until > ply + 1)
            else:
                go_on = until > ply + 1
            if ply == width:
                return
            kept = np.flatnonzero(go_on)
            if len(kept) < len(games):
                games, since, until = games[kept], since[kept], until[kept]
                cells, discs = cells[:, kept], [side[kept] for side in discs]
            mover = (ply + kind.first) & 1
            mine, theirs = discs[mover], discs[1 - mover]
            placed = bit[cells[ply]]
            turned = arrays.flips_of(placed, mine, theirs)
            mine |= turned | placed
            theirs ^= turned
            ply += 1


def _parts(
    cells: NDArray[np.int64],
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """The stones and the free cells of a pattern."""
    stones = tuple((int(cell), int(cells[cell])) for cell in np.flatnonzero(np.abs(cells) == 1))
    return stones, tuple(map(int, np.flatnonzero(cells == 0)))
