"""The heuristics of the games, compiled: the same values as ``evaluate_heuristic``.

A heuristic reads its weights from a block of numbers made once per search by `evaluation`, and
returns a value in [−1, 1] for the side to move. It is never called for a finished game.

Each line is scanned once, from end to end, with two sliding windows::

    . X . X O . . X X .          window of win_length cells without an enemy stone
        [.........]              open window: one cell longer, both ends empty
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, popcount
from rl_toolkit.kernels.jit import f64, i64, kernel, numbers, u64, words
from rl_toolkit.kernels.rules import reversi
from rl_toolkit.kernels.spec import (
    KernelSpec,
    LineSpec,
    LineWeights,
    ReversiSpec,
    ReversiWeights,
    Weights,
)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

# The indices of a line game's evaluation block.
CELLS = 0
SIDE = 1  # words per side of a state
LENGTH = 2
SCALE = 3
ENEMY_THREAT = 4
CENTRE = 5
NUM_WINDOWS = 6
NUM_OPEN = 7
NUM_LINES = 8
BITS = 9  # start of the list of cell bits; the following are starts of other lists
MIDDLE = 10  # 1 for each cell in the middle
WINDOWS = 11  # points by missing stones
OPEN = 12
LINES = 13  # for each line its length and its cells
BOARD = 14  # scratch: the cells of the current position, 1 mine, −1 theirs
HEADER = 15

# The indices of a Reversi evaluation block.
MOBILITY, CORNER, STABLE, DISC, REVERSI_SCALE = 0, 1, 2, 3, 4


@kernel(f64(i64, i64))
def clipped(points: np.int64, scale: np.int64) -> float:
    """Points as a value in [−1, 1]."""
    return max(-1.0, min(1.0, points / scale))


@kernel(i64(i64, numbers, i64))
def _window_points(lacking: np.int64, ev: Numbers, enemy: int) -> np.int64:
    """The points of a window without stones of the other side."""
    if lacking < 1 or lacking > ev[NUM_WINDOWS]:
        return np.int64(0)
    if enemy and lacking == 1:
        return np.int64(ev[ENEMY_THREAT])
    return np.int64(ev[ev[WINDOWS] + lacking - 1])


@kernel(i64(i64, numbers))
def _open_points(lacking: np.int64, ev: Numbers) -> np.int64:
    """The points of an open window without stones of the other side."""
    if lacking < 0 or lacking >= ev[NUM_OPEN]:
        return np.int64(0)
    return np.int64(ev[ev[OPEN] + lacking])


@kernel(i64(numbers, i64, i64))
def _line_points(ev: Numbers, start: np.int64, size: np.int64) -> np.int64:
    """The points of the windows on one line, mine minus theirs."""
    board, k = ev[BOARD], ev[LENGTH]
    mine = theirs = large_mine = large_theirs = np.int64(0)
    points = np.int64(0)
    for i in range(size):
        stone = ev[board + ev[start + i]]
        mine += stone == 1
        theirs += stone == -1
        large_mine += stone == 1
        large_theirs += stone == -1
        if i >= k:
            leaving = ev[board + ev[start + i - k]]
            mine -= leaving == 1
            theirs -= leaving == -1
        if i >= k - 1:
            if theirs == 0:
                points += _window_points(k - mine, ev, 0)
            if mine == 0:
                points -= _window_points(k - theirs, ev, 1)
        if ev[NUM_OPEN] == 0:
            continue
        if i >= k + 1:
            leaving = ev[board + ev[start + i - k - 1]]
            large_mine -= leaving == 1
            large_theirs -= leaving == -1
        if i >= k and stone == 0 and ev[board + ev[start + i - k]] == 0:
            if large_theirs == 0:
                points += _open_points(k - 1 - large_mine, ev)
            if large_mine == 0:
                points -= _open_points(k - 1 - large_theirs, ev)
    return points


@kernel(f64(words, words, numbers))
def line_evaluate(state: Words, shape: Words, ev: Numbers) -> float:
    """The heuristic of a line game for the side to move."""
    board, bits, middle, side = ev[BOARD], ev[BITS], ev[MIDDLE], ev[SIDE]
    points = np.int64(0)
    for cell in range(ev[CELLS]):
        word, bit = ev[bits + cell] >> np.int64(6), np.uint64(ev[bits + cell] & np.int64(63))
        stone = np.int64((state[word] >> bit) & ONE) - np.int64((state[side + word] >> bit) & ONE)
        ev[board + cell] = stone
        points += ev[CENTRE] * ev[middle + cell] * stone
    at = ev[LINES]
    for _ in range(ev[NUM_LINES]):
        size = ev[at]
        points += _line_points(ev, at + 1, size)
        at += size + 1
    return clipped(points, ev[SCALE])


@kernel(u64(u64, i64, i64, i64))
def _row_from(discs: np.uint64, corner: np.int64, step: np.int64, size: np.int64) -> np.uint64:
    """The discs in an unbroken row from ``corner``, as bits."""
    row = ZERO
    index = corner
    for _ in range(size):
        bit = ONE << np.uint64(index)
        if discs & bit == ZERO:
            break
        row |= bit
        index += step
    return row


@kernel(i64(u64, words, numbers))
def _edge_points(discs: np.uint64, shape: Words, ev: Numbers) -> np.int64:
    """The points of corners, and of edge discs in an unbroken row from an own corner."""
    size, margin = np.int64(shape[reversi.SIZE]), np.int64(shape[reversi.MARGIN])
    first, last = 9 * margin, 9 * (margin + size - 1)
    right, down = np.int64(1), np.int64(8)
    stable = _row_from(discs, first, right, size) | _row_from(discs, first, down, size)
    stable |= _row_from(discs, last, -right, size) | _row_from(discs, last, -down, size)
    top_right, bottom_left = first + size - 1, last - size + 1
    stable |= _row_from(discs, top_right, -right, size) | _row_from(discs, top_right, down, size)
    stable |= _row_from(discs, bottom_left, right, size) | _row_from(
        discs, bottom_left, -down, size
    )
    corners = (ONE << np.uint64(first)) | (ONE << np.uint64(last))
    corners |= (ONE << np.uint64(top_right)) | (ONE << np.uint64(bottom_left))
    points = ev[CORNER] * np.int64(popcount(discs & corners))
    return np.int64(points + ev[STABLE] * np.int64(popcount(stable)))


@kernel(f64(words, words, numbers))
def reversi_evaluate(state: Words, shape: Words, ev: Numbers) -> float:
    """The heuristic of Reversi for the side to move."""
    mine, theirs, cells = state[0], state[1], shape[reversi.CELLS]
    my_moves = np.int64(popcount(reversi.moves_of(mine, theirs) & cells))
    their_moves = np.int64(popcount(reversi.moves_of(theirs, mine) & cells))
    points = ev[MOBILITY] * (my_moves - their_moves)
    points += _edge_points(mine, shape, ev) - _edge_points(theirs, shape, ev)
    num_cells, taken = np.int64(popcount(cells)), np.int64(popcount(mine | theirs))
    if 6 * (num_cells - taken) <= num_cells:
        points += ev[DISC] * (np.int64(popcount(mine)) - np.int64(popcount(theirs)))
    return clipped(points, ev[REVERSI_SCALE])


def evaluation(spec: KernelSpec, weights: Weights, cell_bits: list[int], side: int) -> Numbers:
    """The block of numbers that an ``evaluate`` operation reads.

    Every search needs its own, because it contains scratch space. ``cell_bits`` are the bits of the
    cells within a side, ``side`` is the number of words per side.
    """
    if isinstance(spec, ReversiSpec) and isinstance(weights, ReversiWeights):
        points = [weights.mobility, weights.corner, weights.stable, weights.disc, weights.scale]
        return np.array(points, dtype=np.int64)
    if isinstance(spec, LineSpec) and isinstance(weights, LineWeights):
        return _line_evaluation(spec, weights, cell_bits, side)
    raise TypeError(f"{weights!r} are not weights for {spec!r}")


def _line_evaluation(
    spec: LineSpec, weights: LineWeights, cell_bits: list[int], side: int
) -> Numbers:
    num_cells = spec.rows * spec.cols
    middle_columns = {(spec.cols - 1) // 2, spec.cols // 2}
    lines = _lines(spec)
    threat = weights.windows[0] if weights.enemy_threat is None else weights.enemy_threat
    lists: dict[int, list[int]] = {
        BITS: cell_bits,
        MIDDLE: [int(cell % spec.cols in middle_columns) for cell in range(num_cells)],
        WINDOWS: list(weights.windows),
        OPEN: list(weights.open_windows),
        LINES: [number for line in lines for number in (len(line), *line)],
        BOARD: [0] * num_cells,
    }
    header = [0] * HEADER
    header[CELLS], header[SIDE], header[LENGTH] = num_cells, side, spec.win_length
    header[SCALE], header[ENEMY_THREAT], header[CENTRE] = weights.scale, threat, weights.centre
    header[NUM_WINDOWS], header[NUM_OPEN] = len(weights.windows), len(weights.open_windows)
    header[NUM_LINES] = len(lines)
    out = header
    for slot, content in lists.items():
        out[slot] = len(out)
        out = out + content
    return np.array(out, dtype=np.int64)


@cache
def _lines(spec: LineSpec) -> tuple[tuple[int, ...], ...]:
    """Every maximal straight line of at least ``win_length`` cells."""
    found = []
    for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(spec.rows):
            for col in range(spec.cols):
                if row >= d_row and 0 <= col - d_col < spec.cols:
                    continue  # not the first cell of its line
                line = []
                r, c = row, col
                while r < spec.rows and 0 <= c < spec.cols:
                    line.append(r * spec.cols + c)
                    r, c = r + d_row, c + d_col
                if len(line) >= spec.win_length:
                    found.append(tuple(line))
    return tuple(found)
