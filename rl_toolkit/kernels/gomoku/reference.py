"""The patterns of a board by their definition, in plain Python: slow, and a check on the kernels.

No table, no window and no line word is used. A code is found by putting stones on the line one at a
time, as `kernels.gomoku.codes` defines it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rl_toolkit.kernels.gomoku import codes
from rl_toolkit.kernels.gomoku.geometry import DIRECTIONS
from rl_toolkit.kernels.spec import LineRule

Line = tuple[int, ...]
EMPTY, OWN, OTHER = 0, 1, 2


def makes_five(line: Line, at: int, rule: LineRule) -> bool:
    """Whether the own stones through ``at`` are a winning row."""
    first = last = at
    while first > 0 and line[first - 1] == OWN:
        first -= 1
    while last + 1 < len(line) and line[last + 1] == OWN:
        last += 1
    return bool(rule.wins(last - first + 1, 5))


@lru_cache(maxsize=200_000)
def code_with_stone(line: Line, at: int, rule: LineRule) -> int:
    """The code of the cell ``at``, on which an own stone was put."""
    if makes_five(line, at, rule):
        return codes.FIVE
    found = [0] * codes.CODES
    for cell in range(max(0, at - 4), min(len(line), at + 5)):
        if line[cell] == EMPTY:
            found[code_with_stone((*line[:cell], OWN, *line[cell + 1 :]), at, rule)] += 1
    if found[codes.FIVE]:
        return codes.OPEN_FOUR if found[codes.FIVE] >= 2 else codes.FOUR
    if found[codes.OPEN_FOUR]:
        return codes.OPEN_THREE_2 if found[codes.OPEN_FOUR] >= 2 else codes.OPEN_THREE_1
    if found[codes.FOUR]:
        return codes.THREE
    open_threes = found[codes.OPEN_THREE_1] + found[codes.OPEN_THREE_2]
    if open_threes:
        return (codes.OPEN_TWO_1, codes.OPEN_TWO_2, codes.OPEN_TWO_3)[min(open_threes, 3) - 1]
    if found[codes.THREE]:
        return codes.TWO
    if sum(found[codes.OPEN_TWO_1 : codes.OPEN_TWO_3 + 1]):
        return codes.OPEN_ONE
    return codes.ONE if found[codes.TWO] else codes.DEAD


@lru_cache(maxsize=200_000)
def line_codes(line: Line, rule: LineRule) -> tuple[int, ...]:
    """The codes of all empty cells of a line for the side `OWN`; `DEAD` for stones."""
    found = []
    for at, stone in enumerate(line):
        # Cells further away cannot matter: a five through this cell, and one more stone, fit.
        first, last = max(0, at - 5), at + 6
        window = (*line[first:at], OWN, *line[at + 1 : last])
        is_empty = stone == EMPTY
        found.append(code_with_stone(window, at - first, rule) if is_empty else codes.DEAD)
    return tuple(found)


@lru_cache
def lines_of(size: int, direction: int) -> list[list[int]]:
    """The cells of every line in a direction, in its order."""
    down, right = DIRECTIONS[direction]
    lines = []
    for cell in range(size * size):
        row, col = divmod(cell, size)
        if not (0 <= row - down < size and 0 <= col - right < size):  # a line begins here
            line = []
            while 0 <= row < size and 0 <= col < size:
                line.append(row * size + col)
                row, col = row + down, col + right
            lines.append(line)
    return lines


def patterns_of(board: Sequence[int], size: int, rule: LineRule) -> list[int]:
    """The pattern of every cell; ``board`` has 0 for empty, 1 for black and 2 for white."""
    patterns = [0] * (size * size)
    for direction in range(len(DIRECTIONS)):
        for cells in lines_of(size, direction):
            stones = tuple(board[cell] for cell in cells)
            for side in (0, 1):
                line = stones if side == 0 else tuple((0, OTHER, OWN)[stone] for stone in stones)
                for cell, code in zip(cells, line_codes(line, rule), strict=True):
                    patterns[cell] |= code << (4 * direction + 16 * side)
    return patterns
