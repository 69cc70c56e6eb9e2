"""The sums of the window network during a search: after each stone, and back.

`kernels.gomoku.windows` says what x and s are. A stone changes the windows of at most 32 cells, and
takes its own cell out of s. Most positions of a search are leaves. They need s, but no x, which is
there to follow further stones and to rank moves. So there are two steps, both after `board.make`::

    look      s of the position from x and s of the position before the last stone; x stays as it is
    shift     x and s; saves the numbers of x that it changes
    unshift   copies them back, before `board.undo`

s of the position before needs no copy: there is one for each number of stones on the board.

`kernels.gomoku.pvs` calls the kernels by their addresses in the block (`connect`): a search without
a network neither compiles nor contains them.

Each instruction here works on the 32 numbers of a cell, of both views, at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.gomoku.board import make, undo
from rl_toolkit.kernels.gomoku.layout import (
    BACKUPS_AT,
    CELL_PLACES_AT,
    CELL_STEPS,
    CELLS,
    FILL_AT,
    HEAD_AT,
    LINES,
    LIST,
    LOG,
    PLACES_AT,
    PLY,
    POINTS_AT,
    RANK_SCALE,
    RECORD,
    SHIFT_AT,
    SHIFTED,
    UNSHIFT_AT,
    WINDOW_SUMS_AT,
    WINDOWS_AT,
    numbers_at,
)
from rl_toolkit.kernels.gomoku.windows import BACKUP, CELL_BYTES, CHANNELS, HIDDEN, REACH
from rl_toolkit.kernels.jit import (
    address_call,
    i64,
    instruction,
    ir,
    kernel,
    number_array,
    numbers,
    pointer,
)

Numbers = npt.NDArray[np.int64]

_MOST_X = 127
_BACKUP_OF_LINE = BACKUP // 4
_H_SHIFT, _MOST_H, _POINTS_SHIFT = 10, 4095, 12
_RANK_SHIFT = 5

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(ir.IntType(16), 2 * CHANNELS)
_ROW = ir.VectorType(ir.IntType(8), 2 * CHANNELS)
_HEAD = ir.VectorType(ir.IntType(32), HIDDEN)
_WIDE = ir.VectorType(_WORD, HIDDEN)


def _word(number: int) -> ir.Constant:
    return ir.Constant(_WORD, number)


def _filled(kind: Any, number: int) -> ir.Constant:
    return ir.Constant(kind, [number] * kind.count)


def _at(build: Any, address: Any, kind: Any) -> Any:
    return build.inttoptr(address, kind.as_pointer())


def _load(build: Any, address: Any) -> Any:
    """The 32 numbers of a cell."""
    return build.load(_at(build, address, _VECTOR), align=CELL_BYTES)


def _store(build: Any, vector: Any, address: Any) -> None:
    build.store(vector, _at(build, address, _VECTOR), align=CELL_BYTES)


def _row(build: Any, table: Any, key: Any) -> Any:
    """The row of a window in both views."""
    place = _at(build, build.add(table, build.shl(key, _word(5))), _ROW)
    return build.sext(build.load(place, align=1), _VECTOR)


def _repeated(build: Any, value: Any, kind: Any) -> Any:
    """A vector with the same value everywhere."""
    one = build.insert_element(
        ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return build.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros)


def _clip(build: Any, vector: Any, most: Any) -> Any:
    """``vector`` between 0 and ``most``."""
    zero = ir.Constant(vector.type, [0] * vector.type.count)
    positive = build.select(build.icmp_signed(">", vector, zero), vector, zero)
    return build.select(build.icmp_signed("<", positive, most), positive, most)


def _key(build: Any, window: Any) -> Any:
    """The key of a window: the centre is left out."""
    before = build.and_(window, _word(0xFF))
    return build.or_(before, build.and_(build.lshr(window, _word(2)), _word(0xFF00)))


def _most_of(build: Any, window: Any) -> Any:
    """What x of the cell is clipped to for s: 0 unless the centre of the window is empty."""
    centre = build.and_(window, _word(3 << 4 * 2))
    empty = build.icmp_signed("==", centre, _word(0))
    most = build.select(empty, ir.Constant(ir.IntType(16), _MOST_X), ir.Constant(ir.IntType(16), 0))
    return _repeated(build, most, _VECTOR)


def _follow_line(
    build: Any, table: Any, cell: Any, step: Any, line: Any, sums: Any, saved: Any | None
) -> Any:
    """Add to s what a stone changes on one line; with ``saved`` also to x, whose numbers it saves.

    ``cell`` is the address of x of the cell with the stone, and ``line`` the line from eight cells
    before it.
    """
    total = _load(build, sums)
    stone = build.and_(build.lshr(line, _word(2 * 2 * REACH)), _word(3))
    ways = [k for k in range(-REACH, REACH + 1) if k]
    for number, k in enumerate(ways):
        window = build.lshr(line, _word(2 * (k + REACH)))
        key = _key(build, window)
        digit = REACH - k if k > 0 else REACH - k - 1
        before = build.xor(key, build.shl(stone, _word(2 * digit)))
        address = build.add(cell, build.mul(step, _word(k)))
        old = _load(build, address)
        new = build.add(old, build.sub(_row(build, table, key), _row(build, table, before)))
        if saved is not None:
            _store(build, old, build.add(saved, _word(number * CELL_BYTES)))
            _store(build, new, address)
        most = _most_of(build, window)
        total = build.add(total, build.sub(_clip(build, new, most), _clip(build, old, most)))
    _store(build, total, sums)
    return _word(0)


@instruction(i64(i64, i64, i64, i64, i64))
def _look_line(build: Any, table: Any, cell: Any, step: Any, line: Any, sums: Any) -> Any:
    """`_follow_line` for s alone."""
    return _follow_line(build, table, cell, step, line, sums, None)


@instruction(i64(i64, i64, i64, i64, i64, i64))
def _shift_line(
    build: Any, table: Any, cell: Any, step: Any, line: Any, sums: Any, saved: Any
) -> Any:
    """`_follow_line` for s and x."""
    return _follow_line(build, table, cell, step, line, sums, saved)


@instruction(i64(i64, i64, i64))
def _restore_line(build: Any, cell: Any, step: Any, saved: Any) -> Any:
    """Copy back what `_shift_line` saved."""
    ways = [k for k in range(-REACH, REACH + 1) if k]
    for number, k in enumerate(ways):
        old = _load(build, build.add(saved, _word(number * CELL_BYTES)))
        _store(build, old, build.add(cell, build.mul(step, _word(k))))
    return _word(0)


@instruction(i64(i64, i64, i64))
def _leave_out(build: Any, before: Any, cell: Any, sums: Any) -> Any:
    """Write ``before`` to ``sums``, less what an empty cell adds to it."""
    share = _clip(build, _load(build, cell), _filled(_VECTOR, _MOST_X))
    _store(build, build.sub(_load(build, before), share), sums)
    return _word(0)


@instruction(i64(i64))
def _clear(build: Any, sums: Any) -> Any:
    """Write zeros."""
    _store(build, _filled(_VECTOR, 0), sums)
    return _word(0)


@instruction(i64(i64, i64, i64, i64, i64, i64, i64))
def _sum_cell(build: Any, table: Any, cell: Any, a: Any, b: Any, c: Any, d: Any, sums: Any) -> Any:
    """Write x of a cell with these four windows, and add to s."""
    rows = [_row(build, table, _key(build, window)) for window in (a, b, c, d)]
    x = build.add(build.add(rows[0], rows[1]), build.add(rows[2], rows[3]))
    _store(build, x, cell)
    share = _clip(build, x, _most_of(build, a))
    _store(build, build.add(_load(build, sums), share), sums)
    return _word(0)


@instruction(i64(i64, i64, i64))
def _points(build: Any, sums: Any, head: Any, side: Any) -> Any:
    """What the network adds to the value of a position for ``side``, to move."""
    part = _at(build, head, _HEAD)

    def numbers_of(index: Any) -> Any:
        return build.sext(build.load(build.gep(part, [index]), align=4), _WIDE)

    inputs = build.mul(side, _word(2 * CHANNELS))
    total = numbers_of(_word(4 * CHANNELS))
    sum_of = _load(build, sums)
    for k in range(2 * CHANNELS):
        z = build.zext(build.extract_element(sum_of, ir.Constant(ir.IntType(32), k)), _WORD)
        weights = numbers_of(build.add(inputs, _word(k)))
        total = build.add(total, build.mul(weights, _repeated(build, z, _WIDE)))
    h = _clip(build, build.ashr(total, _filled(_WIDE, _H_SHIFT)), _filled(_WIDE, _MOST_H))
    parts = build.mul(h, numbers_of(_word(4 * CHANNELS + 1)))
    last = build.gep(_at(build, head, ir.IntType(32)), [_word((4 * CHANNELS + 2) * HIDDEN)])
    points = build.sext(build.load(last), _WORD)
    for k in range(HIDDEN):
        points = build.add(points, build.extract_element(parts, ir.Constant(ir.IntType(32), k)))
    return build.ashr(points, _word(_POINTS_SHIFT))


@instruction(i64(i64, i64, i64, i64))
def window_rank(build: Any, places: Any, scale: Any, cell: Any, side: Any) -> Any:
    """What the network adds to the rank of a move of ``side``, after `shift`.

    ``places`` and ``scale`` are the numbers `CELL_PLACES_AT` and `RANK_SCALE` of the block.
    """
    place = build.load(build.gep(_at(build, places, _WORD), [cell]))
    channel = build.add(build.mul(side, _word(CHANNELS)), _word(CHANNELS - 1))
    last = build.load(build.gep(_at(build, place, ir.IntType(16)), [channel]))
    return build.ashr(build.mul(build.sext(last, _WORD), scale), _word(_RANK_SHIFT))


# ----------------------------------------------------------------------------- kernels


@kernel(i64(numbers, i64, i64), inline=True)
def _line(block: Numbers, cell: int, direction: int) -> int:
    """The line of a cell in a direction, from eight cells before it."""
    place = numbers_at(block[PLACES_AT])[4 * cell + direction]
    # Eight cells of edge, not five, come before the first one; edge follows from above.
    return int((block[LINES + (place & 255)] << 6 | 63) >> 2 * ((place >> 8) & 255))


@kernel(i64(numbers))
def fill(block: Numbers) -> int:
    """Work out x and s of a position from nothing; returns 0."""
    table, where = block[WINDOWS_AT], numbers_at(block[CELL_PLACES_AT])
    sums = block[WINDOW_SUMS_AT] + CELL_BYTES * block[PLY]
    _clear(sums)
    for cell in range(block[CELLS]):
        _sum_cell(
            table,
            where[cell],
            _line(block, cell, 0) >> 2 * REACH,
            _line(block, cell, 1) >> 2 * REACH,
            _line(block, cell, 2) >> 2 * REACH,
            _line(block, cell, 3) >> 2 * REACH,
            sums,
        )
    block[SHIFTED] = block[PLY]
    return 0


@kernel(i64(numbers), inline=True)
def _last_cell(block: Numbers) -> int:
    """The cell of the last stone: the first in its list of changed patterns."""
    return int(block[LOG + RECORD * (block[PLY] - 1) + LIST] >> 32)


@kernel(i64(numbers))
def look(block: Numbers) -> int:
    """Work out s after the last stone, unless `shift` has done so; returns 0."""
    if block[SHIFTED] == block[PLY]:
        return 0
    cell = _last_cell(block)
    at, table = numbers_at(block[CELL_PLACES_AT])[cell], block[WINDOWS_AT]
    sums = block[WINDOW_SUMS_AT] + CELL_BYTES * block[PLY]
    _leave_out(sums - CELL_BYTES, at, sums)
    for direction in range(4):
        _look_line(table, at, block[CELL_STEPS + direction], _line(block, cell, direction), sums)
    return 0


@kernel(i64(numbers))
def shift(block: Numbers) -> int:
    """Bring x and s up to date after the last stone, unless that was done; returns 0."""
    if block[SHIFTED] == block[PLY]:
        return 0
    cell = _last_cell(block)
    at, table = numbers_at(block[CELL_PLACES_AT])[cell], block[WINDOWS_AT]
    sums = block[WINDOW_SUMS_AT] + CELL_BYTES * block[PLY]
    saved = block[BACKUPS_AT] + BACKUP * block[PLY]
    _leave_out(sums - CELL_BYTES, at, sums)
    for direction in range(4):
        line, step = _line(block, cell, direction), block[CELL_STEPS + direction]
        _shift_line(table, at, step, line, sums, saved + _BACKUP_OF_LINE * direction)
    block[SHIFTED] = block[PLY]
    return 0


@kernel(i64(numbers))
def unshift(block: Numbers) -> int:
    """Bring x back to before the last stone, if `shift` followed it; returns 0."""
    if block[SHIFTED] != block[PLY]:
        return 0
    at = numbers_at(block[CELL_PLACES_AT])[_last_cell(block)]
    saved = block[BACKUPS_AT] + BACKUP * block[PLY]
    for direction in range(4):
        step = block[CELL_STEPS + direction]
        _restore_line(at, step, saved + _BACKUP_OF_LINE * direction)
    block[SHIFTED] -= 1
    return 0


@kernel(i64(numbers, i64))
def points(block: Numbers, side: int) -> int:
    """What the network adds to the value for ``side``, to move."""
    look(block)
    sums = block[WINDOW_SUMS_AT] + CELL_BYTES * block[PLY]
    return int(_points(sums, block[HEAD_AT], side))


def connect(block: Numbers) -> None:
    """Enter the addresses of the kernels into a block, and compile them."""
    block[FILL_AT], block[POINTS_AT] = fill.address, points.address
    block[SHIFT_AT], block[UNSHIFT_AT] = shift.address, unshift.address


call: Any = address_call(i64, numbers)
"""In kernels: run `fill`, `shift` or `unshift` by its address, with a block."""
call_for: Any = address_call(i64, numbers, i64)
"""In kernels: run `points` by its address, with a block and a side."""


@kernel(i64(number_array))
def fill_windows(block: Numbers) -> int:
    """`fill` for Python."""
    return fill(pointer(block))


@kernel(i64(number_array))
def look_at_windows(block: Numbers) -> int:
    """`look` for Python."""
    return look(pointer(block))


@kernel(i64(number_array))
def shift_windows(block: Numbers) -> int:
    """`shift` for Python."""
    return shift(pointer(block))


@kernel(i64(number_array))
def unshift_windows(block: Numbers) -> int:
    """`unshift` for Python."""
    return unshift(pointer(block))


@kernel(i64(number_array, i64))
def window_points(block: Numbers, side: int) -> int:
    """`points` for Python."""
    return points(pointer(block), side)


@kernel(i64(number_array, i64, i64))
def rank_by_windows(block: Numbers, side: int, cell: int) -> int:
    """`window_rank` for Python."""
    return int(window_rank(block[CELL_PLACES_AT], block[RANK_SCALE], cell, side))


@kernel(i64(number_array, number_array, i64, i64))
def walk_windows(block: Numbers, moves: Numbers, rounds: int, steps: int) -> int:
    """For benchmarks: make and undo all ``moves`` in turn, ``rounds`` times, with the network.

    ``steps`` says what is done after each stone: 1 `shift`, and `unshift` on the way back. With 2
    `look`, and with 3 `points`, which needs it too; then the stone is undone at once.
    """
    pointed, total = pointer(block), 0
    fill(pointed)
    for _ in range(rounds):
        for k in range(moves.size):
            make(pointed, moves[k], k & 1)
            if steps == 1:
                shift(pointed)
                continue
            if steps == 2:
                look(pointed)
            else:
                total += points(pointed, k & 1)
            undo(pointed, moves[k], k & 1)
        for k in range(moves.size - 1, -1, -1):
            if steps == 1:
                unshift(pointed)
                undo(pointed, moves[k], k & 1)
    return total
