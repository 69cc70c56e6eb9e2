"""The window network of Gomoku: its numbers, the windows that it knows, and its memory.

The network corrects the evaluation and the ranks of moves. Every cell has a *window* in each of
four directions: the four neighbours on both sides, with the key of `kernels.gomoku.board` for a
radius of 4, for both rules. A learned row of 16 small numbers stands for each window::

    x[cell, view]   sum of the four rows of the cell          view 0: Black is "own", 1: White is
    s[view]         sum of clip(x, 0, 127) over the empty cells
    z               s in the view of the side to move, then in the other: 32 numbers
    h               clip((b1 + w1 · z) >> 10, 0, 4095): 16 numbers
    points          (b2 + w2 · h) >> 12, added to the evaluation
    rank of a move  x[cell, side][15] · rank_scale >> 5, added unless it makes or stops an open four

A window and its mirror image share a row, and all directions share the rows, so the symmetries of
the board change nothing. `kernels.gomoku.window_sums` keeps x and s up to date during a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku import layout
from rl_toolkit.kernels.gomoku.geometry import DIRECTIONS

Numbers = npt.NDArray[np.int64]

REACH = 4
"""Neighbours on each side of a cell that its window shows."""
KEYS = 1 << 4 * REACH
CHANNELS = 16
"""Numbers in a row: features, and in the last place the rank of a move."""
HIDDEN = 16

_EDGE = 3
_LOW_BITS = 0x5555


@cache
def canonical() -> Numbers:
    """The keys of all windows with one of each mirrored pair, ascending.

    The edge of the board is only found at the ends of a window.
    """
    keys = np.arange(KEYS)
    cells = (keys[:, None] >> 2 * np.arange(2 * REACH)) & 3
    edge = cells == _EDGE
    inner_before = np.diff(edge[:, :REACH].astype(np.int8), axis=1) > 0
    inner_after = np.diff(edge[:, REACH:].astype(np.int8), axis=1) < 0
    possible = ~inner_before.any(axis=1) & ~inner_after.any(axis=1)
    return np.unique(np.minimum(keys, mirrored(keys))[possible])


def mirrored(keys: Numbers) -> Numbers:
    """The keys of the same windows seen from the other end."""
    found = np.zeros_like(keys)
    for cell in range(2 * REACH):
        found |= ((keys >> 2 * cell) & 3) << 2 * (2 * REACH - 1 - cell)
    return found


def swapped(keys: Numbers) -> Numbers:
    """The keys of the same windows with the colours exchanged."""
    return (keys & _LOW_BITS) << 1 | keys >> 1 & _LOW_BITS


@cache
def row_of_key() -> Numbers:
    """The row of every key in Black's view; 0 for windows that no board has."""
    keys, known = np.arange(KEYS), canonical()
    least = np.minimum(keys, mirrored(keys))
    rows = np.searchsorted(known, least).clip(max=len(known) - 1)
    found: Numbers = np.where(known[rows] == least, rows, 0)
    return found


@dataclass(frozen=True, eq=False)
class WindowNetwork:
    """The numbers of a window network.

    Attributes:
        rows: int8, one row of `CHANNELS` for each of the `canonical` windows.
        w1, b1: int16 of shape (`HIDDEN`, 2 · `CHANNELS`) and int32: from the sums to h.
        w2, b2: int16 and a number: from h to points.
        rank_scale: what the last channel counts in the rank of a move, in 32ths.
        base: checksum of the evaluation that it was trained to correct.
    """

    rows: npt.NDArray[np.int8]
    w1: npt.NDArray[np.int16]
    b1: npt.NDArray[np.int32]
    w2: npt.NDArray[np.int16]
    b2: int
    rank_scale: int
    base: int = 0

    def __post_init__(self) -> None:
        for name, (kind, shape) in shapes().items():
            array = getattr(self, name)
            if array.dtype != kind or array.shape != shape:
                raise ValueError(
                    f"{name} of a window network has shape {shape} and type {np.dtype(kind)}, "
                    f"not {array.shape} and {array.dtype}"
                )

    @cached_property
    def table(self) -> npt.NDArray[np.int8]:
        """The rows of every key: in Black's view, then in White's."""
        keys = np.arange(KEYS)
        views = [self.rows[row_of_key()[each]] for each in (keys, swapped(keys))]
        return np.ascontiguousarray(np.concatenate(views, axis=1))

    @cached_property
    def head(self) -> npt.NDArray[np.int32]:
        """w1 by inputs for Black to move, for White to move, then b1, w2 and b2.

        The inputs are always in the order Black's view, White's view.
        """
        turned = np.roll(self.w1, CHANNELS, axis=1)
        inputs = np.concatenate([self.w1.T.ravel(), turned.T.ravel()])
        return np.concatenate([inputs, self.b1, self.w2, [self.b2]]).astype(np.int32)


def shapes() -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """The type and the shape of the arrays of a network, in the order of its file."""
    return {
        "rows": (np.int8, (len(canonical()), CHANNELS)),
        "w1": (np.int16, (HIDDEN, 2 * CHANNELS)),
        "b1": (np.int32, (HIDDEN,)),
        "w2": (np.int16, (HIDDEN,)),
    }


# ------------------------------------------------------------------------------ memory

CELL_BYTES = 2 * 2 * CHANNELS
"""Bytes of x of a cell, or of s: 16-bit numbers in Black's view, then in White's."""
BACKUP = 4 * 2 * REACH * CELL_BYTES
"""Bytes of the numbers of cells that a stone changes, saved for the way back."""


def attach(block: Numbers, size: int, network: WindowNetwork) -> list[npt.NDArray[Any]]:
    """Enter a network and memory for its sums into a block; returns what must be kept alive.

    Around the cells there is a margin, so that a stone changes eight cells on each of its lines
    wherever it stands. The end of a row and the beginning of the next share theirs::

        s for each number of stones | four rows of margin | row, 4 of margin | … | saved numbers
    """
    stride = size + REACH
    sums = CELL_BYTES * (layout.MOST_CELLS + 2)
    cells = CELL_BYTES * (stride * (size + 2 * REACH) + 2 * REACH)
    memory = np.zeros(sums + cells + BACKUP * (layout.MOST_CELLS + 2) + CELL_BYTES, dtype=np.int8)
    start = -(-memory.ctypes.data // CELL_BYTES) * CELL_BYTES  # one cell, one cache line
    first = start + sums + CELL_BYTES * (stride * REACH + REACH)
    row, col = np.divmod(np.arange(layout.MOST_CELLS), size)
    where = first + CELL_BYTES * (row * stride + col)
    entries = {
        layout.WINDOWS_AT: network.table.ctypes.data,
        layout.HEAD_AT: network.head.ctypes.data,
        layout.RANK_SCALE: network.rank_scale,
        layout.CELL_PLACES_AT: where.ctypes.data,
        layout.WINDOW_SUMS_AT: start,
        layout.BACKUPS_AT: start + sums + cells,
        layout.SHIFTED: -1,
    }
    for direction, (down, right) in enumerate(DIRECTIONS):
        entries[layout.CELL_STEPS + direction] = CELL_BYTES * (down * stride + right)
    for index, number in entries.items():
        block[index] = number
    return [network.table, network.head, where, memory]
