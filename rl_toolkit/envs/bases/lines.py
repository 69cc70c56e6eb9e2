"""Lines on a grid: rays from a cell, runs of one colour, windows of k cells.

The tables are made once for each board shape.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Steps (row, col) along the four directions of a line: → ↑ ↗ ↖ with row 0 at the bottom.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Axis(NamedTuple):
    """The cells before and after one cell along one direction, nearest first."""

    before: tuple[int, ...]
    after: tuple[int, ...]


def _ray(rows: int, cols: int, cell: int, step: tuple[int, int]) -> tuple[int, ...]:
    """The cells from ``cell`` to the edge in the direction of ``step``, without ``cell``."""
    row, col = cell // cols + step[0], cell % cols + step[1]
    cells = []
    while 0 <= row < rows and 0 <= col < cols:
        cells.append(row * cols + col)
        row, col = row + step[0], col + step[1]
    return tuple(cells)


@lru_cache(maxsize=64)
def axes(rows: int, cols: int) -> tuple[tuple[Axis, ...], ...]:
    """The four axes of each cell, in the order of `DIRECTIONS`."""
    return tuple(
        tuple(
            Axis(_ray(rows, cols, cell, (-dr, -dc)), _ray(rows, cols, cell, (dr, dc)))
            for dr, dc in DIRECTIONS
        )
        for cell in range(rows * cols)
    )


@lru_cache(maxsize=64)
def windows(rows: int, cols: int, length: int) -> NDArray[np.intp]:
    """Every straight window of ``length`` cells, one per row of the result."""
    lines = [
        (cell, *axis.after[: length - 1])
        for cell, four in enumerate(axes(rows, cols))
        for axis in four
        if len(axis.after) >= length - 1
    ]
    return np.array(lines, dtype=np.intp).reshape(-1, length)


def run_through(cells: bytes, cell: int, axis: Axis) -> list[int]:
    """The unbroken run of ``cell``'s colour along ``axis``, from end to end.

    ``cells`` is the board as bytes: reading single cells from it is much faster than from an array.
    """
    colour = cells[cell]
    run = [cell]
    for ray in axis:
        for neighbour in ray:
            if cells[neighbour] != colour:
                break
            run.append(neighbour)
    return sorted(run)


def runs_through(cells: bytes, cell: int, rows: int, cols: int) -> list[list[int]]:
    """The four runs of ``cell``'s colour through it."""
    return [run_through(cells, cell, axis) for axis in axes(rows, cols)[cell]]


def all_runs(cells: bytes, rows: int, cols: int) -> list[list[int]]:
    """Every run of at least two equal pieces on the board, each once."""
    return [
        run_through(cells, cell, axis)
        for cell, four in enumerate(axes(rows, cols))
        if cells[cell]
        for axis in four
        # A run is listed at its first cell only.
        if not (axis.before and cells[axis.before[0]] == cells[cell])
        and axis.after
        and cells[axis.after[0]] == cells[cell]
    ]
