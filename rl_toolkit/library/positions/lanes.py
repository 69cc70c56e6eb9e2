"""`Lanes`: patterns in games whose stones change colour, all of which are replayed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.kernels.archive import arrays, calling
from rl_toolkit.library.kinds import Kind
from rl_toolkit.library.positions.packs import Pack
from rl_toolkit.library.positions.plain import Found
from rl_toolkit.library.positions.targets import PatternTables


def has_lanes(kind: Kind) -> bool:
    """Whether games of a kind are replayed here."""
    return kind.flips and arrays.fits(kind.spec)


class Lanes:
    """Looks for a pattern in packs by replaying every game; see `kernels.archive.lanes`."""

    def __init__(self, tables: PatternTables, match: calling.Match) -> None:
        kind, self._match = tables.kind, match
        assert kind.spec is not None
        self._bits = np.zeros(256, np.uint64)
        self._bits[: kind.cells] = arrays.bits(kind.spec)
        begun = np.asarray(kind.begun.board)
        self._start = np.array([self._word(begun == 1), self._word(begun == -1)], np.uint64)
        images: dict[bytes, tuple[NDArray[np.int64], int]] = {}
        for s, image in enumerate(tables.images()):
            same = images.get(image.tobytes(), (image, 0))[1]
            images[image.tobytes()] = image, same | 1 << s
        self._pattern = np.array(
            [
                [*(self._word(image == what) for what in (1, -1, 0)), symmetries]
                for image, symmetries in images.values()
            ],
            np.uint64,
        )
        self._room = np.empty(calling.ROOM, np.uint64)
        self._plan = np.zeros(calling.PLAN, np.int64)
        self._plan[calling.FIRST], self._plan[calling.IMAGES] = kind.first, len(images)

    def _word(self, some: NDArray[np.bool_]) -> int:
        """The cells as bits."""
        return int(np.bitwise_or.reduce(self._bits[: len(some)][some], initial=np.uint64(0)))

    def match(self, pack: Pack, chosen: NDArray[np.bool_] | None) -> Found:
        """The games of a pack that come to have the pattern: rows, symmetries and plies."""
        games, width = pack.cells.shape
        self._plan[calling.GAMES], self._plan[calling.WIDTH] = games, width
        self._plan[calling.CHOSEN] = chosen is not None
        rows, alive = np.empty(games, np.int64), np.empty(games, np.uint8)
        plies = np.empty(games, np.int64)
        cells = np.ascontiguousarray(pack.cells)
        wanted = np.zeros(0, np.bool_) if chosen is None else np.ascontiguousarray(chosen)
        tables = self._plan, cells, wanted, self._bits, self._start, self._pattern, self._room
        count = self._match(*(array.ctypes.data for array in (*tables, rows, alive, plies)))
        return rows[:count], alive[:count], plies[:count]
