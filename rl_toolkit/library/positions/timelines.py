"""`Timelines`: a pack of games in which stones change colour, unfolded for searches of patterns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.kernels.archive import timelines as kernel
from rl_toolkit.kernels.rules.compiled import CompiledRules
from rl_toolkit.library.kinds import Kind
from rl_toolkit.library.positions.targets import PatternTables


def can_unfold(kind: Kind, rules: CompiledRules) -> bool:
    """Whether the moments of a game, and the cells of its board, fit into words."""
    most = kind.cells - kind.stones + 1
    return kind.flips and rules.words_per_side == 1 and most < kernel.MOMENTS


@dataclass(frozen=True, slots=True)
class Timelines:
    """Who had which cell when, in each game of a pack; see `kernels.archive.timelines`."""

    black: NDArray[np.uint64]
    since: NDArray[np.uint8]
    moments: NDArray[np.uint8]
    passes: NDArray[np.uint8]

    @classmethod
    def of(
        cls,
        kind: Kind,
        rules: CompiledRules,
        start: NDArray[np.uint64],
        move_of_cell: NDArray[np.int64],
        cells: NDArray[np.unsignedinteger],
    ) -> Timelines:
        """The timelines of the games whose cells these are, a row for each."""
        games = len(cells)
        made = cls(
            np.empty(kind.cells * games, np.uint64),
            np.empty(kind.cells * games, np.uint8),
            np.empty(games, np.uint8),
            np.empty(games, np.uint8),
        )
        room = kernel.LINE * kernel.MOMENTS
        kernel.unfold(
            rules.operations.advance.address,
            rules.geometry,
            start,
            move_of_cell,
            np.array(rules.cell_bits, np.int64),
            cells.reshape(-1),
            cells.shape[1],
            kind.first,
            np.empty_like(start),
            np.empty(room, np.uint64),
            np.empty(room, np.uint8),
            made.black,
            made.since,
            made.moments,
            made.passes,
        )
        return made

    def match(
        self,
        cells: NDArray[np.unsignedinteger],
        tables: PatternTables,
        chosen: NDArray[np.uint8],
        rows: NDArray[np.int64],
        alive: NDArray[np.uint8],
        plies: NDArray[np.int64],
    ) -> int:
        """Write the games that come to have a pattern; returns their number.

        Games whose byte in ``chosen`` is 0 are left out; an empty ``chosen`` wants all.
        """
        images: dict[bytes, tuple[NDArray[np.int64], int]] = {}
        for s, image in enumerate(tables.images()):
            same = images.get(image.tobytes(), (image, 0))[1]
            images[image.tobytes()] = image, same | 1 << s
        return int(
            kernel.match(
                cells.reshape(-1),
                cells.shape[1],
                self.black,
                self.since,
                self.moments * chosen if chosen.size else self.moments,
                self.passes,
                np.concatenate([image for image, _ in images.values()]).astype(np.int64),
                np.array([symmetries for _, symmetries in images.values()], np.uint8),
                np.empty((len(images) + 1) * kernel.BLOCK, np.uint64),
                np.empty(2 * kernel.BLOCK, np.uint8),
                rows,
                alive,
                plies,
            )
        )
